/**
 * What worktrees take on the disk, and how much of it a tool makes again.
 */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { DiskUsage, Reclaim } from "../index.ts"
import * as Judging from "./Judging.ts"
import * as Paths from "./Paths.ts"
import * as Progress from "./Progress.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

const named = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.atLeast(0),
    Flag.withMetavar("NAME"),
    Flag.withDescription(`${description}; may be given more than once`)
  )

/** What a person says about names. */
export const flags = {
  regenerable: named("regenerable", "directories of this name can be made again too"),
  keep: named("keep", "nothing of this name is removed, nor a directory that holds one")
}

/** Measures, and says how far it is. */
export const measure = (options: Omit<Reclaim.MeasureOptions, "onMeasured">) => {
  let done = 0
  return Effect.tap(
    Reclaim.measure({
      ...options,
      onMeasured: () => Progress.say(`measured ${++done} of ${Judging.count(options.trees.length, "worktree")} …`)
    }),
    () => Progress.done
  )
}

/** A line for each tree, the largest first, and the sum. */
export const print = ({ trees, total }: Reclaim.Sizes, json: boolean): void => {
  if (json) for (const size of trees) Screen.out(Screen.json({ size: size.path, ...fields(size) }))
  else if (trees.length > 0) Screen.out(`\n${[...table(trees), "", sum(trees, total)].join("\n")}\n`)
}

/** One size as data; `null` where it is not known. */
export const fields = ({ measured }: Reclaim.Size) =>
  measured._tag === "Known"
    ? { bytes: measured.value.usage.bytes, regenerableBytes: measured.value.regenerable.bytes }
    : { bytes: null, regenerableBytes: null }

/** A size for a person. */
export const text = ({ measured }: Reclaim.Size): string =>
  measured._tag === "Known" ? DiskUsage.format(measured.value.usage.bytes) : "unknown"

const columns: ReadonlyArray<Table.Column> = [
  { title: "size" },
  { title: "made again" },
  { title: "worktree", cut: "start", share: 0.5 }
]

const table = (trees: ReadonlyArray<Reclaim.Size>): ReadonlyArray<string> =>
  Table.lines(
    columns,
    [...trees]
      .sort((a, b) => (fields(b).bytes ?? -1) - (fields(a).bytes ?? -1))
      .map((size) => [text(size), DiskUsage.format(fields(size).regenerableBytes ?? 0), Paths.shown(size.path)]),
    Screen.width
  )

const sum = (trees: ReadonlyArray<Reclaim.Size>, total: DiskUsage.DiskUsage): string => {
  const regenerable = trees.reduce((bytes, size) => bytes + (fields(size).regenerableBytes ?? 0), 0)
  const unknown = trees.filter(({ measured }) => measured._tag === "Unknown").length
  const rest = unknown === 0 ? "" : ` ${Judging.count(unknown, "worktree")} could not be measured.`
  return `${DiskUsage.format(total.bytes)} in all; a tool makes ${DiskUsage.format(regenerable)} of it again.${rest}`
}
