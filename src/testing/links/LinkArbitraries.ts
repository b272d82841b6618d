/**
 * Random ids, link files and roots that shrink well and hit the corners often.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Gen from "../Gen.ts"
import type * as LinkWorld from "./LinkWorld.ts"

/**
 * Claude ids as a few sessions would mint them, so that questions hit and files share ids; one is a prefix of another,
 * one differs in case alone, one has inner blanks and other scripts.
 */
export const claudeIds: ReadonlyArray<string> = [
  "c1",
  "c2",
  "c3",
  "c10",
  "C1",
  "3544c9e5-f90d-421f-9fb4-7a92d5c329ff",
  "d/é 漢 ü"
]

/** Managed ids, likewise. */
export const managedIds: ReadonlyArray<string> = ["m1", "m2", "m3", "m10", "M1", "tm-pm 漢"]

/** A Claude id that is valid as it stands; a few come up again and again, so that files and questions meet. */
export const claudeId: Arbitrary.Arbitrary<string> = Gen.oneOf(
  ...Array.from({ length: 5 }, () => Gen.element(claudeIds.slice(0, 4))),
  Gen.element(claudeIds),
  Gen.element(["x".repeat(255), `${"é".repeat(127)}x`, "..", "a\\b", "\u{10ffff}", "{}"])
)

/** A managed id that is valid as it stands; a few come up again and again. */
export const managedId: Arbitrary.Arbitrary<string> = Gen.oneOf(
  ...Array.from({ length: 4 }, () => Gen.element(managedIds.slice(0, 4))),
  Gen.element(managedIds),
  Gen.element(["y".repeat(255), `${"é".repeat(127)}y`, "a b", "-rf", "__proto__", "constructor"])
)

/** What is cut from both ends of an id. */
export const padding: Arbitrary.Arbitrary<string> = Gen.element(["", " ", "\t", "\ufeff", "\u00a0", "\u3000 ", "\r"])

/** Text that is no id of either kind. */
export const neitherId: Arbitrary.Arbitrary<string> = Gen.element([
  "",
  " ",
  "\ufeff",
  "a\u0000b",
  "a\nb",
  "a\u007fb",
  "\u0018",
  "a\u001bb",
  "\ud800",
  "a\udc00",
  "a\ufffdb",
  "x".repeat(256),
  "é".repeat(128)
])

/** Text that is no managed id, though most of it is a Claude id. */
export const noManagedId: Arbitrary.Arbitrary<string> = Gen.oneOf(
  Gen.element(["../m1", ".", "..", ".m1", "a/b", "/m1", "m1/", "a\\b", "../../session-manager/sessions.json"]),
  neitherId
)

/** What somebody might ask for or record: mostly valid ids, some padded, some hostile. */
export const asked = (
  valid: Arbitrary.Arbitrary<string>,
  invalid: Arbitrary.Arbitrary<string>
): Arbitrary.Arbitrary<string> => {
  const padded = Gen.map(
    Gen.struct({ before: padding, id: valid, after: padding }),
    ({ before, id, after }) => `${before}${id}${after}`
  )
  return Gen.oneOf(...Array.from({ length: 7 }, () => valid), padded, padded, invalid)
}

export const askedClaudeId: Arbitrary.Arbitrary<string> = asked(claudeId, neitherId)

export const askedManagedId: Arbitrary.Arbitrary<string> = asked(managedId, noManagedId)

const encoder = new TextEncoder()

/** Bytes without a newline that are neither blank, nor cancelled, nor a valid id. */
export const damage: Arbitrary.Arbitrary<Uint8Array> = Gen.oneOf(
  Gen.element(
    ["a\u0000b", "\u0000\u0000\u0000", "c1\u0018c2", "x".repeat(256), "a\ufffdb", "a\u001b[2J"].map((text) =>
      encoder.encode(text)
    )
  ),
  Gen.element([
    Uint8Array.of(0x61, 0xff, 0xfe, 0x62),
    Uint8Array.of(0xc3),
    Uint8Array.of(0xed, 0xa0, 0x80),
    Uint8Array.of(0xf4, 0x90, 0x80, 0x80),
    Uint8Array.of(0x63, 0x31, 0x00)
  ])
)

/** The beginning of a write that did not finish. */
export const fragment: Arbitrary.Arbitrary<Uint8Array> = Gen.oneOf(
  Gen.map(Gen.struct({ id: claudeId, length: Gen.int(1, 4) }), ({ id, length }) =>
    encoder.encode(id).subarray(0, length)
  ),
  Gen.element(["c1", "\u0018", "\ufeff", " ", "\u0000\u0000", "\r"].map((text) => encoder.encode(text))),
  Gen.element([Uint8Array.of(0xc3), Uint8Array.of(0xff)])
)

export const line: Arbitrary.Arbitrary<LinkWorld.Line> = (() => {
  const id = Gen.map(claudeId, (id): LinkWorld.Line => ({ _tag: "Id", id, before: "", after: "" }))
  const padded = Gen.map(Gen.struct({ before: padding, id: claudeId, after: padding }), (given): LinkWorld.Line => ({
    _tag: "Id",
    ...given
  }))
  const nothing = Gen.map(padding, (text): LinkWorld.Line => ({ _tag: "Nothing", text }))
  const cancelled = Gen.map(Gen.oneOf(fragment, damage), (fragment): LinkWorld.Line => ({
    _tag: "Cancelled",
    fragment
  }))
  return Gen.oneOf(id, id, id, id, padded, nothing, cancelled)
})()

