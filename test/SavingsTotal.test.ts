import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SavingsTotal } from "../src/index.ts"
import * as Cases from "./Cases.ts"

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

describe("SavingsTotal.begin", () => {
  const rows = [
    '{"ts":"t","session_id":"a","technique":"x","tokens_saved":1,"cost_saved_usd":0.5,"basis":"b"}',
    '{"ts":"t","session_id":"b","technique":"x","tokens_saved":2,"cost_saved_usd":0.25,"basis":"b"}',
    '{"ts":"t","session_id":"a ","technique":"x","tokens_saved":16,"cost_saved_usd":0.5,"basis":"b"}',
    '{"ts":"t","session_id":"ab","technique":"x","tokens_saved":32,"cost_saved_usd":0.5,"basis":"a"}',
    '{"ts":"t","session_id":"a.b","technique":"x","tokens_saved":64,"cost_saved_usd":0.5,"basis":"a"}',
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
    ids: Schema.Array(Schema.Literals(["a", "b", " a ", "c", "ab", "a.b", ""]))
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
