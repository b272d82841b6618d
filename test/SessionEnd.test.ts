import { assert, describe, it } from "@effect/vitest"
import { Brand } from "effect"
import {
  ClaudeRegistry,
  type ClaudeId,
  LinkHistory,
  Liveness,
  type ManagedId,
  Observation,
  SessionEnd,
  SessionOwners
} from "../src/index.ts"
import * as Cases from "./Cases.ts"

const answered = Observation.Answered({ servers: [], names: ["tm-live"] })
const liveness = (which: string) =>
  Liveness.livenessOf(answered, { tmuxName: which === "Live" ? "tm-live" : "tm-gone", process: "None" }, 0)

type EntryTag = "Live" | "Gone" | "Unknown"

describe("SessionOwners.sessionEnd", () => {
  const cases = Cases.read<
    ReadonlyArray<{
      readonly name: string
      readonly id: string
      readonly since: number | null
      readonly owners: Readonly<Record<string, string>> | null
      readonly current: Readonly<Record<string, string>>
      readonly links:
        | { readonly tag: "Absent" }
        | { readonly tag: "Unreadable"; readonly reason: string }
        | { readonly tag: "Read"; readonly map: Readonly<Record<string, ReadonlyArray<string>>> }
      readonly caller: string | null
      readonly registry: {
        readonly entries: ReadonlyArray<{
          readonly sessionId: string
          readonly liveness: EntryTag
          readonly startedAt?: number
        }>
        readonly transcripts: ReadonlyArray<string>
        readonly complete: boolean
      } | null
      readonly expect: { readonly tag: string; readonly mentions?: ReadonlyArray<string> }
    }>
  >("session-end")
  for (const given of cases) {
    it(given.name, () => {
      for (const order of [<A>(list: ReadonlyArray<A>) => list, <A>(list: ReadonlyArray<A>) => list.toReversed()]) {
        const end = SessionOwners.sessionEnd(
          {
            owners:
              given.owners === null
                ? null
                : new Map(order(Object.entries(given.owners)).map(([id, tag]) => [id, liveness(tag)])),
            current: new Map(order(Object.entries(given.current))),
            history: historyOf(given.links),
            caller: given.caller ?? undefined,
            registry:
              given.registry === null
                ? undefined
                : {
                    entries: order(given.registry.entries).map((entry, pid) => ({
                      pid,
                      sessionId: entry.sessionId,
                      liveness:
                        entry.liveness === "Gone"
                          ? ClaudeRegistry.EntryLiveness.Gone()
                          : ClaudeRegistry.EntryLiveness[entry.liveness]({ startedAt: entry.startedAt })
                    })),
                    transcripts: new Set(given.registry.transcripts),
                    unread: undefined,
                    incomplete: given.registry.complete ? undefined : "a process is not named"
                  }
          },
          given.id,
          given.since
        )
        assert.strictEqual(end._tag, given.expect.tag)
        for (const mention of given.expect.mentions ?? []) {
          assert.include(end._tag === "Undeterminable" ? end.reason : "", mention)
        }
      }
    })
  }
})

const managed = Brand.nominal<ManagedId.ManagedId>()
const claude = Brand.nominal<ClaudeId.ClaudeId>()

const historyOf = (
  links:
    | { readonly tag: "Absent" }
    | { readonly tag: "Unreadable"; readonly reason: string }
    | { readonly tag: "Read"; readonly map: Readonly<Record<string, ReadonlyArray<string>>> }
): LinkHistory.LinkHistory => {
  if (links.tag === "Absent") return LinkHistory.Absent()
  if (links.tag === "Unreadable") return LinkHistory.Unreadable({ reason: links.reason })
  const sessions = new Set(Object.values(links.map).flat())
  return LinkHistory.fromEntries(
    [...sessions].map((name) => ({
      name: managed(name),
      content: {
        ids: Object.entries(links.map).flatMap(([id, on]) => (on.includes(name) ? [claude(id)] : [])),
        torn: false,
        damaged: 0
      }
    }))
  )
}

describe("SessionEnd.conclude", () => {
  it("takes no evidence for none of an end", () => {
    assert.deepEqual<unknown>(SessionEnd.conclude([]), { _tag: "Undeterminable", reason: "nothing is known of it" })
  })

  it("lets the strictest win, and joins what is missing, once and in order", () => {
    const missing = ["b", "a", "b"].map((why) => ({ says: "Undeterminable", why }) as const)
    const ended = { says: "Ended", why: "e" } as const
    assert.deepEqual<unknown>(SessionEnd.conclude([ended, ...missing]), { _tag: "Undeterminable", reason: "a; b" })
    assert.deepEqual<unknown>(SessionEnd.conclude([...missing, { says: "Live", why: "l" }]), { _tag: "Live", why: "l" })
    assert.deepEqual<unknown>(SessionEnd.conclude([ended, { says: "Caller", why: "" }]), { _tag: "Caller" })
    assert.deepEqual<unknown>(SessionEnd.conclude([{ says: "Ended", why: "f" }, ended]), { _tag: "Ended", why: "e" })
  })
})