const damaged = Gen.map(damage, (bytes): LinkWorld.Line => ({ _tag: "Damage", bytes }))

const whole = Gen.constant(new Uint8Array())

/** A link file: mostly whole, sometimes torn, damaged, unreadable. */
export const linkFile: Arbitrary.Arbitrary<Extract<LinkWorld.Entry, { _tag: "LinkFile" }>> = Gen.map(
  Gen.struct({
    lines: Gen.oneOf(
      ...Array.from({ length: 11 }, () => Gen.array(line, { minLength: 1, maxLength: 5 })),
      Gen.array(line, { maxLength: 1 }),
      Gen.array(Gen.oneOf(line, damaged), { minLength: 1, maxLength: 4 })
    ),
    tail: Gen.oneOf(...Array.from({ length: 8 }, () => whole), fragment),
    readable: Gen.element([...Array.from({ length: 20 }, () => true), false]),
    age: Gen.element<"old" | "young">(["old", "old", "young"])
  }),
  (file) => ({ _tag: "LinkFile", ...file })
)

const entry: Arbitrary.Arbitrary<LinkWorld.Entry> = Gen.oneOf<LinkWorld.Entry>(
  ...Array.from({ length: 16 }, () => linkFile),
  Gen.constant({ _tag: "Directory" }),
  Gen.constant({ _tag: "Fifo" }),
  Gen.map(
    Gen.element([...managedIds.slice(0, 4), "/nowhere", "/root", "../savings.jsonl/x"]),
    (to): LinkWorld.Entry => ({ _tag: "Link", to })
  )
)

const named = Gen.struct({
  name: Gen.oneOf(
    ...Array.from({ length: 20 }, () => managedId),
    Gen.element([".tmp", ".m1"]),
    Gen.element([".tmp", "a\\b", " m1", "m1\n", "\ufeffm1"])
  ),
  entry
})

const entries = Gen.map(
  Gen.oneOf(
    ...Array.from({ length: 3 }, () => Gen.array(named, { minLength: 1, maxLength: 5 })),
    Gen.array(named, { maxLength: 2 })
  ),
  (entries) => [...new Map(entries.map((entry) => [entry.name, entry])).values()]
)

const ledgerLine: Arbitrary.Arbitrary<LinkWorld.LedgerLine> = (() => {
  const row = Gen.map(
    Gen.struct({ id: claudeId, tokens: Gen.int(1, 5000), usd: Gen.element([0.001, 0.0025, 0.01, 0.29, 1]) }),
    (given): LinkWorld.LedgerLine => ({ _tag: "Row", ...given })
  )
  return Gen.oneOf<LinkWorld.LedgerLine>(
    row,
    row,
    row,
    Gen.map(claudeId, (id): LinkWorld.LedgerLine => ({ _tag: "BadRow", id })),
    Gen.map(Gen.element(["{", '{"session_id":"c1"', "[]", '{"tokens_saved":1}', "\u0000"]), (text) => ({
      _tag: "Garbage",
      text
    })),
    Gen.map(Gen.element(["", " ", '{"session_id":"c1"\u0018']), (text) => ({ _tag: "Nothing", text }))
  )
})()

export const ledger: Arbitrary.Arbitrary<LinkWorld.Ledger> = Gen.oneOf<LinkWorld.Ledger>(
  Gen.constant({ _tag: "Absent" }),
  ...Array.from({ length: 6 }, () =>
    Gen.map(
      Gen.struct({
        lines: Gen.array(ledgerLine, { minLength: 1, maxLength: 5 }),
        tail: Gen.element(["", "", "", '{"session_id":"c2"', "{"])
      }),
      (given): LinkWorld.Ledger => ({ _tag: "File", ...given })
    )
  ),
  Gen.element<LinkWorld.Ledger>([{ _tag: "Fifo" }, { _tag: "Directory" }, { _tag: "Forbidden" }])
)

export const store: Arbitrary.Arbitrary<LinkWorld.Store> = Gen.oneOf<LinkWorld.Store>(
  ...Array.from({ length: 7 }, () =>
    Gen.map(
      Gen.struct({
        decoded: Gen.array(managedId, { maxLength: 2 }),
        undecoded: Gen.array(managedId, { maxLength: 1 })
      }),
      (given): LinkWorld.Store => ({ _tag: "File", ...given })
    )
  ),
  Gen.element<LinkWorld.Store>([{ _tag: "Absent" }, { _tag: "Fifo" }, { _tag: "Malformed" }, { _tag: "Forbidden" }])
)

const directory = Gen.element<LinkWorld.Directory>([
  ...Array.from({ length: 24 }, () => "Present" as const),
  "Absent",
  "Absent",
  "Forbidden",
  "Dangling",
  "NoDirectory"
])

/** A root with link files, a ledger and records. */
export const linkWorld: Arbitrary.Arbitrary<LinkWorld.LinkWorld> = Gen.struct({ directory, entries, ledger, store })
