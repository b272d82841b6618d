import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ClaudeRegistry, type Processes, Vantage } from "../../src/internal.ts"
import * as Cases from "../Cases.ts"
import { processOf } from "../machine/processOf.ts"

const { Gone, Live, Unknown } = ClaudeRegistry.EntryLiveness

const entryText = (given: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ pid: 4711, sessionId: "8d40b7a1", procStart: "8812345", ...given })

describe("ClaudeRegistry.parseEntry", () => {
  const entries: ReadonlyArray<
    readonly [name: string, given: Readonly<Record<string, unknown>>, more: Partial<ClaudeRegistry.Entry>]
  > = [
    ["its pid, its session and its start", {}, {}],
    ["where it works, once each", { cwd: "/w/app", worktree: "/w/app", status: "busy" }, { workspaces: ["/w/app"] }],
    ["no place that is no absolute path", { cwd: "app", worktree: 7 }, {}],
    ["a session without what surrounds its id", { sessionId: " 8d40b7a1\n" }, {}],
    ["no start where none is recorded", { procStart: undefined }, { procStart: undefined }],
    ["no start where it is no text", { procStart: 8812345 }, { procStart: undefined }]
  ]
  for (const [name, given, more] of entries) {
    it(`reads ${name}`, () =>
      assert.deepStrictEqual(
        ClaudeRegistry.parseEntry(4711, entryText(given)),
        Option.some({
          pid: 4711,
          sessionId: "8d40b7a1",
          procStart: "8812345",
          elsewhere: false,
          workspaces: [],
          ...more
        })
      ))
  }

  const none: ReadonlyArray<readonly [name: string, text: string]> = [
    ["names another pid", entryText({ pid: 4712 })],
    ["names no pid", entryText({ pid: undefined })],
    ["names its pid as text", entryText({ pid: "4711" })],
    ["names no session", entryText({ sessionId: undefined })],
    ["names a session without an id", entryText({ sessionId: " " })],
    ["is torn", entryText().slice(0, -1)],
    ["is empty", ""],
    ["is a list", `[${entryText()}]`]
  ]
  for (const [name, text] of none) {
    it(`is none when it ${name}`, () => assert.deepStrictEqual(ClaudeRegistry.parseEntry(4711, text), Option.none()))
  }

  const host = Vantage.hostPidNamespace
  const other = "pid:[4026532198]"
  const namespaces: ReadonlyArray<readonly [given: Readonly<Record<string, unknown>>, elsewhere: boolean]> = [
    [{ pidDomain: host }, false],
    [{ pidNamespace: host }, false],
    [{ pidDomain: host, pidNamespace: host }, false],
    [{ pidNamespace: 4026531836 }, false],
    [{ pidNamespace: { inode: 4026531836 } }, false],
    [{ pidDomain: null, pidNamespace: null }, false],
    [{ pidDomain: other }, true],
    [{ pidNamespace: other }, true],
    [{ pidDomain: host, pidNamespace: other }, true],
    [{ pidDomain: other, pidNamespace: null }, true],
    [{ pidNamespace: 4026532198 }, true],
    [{ pidDomain: "host" }, true],
    [{ pidDomain: "" }, true]
  ]
  for (const [given, elsewhere] of namespaces) {
    it(`takes ${JSON.stringify(given)} for ${elsewhere ? "elsewhere" : "here"}`, () => {
      const entry = ClaudeRegistry.parseEntry(4711, entryText(given))
      assert.strictEqual(Option.getOrUndefined(entry)?.elsewhere, elsewhere)
    })
  }
})

describe("ClaudeRegistry.judgeEntry", () => {
  const cases = Cases.read<
    ReadonlyArray<{
      readonly name: string
      readonly entry: ClaudeRegistry.Entry
      readonly process: ClaudeRegistry.Start | null | "unreadable"
      readonly expect: ClaudeRegistry.EntryLiveness["_tag"]
    }>
  >("registry-entry")
  for (const { name, entry, process, expect } of cases) {
    it(name, () => assert.strictEqual(ClaudeRegistry.judgeEntry(entry, process)._tag, expect))
  }
})

