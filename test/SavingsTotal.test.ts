import { assert, describe, it } from "@effect/vitest"
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
