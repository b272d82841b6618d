import { assert, describe, it } from "@effect/vitest"
import * as ReclaimRecord from "../../src/reclaim/core/ReclaimRecord.ts"
import { ReclaimStep } from "../../src/index.ts"

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
const aside = "/r/.git/reclaimed/T-a"
const lock = () => ReclaimRecord.printLock(record)
const tombstone = () => ReclaimRecord.printTombstone(record, aside)

describe("where a worktree lies aside", () => {
  it("is under its name in one directory of the common directory", () => {
    assert.strictEqual("/r/.git/reclaimed", "/r/.git/reclaimed")
    assert.strictEqual(ReclaimStep.asideOf("/r/.git", "T-a"), aside)
  })

  it("is in the repository that the file at its old path names for git", () =>
    assert.include(
      ReclaimRecord.printTombstone(record, ReclaimStep.asideOf("/bare.git", "T-a")),
      "git -C '/bare.git' worktree unlock '/bare.git/reclaimed/T-a'"
    ))
})

describe("ReclaimStep", () => {
  it("prepare takes the lock before anything is kept, and only from whom the record names", () => {
    assert.deepStrictEqual(ReclaimStep.prepare(record, adminDirectory), [
      { _tag: "TakeLock", name: "T-a", adminDirectory, reason: lock(), prior: "claude agent (pid 7)" },
      { _tag: "KeepCommits", name: "T-a", adminDirectory }
    ])
    const [taken] = ReclaimStep.prepare({ ...record, priorLock: undefined }, adminDirectory)
    assert.isUndefined(taken?._tag === "TakeLock" ? taken.prior : taken)
  })

  it("move frees the branch where HEAD is, and then moves", () =>
    assert.deepStrictEqual(ReclaimStep.move(record, adminDirectory, aside), [
      { _tag: "Detach", adminDirectory, head: record.head },
      { _tag: "Move", from: "/w/a", to: aside }
    ]))

  it("leave hides the tombstone before it is there", () =>
    assert.deepStrictEqual(ReclaimStep.leave(record, aside), [
      { _tag: "HideTombstone", path: "/w/a", name: "T-a" },
      { _tag: "LeaveTombstone", path: "/w/a", text: tombstone() }
    ]))

  it("undo gives the lock back last, when all else is undone", () =>
    assert.deepStrictEqual(ReclaimStep.undo(record, adminDirectory), [
      { _tag: "UnhideTombstone", path: "/w/a", name: "T-a" },
      { _tag: "Attach", adminDirectory, branch: "refs/heads/a", head: record.head },
      { _tag: "ForgetCommits", name: "T-a" },
      { _tag: "GiveLockBack", adminDirectory, reason: lock() }
    ]))

  it("undo attaches nothing that was on no branch", () => {
    const detached = { ...record, branch: undefined }
    assert.deepStrictEqual(ReclaimStep.undo(detached, adminDirectory), [
      { _tag: "UnhideTombstone", path: "/w/a", name: "T-a" },
      { _tag: "ForgetCommits", name: "T-a" },
      { _tag: "GiveLockBack", adminDirectory, reason: ReclaimRecord.printLock(detached) }
    ])
  })

  it("restore makes room, moves it back, and marks it used before its lock is given back", () =>
    assert.deepStrictEqual(ReclaimStep.restore(record, adminDirectory, aside), [
      { _tag: "RemoveTombstone", path: "/w/a", text: tombstone() },
      { _tag: "Move", from: aside, to: "/w/a" },
      { _tag: "MarkUsed", adminDirectory },
      ...ReclaimStep.undo(record, adminDirectory)
    ]))

  it("expire keeps its commits anew, then takes the tombstone away, and removes last", () =>
    assert.deepStrictEqual(ReclaimStep.expire(record, adminDirectory, aside), [
      { _tag: "KeepCommits", name: "T-a", adminDirectory },
      { _tag: "RemoveTombstone", path: "/w/a", text: tombstone() },
      { _tag: "UnhideTombstone", path: "/w/a", name: "T-a" },
      { _tag: "MoveSentinel", worktree: aside, adminDirectory },
      { _tag: "OpenLock", adminDirectory },
      { _tag: "Remove", path: aside }
    ]))
})
