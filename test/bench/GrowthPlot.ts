/**
 * The growth as two plots side by side, time and memory, both axes logarithmic. Readable on light and on dark ground.
 */
import type { Kind, Point } from "./Growth.ts"

export interface Series {
  readonly kind: Kind
  readonly points: ReadonlyArray<Point>
}

interface Axis {
  readonly title: string
  readonly value: (point: Point) => number
  readonly ticks: ReadonlyArray<readonly [value: number, label: string]>
}

const axes: ReadonlyArray<Axis> = [
  {
    title: "time",
    value: ({ ms }) => ms,
    ticks: [
      [0.1, "100 µs"],
      [1, "1 ms"],
      [10, "10 ms"],
      [100, "100 ms"],
      [1000, "1 s"],
      [10_000, "10 s"],
      [100_000, "100 s"]
    ]
  },
  {
    title: "peak of resident memory",
    value: ({ peakMiB }) => peakMiB,
    ticks: [
      [64, "64 MiB"],
      [128, "128 MiB"],
      [256, "256 MiB"],
      [512, "512 MiB"],
      [1024, "1 GiB"],
      [2048, "2 GiB"],
      [4096, "4 GiB"]
    ]
  }
]

const size = { width: 300, height: 220, left: 60, top: 34, gap: 410 }

/** Each with a mark of its own, so that colours are not needed to tell them apart. */
const marks: ReadonlyArray<(x: string, y: string) => string> = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="3.5"/>`,
  (x, y) => `<path d="M${x} ${y}m-3.5 -3.5h7v7h-7z"/>`,
  (x, y) => `<path d="M${x} ${y}m0 -5l5 5l-5 5l-5 -5z"/>`,
  (x, y) => `<path d="M${x} ${y}m0 -5l5 9h-10z"/>`
]

/** Of middling lightness, because what shows the plot need not know whether its ground is light or dark. */
const style = `
  text { font: 12px system-ui, sans-serif; fill: #6e7781 } text.title { font-weight: bold }
  .grid { stroke: #808080; stroke-opacity: 0.35 } polyline { fill: none; stroke-width: 2 }
  .s0 { stroke: #2f81f7; fill: #2f81f7 } .s1 { stroke: #2da44e; fill: #2da44e }
  .s2 { stroke: #d9730d; fill: #d9730d } .s3 { stroke: #a371f7; fill: #a371f7 }
`

export const svg = (series: ReadonlyArray<Series>): string => {
  const width = size.left + size.gap + size.width + 40
  const height = size.top + size.height + 66
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time and memory by size">
<style>${style}</style>
${axes.map((axis, at) => plot(series, axis, size.left + at * size.gap)).join("\n")}
${series.map(({ kind }, at) => legend(kind, at, height - 12)).join("\n")}
</svg>
`
}

const legend = (kind: string, at: number, y: number): string => {
  const x = size.left + at * 130
  return `<g class="s${at}">${marks[at]?.(String(x), String(y - 4))}</g><text x="${x + 10}" y="${y}">${kind}</text>`
}

const plot = (series: ReadonlyArray<Series>, { title, value, ticks }: Axis, left: number): string => {
  const points = series.flatMap(({ points }) => points)
  const counts = [...new Set(points.map(({ count }) => count))]
  const values = points.map(value)
  const above = ticks.findIndex(([tick]) => tick >= Math.max(...values))
  const below = ticks.findLastIndex(([tick]) => tick <= Math.min(...values))
  const shown = ticks.slice(Math.max(below, 0), above === -1 ? undefined : above + 1)
  const scale = (all: ReadonlyArray<number>) => {
    const [low, high] = [Math.log(Math.min(...all)), Math.log(Math.max(...all))]
    return (value: number) => (Math.log(value) - low) / (high - low)
  }
  const [across, up] = [scale(counts), scale(shown.map(([tick]) => tick))]
  const x = (count: number) => (left + across(count) * size.width).toFixed(1)
  const y = (value: number) => (size.top + (1 - up(value)) * size.height).toFixed(1)
  const bottom = size.top + size.height
  return [
    `<text x="${left}" y="18" class="title">${title}</text>`,
    ...shown.map(
      ([tick, label]) =>
        `<line class="grid" x1="${left}" x2="${left + size.width}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${left - 8}" y="${y(tick)}" dy="4" text-anchor="end">${label}</text>`
    ),
    ...counts.map(
      (count) =>
        `<line class="grid" x1="${x(count)}" x2="${x(count)}" y1="${size.top}" y2="${bottom}"/><text x="${x(count)}" y="${bottom + 18}" text-anchor="middle">${count.toLocaleString("en")}</text>`
    ),
    ...series.map(({ points }, at) => {
      const line = points.map((point) => [x(point.count), y(value(point))] as const)
      return `<g class="s${at}"><polyline points="${line.map((point) => point.join(",")).join(" ")}"/>${line
        .map(([x, y]) => marks[at]?.(x, y))
        .join("")}</g>`
    })
  ].join("\n")
}
