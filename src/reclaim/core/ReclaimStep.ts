/**
 * How a worktree is moved out of the way, put back and removed, step by step. After each step everything may stop for
 * good: the files and the journal tell how to go on or back.
 */
import * as ReclaimedDirectory from "../../verdict/core/ReclaimedDirectory.ts"
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import type { SlimEntry } from "./SlimEntry.ts"
import * as Record from "./ReclaimRecord.ts"

export type ReclaimStep =
  /** Takes the lock, which nobody but a harness that is gone may hold, unless something has that name already. */
  | {
      readonly _tag: "AcquireLock"
      readonly name: string
      readonly adminDirectory: string
      readonly reason: string
      readonly prior: string | undefined
    }
  /**
   * Keeps `HEAD`, every commit that only its log knows, the worktree's own refs and what files like `ORIG_HEAD` name, as
   * `refs/reclaimed/<name>/…`, beside what is kept there already.
   */
  | { readonly _tag: "KeepCommits"; readonly name: string; readonly adminDirectory: string }
  /** Detaches `HEAD` where it is, so that its branch is free. */
  | { readonly _tag: "Detach"; readonly adminDirectory: string; readonly head: string }
  | { readonly _tag: "Move"; readonly from: string; readonly to: string }
  /** Puts `HEAD` back on its branch, if that is where it was and checked out nowhere else. */
  | {
      readonly _tag: "Attach"
      readonly adminDirectory: string
      readonly worktree: string
      readonly branch: string
      readonly head: string
    }
  /** Drops each ref of that name of which another ref keeps every commit. */
  | { readonly _tag: "ForgetCommits"; readonly name: string }
  /** Restores the previous lock, if any, in the place of ours. */
  | {
      readonly _tag: "ReleaseLock"
      readonly adminDirectory: string
      readonly reason: string
      readonly prior: string | undefined
    }
  /** Makes a worktree and its admin directory name each other. */
  | { readonly _tag: "RepairLinks"; readonly adminDirectory: string; readonly worktree: string }
  /** Moves a sentinel from the worktree into the admin directory, where git does not count it as a change. */
  | { readonly _tag: "MoveSentinel"; readonly worktree: string; readonly adminDirectory: string }
  /** Unlinks untracked symbolic links and empty files, each only if it is still one. */
  | { readonly _tag: "RemoveLeftovers"; readonly worktree: string; readonly paths: ReadonlyArray<string> }
  /** Takes our lock off for the removal; its text stays beside it. */
  | { readonly _tag: "SuspendLock"; readonly adminDirectory: string; readonly reason: string }
  /** Puts our lock back on after a removal that did not finish, and every file that it had removed. */
  | { readonly _tag: "ResumeLock"; readonly adminDirectory: string; readonly worktree: string }
  /** Removes the worktree as git itself allows it, never by force. */
  | { readonly _tag: "Remove"; readonly path: string }
  /** Moves regenerable directories out of a worktree into a place of our own. */
  | { readonly _tag: "MoveOut"; readonly entry: SlimEntry }
  /** Moves them back, those that lie there. */
  | { readonly _tag: "MoveBack"; readonly entry: SlimEntry }
  /** Removes those that lie there. */
  | { readonly _tag: "RemoveMoved"; readonly entry: SlimEntry }

/** Where a worktree of that name lies reclaimed. */
export const reclaimedAt = (commonDirectory: string, name: string): string =>
  `${ReclaimedDirectory.of(commonDirectory)}/${name}`

/**
 * Where it lies from the last look until it is removed: nobody has ever known a path that leads there.
 */
export const withdrawnAt = (commonDirectory: string, name: string): string =>
  `${ReclaimedDirectory.of(commonDirectory)}/.removing-${name}`

/**
 * Everything that comes before the last look. None of it counts as git's activity in the worktree.
 */
export const prepare = (record: ReclaimRecord, adminDirectory: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "AcquireLock", name: record.name, adminDirectory, reason: Record.printLock(record), prior: record.priorLock },
  { _tag: "KeepCommits", name: record.name, adminDirectory }
]

export const move = (record: ReclaimRecord, adminDirectory: string, to: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "Detach", adminDirectory, head: record.head },
  { _tag: "Move", from: record.path, to }
]

/**
 * What is left to be undone of a worktree that stands at `worktree`. The lock goes last: while it is on, the next sweep
 * knows that there is something to undo.
 */
export const undo = (record: ReclaimRecord, adminDirectory: string, worktree: string): ReadonlyArray<ReclaimStep> => [
  ...(record.branch === undefined
    ? []
    : ([{ _tag: "Attach", adminDirectory, worktree, branch: record.branch, head: record.head }] as const)),
  { _tag: "ForgetCommits", name: record.name },
  release(record, adminDirectory)
]

export const release = (record: ReclaimRecord, adminDirectory: string): ReclaimStep => ({
  _tag: "ReleaseLock",
  adminDirectory,
  reason: Record.printLock(record),
  prior: record.priorLock
})

export const restore = (
  record: ReclaimRecord,
  adminDirectory: string,
  from: string,
  to: string
): ReadonlyArray<ReclaimStep> => [{ _tag: "Move", from, to }, ...undo(record, adminDirectory, to)]

/**
 * What comes before the last look at what expires.
 */
export const withdraw = (commonDirectory: string, name: string): Extract<ReclaimStep, { readonly _tag: "Move" }> => ({
  _tag: "Move",
  from: reclaimedAt(commonDirectory, name),
  to: withdrawnAt(commonDirectory, name)
})

/**
 * The rest. Commits are kept again first: a branch that knew one when it was moved may have been deleted since.
 */
export const expire = (
  record: ReclaimRecord,
  adminDirectory: string,
  withdrawn: string,
  leftovers: ReadonlyArray<string>
): ReadonlyArray<ReclaimStep> => [
  { _tag: "KeepCommits", name: record.name, adminDirectory },
  { _tag: "MoveSentinel", worktree: withdrawn, adminDirectory },
  { _tag: "RemoveLeftovers", worktree: withdrawn, paths: leftovers },
  { _tag: "SuspendLock", adminDirectory, reason: Record.printLock(record) },
  { _tag: "Remove", path: withdrawn }
]
