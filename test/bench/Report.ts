/**
 * Figures as text for a terminal, and as Markdown for the README.
 */
import type { Figure, Ratio } from "./Bench.ts"
import * as Machine from "./Machine.ts"

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : 0)

const ratioText = (value: number): string => `${digits(value)} ×`

/** A time that a person can read. */
export const duration = (ms: number): string =>
  ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toPrecision(3)} ms` : `${(ms / 1000).toPrecision(3)} s`

const target = ({ atMost, ratio }: Ratio): string =>
  atMost === undefined ? "" : `${atMost} ×${ratio <= atMost ? "" : ", missed"}`

/** One figure, as it comes. */
export const text = (figure: Figure): string => {
  switch (figure._tag) {
    case "Missing":
      return `${figure.what}: not measured: ${figure.why}`
    case "Ratio": {
      const [low, high] = figure.quartiles.map(ratioText)
      const promise = target(figure)
      return [
        figure.what,
        `  against ${figure.rival}`,
        `  ${ratioText(figure.ratio)} (quartiles ${low} to ${high}, ${figure.pairs} pairs)${promise === "" ? "" : `, at most ${promise}`}`,
        `  ${duration(figure.whatMs)} against ${duration(figure.rivalMs)}`
      ].join("\n")
    }
    case "Table": {
      const widths = figure.columns.map((column, at) =>
        Math.max(column.length, ...figure.rows.map((row) => row[at]?.length ?? 0))
      )
      const line = (cells: ReadonlyArray<string>) =>
        cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ")
      return [
        figure.title,
        ...[figure.columns, ...figure.rows].map((row) => `  ${line(row)}`),
        `  ${figure.note}`
      ].join("\n")
    }
  }
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(columns), row(columns.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n")

/** All figures of a run: the ratios as one table, then the others. */
export const markdown = (machine: Machine.Machine, figures: ReadonlyArray<Figure>): string => {
  const ratios = figures.filter((figure) => figure._tag === "Ratio")
  const tables = figures.filter((figure) => figure._tag === "Table")
  const missing = figures.filter((figure) => figure._tag === "Missing")
  return [
    `Taken ${Machine.line(machine)}.`,
    table(
      ["what, against what", "ratio", "quartiles", "at most", "times", "pairs"],
      ratios.map((figure) => [
        `${figure.what}, against ${figure.rival}`,
        ratioText(figure.ratio),
        figure.quartiles.map(digits).join(" to "),
        target(figure),
        `${duration(figure.whatMs)}, ${duration(figure.rivalMs)}`,
        String(figure.pairs)
      ])
    ),
    ...missing.map(({ what, why }) => `Not measured: ${what}: ${why}.`),
    ...tables.flatMap(({ title, columns, rows, note, image }) => [
      `**${title}.** ${note}`,
      table(columns, rows),
      ...(image === undefined ? [] : [`![${title}](${image.file})`])
    ])
  ].join("\n\n")
}

const begin = "<!-- figures -->"
const end = "<!-- end of figures -->"

/** A text with its figures replaced. */
export const replace = (readme: string, figures: string): string => {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`there is no place for figures between ${begin} and ${end}`)
  return `${readme.slice(0, from + begin.length)}\n\n${figures}\n\n${readme.slice(to)}`
}
