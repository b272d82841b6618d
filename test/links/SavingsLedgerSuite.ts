/**
 * What every ledger promises, whatever it lies in: told by the rows that were appended alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { SavingsLedger, SavingsTotal } from "../../src/internal.ts"
import { hostile } from "./SidecarSuite.ts"

const row = (session_id: string, tokens_saved: number, cost_saved_usd: number): SavingsTotal.Row => ({
  ts: "2026-01-01T00:00:00Z",
  session_id,
  technique: "漢 '\"",
  tokens_saved,
  cost_saved_usd,
  basis: ""
})

const use: typeof SavingsLedger.SavingsLedger.use = (body) => SavingsLedger.SavingsLedger.use(body)

const append = (...given: Parameters<typeof row>) => use((ledger) => ledger.append(row(...given)))

const total = (...ids: ReadonlyArray<string>) => use((ledger) => ledger.total(ids))

const mentioned = (...ids: ReadonlyArray<string>) =>
  Effect.map(
    use((ledger) => ledger.mentioned(ids)),
    (found) => [...found].sort()
  )

/** `make` gives an empty ledger. */
export const suite = (
  name: string,
  make: Effect.Effect<Layer.Layer<SavingsLedger.SavingsLedger, unknown>, never, Scope.Scope>
): void => {
  describe(`a ledger over ${name}`, () => {
    const test = (title: string, body: Effect.Effect<void, unknown, SavingsLedger.SavingsLedger>) =>
      it.effect(title, () => Effect.flatMap(make, (layer) => Effect.provide(body, layer)))

    test(
      "an empty one sums to zero and mentions nobody",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* total("c1"), SavingsTotal.zero)
        assert.deepStrictEqual(yield* total(), SavingsTotal.zero)
        assert.deepStrictEqual(yield* mentioned("c1"), [])
      })
    )

    test(
      "the rows of the ids asked for are summed, as the fold of the same rows sums them",
      Effect.gen(function* () {
        const rows: ReadonlyArray<Parameters<typeof row>> = [
          ["c1", 1, 0.1],
          ["c2", 10, 0.2],
          ["c3", 100, 1],
          [" c1\t", 1000, 0.3],
          ["c1", 2 ** 60, 1e-9],
          ["c2", 3, 1.23456789e21]
        ]
        for (const given of rows) yield* append(...given)
        const text = rows.map((given) => `${JSON.stringify(row(...given))}\n`).join("")
        for (const ids of [["c1"], ["c1", "c2"], ["c2", "c2", " c2 "], ["c4"], []]) {
          assert.deepStrictEqual(yield* total(...ids), SavingsTotal.fold(text, ids))
        }
        assert.deepStrictEqual(yield* mentioned("c1", "c3", "c4"), ["c1", "c3"])
      })
    )

    test(
      "ids are text and nothing else",
      Effect.gen(function* () {
        for (const id of hostile) yield* append(id, 1, 1)
        for (const id of [...hostile, "\u0000", "\ud800"]) {
          assert.strictEqual((yield* total(id)).rows, hostile.includes(id) ? 1 : 0, id)
        }
        assert.deepStrictEqual(yield* mentioned(...hostile, "", "\u0000"), [...hostile].sort())
      })
    )
  })
}
