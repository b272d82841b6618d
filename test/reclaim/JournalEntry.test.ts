import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as JournalEntry from "../../src/reclaim/core/JournalEntry.ts"
import * as SlimEntry from "../../src/reclaim/core/SlimEntry.ts"

const repository = { inode: "1", birth: 1 }
const tree = { inode: "2", birth: null }

const entry = (name: string, given: Partial<JournalEntry.JournalEntry> = {}): JournalEntry.JournalEntry => ({
  repository,
  commonDirectory: "/r/.git",
  tree,
  adminName: "a",
  record: {
    name,
    path: "/w/a",
    branch: undefined,
    head: "0".repeat(40),
    at: 0,
    settledOnly: false,
    priorLock: undefined
  },
  restoringSince: undefined,
  ...given
})

const slim = (name: string, state: SlimEntry.SlimEntry["state"] = "Moving"): JournalEntry.Slim => ({
  repository,
  entry: {
    name,
    worktree: "/w/a",
    state,
    directories: [{ path: "node_modules", name: "12-78", inode: "12", parentWrittenAt: 0.5 }]
  }
})

const restoration = (inode: string, at: number): JournalEntry.Restoration => ({
  repository,
  tree: { inode, birth: 3 },
  at
})

const nothing: JournalEntry.Stored = { entries: [], restorations: [], slims: [] }

/** One of each of two hosts. */
const both = ["a", null].reduce<JournalEntry.Stored>(
  (stored, host) =>
    JournalEntry.putSlim(
      JournalEntry.forget(JournalEntry.put(stored, host, entry("T-a")), host, "none", restoration("4", 1)),
      host,
      slim("S-a"),
      false
    ),
  nothing
)

describe("JournalEntry", () => {
  it("reads what it prints", () => {
    const full = entry("T-b", { restoringSince: 5, record: { ...entry("T-b").record, branch: "b", priorLock: "" } })
    const stored = JournalEntry.put(both, "a", full)
    const read = Result.getOrThrow(JournalEntry.decode(JournalEntry.encode(stored)))
    assert.deepStrictEqual(JournalEntry.of(read, "a"), {
      entries: [entry("T-a"), full],
      restorations: [restoration("4", 1)],
      slims: [slim("S-a")]
    })
  })

  it("counts nothing of another host, be it one that could not be told", () => {
    const one = { entries: [entry("T-a")], restorations: [restoration("4", 1)], slims: [slim("S-a")] }
    assert.deepStrictEqual(JournalEntry.of(both, "a"), one)
    assert.deepStrictEqual(JournalEntry.of(both, null), one)
    assert.deepStrictEqual(JournalEntry.of(both, "b"), JournalEntry.empty)
  })

  it("puts an entry in the place of the one of its name, and no other host's", () => {
    const put = JournalEntry.put(JournalEntry.put(both, "a", entry("T-b")), "a", entry("T-a", { restoringSince: 5 }))
    assert.deepStrictEqual(JournalEntry.of(put, "a").entries, [entry("T-b"), entry("T-a", { restoringSince: 5 })])
    assert.deepStrictEqual(JournalEntry.of(put, null), JournalEntry.of(both, null))
  })

  it("forgets the entry of a name, and no other host's", () => {
    const forgotten = JournalEntry.forget(JournalEntry.put(both, "a", entry("T-b")), "a", "T-a")
    assert.deepStrictEqual(JournalEntry.of(forgotten, "a"), { ...JournalEntry.of(both, "a"), entries: [entry("T-b")] })
    assert.deepStrictEqual(JournalEntry.of(forgotten, null), JournalEntry.of(both, null))
  })

  it("keeps the last restoration of each tree", () => {
    const other = { ...restoration("4", 2), tree: { inode: "4", birth: 4 } }
    const stored = [restoration("4", 2), restoration("5", 3), other].reduce(
      (stored, each) => JournalEntry.forget(stored, "a", "none", each),
      both
    )
    assert.deepStrictEqual(JournalEntry.of(stored, "a").restorations, [restoration("4", 2), restoration("5", 3), other])
    assert.deepStrictEqual(JournalEntry.of(stored, null), JournalEntry.of(both, null))
  })

  it("puts what is on its way out in the place of what was written of it, until nothing is", () => {
    const more = JournalEntry.putSlim(both, "a", slim("S-b"), false)
    const moved = JournalEntry.putSlim(more, "a", slim("S-a", "Removing"), false)
    assert.deepStrictEqual(JournalEntry.of(moved, "a").slims, [slim("S-b"), slim("S-a", "Removing")])
    const done = JournalEntry.putSlim(moved, "a", slim("S-a"), true)
    assert.deepStrictEqual(JournalEntry.of(done, "a").slims, [slim("S-b")])
    assert.deepStrictEqual(JournalEntry.of(done, null), JournalEntry.of(both, null))
  })

  it("names what is on its way out by its inode and the time", () => {
    assert.strictEqual(SlimEntry.nameOf("12", 7), "12-7")
  })

  it("tells one directory from another that took its name", () => {
    assert.isTrue(JournalEntry.isSame({ inode: "1", birth: null }, { inode: "1", birth: null }))
    assert.isFalse(JournalEntry.isSame(repository, { inode: "1", birth: 2 }))
    assert.isFalse(JournalEntry.isSame(repository, { inode: "2", birth: 1 }))
    assert.isFalse(JournalEntry.isSame(repository, undefined))
  })
})

describe("JournalEntry.decode, of what leads elsewhere or is none", () => {
  const stored = JournalEntry.putSlim(JournalEntry.put(nothing, "a", entry("T-a")), "a", slim("S-a"), false)
  const wrong: ReadonlyArray<readonly [right: string, ...wrong: ReadonlyArray<string>]> = [
    [
      '"adminName":"a"',
      '"adminName":""',
      '"adminName":"a/b"',
      '"adminName":"."',
      '"adminName":".."',
      '"adminName":"a\\u0000"'
    ],
    ['"commonDirectory":"/r/.git"', '"commonDirectory":"r/.git"'],
    ['"path":"/w/a"', '"path":"w/a"'],
    ['"name":"T-a"', '"name":"../T-a"', '"name":"T-a/"', '"name":"T.a"', '"name":""'],
    [`"head":"${"0".repeat(40)}"`, `"head":"${"0".repeat(41)}"`, `"head":"${"0".repeat(39)}x"`, '"head":"HEAD"'],
    ['"inode":"1"', '"inode":""'],
    ['"settledOnly":false', '"settledOnly":null'],
    ['"worktree":"/w/a"', '"worktree":"w/a"'],
    ['"name":"12-78"', '"name":"../12-78"', '"name":"12-78/"', '"name":"12-"', '"name":"-7"', '"name":"a-7"'],
    ['"path":"node_modules"', '"path":""'],
    ['"state":"Moving"', '"state":"Moved"']
  ]
  const text = JournalEntry.encode(stored)
  const isRead = (text: string) => Result.isSuccess(JournalEntry.decode(text))

  it("reads names that only look like it", () => {
    assert.isTrue(isRead(text))
    assert.isTrue(isRead(text.replace('"adminName":"a"', '"adminName":"..."')))
    assert.isTrue(isRead(text.replace('"adminName":"a"', '"adminName":".a"')))
    assert.isTrue(isRead(text.replace("0".repeat(40), "a".repeat(64))))
  })

  for (const [right, ...others] of wrong) {
    for (const other of others) {
      it(other, () => {
        assert.include(text, right)
        assert.isFalse(isRead(text.replace(right, other)))
      })
    }
  }
})
