import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SavingsTotal } from "../../src/internal.ts"
import * as Cases from "../Cases.ts"

describe("SavingsTotal", () => {
  const ledgers: ReadonlyArray<{
    readonly name: string
    readonly ledger: string | null
    readonly ids: ReadonlyArray<string>
    readonly expect: SavingsTotal.SavingsTotal
  }> = Cases.read("ledger")
  for (const given of ledgers) {
    it(`fold: ${given.name}`, () => {
      assert.deepStrictEqual(SavingsTotal.fold(given.ledger ?? "", given.ids), given.expect)
    })
  }

  const segments: ReadonlyArray<{
    readonly name: string
    readonly tokensSaved: number
    readonly costSavedUsd: number
    readonly expect: string
  }> = Cases.read("segment")
  for (const given of segments) {
    it(`segment: ${given.name}`, () => {
      assert.strictEqual(SavingsTotal.segment(given), given.expect)
    })
  }
})

describe("SavingsTotal.segment of any sum is right or empty", () => {
  const right: ReadonlyArray<readonly [tokensSaved: number, costSavedUsd: number, segment: string]> = [
    [1, 1e-300, "💸~1 tok"],
    [1, 0.0099999994, "💸~1 tok"],
    [1, 0.00999999999, "💸~$0.01"],
    [1, 0.29, "💸~$0.29"],
    [1, 10_000_000.29, "💸~$10000000.29"],
    [1, 70_368_744_177_663.29, "💸~$70368744177663.29"],
    [1, 2 ** 46 + 1, ""],
    [1, 1.23456789e21, ""],
    [1, Number.MAX_VALUE, ""],
    [1, Infinity, ""],
    [1, NaN, ""],
    [1, -1, "💸~1 tok"],
    [Number.MAX_SAFE_INTEGER, 0, "💸~9007199254740k tok"],
    [2 ** 53, 0, ""],
    [Infinity, 0, ""],
    [NaN, 0, ""],
    [0.5, 0, ""],
    [-5, 0, ""]
  ]
  for (const [tokensSaved, costSavedUsd, segment] of right) {
    it(`${tokensSaved} tokens, ${costSavedUsd} dollars: "${segment}"`, () =>
      assert.strictEqual(SavingsTotal.segment({ tokensSaved, costSavedUsd }), segment))
  }

  it.prop(
    "every sum of cents is stated to the cent",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 52 }))],
    ([cents]) => {
      const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
      const row = `{"session_id":"a","tokens_saved":1,"cost_saved_usd":${text}}\n`
      assert.strictEqual(SavingsTotal.segment(SavingsTotal.fold(row, ["a"])), `💸~$${text}`)
    },
    { arbitrary: { runs: 2000, seed: "cents" } }
  )
})

describe("SavingsTotal.readLine", () => {
  const row = (fields: object) => JSON.stringify({ session_id: "a", tokens_saved: 5, cost_saved_usd: 0.5, ...fields })
  const cases: ReadonlyArray<readonly [name: string, line: string, is: SavingsTotal.Line]> = [
    ["a row", row({}), { _tag: "Row", sessionId: "a", tokensSaved: 5, costSavedUsd: 0.5 }],
    [
      "a row between white space, as its id is",
      ` ${row({ session_id: " a\t" })}\r`,
      { _tag: "Row", sessionId: "a", tokensSaved: 5, costSavedUsd: 0.5 }
    ],
    ["nothing", "", { _tag: "Nothing" }],
    ["white space", " \t\r", { _tag: "Nothing" }],
    ["a line that was cancelled", `${row({})}\u0018`, { _tag: "Nothing" }],
    ["half a row", row({}).slice(0, -1), { _tag: "Unreadable" }],
    ["null", "null", { _tag: "Unreadable" }],
    ["a number", "5", { _tag: "Unreadable" }],
    ["a list", `[${row({})}]`, { _tag: "Unreadable" }],
    ["a row of no session", row({ session_id: undefined }), { _tag: "Unreadable" }],
    ["a row whose session is a number", row({ session_id: 5 }), { _tag: "Unreadable" }],
    ["a row whose session is white space", row({ session_id: " " }), { _tag: "Unreadable" }],
    ["a row of no tokens", row({ tokens_saved: 0 }), { _tag: "BadRow", sessionId: "a" }],
    ["a row of half a token", row({ tokens_saved: 0.5 }), { _tag: "BadRow", sessionId: "a" }],
    ["a row of tokens in quotes", row({ tokens_saved: "5" }), { _tag: "BadRow", sessionId: "a" }],
    ["a row of no cost", row({ cost_saved_usd: 0 }), { _tag: "BadRow", sessionId: "a" }],
    ["a row of a cost that is not told", row({ cost_saved_usd: null }), { _tag: "BadRow", sessionId: "a" }]
  ]
  for (const [name, line, is] of cases) {
    it(`${name} is ${is._tag}`, () => assert.deepStrictEqual(SavingsTotal.readLine(line), is))
  }
})

