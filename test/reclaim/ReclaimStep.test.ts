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
const tags = (steps: ReadonlyArray<ReclaimStep.ReclaimStep>): string => steps.map(({ _tag }) => _tag).join(" ")

describe("ReclaimStep", () => {
  it("a worktree lies under its name in one directory of the common directory", () =>
    assert.strictEqual(lies, "/r/.git/reclaimed/T-a"))

  it("prepare acquires the lock before anything is kept, and only from whom the record names", () => {
    const steps = ReclaimStep.prepare(record, adminDirectory)
    assert.strictEqual(tags(steps), "AcquireLock KeepCommits")
    assert.strictEqual(steps[0]?._tag === "AcquireLock" ? steps[0].prior : undefined, "claude agent (pid 7)")
  })

  it("move frees the branch where HEAD is, and then moves", () =>
    assert.deepStrictEqual(ReclaimStep.move(record, adminDirectory, lies), [
      { _tag: "Detach", adminDirectory, head: record.head },
      { _tag: "Move", from: "/w/a", to: lies }
    ]))

  it("undo releases the lock last, when all else is undone", () =>
    assert.strictEqual(tags(ReclaimStep.undo(record, adminDirectory, "/w/a")), "Attach ForgetCommits ReleaseLock"))

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

  it("expire keeps its commits anew, and removes last", () =>
    assert.strictEqual(
      tags(ReclaimStep.expire(record, adminDirectory, lies, [])),
      "KeepCommits MoveSentinel RemoveLeftovers SuspendLock Remove"
    ))
})
