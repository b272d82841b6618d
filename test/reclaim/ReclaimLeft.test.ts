import { assert, describe, it } from "@effect/vitest"
import type { ReclaimRecord } from "../../src/reclaim/core/ReclaimRecord.ts"
import { ReclaimLeft, ReclaimStep } from "../../src/index.ts"

const record: ReclaimRecord = {
  name: "T-a",
  path: "/w/a",
  branch: "refs/heads/a",
  head: "0".repeat(40),
  at: 0,
  settledOnly: false,
  priorLock: undefined
}
const adminDirectory = "/r/.git/worktrees/a"
const aside = "/r/.git/reclaimed/T-a"

/** One that lies aside as it should, but for what is given. */
const taken = (given: Partial<Parameters<typeof ReclaimLeft.Taken>[0]>): ReclaimLeft.ReclaimLeft =>
  ReclaimLeft.Taken({
    record,
    adminDirectory,
    open: false,
    pointsAt: aside,
    liesAside: true,
    stands: undefined,
    oldPathIsFree: false,
    ...given
  })

/** What is done about it, without the words. */
const mend = (left: ReclaimLeft.ReclaimLeft) => {
  const mending = ReclaimLeft.mend("/r/.git", left)
  switch (mending._tag) {
    case "Nothing":
      return "whole"
    case "Report":
      return { report: mending.path }
    case "Steps":
      return { path: mending.path, steps: mending.steps }
  }
}

describe("ReclaimLeft.mend", () => {
  const connect = (worktree: string): ReclaimStep.ReclaimStep => ({ _tag: "Connect", adminDirectory, worktree })
  const close: ReclaimStep.ReclaimStep = { _tag: "CloseLock", adminDirectory, worktree: aside }
  const leave = () => ReclaimStep.leave(record, aside)
  const undo = () => ReclaimStep.undo(record, adminDirectory)

  const cases: ReadonlyArray<
    readonly [name: string, left: ReclaimLeft.ReclaimLeft, mended: () => ReturnType<typeof mend>]
  > = [
    ["leaves alone what lies aside with something at its old path", taken({}), () => "whole"],
    [
      "leaves the file at an old path that is free",
      taken({ oldPathIsFree: true }),
      () => ({ path: "/w/a", steps: leave() })
    ],
    [
      "connects what lies aside and git looks for where it was",
      taken({ pointsAt: "/w/a" }),
      () => ({ path: "/w/a", steps: [connect(aside)] })
    ],
    [
      "connects what lies aside and its admin directory does not say where",
      taken({ pointsAt: undefined, oldPathIsFree: true }),
      () => ({ path: "/w/a", steps: [connect(aside), ...leave()] })
    ],
    [
      "goes by what lies aside, also where a worktree of the same admin directory stands",
      taken({ stands: "/w/a" }),
      () => "whole"
    ],
    [
      "gives its files and its lock back to what was not removed to the end",
      taken({ open: true }),
      () => ({ path: aside, steps: [close] })
    ],
    [
      "connects it first, and leaves the file at its old path anew",
      taken({ open: true, pointsAt: undefined, oldPathIsFree: true }),
      () => ({ path: aside, steps: [connect(aside), close, ...leave()] })
    ],
    [
      "has git forget what was removed",
      taken({ open: true, liesAside: false }),
      () => ({ path: "/w/a", steps: [{ _tag: "Remove", path: aside }] })
    ],
    [
      "leaves to git what was removed and git looks for nowhere",
      taken({ open: true, liesAside: false, pointsAt: undefined }),
      () => "whole"
    ],
    [
      "undoes the move of what stands where it was",
      taken({ liesAside: false, stands: "/w/a", pointsAt: "/w/a" }),
      () => ({ path: "/w/a", steps: undo() })
    ],
    [
      "connects what stands where it was and git looks for aside",
      taken({ liesAside: false, stands: "/w/a" }),
      () => ({ path: "/w/a", steps: [connect("/w/a"), ...undo()] })
    ],
    [
      "undoes the move of what somebody has moved, where it stands",
      taken({ liesAside: false, stands: "/w/b", pointsAt: "/w/b", oldPathIsFree: true }),
      () => ({ path: "/w/b", steps: undo() })
    ],
    ["reports what is nowhere", taken({ liesAside: false, oldPathIsFree: true }), () => ({ report: "/w/a" })],
    [
      "gives the lock of a harness back where ours was not put in its place",
      ReclaimLeft.Unlocked({ adminDirectory, worktree: "/w/a" }),
      () => ({ path: "/w/a", steps: [{ _tag: "GiveLockBack", adminDirectory, reason: "" }] })
    ],
    [
      "reports a directory that git does not know",
      ReclaimLeft.Remains({ path: "/r/.git/reclaimed/x" }),
      () => ({ report: "/r/.git/reclaimed/x" })
    ]
  ]
  for (const [name, left, mended] of cases) {
    it(name, () => assert.deepStrictEqual(mend(left), mended()))
  }
})
