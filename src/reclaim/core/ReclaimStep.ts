/**
 * What is done to move a worktree aside, to put it back and to remove it, step by step. After each step everything may
 * stop for good: what is there tells how to go on or back.
 */
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import * as ReclaimedDirectory from "../../verdict/core/ReclaimedDirectory.ts"
import * as Record from "./ReclaimRecord.ts"

export type ReclaimStep =
  /**
   * Takes the lock, which nobody but a harness that is gone may hold, unless something is kept under that name already.
   */
  | {
      readonly _tag: "TakeLock"
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
  /** Keeps the tombstone out of the status of the worktree around it, and takes that back. */
  | { readonly _tag: "HideTombstone"; readonly path: string; readonly name: string }
  | { readonly _tag: "UnhideTombstone"; readonly path: string; readonly name: string }
  | { readonly _tag: "LeaveTombstone"; readonly path: string; readonly text: string }
  /** Removes the tombstone, if it is as it was left. */
  | { readonly _tag: "RemoveTombstone"; readonly path: string; readonly text: string }
  /** Puts `HEAD` back on its branch, if that is where it was and checked out nowhere else. */
  | { readonly _tag: "Attach"; readonly adminDirectory: string; readonly branch: string; readonly head: string }
  | { readonly _tag: "ForgetCommits"; readonly name: string }
  /** Gives the lock back to whom it was taken from, if anybody. */
  | { readonly _tag: "GiveLockBack"; readonly adminDirectory: string; readonly reason: string }
  /** Makes it count as used now, so that who puts a worktree back does not lose it to the next sweep. */
  | { readonly _tag: "MarkUsed"; readonly adminDirectory: string }
  /** Makes a worktree and its admin directory name each other, where git was stopped before it had written that down. */
  | { readonly _tag: "Connect"; readonly adminDirectory: string; readonly worktree: string }
  /** Moves a sentinel from the worktree into the admin directory, where git does not count it as a change. */
  | { readonly _tag: "MoveSentinel"; readonly worktree: string; readonly adminDirectory: string }
  /** Takes our lock off for the removal; what it said stays beside it. */
  | { readonly _tag: "OpenLock"; readonly adminDirectory: string }
  /** Puts our lock back on after a removal that did not finish, and every file that it had removed. */
  | { readonly _tag: "CloseLock"; readonly adminDirectory: string; readonly worktree: string }
  /** Removes the worktree as git itself allows it, never by force. */
  | { readonly _tag: "Remove"; readonly path: string }

/** Where a worktree of that name lies aside. */
export const asideOf = (commonDirectory: string, name: string): string =>
  `${ReclaimedDirectory.of(commonDirectory)}/${name}`

/**
 * Everything that comes before the last look. None of it counts as git's activity in the worktree.
 */
export const prepare = (record: ReclaimRecord, adminDirectory: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "TakeLock", name: record.name, adminDirectory, reason: Record.printLock(record), prior: record.priorLock },
  { _tag: "KeepCommits", name: record.name, adminDirectory }
]

export const move = (record: ReclaimRecord, adminDirectory: string, aside: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "Detach", adminDirectory, head: record.head },
  { _tag: "Move", from: record.path, to: aside }
]

/**
 * What is left at the old path. It is hidden first, because a tombstone that is there is taken for hidden.
 */
export const leave = (record: ReclaimRecord, aside: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "HideTombstone", path: record.path, name: record.name },
  { _tag: "LeaveTombstone", path: record.path, text: Record.printTombstone(record, aside) }
]

/**
 * What is left to be undone of a worktree that stands, or stands again, where it was. The lock goes last: while it is on,
 * the next sweep knows what to do.
 */
export const undo = (record: ReclaimRecord, adminDirectory: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "UnhideTombstone", path: record.path, name: record.name },
  ...(record.branch === undefined
    ? []
    : ([{ _tag: "Attach", adminDirectory, branch: record.branch, head: record.head }] as const)),
  { _tag: "ForgetCommits", name: record.name },
  { _tag: "GiveLockBack", adminDirectory, reason: Record.printLock(record) }
]

export const restore = (record: ReclaimRecord, adminDirectory: string, aside: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "RemoveTombstone", path: record.path, text: Record.printTombstone(record, aside) },
  { _tag: "Move", from: aside, to: record.path },
  { _tag: "MarkUsed", adminDirectory },
  ...undo(record, adminDirectory)
]

/**
 * Commits are kept anew first: a branch that knew one when it was moved may have been deleted since. The tombstone goes
 * before the rest: once git removes the admin directory nothing tells that there is one.
 */
export const expire = (record: ReclaimRecord, adminDirectory: string, aside: string): ReadonlyArray<ReclaimStep> => [
  { _tag: "KeepCommits", name: record.name, adminDirectory },
  { _tag: "RemoveTombstone", path: record.path, text: Record.printTombstone(record, aside) },
  { _tag: "UnhideTombstone", path: record.path, name: record.name },
  { _tag: "MoveSentinel", worktree: aside, adminDirectory },
  { _tag: "OpenLock", adminDirectory },
  { _tag: "Remove", path: aside }
]
