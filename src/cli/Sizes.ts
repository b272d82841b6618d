/**
 * What worktrees take on the disk, and how much of it a tool makes again.
 */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { DiskUsage, Reclaim } from "../internal.ts"
import * as Judging from "./Judging.ts"
import * as Progress from "./Progress.ts"

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

/** The size of each worktree. */
export type ByPath = ReadonlyMap<string, Reclaim.Size>

export const byPath = ({ trees }: Reclaim.Sizes): ByPath => new Map(trees.map((size) => [size.path, size]))

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

/** One size as data; `null` where it is not known. */
export const fields = (size: Reclaim.Size | undefined) => {
  const measured = size?.measured
  return measured?._tag === "Known"
    ? { bytes: measured.value.usage.bytes, regenerableBytes: measured.value.regenerable.bytes }
    : { bytes: null, regenerableBytes: null }
}

/** A size for a person. */
export const text = (size: Reclaim.Size | undefined): string =>
  size?.measured._tag === "Known" ? DiskUsage.format(size.measured.value.usage.bytes) : "?"

/** All sizes in a sentence. */
export const sum = ({ trees, total }: Reclaim.Sizes): string => {
  const regenerable = trees.reduce((bytes, size) => bytes + (fields(size).regenerableBytes ?? 0), 0)
  const unknown = trees.filter(({ measured }) => measured._tag === "Unknown").length
  const rest = unknown === 0 ? "" : ` ${Judging.count(unknown, "worktree")} could not be measured.`
  const again = regenerable === 0 ? "" : `; a tool makes ${DiskUsage.format(regenerable)} of it again`
  const all = `${Judging.count(trees.length, "worktree")} ${trees.length === 1 ? "takes" : "take"}`
  return `${all} ${DiskUsage.format(total.bytes)}${again}.${rest}`
}
