import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import type { Benchmark, Stage, Table } from "./Bench.ts"
import * as GrowthPlot from "./GrowthPlot.ts"
import * as Report from "./Report.ts"
import * as Stores from "./Stores.ts"

const kinds = ["link files", "ledger rows", "records", "claims"] as const

export type Kind = (typeof kinds)[number] | "link history"

export interface Point {
  readonly count: number
  readonly ms: number
  /** Once all is loaded. */
  readonly loadedMiB: number
  readonly peakMiB: number
}

const what: Readonly<Record<(typeof kinds)[number], string>> = {
  "link files": "`linkedClaudeIds` of one session",
  "ledger rows": "`SavingsLedger.total` of one session with 10 rows",
  records: "`workspaceClaims`, tmux and processes left out",
  claims: "1,000 candidates judged, arranging included"
}

const makeWorld = (kind: Kind, root: string, count: number): void => {
  switch (kind) {
    case "link files":
    case "link history":
      return void Stores.linkFiles(root, count)
    case "ledger rows":
      return void Stores.ledger(root, count, (row) => Stores.claudeId(row < 10 ? 0 : 3 + (row % 30_000)))
    case "records":
      return Stores.records(
        root,
        Array.from({ length: count }, (_, n) => ({
          id: Stores.managedId(n),
          tmux_name: `tm-${n}`,
          workspace_path: path.join(root, "w", String(n))
        }))
      )
    case "claims":
  }
}

const measure = (stage: Stage, kind: Kind, count: number): Point => {
  stage.say(`${count} ${kind}`)
  const root = stage.directory()
  makeWorld(kind, root, count)
  const script = fileURLToPath(new URL("growthPoint.ts", import.meta.url))
  const printed = execFileSync(process.execPath, [script, kind, root, String(count)], { encoding: "utf8" })
  fs.rmSync(root, { recursive: true })
  return { count, ...(JSON.parse(printed) as Omit<Point, "count">) }
}

/** At most so much above the loaded library. */
const historyMiB = 60

const history = (stage: Stage, count: number): Table => {
  const { ms, loadedMiB, peakMiB } = measure(stage, "link history", count)
  const above = peakMiB - loadedMiB
  return {
    _tag: "Table",
    title: "Memory",
    note: "Peak of resident memory of a fresh process, above that of the loaded library.",
    columns: ["what", "loaded", "above", "at most", "took"],
    rows: [
      [
        `\`linkHistory\` over ${count.toLocaleString("en")} link files`,
        `${loadedMiB.toFixed(0)} MiB`,
        `${above.toFixed(0)} MiB`,
        `${historyMiB} MiB${above <= historyMiB ? "" : ", missed"}`,
        Report.duration(ms)
      ]
    ]
  }
}

export const benchmark: Benchmark = {
  name: "growth",
  about: "time and memory from 10 to 100,000 link files, ledger rows, records and claims, and memory of a link history",
  run: async (stage) => {
    const counts = stage.quick ? [10, 100, 1000] : [10, 100, 1000, 10_000, 100_000]
    const series = kinds.map((kind) => ({
      kind,
      what: what[kind],
      points: counts.map((count) => measure(stage, kind, count))
    }))
    return [
      {
        _tag: "Table",
        title: "Growth",
        note: "Time, and peak of resident memory, of a fresh process for each point; the memory of the smallest is that of Node and of the library.",
        columns: ["of what, how many", ...counts.map((count) => count.toLocaleString("en"))],
        rows: series.map(({ kind, what, points }) => [
          `${kind}: ${what}`,
          ...points.map(({ ms, peakMiB }) => `${Report.duration(ms)}, ${peakMiB.toFixed(0)} MiB`)
        ]),
        image: { file: "growth.svg", svg: GrowthPlot.svg(series) }
      },
      history(stage, counts[counts.length - 1] ?? 0)
    ]
  }
}
