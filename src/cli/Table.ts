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
  readonly style?: ((text: string) => string) | undefined
}

const gap = 2
/** A last column that is narrower says nothing, so that the line is rather too long. */
const leastLast = 20

/**
 * The title line and a line for each row, each at most `columns` wide; `undefined` cuts nothing.
 */
export const lines = (
  table: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: number | undefined
): ReadonlyArray<string> => {
  const titles = table.map(({ title }) => title)
  const widths = table.map(({ share }, index) => {
    const natural = Math.max(...[titles, ...rows].map((row) => width(row[index] ?? "")))
    if (columns === undefined || share === undefined) return natural
    return Math.min(natural, Math.max(width(titles[index] ?? ""), Math.floor(columns * share)))
  })
  const last = table.length - 1
  if (columns !== undefined) {
    const before = widths.slice(0, last).reduce((sum, width) => sum + width + gap, 0)
    widths[last] = Math.max(columns - before, leastLast)
  }
  return [titles, ...rows].map((row, number) =>
    row
      .map((cell, index) => {
        const { cut, style = same } = table[index] ?? {}
        const fitted = fit(cell, widths[index] ?? 0, cut)
        const space = index === last ? "" : " ".repeat((widths[index] ?? 0) - width(fitted) + gap)
        return `${number === 0 ? Screen.bold(fitted) : style(fitted)}${space}`
      })
      .join("")
      .trimEnd()
  )
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
