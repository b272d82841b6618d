/**
 * Text in columns that fit a terminal.
 */

/** What a line may take where there is no terminal to ask. */
const defaultColumns = 100

/** How many columns the terminal has. */
export const terminal = (): number => process.stdout.columns ?? defaultColumns

/**
 * One column. What does not fit is cut at its end; of a path the end tells most, so that it is cut at its start.
 */
export interface Column {
  readonly title: string
  readonly cut?: "start" | "end" | undefined
  /** The share of the line that it takes at most, from 0 to 1. The last column takes what is left. */
  readonly share?: number | undefined
}

const gap = 2
/** Narrower than this a last column tells nothing, so that the line is rather too long. */
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
  return [titles, ...rows].map((row) =>
    row
      .map((cell, index) => {
        const fitted = fit(cell, widths[index] ?? 0, table[index]?.cut)
        return index === last ? fitted : fitted + " ".repeat((widths[index] ?? 0) - width(fitted) + gap)
      })
      .join("")
      .trimEnd()
  )
}

/**
 * A text in lines of at most `columns`, broken at spaces; every line but the first is indented. A word that is longer
 * than a line is left whole.
 */
export const wrap = (text: string, columns: number, indent: number): string => {
  const [first = "", ...words] = text.split(" ")
  let column = indent + width(first)
  return words.reduce((wrapped, word) => {
    const fits = column + 1 + width(word) <= columns
    column = (fits ? column + 1 : indent) + width(word)
    return `${wrapped}${fits ? " " : `\n${" ".repeat(indent)}`}${word}`
  }, first)
}

/** How many columns of a terminal a text takes. */
export const width = (text: string): number => Array.from(text, widthOf).reduce((sum, columns) => sum + columns, 0)

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const widthOf = (character: string): number => (/[\p{Mn}\p{Me}]/u.test(character) ? 0 : wide.test(character) ? 2 : 1)

const fit = (text: string, columns: number, cut: Column["cut"]): string => {
  if (width(text) <= columns) return text
  const characters = cut === "start" ? Array.from(text).toReversed() : Array.from(text)
  let kept = ""
  let taken = 1
  for (const character of characters) {
    taken += widthOf(character)
    if (taken > columns) break
    kept = cut === "start" ? character + kept : kept + character
  }
  return cut === "start" ? `…${kept}` : `${kept}…`
}