describe("ClaudeRegistry.judgeEntry, in full", () => {
  const startedAt = Date.UTC(2026, 8, 24, 2, 8, 36)
  const ctime = "Thu Sep 24 02:08:36 2026"
  const start: ClaudeRegistry.Start = { state: "S", startTicks: "8812345", startedAt }
  const hour = 60 * 60 * 1000
  const later = (by: number): ClaudeRegistry.Start => ({ ...start, startedAt: startedAt + by })

  const cases: ReadonlyArray<
    readonly [
      name: string,
      entry: Pick<ClaudeRegistry.Entry, "procStart" | "elsewhere">,
      process: ClaudeRegistry.Start | null | "unreadable",
      liveness: ClaudeRegistry.EntryLiveness
    ]
  > = [
    ["the same ticks", { procStart: "8812345" }, start, Live({ startedAt })],
    [
      "the same ticks, whenever that was",
      { procStart: "8812345" },
      later(20 * hour),
      Live({ startedAt: startedAt + 20 * hour })
    ],
    [
      "the same ticks, at no told instant",
      { procStart: "8812345" },
      { ...start, startedAt: null },
      Live({ startedAt: undefined })
    ],
    ["other ticks", { procStart: "8812346" }, start, Gone()],
    ["ticks that are not told", { procStart: "8812345" }, { ...start, startTicks: null }, Unknown({ startedAt })],
    ["a start that only begins with digits", { procStart: "2026-09-24T02:08:36Z" }, start, Unknown({ startedAt })],
    ["a start that is not recorded", {}, start, Unknown({ startedAt })],
    ["a start of no text", { procStart: "" }, start, Unknown({ startedAt })],
    [
      "an entry of another pid namespace",
      { procStart: "8812345", elsewhere: true },
      start,
      Unknown({ startedAt: undefined })
    ],
    ["one whose pid is not here", { procStart: "8812345", elsewhere: true }, null, Unknown({ startedAt: undefined })],
    ["one that is said to be of this one", { procStart: "8812345", elsewhere: false }, start, Live({ startedAt })],
    ["a table that cannot say", { procStart: "8812345" }, "unreadable", Unknown({ startedAt: undefined })],
    ["a zombie with the same ticks", { procStart: "8812345" }, { ...start, state: "Z" }, Gone()],
    ["the same instant", { procStart: ctime }, start, Live({ startedAt })],
    ["two seconds later", { procStart: ctime }, later(2_000), Live({ startedAt: startedAt + 2_000 })],
    ["two seconds earlier", { procStart: ctime }, later(-2_000), Live({ startedAt: startedAt - 2_000 })],
    ["more than that later", { procStart: ctime }, later(2_001), Unknown({ startedAt: startedAt + 2_001 })],
    ["more than that earlier", { procStart: ctime }, later(-2_001), Unknown({ startedAt: startedAt - 2_001 })],
    ["fifteen hours later", { procStart: ctime }, later(15 * hour), Unknown({ startedAt: startedAt + 15 * hour })],
    ["more than fifteen hours later", { procStart: ctime }, later(15 * hour + 1), Gone()],
    ["days earlier", { procStart: ctime }, later(-72 * hour), Unknown({ startedAt: startedAt - 72 * hour })],
    [
      "an instant that is not told",
      { procStart: ctime },
      { ...start, startedAt: null },
      Unknown({ startedAt: undefined })
    ]
  ]
  for (const [name, entry, process, liveness] of cases) {
    it(`${name}: ${liveness._tag}`, () => assert.deepStrictEqual(ClaudeRegistry.judgeEntry(entry, process), liveness))
  }
})

const claude = (pid: number, given: Partial<Processes.Process> = {}): Processes.Process =>
  processOf({ pid, name: "claude", executable: "/usr/bin/claude", startTicks: "7", startedAt: 5, ...given })

const found = (pid: number, given: Partial<ClaudeRegistry.Found> = {}): ClaudeRegistry.Found => ({
  path: `/c/sessions/${pid}.json`,
  pid,
  content: { text: JSON.stringify({ pid, sessionId: `s-${pid}`, procStart: "7" }) },
  ...given
})

const recorded = (pid: number, procStart: string | undefined): ClaudeRegistry.Found =>
  found(pid, { content: { text: JSON.stringify({ pid, sessionId: `s-${pid}`, procStart }) } })

const torn = (pid: number) => found(pid, { content: { text: "{" } })

describe("ClaudeRegistry.assemble", () => {
  it("judges every entry by the process at its pid, in the order of their paths", () => {
    const entries = [recorded(10, "7"), recorded(11, "6"), recorded(12, undefined), recorded(9, "7")]
    const judged: ReadonlyArray<ClaudeRegistry.Judged> = [
      { pid: 10, path: "/c/sessions/10.json", sessionId: "s-10", workspaces: [], liveness: Live({ startedAt: 5 }) },
      { pid: 11, path: "/c/sessions/11.json", sessionId: "s-11", workspaces: [], liveness: Gone() },
      { pid: 12, path: "/c/sessions/12.json", sessionId: "s-12", workspaces: [], liveness: Unknown({ startedAt: 5 }) },
      { pid: 9, path: "/c/sessions/9.json", sessionId: "s-9", workspaces: [], liveness: Gone() }
    ]
    const processes = [10, 11, 12].map((pid) => claude(pid, { executable: "/usr/bin/vim" }))
    for (const order of [entries, entries.toReversed()]) {
      assert.deepStrictEqual(ClaudeRegistry.assemble(order, processes, new Set(["s-8"])), {
        entries: judged,
        transcripts: new Set(["s-8"]),
        unread: undefined,
        incomplete: undefined
      })
    }
  })

  const unread: ReadonlyArray<
    readonly [
      name: string,
      found: ReadonlyArray<ClaudeRegistry.Found>,
      processes: ReadonlyArray<Processes.Process>,
      unread: string | undefined
    ]
  > = [
    ["when its text does not decode", [torn(9)], [claude(9)], "/c/sessions/9.json (process 9) does not decode"],
    [
      "when it names another pid",
      [found(9, { content: { text: '{"pid":8,"sessionId":"s-8"}' } })],
      [claude(9)],
      "/c/sessions/9.json (process 9) does not decode"
    ],
    [
      "when the file could not be read",
      [found(9, { content: { unreadable: "is a directory" } })],
      [claude(9)],
      "/c/sessions/9.json (process 9) is a directory"
    ],
    [
      "whatever program runs there",
      [torn(9)],
      [claude(9, { executable: "/usr/bin/vim" })],
      "/c/sessions/9.json (process 9) does not decode"
    ],
    [
      "when it cannot be told whether its pid runs",
      [torn(9)],
      [claude(30, { executable: "/usr/bin/vim", innerPids: [9] })],
      "/c/sessions/9.json (process 9) does not decode"
    ],
    [
      "all of them, in the order of their paths",
      [torn(9), torn(10)],
      [claude(9), claude(10)],
      "/c/sessions/10.json (process 10) does not decode; /c/sessions/9.json (process 9) does not decode"
    ],
    [
      "fit to be printed",
      [{ ...torn(9), path: "/c\n/9.json" }],
      [claude(9)],
      "/c\\u{a}/9.json (process 9) does not decode"
    ],
    ["but not when its pid is free", [torn(9)], [], undefined],
    ["nor when its process has ended", [torn(9)], [claude(9, { state: "Z" })], undefined]
  ]
  for (const [name, found, processes, why] of unread) {
    it(`says which entries of running pids could not be read, ${name}`, () => {
      for (const order of [found, found.toReversed()]) {
        const registry = ClaudeRegistry.assemble(order, processes, new Set())
        assert.deepStrictEqual([registry.unread, registry.incomplete], [why, why])
        assert.deepStrictEqual(registry.entries, [])
      }
    })
  }

  /** It waits to be given a session. */
  const spare = claude(9, { args: ["claude", "--bg-spare"] })
  const without = (pids: string) => `Claude process ${pids} has no registry entry of its own; end it or start it anew`
  const incomplete: ReadonlyArray<
    readonly [
      name: string,
      found: ReadonlyArray<ClaudeRegistry.Found>,
      processes: ReadonlyArray<Processes.Process>,
      incomplete: string | undefined
    ]
  > = [
    ["each by its own", [found(9), found(10)], [claude(9), claude(10)], undefined],
    ["by one that cannot be judged", [recorded(9, undefined)], [claude(9)], undefined],
    ["not by one that is gone", [recorded(9, "6")], [claude(9)], without("9")],
    ["not by what another user may have put there", [found(9, { foreign: true })], [claude(9)], without("9")],
    ["by what nobody else may have", [found(9, { foreign: false })], [claude(9)], undefined],
    ["not by another process's", [found(9)], [claude(9), claude(10)], without("10")],
    [
      "all but the smallest first",
      [found(9)],
      [claude(100), claude(9), claude(11), claude(10)],
      without("10, 11, 100")
    ],
    ["a spare one by nobody", [], [spare], undefined],
    ["nor by one that is gone", [recorded(9, "6")], [spare], undefined],
    ["nor need it be where its entry is", [found(9)], [spare], undefined],
    ["but not by what another user may have put there", [found(9, { foreign: true })], [spare], without("9")],
    [
      "and no other program, whatever another user says of it",
      [found(9, { foreign: true })],
      [claude(9, { executable: "/usr/bin/vim", args: ["vim"] })],
      undefined
    ],
    ["but no other program", [], [claude(9, { executable: "/usr/bin/vim", args: ["vim"] })], undefined],
    ["and none that has ended", [], [claude(9, { state: "Z" })], undefined]
  ]
  for (const [name, found, processes, why] of incomplete) {
    it(`is complete when every running Claude process is named, ${name}`, () => {
      for (const order of [processes, processes.toReversed()]) {
        const registry = ClaudeRegistry.assemble(found, order, new Set())
        assert.deepStrictEqual([registry.unread, registry.incomplete], [undefined, why])
      }
    })
  }

  it("says first what could not be read, which may be what names the others", () => {
    const registry = ClaudeRegistry.assemble([torn(9)], [claude(9), claude(10)], new Set())
    assert.strictEqual(registry.incomplete, "/c/sessions/9.json (process 9) does not decode")
  })
})

