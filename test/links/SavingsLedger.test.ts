import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SavingsLedger, SavingsTotal } from "../../src/internal.ts"
import type * as Tree from "../Tree.ts"
import { type Kind, kinds, type Stage } from "./Stage.ts"

const path = "usage/savings.jsonl"

const total = (...ids: ReadonlyArray<string>) => SavingsLedger.SavingsLedger.use((ledger) => ledger.total(ids))

const mentioned = (...ids: ReadonlyArray<string>) =>
  Effect.map(
    SavingsLedger.SavingsLedger.use((ledger) => ledger.mentioned(ids)),
    (found) => [...found].sort()
  )

const row = (session_id: string, tokens_saved: number, cost_saved_usd: number): SavingsTotal.Row => ({
  ts: "2026-01-01T00:00:00Z",
  session_id,
  technique: "漢",
  tokens_saved,
  cost_saved_usd,
  basis: "b"
})

const append = (given: SavingsTotal.Row) => SavingsLedger.SavingsLedger.use((ledger) => ledger.append(given))

const line = (...given: Parameters<typeof row>) => `${JSON.stringify(row(...given))}\n`

const reasonOf = <A>(effect: Effect.Effect<A, SavingsLedger.LedgerError, SavingsLedger.SavingsLedger>) =>
  Effect.match(effect, { onSuccess: () => "answered", onFailure: ({ reason }) => reason._tag })

const suite = (name: string, kind: Kind) =>
  describe(`SavingsLedger over ${name}`, () => {
    const test = (
      title: string,
      body: (stage: Stage) => Effect.Effect<void, SavingsLedger.LedgerError, SavingsLedger.SavingsLedger>
    ) => it.effect(title, () => Effect.flatMap(kind.make, (stage) => Effect.provide(body(stage), stage.files)))

    test("an absent ledger is an empty one", ({ look }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* total("c1"), SavingsTotal.zero)
        assert.deepStrictEqual(yield* mentioned("c1"), [])
        assert.deepStrictEqual(look(), {})
      }))

    test("rows of the ids asked for are summed, and what cannot be counted is", ({ put }) =>
      Effect.gen(function* () {
        const text = [
          line("c1", 1, 0.5),
          line("c2", 10, 0.25),
          line("c3", 100, 1),
          line(" c1\t", 1000, 0.125),
          line("c1", -1, 1),
          line("c3", -1, 1),
          "{\n",
          "\n",
          `${JSON.stringify(row("c1", 7, 7))}\u0018\n`,
          JSON.stringify(row("c1", 5, 5))
        ].join("")
        put({ [path]: { text } })
        assert.deepStrictEqual(yield* total("c1", "c2"), {
          tokensSaved: 1011,
          costSavedUsd: 0.875,
          rows: 3,
          skipped: 3
        })
        assert.deepStrictEqual(yield* total("c1", "c2"), SavingsTotal.fold(text, ["c1", "c2"]))
        assert.deepStrictEqual(yield* total(), { ...SavingsTotal.zero, skipped: 2 })
      }))

    test("a ledger of many pieces is read to its end, characters that lie across two included", ({ put }) =>
      Effect.gen(function* () {
        const text = Array.from({ length: 12_000 }, (_, index) => line(`c${index % 7}`, 1, 0.01)).join("")
        put({ [path]: { text } })
        assert.deepStrictEqual(yield* total("c1", "c3"), SavingsTotal.fold(text, ["c1", "c3"]))
        assert.deepStrictEqual(yield* mentioned("c6", "c7"), ["c6"])
      }))

    test("a row, a bad row and any line that does not parse mention an id", ({ put }) =>
      Effect.gen(function* () {
        put({
          [path]: {
            text: `${line("c1", 1, 1)}${line("c2", -1, 1)}{"session_id":"c3"\n{"x":"c4"}\u0018\n{"y":"c5"}\n{"session_id":"c6`
          }
        })
        assert.deepStrictEqual(yield* mentioned("c1", "c2", "c3", "c4", "c5", "c6", "c7"), [
          "c1",
          "c2",
          "c3",
          "c5",
          "c6"
        ])
      }))

    for (const [what, before, after] of [
      ["nothing", undefined, line("c1", 1, 1)],
      ["a whole ledger", line("c2", 1, 1), `${line("c2", 1, 1)}${line("c1", 1, 1)}`],
      ["a torn ledger", '{"session_id":"c1"', `{"session_id":"c1"\u0018\n${line("c1", 1, 1)}`]
    ] as const) {
      test(`append to ${what} is one line more`, ({ put, look, mode }) =>
        Effect.gen(function* () {
          if (before !== undefined) put({ [path]: { text: before } })
          yield* append(row("c1", 1, 1))
          assert.strictEqual(look()[path], Buffer.from(after).toString("latin1"))
          if (before === undefined && kind.specials) assert.strictEqual(mode(path), 0o600)
          const { rows, skipped } = yield* total("c1")
          assert.deepStrictEqual({ rows, skipped }, { rows: 1, skipped: 0 })
        }))
    }

    if (kind.specials) {
      const ledgers: Readonly<Record<string, { readonly tree: Tree.Tree; readonly reason: string }>> = {
        "a directory": { tree: { [path]: { dir: true } }, reason: "NotRegular" },
        "a FIFO": { tree: { [path]: { fifo: true } }, reason: "NotRegular" },
        "a link to nowhere": { tree: { [path]: { symlink: "nowhere" } }, reason: "Unreadable" },
        "a link to itself": { tree: { [path]: { symlink: "savings.jsonl" } }, reason: "Unreadable" }
      }
      for (const [what, { tree, reason }] of Object.entries(ledgers)) {
        test(`${what} gives no total and takes no row`, ({ put, look }) =>
          Effect.gen(function* () {
            put(tree)
            assert.strictEqual(yield* reasonOf(total("c1")), reason)
            assert.strictEqual(yield* reasonOf(mentioned("c1")), reason)
            assert.include(["NotRegular", "Unwritten"], yield* reasonOf(append(row("c1", 1, 1))))
            assert.deepStrictEqual(look(), {})
          }))
      }
    }

    if (kind.forbids) {
      test("what may not be read is unreadable", ({ put, forbid }) =>
        Effect.gen(function* () {
          put({ [path]: { text: line("c1", 1, 1) } })
          forbid(path)
          assert.strictEqual(yield* reasonOf(total("c1")), "Unreadable")
          assert.strictEqual(yield* reasonOf(append(row("c1", 1, 1))), "Unwritten")
        }))
    }
  })

for (const kind of kinds) suite(kind.name, kind)
