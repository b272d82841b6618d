import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ClaudeId, ManagedId, PrunePlan } from "../../src/internal.ts"

const managed = (text: string) => Option.getOrThrow(ManagedId.parse(text))
const claude = (text: string) => Option.getOrThrow(ClaudeId.parse(text))

const when: PrunePlan.When = { now: Date.UTC(2026, 0, 2, 3, 4, 5, 6), olderThan: 1_000 }
const old = when.now - when.olderThan - 1
const file = { ids: [claude("c-1"), claude("c-2")], torn: false, damaged: 0 }
const seen = (given: Partial<PrunePlan.Seen>): PrunePlan.Seen => ({
  managedId: managed("harbor"),
  file,
  modifiedAt: old,
  ...given
})
const known = (recorded: ReadonlyArray<string>, mentioned: ReadonlyArray<string>): PrunePlan.Known => ({
  recorded: new Set(recorded),
  mentioned: new Set(mentioned)
})
const unknown = known([], [])

describe("PrunePlan.isMovable", () => {
  const cases: ReadonlyArray<
    readonly [name: string, given: Partial<PrunePlan.Seen>, known: PrunePlan.Known, is: boolean]
  > = [
    ["a whole file that nobody knows is", {}, unknown, true],
    ["one beside others that are known is", {}, known(["orchard"], ["c-3"]), true],
    ["one that a record names is not", {}, known(["harbor"], []), false],
    ["one of whose ids the ledger knows any is not", {}, known([], ["c-2"]), false],
    ["one that holds nothing is not", { file: { ...file, ids: [] } }, unknown, false],
    ["one with a torn end is not", { file: { ...file, torn: true } }, unknown, false],
    ["one with a damaged line is not", { file: { ...file, damaged: 1 } }, unknown, false],
    ["one that is just so old is not", { modifiedAt: old + 1 }, unknown, false],
    ["one of a time to come is not", { modifiedAt: when.now + 1 }, unknown, false]
  ]
  for (const [name, given, known, is] of cases) {
    it(name, () => assert.strictEqual(PrunePlan.isMovable(when, seen(given), known), is))
  }
})

describe("PrunePlan.plan", () => {
  it("moves what may be moved, by name, into a directory named for the instant", () => {
    const names = ["b", "kept", "a", "B"]
    const files = names.map((name) => seen({ managedId: managed(name) }))
    assert.deepStrictEqual(PrunePlan.plan(when, files, known(["kept"], [])), {
      ...when,
      quarantine: "session-links-quarantine-20260102T030405006Z",
      moves: ["B", "a", "b"].map((name) => ({
        managedId: managed(name),
        claudeIds: file.ids,
        modifiedAt: old
      })),
      refused: undefined
    })
  })
})

it("PrunePlan.refuse: nothing goes anywhere", () => {
  assert.deepStrictEqual(PrunePlan.refuse(when, "the records are not whole"), {
    ...when,
    quarantine: "",
    moves: [],
    refused: "the records are not whole"
  })
})

it("PrunePlan.defaultOlderThan: thirty days", () => assert.strictEqual(PrunePlan.defaultOlderThan, 2_592_000_000))
