import { assert, describe, it } from "@effect/vitest"
import * as ReclaimRecord from "../../src/reclaim/core/ReclaimRecord.ts"
import { ReclaimStep } from "../../src/internal.ts"

const record: ReclaimRecord.ReclaimRecord = {
  name: "T-a",
  path: "/w/a",
  branch: "refs/heads/a",
  head: "0".repeat(40),
  at: 0,
  settledOnly: false,
  priorLock: "claude agent (pid 7)"
}
const adminDirectory = "/r/.git/worktrees/a"
const lies = ReclaimStep.reclaimedAt("/r/.git", "T-a")
const reason = ReclaimRecord.printLock(record)
const tags = (steps: ReadonlyArray<ReclaimStep.ReclaimStep>): string => steps.map(({ _tag }) => _tag).join(" ")

describe("ReclaimStep", () => {
  it("a worktree lies under its name in one directory of the common directory", () =>
    assert.strictEqual(lies, "/r/.git/reclaimed/T-a"))

  it("prepare acquires the lock before anything is kept, and only from whom the record names", () => {
    assert.deepStrictEqual(ReclaimStep.prepare(record, adminDirectory), [
      { _tag: "AcquireLock", name: "T-a", adminDirectory, reason, prior: "claude agent (pid 7)" },
      { _tag: "KeepCommits", name: "T-a", adminDirectory }
    ])
  })

  it("move frees the branch where HEAD is, and then moves", () =>
    assert.deepStrictEqual(ReclaimStep.move(record, adminDirectory, lies), [
      { _tag: "Detach", adminDirectory, head: record.head },
      { _tag: "Move", from: "/w/a", to: lies }
    ]))

  it("undo releases the lock last, when all else is undone, to whom it was taken from", () =>
    assert.deepStrictEqual(ReclaimStep.undo(record, adminDirectory, "/w/b"), [
      { _tag: "Attach", adminDirectory, worktree: "/w/b", branch: "refs/heads/a", head: record.head },
      { _tag: "ForgetCommits", name: "T-a" },
      { _tag: "ReleaseLock", adminDirectory, reason, prior: "claude agent (pid 7)" }
    ]))

  it("undo attaches nothing that was on no branch", () =>
    assert.strictEqual(
      tags(ReclaimStep.undo({ ...record, branch: undefined }, adminDirectory, "/w/a")),
      "ForgetCommits ReleaseLock"
    ))

  it("restore moves it to where it is wanted before it undoes the rest there", () => {
    const steps = ReclaimStep.restore(record, adminDirectory, lies, "/w/b")
    assert.deepStrictEqual(steps[0], { _tag: "Move", from: lies, to: "/w/b" })
    assert.deepStrictEqual(steps.slice(1), ReclaimStep.undo(record, adminDirectory, "/w/b"))
  })

  it("withdraw moves it to where nobody has known it, beside the others", () =>
    assert.deepStrictEqual(ReclaimStep.withdraw("/r/.git", "T-a"), {
      _tag: "Move",
      from: lies,
      to: "/r/.git/reclaimed/.removing-T-a"
    }))

  it("expire keeps its commits anew, and removes last", () =>
    assert.deepStrictEqual(ReclaimStep.expire(record, adminDirectory, lies, ["link"]), [
      { _tag: "KeepCommits", name: "T-a", adminDirectory },
      { _tag: "MoveSentinel", worktree: lies, adminDirectory },
      { _tag: "RemoveLeftovers", worktree: lies, paths: ["link"] },
      { _tag: "SuspendLock", adminDirectory, reason },
      { _tag: "Remove", path: lies }
    ]))
})
