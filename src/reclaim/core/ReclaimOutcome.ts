/**
 * What became of one candidate.
 */
import * as Data from "effect/Data"
import * as Text from "../../shared/core/Text.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"

export type ReclaimOutcome = Data.TaggedEnum<{
  /** It lies aside now. */
  Moved: { readonly path: string; readonly to: string; readonly notes: ReadonlyArray<string> }
  /** It stands where it stood: a gate refuses, now or already in the plan. */
  Kept: { readonly path: string; readonly gate: Verdict.Gate | "Plan"; readonly reason: string }
  /** It stands again where it was. */
  Restored: { readonly path: string; readonly from: string; readonly notes: ReadonlyArray<string> }
  /** It is gone; its commits are kept. */
  Removed: { readonly path: string; readonly from: string }
  /** What a sweep that died had left was mended. */
  Healed: { readonly path: string; readonly what: string }
  /** A step failed. What is there tells the next sweep how to go on. */
  Failed: { readonly path: string; readonly step: string; readonly reason: string }
}>

/**
 * Why a worktree stays although no gate refuses.
 */
export type Hindrance = Data.TaggedEnum<{
  /** git no longer lists it. */
  Unlisted: {}
  /** The directory or its git directory is not the one that was judged. */
  Replaced: {}
  /** Its `HEAD` or its branch changed between the last look and the move. */
  SwitchedBranch: {}
  /** It has not lain aside for long enough. `until` is in milliseconds since the epoch. */
  NotDue: { readonly until: number }
  /** It holds ignored files whose names are not known to be made again. */
  Precious: { readonly paths: ReadonlyArray<string> }
  NoAdminDirectory: { readonly path: string }
  /** Nothing that lies aside came from there. */
  NotAside: {}
}>

export const Hindrance = Data.taggedEnum<Hindrance>()

/**
 * A hindrance in words, and what a person can do.
 */
export const explain: (hindrance: Hindrance) => string = Hindrance.$match({
  Unlisted: () => "it is no worktree of the repository any more; survey anew",
  Replaced: () => "another directory stands there than the one that was surveyed; survey anew",
  SwitchedBranch: () => "something else was checked out in it meanwhile; survey anew when it is quiet",
  NotDue: ({ until }) => `it lies aside until ${new Date(until).toISOString()}; wait, or ask for less`,
  Precious: ({ paths }) =>
    `it holds ignored files that may not be made again: ${paths.slice(0, shown).map(Text.escape).join(", ")}${
      paths.length > shown ? ` and ${paths.length - shown} more` : ""
    }; restore it and save them, or name those that are directories as regenerable`,
  NoAdminDirectory: ({ path }) =>
    `${Text.escape(path)} has no git admin directory that names it; see \`git worktree repair\``,
  NotAside: () =>
    "nothing that was moved aside from there is known; list what lies aside, and name the repository that it came from"
})

const shown = 3

export const { Moved, Kept, Restored, Removed, Healed, Failed, $is, $match } = Data.taggedEnum<ReclaimOutcome>()
