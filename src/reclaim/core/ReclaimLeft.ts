/**
 * What moves, restorations and removals have left in a repository, and how a sweep that died among them is made good.
 */
import * as Data from "effect/Data"
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import * as ReclaimStep from "./ReclaimStep.ts"

/**
 * One thing that is left, as the files tell it.
 */
export type ReclaimLeft = Data.TaggedEnum<{
  /** A worktree that carries our lock, or whose removal has taken it off (`open`). */
  Taken: {
    readonly record: ReclaimRecord
    readonly adminDirectory: string
    readonly open: boolean
    /** Where git looks for it; `undefined` when its admin directory does not say. */
    readonly pointsAt: string | undefined
    /** Whether a directory lies aside under its name. */
    readonly liesAside: boolean
    /** Where else it stands: where it was, or where somebody has moved it. */
    readonly stands: string | undefined
    /** Whether nothing stands where it was. */
    readonly oldPathIsFree: boolean
  }
  /** The lock of a harness that is gone was put away, and ours not put in its place. */
  Unlocked: { readonly adminDirectory: string; readonly worktree: string }
  /** A directory that lies aside, and no worktree of git does. */
  Remains: { readonly path: string }
}>

export const { Taken, Unlocked, Remains, $is, $match } = Data.taggedEnum<ReclaimLeft>()

/**
 * What is to be done about it.
 */
export type Mending = Data.TaggedEnum<{
  /** It is whole. */
  Nothing: {}
  Steps: { readonly path: string; readonly what: string; readonly steps: ReadonlyArray<ReclaimStep.ReclaimStep> }
  /** Only a person can tell. */
  Report: { readonly path: string; readonly reason: string }
}>

const Mending = Data.taggedEnum<Mending>()

/**
 * A worktree that stands where it was is put back whole, one that lies aside gets the file at its old path, and one whose
 * removal did not finish gets its files and its lock back.
 */
export const mend = (commonDirectory: string, left: ReclaimLeft): Mending => {
  if (left._tag === "Remains") {
    return Mending.Report({
      path: left.path,
      reason:
        "git no longer knows this directory as a worktree; its commits are kept under refs/reclaimed; look through it and remove it by hand"
    })
  }
  if (left._tag === "Unlocked") {
    const { adminDirectory, worktree } = left
    return Mending.Steps({
      path: worktree,
      what: "its lock was put away; it is locked as before",
      steps: [{ _tag: "GiveLockBack", adminDirectory, reason: "" }]
    })
  }
  const { record, adminDirectory, pointsAt } = left
  const { path } = record
  const aside = ReclaimStep.asideOf(commonDirectory, record.name)
  const connect = (worktree: string): ReadonlyArray<ReclaimStep.ReclaimStep> =>
    pointsAt === worktree ? [] : [{ _tag: "Connect", adminDirectory, worktree }]
  if (left.liesAside) {
    const leave = left.oldPathIsFree ? ReclaimStep.leave(record, aside) : []
    const steps = [...connect(aside), ...leave]
    if (left.open) {
      return Mending.Steps({
        path: aside,
        what: "its removal did not finish; it is whole again",
        steps: [...connect(aside), { _tag: "CloseLock", adminDirectory, worktree: aside }, ...leave]
      })
    }
    return steps.length === 0
      ? Mending.Nothing()
      : Mending.Steps({ path, what: `it lies at ${aside}, which git or the file at its old path did not say`, steps })
  }
  if (left.open) {
    // git itself prunes an admin directory that does not say where its worktree is.
    return pointsAt === aside
      ? Mending.Steps({ path, what: "its removal is finished", steps: [{ _tag: "Remove", path: aside }] })
      : Mending.Nothing()
  }
  if (left.stands === undefined) {
    return Mending.Report({
      path,
      reason: `it lies neither at ${aside} nor where it was; its commits are kept under refs/reclaimed/${record.name}; look for it, and \`git worktree repair\` it where it is`
    })
  }
  return Mending.Steps({
    path: left.stands,
    what: "a move did not finish; it stands where it was",
    steps: [...connect(left.stands), ...ReclaimStep.undo(record, adminDirectory)]
  })
}
