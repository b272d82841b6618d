/**
 * What became of one candidate.
 */
import * as Data from "effect/Data"
import * as Text from "../../shared/core/Text.ts"
import * as Refusal from "../../verdict/core/Refusal.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"

export type ReclaimOutcome = Data.TaggedEnum<{
  /** It lies reclaimed now. */
  Moved: { readonly path: string; readonly to: string; readonly notes: ReadonlyArray<string> }
  /** It stands where it stood: a gate refuses, now or already in the plan. */
  Kept: { readonly path: string; readonly gate: Verdict.Gate | "Plan"; readonly reason: string }
  /** It stands again where it was, or where a person wanted it. */
  Restored: { readonly path: string; readonly from: string; readonly notes: ReadonlyArray<string> }
  /** It is gone; its commits are kept. */
  Removed: { readonly path: string; readonly from: string }
  /** It was an empty directory that no repository registers, and is gone. */
  RemovedEmpty: { readonly path: string }
  /** It stands where it stood, without what a tool makes again. `freed` is in bytes. */
  Slimmed: { readonly path: string; readonly freed: number; readonly directories: ReadonlyArray<string> }
  /** What a sweep that died had left was recovered. */
  Recovered: { readonly path: string; readonly what: string }
  /** A step failed. What is there tells the next sweep how to go on. */
  Failed: { readonly path: string; readonly step: string; readonly reason: string }
}>

/**
 * Why a worktree stays although no gate refuses.
 */
export type Obstacle = Data.TaggedEnum<{
  /** git no longer lists it. */
  Unlisted: {}
  /** The directory or its git directory is not the one that was judged. */
  Replaced: {}
  /** Its `HEAD` or its branch changed between the last look and the move. */
  SwitchedBranch: {}
  /** It has not lain reclaimed for long enough. `until` is in milliseconds since the epoch. */
  NotDue: { readonly until: number }
  /** It holds ignored files whose names are not known to be made again. */
  Precious: { readonly paths: ReadonlyArray<string> }
  NoAdminDirectory: { readonly path: string }
  /** Nothing that lies reclaimed came from there. */
  NotReclaimed: {}
  /** More than one came from there, or the path names more than one. */
  Several: { readonly paths: ReadonlyArray<string> }
  /** It lies reclaimed in no entry of the journal that counts. */
  NotOurs: { readonly why: string }
  /** It goes back only to a path that a person names. */
  NeedsPath: { readonly why: string }
  /** Something else stands where it would be put. */
  PathTaken: { readonly path: string }
  NoSuchPath: { readonly path: string }
  /** Nothing in it is known to be made again, or all of that is held back. */
  NothingRegenerable: { readonly heldBack: ReadonlyArray<string> }
  /** The repository lies on a network file system, or on one that is not known (`undefined`). */
  Network: { readonly fileSystem: string | undefined }
}>

export const Obstacle = Data.taggedEnum<Obstacle>()

/**
 * An obstacle in words, and what a person can do.
 */
export const explain: (obstacle: Obstacle) => string = Obstacle.$match({
  Unlisted: () => "it is no worktree of the repository any more; sweep again",
  Replaced: () => "another directory has taken its place since the survey; sweep again",
  SwitchedBranch: () => "something else has been checked out in it since the survey; sweep again when it is quiet",
  NotDue: ({ until }) => `it lies reclaimed until ${Refusal.instant(until)}; wait, or shorten that with --older-than`,
  Precious: ({ paths }) =>
    `it holds ignored files that may not be made again: ${paths.slice(0, shown).map(Text.escape).join(", ")}${
      paths.length > shown ? ` and ${paths.length - shown} more` : ""
    }; restore it and save them, or, where a tool makes such a directory again, \`session-liveness sweep --slim --regenerable NAME\``,
  NoAdminDirectory: ({ path }) =>
    `${Text.escape(path)} has no git admin directory that names it; see \`git worktree repair\``,
  NotReclaimed: () =>
    "nothing reclaimed is known to come from there; if it was a worktree of another repository, name that with --repo",
  Several: ({ paths }) => `more than one came from there; name one of ${paths.map(Text.escape).join(", ")}`,
  NotOurs: ({ why }) => `${why}; nothing was done`,
  NeedsPath: ({ why }) => `${why}; name the path to put it at with --to`,
  PathTaken: ({ path }) =>
    `something else stands at ${Text.escape(path)}; move it away first, or name another path with --to`,
  NoSuchPath: ({ path }) => `${Text.escape(path)} is no absolute path; name one`,
  NothingRegenerable: ({ heldBack }) =>
    heldBack.length === 0
      ? "nothing in it is known to be made again; where a tool does make a directory again, name it with --regenerable"
      : `what could be made again stays: ${heldBack.slice(0, shown).map(Text.escape).join(", ")}${
          heldBack.length > shown ? ` and ${heldBack.length - shown} more` : ""
        }; look through it, and remove it by hand if nobody needs it`,
  Network: ({ fileSystem }) =>
    fileSystem === undefined
      ? "it is not known on which file system the repository lies, so that another machine may be at work in it; see whether `mount` lists that file system, and sweep again"
      : `the repository lies on a network file system (${fileSystem}), where another machine may be at work; sweep it there`
})

const shown = 3

export const { Moved, Kept, Restored, Removed, RemovedEmpty, Slimmed, Recovered, Failed, $is, $match } =
  Data.taggedEnum<ReclaimOutcome>()
