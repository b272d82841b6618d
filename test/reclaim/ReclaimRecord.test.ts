import { assert, describe, it } from "@effect/vitest"
import * as ReclaimRecord from "../../src/reclaim/core/ReclaimRecord.ts"

const record: ReclaimRecord.ReclaimRecord = {
  name: "20260105T120000000Z-a",
  path: "/w/a\nb",
  branch: "refs/heads/fix/a",
  head: "0123456789abcdef0123456789abcdef01234567",
  at: Date.UTC(2026, 0, 5, 12),
  settledOnly: false,
  priorLock: undefined
}

describe("ReclaimRecord.printLock", () => {
  it("is one line that says from where, of which branch and when", () => {
    const reason = ReclaimRecord.printLock(record)
    assert.notMatch(reason, /[\n\r]/)
    for (const part of ["/w/a\\nb", "refs/heads/fix/a", "2026-01-05T12:00:00.000Z", record.name]) {
      assert.include(reason, part)
    }
  })

  it("is another one for another worktree", () =>
    assert.notStrictEqual(
      ReclaimRecord.printLock(record),
      ReclaimRecord.printLock({ ...record, name: "20260105T120000001Z-a" })
    ))

  it("looks like ours, as no other lock does", () => {
    assert.isTrue(ReclaimRecord.looksOurs(ReclaimRecord.printLock(record)))
    for (const other of ["", "claude agent (pid 7)", ` ${ReclaimRecord.printLock(record)}`]) {
      assert.isFalse(ReclaimRecord.looksOurs(other), other)
    }
  })
})

describe("ReclaimRecord.nameOf", () => {
  const at = Date.UTC(2026, 0, 5, 12, 34, 56, 789)
  const cases: ReadonlyArray<readonly [adminDirectory: string, id: string]> = [
    ["/r/.git/worktrees/a", "a"],
    ["/r/.git/worktrees/Fix_9-b", "Fix_9-b"],
    ["/r/.git/worktrees/fix.of it's", "fix-of-it-s"],
    ["/r/.git/worktrees/é..漢", "-"],
    [`/r/.git/worktrees/${"a".repeat(101)}`, "a".repeat(100)]
  ]
  for (const [adminDirectory, id] of cases) {
    it(`is the instant and git's own name: ${id}`, () =>
      assert.strictEqual(ReclaimRecord.nameOf(adminDirectory, at), `20260105T123456789Z-${id}`))
  }
})
