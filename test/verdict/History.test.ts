import { assert, describe, it } from "@effect/vitest"
import * as History from "../../src/verdict/core/History.ts"
import { commitsOf } from "./Commits.ts"

const [a, b, c, zero] = ["a".repeat(40), "b".repeat(40), "c".repeat(64), "0".repeat(40)]
const raw = (status: string, before = zero, after = a) => `:000000 100644 ${before} ${after} ${status}`
const change = (path: string) => ({ path, before: `000000 ${zero}`, after: `100644 ${a}` })
/** As `git log -z --raw` prints it. */
const logged = (id: string, parents: string, body: string, ...paths: ReadonlyArray<string>) =>
  [id, parents, body, "", ...paths.flatMap((path, index) => [`${index === 0 ? "\n" : ""}${raw("A")}`, path]), ""].join(
    "\0"
  )

describe("History.parse", () => {
  it("reads commits, their parents, what they revert and what they change", () => {
    assert.deepStrictEqual(History.parse(""), [])
    assert.deepStrictEqual(
      History.parse(
        logged(a, `${b} ${c}`, "merge") + logged(b, c, "x\n", "one", "two words") + logged(c, "", "\n", "one")
      ),
      [
        { id: a, parents: [b, c], reverts: [], changes: [] },
        { id: b, parents: [c], reverts: [], changes: [change("one"), change("two words")] },
        { id: c, parents: [], reverts: [], changes: [change("one")] }
      ]
    )
  })

  it("finds every commit that a message says it reverts", () => {
    const cases: ReadonlyArray<readonly [body: string, reverts: ReadonlyArray<string>]> = [
      [`This reverts commit ${a}.`, [a]],
      [`This reverts commit ${a}, reversing\nchanges made to ${b}.`, [a]],
      ["It\n\nreverts commit\n  ABCDEF0, and reverts commit 1234567", ["abcdef0", "1234567"]],
      ["reverts commit abcdef", []],
      ["unreverts commit abcdef0", []],
      ["reverts commit abcdef0x", []],
      [`This reverts ${a}`, []]
    ]
    for (const [body, reverts] of cases)
      assert.deepStrictEqual(History.parse(logged(a, "", body))?.[0]?.reverts, reverts, body)
  })

  it("gives nothing of what has another shape anywhere", () => {
    const good = logged(b, "", "x", "one")
    const bad = [
      good.slice(0, -1),
      "rubbish\0",
      `${good}${a}\0`,
      `${good}${a}\0${b}\0`,
      `${good}${logged("a".repeat(39), "", "x")}`,
      `${good}${logged(`${a}g`, "", "x")}`,
      `${good}${logged("g".repeat(40), "", "x")}`,
      `${good}${logged(`x${a}`, "", "x")}`,
      `${a}\0\0body\0more\0`,
      `${good}${a}\0${b}\0body\0`,
      `${good}${raw("M")}\0`,
      `${good}${raw("M")}\0\0`
    ]
    for (const text of bad) assert.isUndefined(History.parse(text), JSON.stringify(text))
  })
})

describe("History.parseRaw", () => {
  it("reads every change", () => {
    assert.deepStrictEqual(History.parseRaw(""), [])
    assert.deepStrictEqual(
      History.parseRaw(`${raw("A")}\0one\0${raw("T100", `${a}${a.slice(16)}`, b)}\0t:w\0o\0`.replace("t:w\0o", "two")),
      [change("one"), { path: "two", before: `000000 ${a}${a.slice(16)}`, after: `100644 ${b}` }]
    )
  })

  it("gives nothing of what has another shape anywhere", () => {
    const good = `${raw("A")}\0one\0`
    const bad = [
      good.slice(0, -1),
      `${good}${raw("A")}\0`,
      `${good}${raw("A")}\0\0`,
      `${good}${raw("a")}\0two\0`,
      `${good}${raw("A1x")}\0two\0`,
      `${good}${raw("")}\0two\0`,
      `${good}x${raw("A")}\0two\0`,
      `${good}${raw("A").slice(1)}\0two\0`,
      `${good}${raw("A", "0".repeat(39))}\0two\0`,
      `${good}${raw("A", zero, "A".repeat(40))}\0two\0`,
      `${good}${raw("A").replace("000000", "00000")}\0two\0`,
      `${good}${raw("A").replace("100644", "100648")}\0two\0`
    ]
    for (const text of bad) assert.isUndefined(History.parseRaw(text), JSON.stringify(text))
  })
})

describe("a history", () => {
  /** Main merged w2, and then a branch that had merged v1. */
  const history = History.make(
    "main",
    commitsOf([
      ["outer", "merge x2"],
      ["x2", "x1 v1"],
      ["v1", "root"],
      ["x1", "root"],
      ["merge", "m1 w2"],
      ["w2", "w1"],
      ["w1", "root"],
      ["m1", "root"],
      ["root", ""]
    ])
  )
  const idsOf = (commits: ReadonlyArray<History.Commit>) => commits.map(({ id }) => id).join(" ")

  it("tells the commits that another does not contain", () => {
    assert.strictEqual(idsOf(history.notIn("outer")), "")
    assert.strictEqual(idsOf(history.notIn("merge")), "outer x2 v1 x1")
    assert.strictEqual(idsOf(history.notIn("w1")), "outer x2 v1 x1 merge w2 m1")
  })

  it("tells the merge that brought a commit to the branch", () => {
    const merges = ["w1", "w2", "v1", "x1", "x2", "m1", "merge", "outer", "root", "elsewhere"].map(
      (id) => `${id} ${history.mergeOf(id)?.id ?? "-"}`
    )
    assert.deepStrictEqual(merges, [
      "w1 merge",
      "w2 merge",
      "v1 outer",
      "x1 outer",
      "x2 outer",
      "m1 -",
      "merge -",
      "outer -",
      "root -",
      "elsewhere -"
    ])
  })

  it("tells what a merge of a commit brought, and what was made since another", () => {
    const own = (commit: string, from: string | undefined) => idsOf(history.own(commit, from, history.mergeOf(commit)))
    assert.strictEqual(own("w2", undefined), "w2 w1")
    assert.strictEqual(own("w2", "w1"), "w2 w1")
    assert.strictEqual(own("merge", "m1"), "merge w2 w1")
    assert.strictEqual(own("x2", "merge"), "x2 v1 x1")
    assert.strictEqual(own("merge", undefined), "merge")
    assert.strictEqual(own("m1", "m1"), "")
  })

  it("is whole up to 2,000 commits", () => {
    const of = (length: number) =>
      History.make("main", commitsOf(Array.from({ length }, (_, index) => [`c${index}`, `c${index + 1}`])))
    const [whole, cut] = [of(2000), of(2001)]
    assert.deepStrictEqual([whole.isWhole, whole.has("c1999")], [true, true])
    assert.deepStrictEqual([cut.isWhole, cut.has("c1999"), cut.has("c2000")], [false, true, false])
    assert.strictEqual(cut.notIn("elsewhere").length, 2000)
  })
})