describe("SavingsTotal.fold", () => {
  const sums: ReadonlyArray<readonly [costs: ReadonlyArray<number>, sum: number]> = [
    [[0.1, 0.2], 0.3],
    [[0.05], 0.05],
    [[0.01, 0.02], 0.03],
    [[0.000001], 0.000001],
    [[1.005, 2.005], 3.01],
    [[0.995, 0.005], 1]
  ]
  for (const [costs, sum] of sums) {
    it(`sums ${costs.join(" and ")} exactly, in whatever order`, () => {
      const rows = costs.map((cost) => `{"session_id":"a","tokens_saved":1,"cost_saved_usd":${cost}}\n`)
      for (const text of [rows.join(""), rows.toReversed().join("")])
        assert.strictEqual(SavingsTotal.fold(text, ["a"]).costSavedUsd, sum)
    })
  }

  const foreign = '{"ts":"t","session_id":"b","technique":"x","tokens_saved":2,"cost_saved_usd":0.5,"basis":"b"}'
  const damaged = [
    "{}",
    ...foreign
      .slice(1, -1)
      .split(",")
      .map((field) => foreign.replace(field, "")),
    foreign.replaceAll(",", ""),
    foreign.replaceAll(/[0-9.]/g, "")
  ]
  for (const line of damaged) {
    it(`skips what is no row of another session, but looks like one: ${line}`, () =>
      assert.deepStrictEqual(SavingsTotal.fold(`${line}\n`, ["a"]), { ...SavingsTotal.zero, skipped: 1 }))
  }

  it("never throws, however long an id is", () => {
    const id = "a".repeat(200_000)
    const row = `{"ts":"t","session_id":"${id}","technique":"x","tokens_saved":1,"cost_saved_usd":0.5,"basis":"b"}\n`
    assert.deepStrictEqual(SavingsTotal.fold(row, [id]), { tokensSaved: 1, costSavedUsd: 0.5, rows: 1, skipped: 0 })
  })
})

describe("SavingsTotal.begin", () => {
  const rows = [
    '{"ts":"t","session_id":"a","technique":"x","tokens_saved":1,"cost_saved_usd":0.5,"basis":"b"}',
    '{"ts":"t","session_id":"b","technique":"x","tokens_saved":2,"cost_saved_usd":0.25,"basis":"b"}',
    '{"ts":"t","session_id":"a ","technique":"x","tokens_saved":16,"cost_saved_usd":0.5,"basis":"b"}',
    '{"ts":"t","session_id":"ab","technique":"x","tokens_saved":32,"cost_saved_usd":0.5,"basis":"a"}',
    '{"ts":"t","session_id":"a.b","technique":"x","tokens_saved":64,"cost_saved_usd":0.5,"basis":"a"}',
    '{"ts":"t","session_id":"a?(","technique":"x","tokens_saved":128,"cost_saved_usd":0.5,"basis":"a"}',
    '{"ts":"t","session_id":"a?b","technique":"x","tokens_saved":256,"cost_saved_usd":0.5,"basis":"a"}',
    '{"ts": "t", "session_id": "b", "technique": "x", "tokens_saved": -2, "cost_saved_usd": 0.25, "basis": "b"}',
    '{"ts":"t","session_id":"\\u0061","technique":"x","tokens_saved":4,"cost_saved_usd":0.125,"basis":"b"}',
    '{"ts":"t","session_id":" ","technique":"x","tokens_saved":8,"cost_saved_usd":1,"basis":"b"}',
    '{"ts":"t","session_id":"b","technique":"x","tokens_saved":02,"cost_saved_usd":0.25,"basis":"b"}',
    '{"ts":"t","session_id":"b","technique":"x","tokens_saved":2,"cost_saved_usd":0.25,"basis":"b"} x',
    '{"ts":"t","session_id":"b","technique":"x","tokens_saved":2,"cost_saved_usd":0.25,"basis":"b","session_id":"a"}',
    "",
    "\u0018",
    "{half\u0018",
    "[1]"
  ]
  const ledger = Schema.Struct({
    lines: Schema.Array(Schema.Literals(rows)),
    cuts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))),
    ids: Schema.Array(Schema.Literals(["a", "b", " a ", "c", "ab", "a.b", "a?(", "a?b", ""]))
  })

  /** What each line says by itself, without any regard to speed. */
  const slowly = (text: string, ids: ReadonlyArray<string>): SavingsTotal.SavingsTotal => {
    const wanted = new Set(ids.map((id) => id.trim()))
    const lines = text.split("\n")
    const torn = lines.pop() ?? ""
    const read = lines.map(SavingsTotal.readLine)
    const counted = read.flatMap((line) => (line._tag === "Row" && wanted.has(line.sessionId) ? [line] : []))
    return {
      tokensSaved: counted.reduce((sum, row) => sum + row.tokensSaved, 0),
      costSavedUsd: counted.reduce((sum, row) => sum + row.costSavedUsd, 0),
      rows: counted.length,
      skipped:
        read.filter((line) => line._tag === "Unreadable" || (line._tag === "BadRow" && wanted.has(line.sessionId)))
          .length + (torn.trim() === "" ? 0 : 1)
    }
  }

  it.prop(
    "however a ledger is cut into pieces, its sums are those of its lines",
    [ledger],
    ([{ lines, cuts, ids }]) => {
      const text = lines.join("\n")
      const sums = SavingsTotal.begin(ids)
      let start = 0
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        sums.push(text.slice(start, Math.max(start, cut)))
        start = Math.max(start, cut)
      }
      sums.push(text.slice(start))
      assert.deepStrictEqual(sums.end(), slowly(text, ids))
    },
    { arbitrary: { runs: 2000, seed: "ledger" } }
  )
})
