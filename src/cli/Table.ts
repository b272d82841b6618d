/**
 * Text in columns that fit a terminal.
 */
import { CliOutput } from "effect/cli"
import * as Screen from "./Screen.ts"

/**
 * One column. What does not fit is cut at its end; of a path the end says most, so that it is cut at its start.
 */
export interface Column {
  readonly title: string
  readonly cut?: "start" | "end" | undefined
  /** The share of the line that it takes at most, from 0 to 1. The last column takes what is left. */
  readonly share?: number | undefined
  /** Whether it is left out where there is little room: it mostly is called like its row. */
  readonly spare?: boolean | undefined
  readonly style?: ((text: string) => string) | undefined
}

const gap = 2
/** A column that is cut to less says nothing, so that the line is rather too long. */
const least = { shared: 8, last: 20 }
/** From how many columns on there is room for all. */
const roomy = 120

/**
 * The title line and a line for each row, each at most `columns` wide; `undefined` cuts nothing.
 */
export const lines = (
  all: ReadonlyArray<Column>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  columns: number | undefined
): ReadonlyArray<string> => {
  const isShown = (index: number) => columns === undefined || columns >= roomy || all[index]?.spare !== true
  const table = all.filter((_, index) => isShown(index))
  const titles = table.map(({ title }) => title)
  const rows = [titles, ...cells.map((row) => row.filter((_, index) => isShown(index)))]
  const widths = fitted(table, rows, columns)
  const last = table.length - 1
  return rows.map((row, number) =>
    row
      .map((cell, index) => {
        const { cut, style = same } = table[index] ?? {}
        const text = fit(cell, widths[index] ?? 0, cut)
        const space = index === last ? "" : " ".repeat((widths[index] ?? 0) - width(text) + gap)
        return `${number === 0 ? Screen.bold(text) : style(text)}${space}`
      })
      .join("")
      .trimEnd()
  )
}

/** The width of each column: as it needs, its share, or less where the line would be too long. */
const fitted = (
  table: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: number | undefined
): ReadonlyArray<number> => {
  const natural = table.map((_, index) => Math.max(...rows.map((row) => width(row[index] ?? ""))))
  if (columns === undefined) return natural
  const last = table.length - 1
  const widths = table.map(({ share }, index) => {
    const whole = natural[index] ?? 0
    if (index === last) return Math.min(whole, least.last)
    return share === undefined ? whole : Math.min(whole, Math.floor(columns * share))
  })
  const left = () => columns - gap * last - widths.reduce((sum, width) => sum + width, 0)
  const widest = () =>
    table.reduce((best, { share }, index) => {
      const isWider = share !== undefined && index !== last && (widths[index] ?? 0) > (widths[best] ?? least.shared)
      return isWider ? index : best
    }, -1)
  for (let index = widest(); left() < 0 && index !== -1; index = widest()) widths[index] = (widths[index] ?? 0) - 1
  return widths.with(last, (widths[last] ?? 0) + Math.max(left(), 0))
}

const same = (text: string): string => text

/**
 * A text in lines of at most `columns`, broken at spaces; every line but the first is indented. A word that is longer
 * than a line is left whole.
 */
export const wrap = (text: string, columns: number | undefined, indent: number): string => {
  if (columns === undefined) return text
  const [first = "", ...words] = text.split(" ")
  let column = indent + width(first)
  return words.reduce((wrapped, word) => {
    const fits = column + 1 + width(word) <= columns
    column = (fits ? column + 1 : indent) + width(word)
    return `${wrapped}${fits ? " " : `\n${" ".repeat(indent)}`}${word}`
  }, first)
}

/** How many columns of a terminal a text takes. */
export const width = CliOutput.displayWidth

const fit = (text: string, columns: number, cut: Column["cut"]): string => {
  if (width(text) <= columns) return text
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment)
  if (cut === "start") graphemes.reverse()
  const kept: Array<string> = []
  let taken = 1
  for (const grapheme of graphemes) {
    taken += width(grapheme)
    if (taken > columns) break
    kept.push(grapheme)
  }
  return cut === "start" ? `…${kept.toReversed().join("")}` : `${kept.join("")}…`
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })
