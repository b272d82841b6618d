import { assert, describe, it } from "@effect/vitest"
import {
  type ClaimState,
  type GitFacts,
  LiveClaims,
  Liveness,
  Observation,
  OwnerSentinel,
  type SessionEnd,
  SessionOwners,
  Verdict
} from "../../src/internal.ts"
import * as Cases from "../Cases.ts"
import {
  agent,
  answered,
  claimOf,
  day,
  endOf,
  free,
  known,
  landed,
  notLanded,
  now,
  registered,
  since,
  spelling,
  unknown,
  withGit
} from "./Facts.ts"

interface Case {
  readonly name: string
  readonly facts: {
    readonly claim: ClaimState.ClaimState["_tag"]
    readonly sentinel:
      | { readonly tag: "Nobody" | "Unreadable" }
      | { readonly tag: "Session"; readonly owner: string }
      | { readonly tag: "Agent"; readonly parent: string; readonly endedForMs: number | null }
      | { readonly tag: "Both"; readonly owner: string; readonly parent: string; readonly endedForMs: number | null }
    readonly ends: Readonly<Record<string, SessionEnd.SessionEnd["_tag"]>>
    readonly quietForMs: number | null
    readonly upForMs: number | null
    readonly occupants:
      | { readonly tag: "Known"; readonly pids: ReadonlyArray<number> }
      | { readonly tag: "Unknown"; readonly reason: string }
    readonly vantage: Verdict.Vantage | "Unknown"
    readonly git:
      | { readonly tag: "Unknown"; readonly reason: string }
      | (Pick<
          GitFacts.GitFacts,
          "longLived" | "nested" | "mounts" | "submodules" | "dirty" | "indexLock" | "headContained"
        > & {
          readonly tag?: undefined
          readonly main: boolean
          readonly reclaimed: boolean
          readonly flagged: ReadonlyArray<string>
          readonly operation: string | null
          readonly landed: boolean
          readonly lock: { readonly holder: GitFacts.Lock["holder"] } | null
        })
  }
  readonly expect: { readonly tag: "Permit" } | { readonly tag: "Refuse"; readonly gate: Verdict.Gate }
}

const sentinelOf = (given: Case["facts"]["sentinel"]): OwnerSentinel.Sentinel => {
  if (given.tag === "Nobody") return OwnerSentinel.Nobody()
  if (given.tag === "Unreadable") return OwnerSentinel.Unreadable({ why: "half of it" })
  return OwnerSentinel.Named({
    createdAt: 0,
    owner: "owner" in given ? given.owner : undefined,
    agent:
      "parent" in given
        ? {
            agentId: "a",
            delegationId: "d",
            parent: given.parent,
            endedAt: given.endedForMs === null ? undefined : now - given.endedForMs
          }
        : undefined
  })
}

const gitOf = (given: Case["facts"]["git"]): Partial<Verdict.Facts> => {
  if (given.tag === "Unknown") return { git: unknown(given.reason) }
  const { main, reclaimed, lock, landed: hasLanded, operation, flagged, ...facts } = given
  return {
    ...registered({ main, reclaimed, lock: lock === null ? undefined : { holder: lock.holder, reason: "" } }),
    ...withGit({
      ...facts,
      operation: operation ?? undefined,
      flagged: flagged.map((path) => ({ path, flag: "assume-unchanged" }))
    }),
    landed: hasLanded ? landed : notLanded
  }
}

const factsOf = ({ facts }: Case): Verdict.Facts => ({
  ...free,
  claim: claimOf(facts.claim),
  sentinel: sentinelOf(facts.sentinel),
  ends: new Map(Object.entries(facts.ends).map(([id, tag]) => [id, endOf(tag)])),
  lastSign: facts.quietForMs === null ? unknown("git tells no time") : since(facts.quietForMs),
  bootedAt: facts.upForMs === null ? unknown("the boot is not told") : known(now - facts.upForMs),
  occupants:
    facts.occupants.tag === "Known"
      ? known(facts.occupants.pids.map((pid) => ({ pid, program: "vim", how: "its working directory" })))
      : unknown(facts.occupants.reason),
  vantage: facts.vantage === "Unknown" ? unknown("no mounts") : known(facts.vantage),
  ...gitOf(facts.git)
})

describe("Verdict.judge", () => {
  for (const given of Cases.read<ReadonlyArray<Case>>("verdict")) {
    it(given.name, () => {
      const facts = factsOf(given)
      const verdict = Verdict.judge(facts)
      assert.strictEqual(verdict._tag, given.expect.tag)
      if (verdict._tag === "Refuse" && given.expect.tag === "Refuse") {
        assert.strictEqual(verdict.gate, given.expect.gate)
        assert.isNotEmpty(verdict.reason)
      }
      const steps = Verdict.explain(facts)
      assert.deepStrictEqual(
        steps.map(({ gate }) => gate),
        [...Verdict.gates]
      )
      const first = steps.find(({ refusal }) => refusal !== undefined)
      assert.strictEqual(first?.gate, given.expect.tag === "Refuse" ? given.expect.gate : undefined)
      for (const step of steps) assertWayOut(facts, step)
    })
  }
})

/** Either time settles a refusal, at the instant that it tells and not before, or a command is named. */
const assertWayOut = (facts: Verdict.Facts, { gate, refusal, passesAt, advice }: Verdict.Step): void => {
  assert.strictEqual(passesAt === undefined, refusal === undefined || advice !== undefined)
  if (advice !== undefined) assert.match(advice, /^(git|session-liveness) /)
  if (passesAt === undefined) return
  const at = (now: number) => Verdict.explain({ ...facts, now }, {}, [gate])[0]?.refusal
  assert.isUndefined(at(passesAt), `${gate} at ${passesAt}`)
  assert.isDefined(at(passesAt - 1), `${gate} before ${passesAt}`)
}

describe("Verdict.explain says what is refused only because it is not known", () => {
  const unobserved = Observation.Unobserved({ reason: Observation.Reason.TimedOut({ detail: "" }) })
  const foreign = (...observations: ReadonlyArray<Observation.Observation>): ClaimState.ClaimState =>
    LiveClaims.claimState(
      {
        claims: observations.map((observation, index) => ({
          session: `S${index}`,
          place: spelling("/w/a"),
          liveness: Liveness.livenessOf(observation, { tmuxName: "tm-live", process: "None" }, 0)
        })),
        owners: SessionOwners.unread(undefined),
        caller: undefined,
        observation: answered,
        incomplete: undefined,
        dismissed: []
      },
      spelling("/w/a")
    )
  const named = OwnerSentinel.Named({ createdAt: 0, owner: "S", agent: undefined })
  const cases: ReadonlyArray<
    readonly [name: string, facts: Partial<Verdict.Facts>, gates: ReadonlyArray<Verdict.Gate>]
  > = [
    ["nothing refuses", {}, []],
    ["claims that are not all known", { claim: claimOf("Undeterminable") }, ["Claim"]],
    ["a claim whose session was not observed", { claim: foreign(unobserved) }, ["Claim"]],
    ["a claim whose session is listed", { claim: foreign(answered) }, []],
    ["a claim of either", { claim: foreign(unobserved, answered) }, []],
    ["the caller's workspace", { claim: claimOf("CallerWorkspace") }, []],
    [
      "the caller's workspace, where its session was not observed",
      { claim: { ...foreign(unobserved), _tag: "CallerWorkspace" } as ClaimState.ClaimState },
      []
    ],
    [
      "a claim whose session is gone",
      { claim: { ...claimOf("DeadClaimsDiscarded"), _tag: "Foreign" } as ClaimState.ClaimState },
      []
    ],
    ["a sentinel that cannot be read", { sentinel: OwnerSentinel.Unreadable({ why: "half" }) }, ["Owner"]],
    ["an owner that may be live", { sentinel: named, ends: new Map([["S", endOf("Undeterminable")]]) }, ["Owner"]],
    ["an owner that is live", { sentinel: named, ends: new Map([["S", endOf("Live")]]) }, []],
    ["an owner that was not judged", { sentinel: named }, []],
    ["a tree of which no time is known", { lastSign: unknown("no log") }, ["Quiet"]],
    ["the same, not landed", { lastSign: unknown("no log"), landed: notLanded }, ["Quiet", "Settled"]],
    ["a time that is too short", { lastSign: since(1) }, []],
    ["processes that could not be listed", { occupants: unknown("") }, ["Occupied"]],
    ["a process", { occupants: known([{ pid: 1, program: "", how: "" }]) }, []],
    ["another user's", { vantage: known("OtherUser") }, []],
    ["nobody knows whose", { vantage: unknown("no mounts") }, ["Vantage"]],
    ["nothing from git", { git: unknown("no git") }, ["Git"]],
    ["a main worktree", registered({ main: true }), []]
  ]
  for (const [name, facts, gates] of cases) {
    it(name, () => {
      const steps = Verdict.explain({ ...free, ...facts })
      assert.deepStrictEqual(
        steps.filter(({ unknown }) => unknown).map(({ gate }) => gate),
        gates
      )
      for (const step of steps) assertWayOut({ ...free, ...facts }, step)
    })
  }
})

