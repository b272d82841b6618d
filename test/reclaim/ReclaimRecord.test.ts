import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as ReclaimRecord from "../../src/reclaim/core/ReclaimRecord.ts"
import { Gen } from "../../src/testing/index.ts"

const head = "0123456789abcdef0123456789abcdef01234567"

const record = (given: Partial<ReclaimRecord.ReclaimRecord>): ReclaimRecord.ReclaimRecord => ({
  name: "20260105T120000000Z-a",
  path: "/w/a",
  branch: "refs/heads/fix/a",
  head,
  at: Date.UTC(2026, 0, 5, 12),
  settledOnly: false,
  priorLock: undefined,
  ...given
})

const aside = "/r/.git/reclaimed/20260105T120000000Z-a"

const text = Gen.oneOf(
  Gen.element(["/w/a", "it's", "a\nb", "a\r\n\tb", '"}', "\\", "\u001b", "漢", "𝄞"]),
  Gen.map(Gen.bytes(6), (bytes) => `x${String.fromCharCode(...bytes)}`)
)
const records = Gen.struct({
  name: Gen.element(["a", "A_b-9", "20260105T120000000Z-a"]),
  path: text,
  branch: Gen.oneOf(Gen.constant(undefined), text),
  head: Gen.element([head, "f".repeat(64)]),
  at: Gen.int(0, 4_000_000_000_000),
  settledOnly: Gen.element([true, false]),
  priorLock: Gen.oneOf(Gen.constant(undefined), Gen.constant(""), text)
})

describe("ReclaimRecord.parseLock", () => {
  it.prop(
    "reads from the reason of our lock, which is one line, all that was written",
    [records],
    ([record]) => {
      const reason = ReclaimRecord.printLock(record)
      assert.notMatch(reason, /[\n\r]/)
      assert.deepStrictEqual(ReclaimRecord.parseLock(reason), Option.some(record))
    },
    { arbitrary: { runs: 500, seed: "lock" } }
  )

  it("tells a person who reads the lock whose it is", () =>
    assert.match(ReclaimRecord.printLock(record({})), /^session-liveness moved this worktree aside: \{/))

  const ours = (fields: object): string => {
    const { name, path, branch, at, settledOnly } = record({})
    const written = { name, path, branch, head, at: new Date(at).toISOString(), settled_only: settledOnly, ...fields }
    return `session-liveness moved this worktree aside: ${JSON.stringify(written)}`
  }

  const read: ReadonlyArray<readonly [name: string, fields: object, given: Partial<ReclaimRecord.ReclaimRecord>]> = [
    ["as it is written", {}, {}],
    ["without a branch", { branch: undefined }, { branch: undefined }],
    ["with the lock of a harness", { prior_lock: "claude agent (pid 7)" }, { priorLock: "claude agent (pid 7)" }],
    ["with a commit of SHA-256", { head: "f".repeat(64) }, { head: "f".repeat(64) }],
    ["with an instant in another zone", { at: "2026-01-05T13:00:00+01:00" }, {}],
    ["and nothing else that stands there", { color: "red" }, {}]
  ]
  for (const [name, fields, given] of read) {
    it(`reads it ${name}`, () =>
      assert.deepStrictEqual(ReclaimRecord.parseLock(ours(fields)), Option.some(record(given))))
  }

  const others: ReadonlyArray<readonly [name: string, reason: string]> = [
    ["an empty one", ""],
    ["that of a harness", "claude agent (pid 7)"],
    ["ours behind something else", `x${ours({})}`],
    ["the payload alone", ours({}).slice(ours({}).indexOf("{"))],
    ["one that is cut off", ours({}).slice(0, -1)],
    ["one without a name", ours({ name: undefined })],
    ["one with an empty name", ours({ name: "" })],
    ["one whose name leads elsewhere", ours({ name: "../a" })],
    ["one whose name goes on elsewhere", ours({ name: "a/.." })],
    ["one with a space in its name", ours({ name: "a b" })],
    ["one with an empty path", ours({ path: "" })],
    ["one whose commit is none", ours({ head: "HEAD" })],
    ["one with more than a commit", ours({ head: `${head} x` })],
    ["one with something before the commit", ours({ head: `-${head}` })],
    ["one whose commit is cut off", ours({ head: head.slice(1) })],
    ["one whose commit is too long", ours({ head: "f".repeat(65) })],
    ["one whose instant is none", ours({ at: "yesterday" })],
    ["one that does not say whether it was only settled", ours({ settled_only: undefined })]
  ]
  for (const [name, reason] of others) {
    it(`is none for ${name}`, () => assert.isTrue(Option.isNone(ReclaimRecord.parseLock(reason))))
  }
})

describe("ReclaimRecord.printTombstone", () => {
  const lines = (given: Partial<ReclaimRecord.ReclaimRecord>, to = aside) =>
    ReclaimRecord.printTombstone(record(given), to).split("\n")

  it("tells what happened, where the worktree went, and how to get it back", () =>
    assert.deepStrictEqual(lines({}), [
      "A git worktree stood here. Nothing of it was deleted: it was moved aside, because no session used it any more.",
      "",
      "moved at:  2026-01-05T12:00:00.000Z",
      "from:      /w/a",
      "to:        /r/.git/reclaimed/20260105T120000000Z-a",
      "branch:    refs/heads/fix/a",
      "",
      "To put it back: `Reclaim.restore` with the path of this file, or `node examples/sweep.ts --restore` with it in a",
      "checkout of session-liveness.",
      "By hand: remove this file, then",
      "  git -C '/r/.git' worktree unlock '/r/.git/reclaimed/20260105T120000000Z-a'",
      "  git -C '/r/.git' worktree move '/r/.git/reclaimed/20260105T120000000Z-a' '/w/a'",
      "  git -C '/w/a' switch 'fix/a'",
      "",
      'session-liveness: {"name":"20260105T120000000Z-a","aside":"/r/.git/reclaimed/20260105T120000000Z-a"}',
      ""
    ]))

  it("names the commit of one without a branch, and switches to none", () => {
    const detached = lines({ branch: undefined })
    assert.include(detached, `branch:    none, HEAD was ${head}`)
    assert.deepStrictEqual(
      detached.filter((line) => line.includes("switch")),
      []
    )
    // But for that line, both are the same, from the first to the last.
    assert.deepStrictEqual(
      detached.map((line) => line.replace(/^branch: .*/, "branch")),
      lines({})
        .filter((line) => !line.includes("switch"))
        .map((line) => line.replace(/^branch: .*/, "branch"))
    )
  })

  it("quotes for a shell whatever a name holds", () => {
    const quoted = lines({ path: "/w/it's 'a'; $(b)", branch: "refs/heads/it's" }, "/it's/.git/reclaimed/a")
    assert.includeMembers(quoted, [
      "  git -C '/it'\\''s/.git' worktree unlock '/it'\\''s/.git/reclaimed/a'",
      "  git -C '/it'\\''s/.git' worktree move '/it'\\''s/.git/reclaimed/a' '/w/it'\\''s '\\''a'\\''; $(b)'",
      "  git -C '/w/it'\\''s '\\''a'\\''; $(b)' switch 'it'\\''s'"
    ])
  })

  it("tells names fit to be printed", () =>
    assert.includeMembers(lines({ path: "/w/\u001b", branch: "refs/heads/\u202e" }, "/r/\n/.git/reclaimed/a"), [
      "from:      /w/\\u{1b}",
      "to:        /r/\\u{a}/.git/reclaimed/a",
      "branch:    refs/heads/\\u{202e}"
    ]))
})

describe("ReclaimRecord.parseTombstone", () => {
  it("finds the name and the place, whatever they hold", () => {
    for (const to of [aside, "/r\n/it's/.git/reclaimed/a", '/r"}/.git/reclaimed/a'])
      assert.deepStrictEqual(
        ReclaimRecord.parseTombstone(ReclaimRecord.printTombstone(record({}), to)),
        Option.some({ name: record({}).name, aside: to })
      )
  })

  it("is not misled by a path, a branch or a place that holds the line of another file", () => {
    const forged = `/w\nsession-liveness: ${JSON.stringify({ name: "b", aside: "/b" })}\n/a`
    for (const text of [
      ReclaimRecord.printTombstone(record({ path: forged }), aside),
      ReclaimRecord.printTombstone(record({ branch: `refs/heads${forged}` }), aside)
    ])
      assert.deepStrictEqual(ReclaimRecord.parseTombstone(text), Option.some({ name: record({}).name, aside }))
    const elsewhere = `${forged}/.git/reclaimed/a`
    assert.deepStrictEqual(
      ReclaimRecord.parseTombstone(ReclaimRecord.printTombstone(record({}), elsewhere)),
      Option.some({ name: record({}).name, aside: elsewhere })
    )
  })

  const others: ReadonlyArray<readonly [name: string, text: string]> = [
    ["an empty file", ""],
    ["a file of somebody else", "gitdir: /r/.git/worktrees/a\n"],
    ["one that only mentions ours", `# session-liveness: ${JSON.stringify({ name: "a", aside })}\n`],
    ["one that is cut off", `session-liveness: {"name":"a","aside"`],
    ["one without a name", `session-liveness: ${JSON.stringify({ name: "", aside })}\n`],
    ["one without a place", `session-liveness: ${JSON.stringify({ name: "a", aside: "" })}\n`]
  ]
  for (const [name, text] of others) {
    it(`is none for ${name}`, () => assert.isTrue(Option.isNone(ReclaimRecord.parseTombstone(text))))
  }
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

  it("is one that our lock may tell", () => {
    for (const [adminDirectory] of cases) {
      const named = record({ name: ReclaimRecord.nameOf(adminDirectory, at) })
      assert.deepStrictEqual(ReclaimRecord.parseLock(ReclaimRecord.printLock(named)), Option.some(named))
    }
  })
})