describe("ClaudeRegistry.processOf", () => {
  /** Live, gone, and one that cannot be judged. */
  const registry = () =>
    ClaudeRegistry.assemble(
      [recorded(9, "7"), recorded(10, "6"), recorded(11, undefined)],
      [9, 10, 11].map((pid) => claude(pid)),
      new Set()
    )

  const cases: ReadonlyArray<
    readonly [name: string, ids: ReadonlyArray<string>, unsure: boolean, unread: boolean, expected: string]
  > = [
    ["a live entry names one", ["s-0", "s-9"], false, false, "Alive"],
    ["one that cannot be judged does", ["s-11"], false, false, "Alive"],
    ["whatever could not be read", ["s-9"], true, true, "Alive"],
    ["none names one", ["s-0"], false, false, "None"],
    ["there are no ids", [], false, false, "None"],
    ["only one that is gone does", ["s-10"], false, false, "None"],
    ["the registry could not be read", ["s-10"], false, true, "Unread"],
    ["there may be more ids", ["s-10"], true, false, "Unread"]
  ]
  for (const [name, ids, unsure, unread, expected] of cases) {
    it(`is ${expected} when ${name}`, () => {
      const consulted = { ...registry(), unread: unread ? "a directory" : undefined }
      assert.strictEqual(ClaudeRegistry.processOf(consulted, new Set(ids), unsure), expected)
    })
  }

  it("is Unread after a look that failed, and NotConsulted without one", () => {
    assert.strictEqual(ClaudeRegistry.processOf(ClaudeRegistry.failed("no"), new Set(["s-9"]), false), "Unread")
    assert.strictEqual(ClaudeRegistry.processOf(undefined, new Set(["s-9"]), true), "NotConsulted")
  })
})

describe("ClaudeRegistry.runningOf", () => {
  it("gives the entries of one session that are live or cannot be judged", () => {
    const registry: ClaudeRegistry.ClaudeRegistry = {
      ...ClaudeRegistry.failed("no"),
      entries: [
        { pid: 9, sessionId: "a", liveness: Live({ startedAt: 5 }) },
        { pid: 10, sessionId: "a", liveness: Gone() },
        { pid: 11, sessionId: "b", liveness: Gone() },
        { pid: 12, sessionId: "a", liveness: Unknown({ startedAt: undefined }) }
      ]
    }
    const pidsOf = (id: string) => ClaudeRegistry.runningOf(registry, id).map(({ pid }) => pid)
    assert.deepStrictEqual(["a", "b", "c"].map(pidsOf), [[9, 12], [], []])
  })
})