describe("Verdict.judge, of one fact more", () => {
  const words = (facts: Partial<Verdict.Facts>, settings: Verdict.Settings = {}): string => {
    const verdict = Verdict.judge({ ...free, ...facts }, settings)
    return verdict._tag === "Permit" ? "Permit" : `${verdict.gate}: ${verdict.reason}`
  }
  const advice = (facts: Partial<Verdict.Facts>) => {
    const verdict = Verdict.judge({ ...free, ...facts })
    return verdict._tag === "Refuse" ? verdict.advice : undefined
  }

  it("may be asked for another quiet, and for another time after which it is settled", () => {
    assert.strictEqual(words({ lastSign: since(60) }, { quietFor: 60 }), "Permit")
    assert.match(words({ lastSign: since(59) }, { quietFor: 60 }), /^Quiet/)
    assert.strictEqual(words({ landed: notLanded }, { settledFor: "2 days" }), "Permit")
    assert.match(words({ landed: notLanded }, { settledFor: "49 hours" }), /^Settled/)
    assert.match(words({ landed: notLanded }, { settledFor: Infinity }), /^Settled: .* not known how long/)
    for (const quietFor of [Infinity, NaN]) {
      assert.match(words({}, { quietFor }), /^Quiet: it is not known how long .* is no time/)
    }
    assert.match(words({ landed: notLanded }, { settledFor: NaN }), /^Settled: /)
  })

  it("names the last sign of work and when it passes", () => {
    assert.strictEqual(
      words({ lastSign: { _tag: "Known", value: { what: "its HEAD log", at: now - day + 1 } } }),
      "Quiet: the last sign of work in it is its HEAD log, of 1971-02-04 00:00 UTC; it passes on 1971-02-05 00:01 UTC"
    )
    assert.include(
      words({ lastSign: { _tag: "Known", value: { what: "the directory /w/a", at: now + day } } }),
      "the directory /w/a, of 1971-02-06 00:00 UTC, which lies in the future: correct the clock, or `touch` it; it passes on"
    )
  })

  it("takes a time for one to come only when it is", () => {
    assert.notInclude(words({ lastSign: since(0) }), "lies in the future")
    assert.include(words({ lastSign: since(-1) }), "lies in the future")
  })

  it("lets what has landed go from another session's workspace where somebody is named", () => {
    const claim = claimOf("ForeignNested")
    const sentinel = OwnerSentinel.Named({ createdAt: 0, owner: "S", agent: undefined })
    const ended = { ends: new Map([["S", endOf("Ended")]]), bootedAt: known(now) }
    assert.match(words({ claim }), /^Settled: .* lies in another session's workspace/)
    assert.strictEqual(words({ claim, sentinel, ...ended }), "Permit")
    assert.match(words({ claim, sentinel, ...ended, landed: notLanded }), /^Settled/)
  })

  it("says what is not landed, on which branch, and when it settles", () => {
    assert.strictEqual(
      words({ landed: notLanded }),
      "Settled: nobody is named as its owner; it is on branch fix; 2 commits of it are not in main; quiet since 1971-02-03 00:00 UTC; it passes on 1971-02-10 00:00 UTC"
    )
  })

  it("permits with notes on what only just passes", () => {
    const notes = (facts: Partial<Verdict.Facts>) => {
      const verdict = Verdict.judge({ ...free, ...facts })
      return verdict._tag === "Permit" ? verdict.notes : undefined
    }
    assert.deepStrictEqual(notes({}), [])
    assert.deepStrictEqual(notes(withGit({ ignored: ["a", "b"] })), ['it holds ignored paths: "a", "b"'])
    assert.deepStrictEqual(notes(withGit({ harmless: ["node_modules"] })), [
      'it holds leftovers without content: "node_modules"'
    ])
    assert.deepStrictEqual(notes({ landed: notLanded, lastSign: since(8 * day) }), [
      "2 commits of it are not in main; branch fix keeps it"
    ])
    assert.deepStrictEqual(
      notes({ ...registered({ branch: undefined }), landed: notLanded, lastSign: since(8 * day) }),
      ["2 commits of it are not in main; a ref keeps its HEAD"]
    )
    assert.deepStrictEqual(notes(registered({ lock: { holder: "Gone", reason: "claude agent (pid 7)" } })), [
      "its lock is that of a process that is gone: claude agent (pid 7)"
    ])
    assert.deepStrictEqual(notes({ claim: claimOf("DeadClaimsDiscarded") }), [
      "only sessions that are gone claimed it (S)"
    ])
  })

  it("names the first five of many, and how many more", () => {
    assert.include(words(withGit({ dirty: ["a", "b", "c", "d", "e"] })), '"d", "e";')
    assert.include(words(withGit({ dirty: ["a", "b", "c", "d", "e", "f"] })), '"e" and 1 more;')
  })

  it("names the first of several processes, and how many more", () => {
    const used = (...pids: ReadonlyArray<number>) =>
      words({ occupants: known(pids.map((pid) => ({ pid, program: "vim", how: "open file /w/a/b" }))) })
    assert.include(used(7), "vim (process 7) uses it: open file /w/a/b;")
    assert.include(used(7, 8, 9), "vim (process 7) uses it: open file /w/a/b and 2 more;")
  })

  it("refuses what apply cannot move, and what a link leads into", () => {
    assert.match(words(withGit({ immovable: "it is on another device" })), /^Git: it cannot be moved: it is on another/)
    assert.match(words(withGit({ ledTo: ["/w/r/docs"] })), /^Git: a symbolic link of another worktree leads into it/)
  })

  it("refuses an ignored file that was just written, until it is as quiet as the rest", () => {
    const at = (ms: number) => withGit({ ignoredWrite: { path: "data.sqlite", at: now - ms } })
    assert.match(words(at(day - 1)), /^Git: the ignored file "data.sqlite", which no tool makes again/)
    assert.strictEqual(words(at(day)), "Permit")
    assert.match(words(at(day), { quietFor: day + 1 }), /^Git/)
  })

  it("gives commands that work when they are pasted", () => {
    const path = "/w/my 'fix'"
    const quoted = `'/w/my '\\''fix'\\'''`
    assert.strictEqual(
      advice({ path, ...withGit({ dirty: [" M a"] }) }),
      `git -C ${quoted} status --untracked-files=all`
    )
    assert.strictEqual(
      advice({ path, ...registered({ lock: { holder: "Unknown", reason: "mine" } }) }),
      `git --git-dir=/w/r/.git worktree unlock ${quoted}`
    )
    assert.strictEqual(
      advice(
        withGit({
          flagged: [
            { path: "a b", flag: "skip-worktree" },
            { path: "c", flag: "assume-unchanged" }
          ]
        })
      ),
      "git -C /w/a update-index --no-skip-worktree -- 'a b'"
    )
    assert.strictEqual(advice(withGit({ headContained: false })), "git -C /w/a branch kept-0123456789ab HEAD")
  })

  it("takes a sentinel that names neither a session nor an agent for one that cannot be read", () => {
    const sentinel = OwnerSentinel.Named({ createdAt: 0, owner: undefined, agent: undefined })
    assert.match(words({ sentinel }), /^Owner: its ownership sentinel cannot be read: it names nobody/)
    assert.isTrue(Verdict.restsOnSettled({ ...free, sentinel }))
  })

  it("names a lock for what it is", () => {
    const locked = (holder: GitFacts.Lock["holder"], reason: string) => words(registered({ lock: { holder, reason } }))
    assert.strictEqual(locked("Unknown", "mine"), "Git: it is locked (mine); unlock it if nobody needs it")
    assert.strictEqual(locked("Unknown", ""), "Git: it is locked; unlock it if nobody needs it")
    assert.match(locked("Live", "claude agent x (pid 7)"), /^Git: it is locked by Claude Code, which still runs/)
    assert.strictEqual(locked("Gone", "claude agent x (pid 7)"), "Permit")
  })

  it("takes an end for nobody's wish when no tmux server is older than the last sign of work", () => {
    const owned = (facts: Partial<Verdict.Facts>) =>
      words({
        sentinel: OwnerSentinel.Named({ createdAt: 0, owner: "S", agent: undefined }),
        ends: new Map([["S", endOf("Ended")]]),
        managed: new Set(["S"]),
        landed: notLanded,
        ...facts
      })
    assert.strictEqual(owned({}), "Permit")
    for (const serversStartedAt of [known([]), known([now - 2 * day, now]), unknown("not observed")]) {
      assert.match(owned({ serversStartedAt }), /^Settled: its owner S may have ended with its tmux server/)
    }
    assert.strictEqual(owned({ serversStartedAt: known([]), managed: new Set() }), "Permit")
    assert.strictEqual(owned({ serversStartedAt: known([]), landed }), "Permit")
    assert.strictEqual(owned({ serversStartedAt: known([]), ends: new Map([["S", endOf("Caller")]]) }), "Permit")
    assert.match(owned({ bootedAt: known(now - 2 * day + 1) }), /^Settled: .* because the machine booted/)
    assert.strictEqual(owned({ bootedAt: known(now - 2 * day) }), "Permit")
    assert.match(owned({ bootedAt: unknown("no boot") }), /^Settled: .* which is not known/)
  })

  it("lets an agent's mark hold only while no work is more than five minutes newer", () => {
    const marked = (endedAt: number, parent: SessionEnd.SessionEnd["_tag"]) =>
      words({ sentinel: agent(endedAt), ends: new Map([["P", endOf(parent)]]), landed: notLanded })
    const mark = now - 2 * day
    assert.strictEqual(marked(mark - 5 * 60_000, "Caller"), "Permit")
    assert.match(marked(mark - 5 * 60_000 - 1, "Caller"), /there was work after that/)
    assert.match(marked(mark, "Live"), /which may resume it/)
    assert.match(marked(mark, "Undeterminable"), /which may resume it/)
  })
})

describe("Verdict.restsOnSettled", () => {
  const parent = (end: SessionEnd.SessionEnd["_tag"], endedAt?: number): Partial<Verdict.Facts> => ({
    sentinel: agent(endedAt),
    ends: new Map([["P", endOf(end)]])
  })
  const owner = (end: SessionEnd.SessionEnd["_tag"]): Partial<Verdict.Facts> => ({
    sentinel: OwnerSentinel.Named({ createdAt: 0, owner: "S", agent: undefined }),
    ends: new Map([["S", endOf(end)]])
  })
  const cases: ReadonlyArray<readonly [name: string, facts: Partial<Verdict.Facts>, rests: boolean]> = [
    ["nobody's", {}, true],
    ["an agent whose parent has ended", parent("Ended"), false],
    ["an agent that is marked ended, whose parent asks", parent("Caller", now), false],
    ["an agent that is marked ended, whose parent is live", parent("Live", now), true],
    ["an agent whose parent asks", parent("Caller"), true],
    ["an agent whose parent was not judged", { sentinel: agent(now) }, true],
    [
      "an agent that is marked ended, and nobody knows when there was work",
      { ...parent("Caller", now), lastSign: unknown("no log") },
      true
    ],
    ["a session's that has ended", owner("Ended"), false],
    ["a session's that asks", owner("Caller"), false],
    ["a session's that is live", owner("Live"), true],
    ["a session's that may be", owner("Undeterminable"), true],
    [
      "a session's that has ended, and nobody knows when there was work",
      { ...owner("Ended"), lastSign: unknown("no log") },
      true
    ],
    [
      "a session's that has ended, and nobody knows since when the machine runs",
      { ...owner("Ended"), bootedAt: unknown("") },
      true
    ]
  ]
  for (const [name, facts, rests] of cases) {
    it(name, () => assert.strictEqual(Verdict.restsOnSettled({ ...free, ...facts }), rests))
  }
})

describe("A sign of work more never permits more", () => {
  const signs = [0, 1, day - 1, day, 2 * day, 7 * day - 1, 7 * day, 30 * day, -1].map((ms) => since(ms))
  const permits = (facts: Verdict.Facts) => Verdict.judge(facts)._tag === "Permit"
  for (const older of signs) {
    for (const newer of signs) {
      if (older._tag === "Unknown" || newer._tag === "Unknown" || newer.value.at < older.value.at) continue
      it(`${now - older.value.at} and ${now - newer.value.at} ms ago`, () => {
        for (const landing of [landed, notLanded]) {
          for (const facts of [
            free,
            { ...free, sentinel: agent(now - day), ends: new Map([["P", endOf("Caller")]]) }
          ]) {
            const before = permits({ ...facts, landed: landing, lastSign: older })
            const after = permits({ ...facts, landed: landing, lastSign: newer })
            assert.isTrue(before || !after)
          }
        }
      })
    }
  }
})
