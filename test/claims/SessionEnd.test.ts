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
} from "../../src/internal.ts"
import * as Cases from "../Cases.ts"

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

describe("SessionOwners.sessionEnd, in full", () => {
  const asked = (given: Partial<SessionOwners.SessionOwners>): SessionOwners.SessionOwners => ({
    ...SessionOwners.unread(undefined),
    owners: new Map(),
    ...given
  })
  const registry = (given: Partial<ClaudeRegistry.ClaudeRegistry>): ClaudeRegistry.ClaudeRegistry => ({
    entries: [],
    transcripts: new Set(["one"]),
    unread: undefined,
    incomplete: undefined,
    ...given
  })
  const current = new Map([["harbor", "one"]])
  const history = historyOf({ tag: "Read", map: { one: ["harbor"] } })
  const carried = "managed session harbor is gone"

  const cases: ReadonlyArray<
    readonly [name: string, id: string, sessions: Partial<SessionOwners.SessionOwners>, end: unknown]
  > = [
    [
      "an empty id is nobody's, not even a caller's that is empty",
      "",
      { caller: "" },
      {
        _tag: "Undeterminable",
        reason: 'no record and no link names "", and the Claude registry was not consulted'
      }
    ],
    [
      "a session that carries the id and has no record may be there",
      "one",
      { current },
      { _tag: "Undeterminable", reason: "no record tells whether managed session harbor is gone" }
    ],
    [
      "a session that carries the id and links it, too, is told of once",
      "one",
      { current, history },
      { _tag: "Undeterminable", reason: "no record tells whether managed session harbor is gone" }
    ],
    [
      "the current id of the caller is the caller's, though it is linked, too",
      "one",
      { current, history, caller: "harbor", owners: new Map([["harbor", liveness("Live")]]) },
      { _tag: "Caller" }
    ],
    [
      "and though its own process runs it",
      "one",
      {
        current,
        caller: "harbor",
        registry: registry({
          entries: [{ pid: 9, sessionId: "one", liveness: ClaudeRegistry.EntryLiveness.Live({ startedAt: 0 }) }],
          incomplete: "so it is"
        })
      },
      { _tag: "Caller" }
    ],
    [
      "a session that is gone has ended",
      "one",
      { current, history, owners: new Map([["harbor", liveness("SessionGone")]]) },
      { _tag: "Ended", why: carried }
    ]
  ]
  for (const [name, id, sessions, end] of cases) {
    it(name, () => assert.deepEqual(SessionOwners.sessionEnd(asked(sessions), id), end))
  }

  const since = 1_790_637_910_000
  const step = 5 * 60 * 1000
  const starts: ReadonlyArray<
    readonly [name: string, startedAt: number | undefined, since: number | null | undefined, tag: string]
  > = [
    ["before it may have done it", since - 1, since, "Undeterminable"],
    ["after it by no more than a clock is stepped may have", since + step, since, "Undeterminable"],
    ["after it by more cannot have", since + step + 1, since, "Ended"],
    ["at no known instant may have", undefined, since, "Undeterminable"],
    ["after work of no known instant may have", since + step + 1, undefined, "Undeterminable"],
    ["after work without any sign may have", since + step + 1, null, "Undeterminable"]
  ]
  for (const [name, startedAt, since, tag] of starts) {
    it(`of the work in question, a process that started ${name}`, () => {
      for (const which of ["Live", "Unknown"] as const) {
        const running = { pid: 9, sessionId: "two", liveness: ClaudeRegistry.EntryLiveness[which]({ startedAt }) }
        const sessions = asked({ registry: registry({ entries: [running] }) })
        assert.strictEqual(SessionOwners.sessionEnd(sessions, "one", since)._tag, tag)
      }
    })
  }
})

describe("SessionOwners.idsOf", () => {
  const linked = historyOf({ tag: "Read", map: { one: ["harbor"], two: ["harbor", "quay"] } })
  const cases: ReadonlyArray<
    readonly [name: string, current: string | undefined, history: LinkHistory.LinkHistory, ids: ReadonlyArray<string>]
  > = [
    ["are the one of the record and those of its link file", "three", linked, ["one", "three", "two"]],
    ["hold each once", "two", linked, ["one", "two"]],
    ["are those of the link file alone without a record", undefined, linked, ["one", "two"]],
    ["are that of the record alone without a link file", "three", LinkHistory.Absent(), ["three"]],
    ["are that of the record alone in a history of others", "three", historyOf({ tag: "Read", map: {} }), ["three"]],
    ["are none where nothing carries any", undefined, historyOf({ tag: "Read", map: { two: ["quay"] } }), []],
    ["are none without any history", undefined, LinkHistory.Absent(), []]
  ]
  for (const [name, id, history, ids] of cases) {
    it(name, () => {
      const current = new Map(id === undefined ? [] : [["harbor", id]])
      assert.deepStrictEqual([...SessionOwners.idsOf({ current, history }, "harbor")].sort(), ids)
    })
  }
})

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
