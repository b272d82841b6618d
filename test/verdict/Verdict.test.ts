import { assert, describe, it } from "@effect/vitest"
import {
  ClaimState,
  type GitFacts,
  LiveClaims,
  Liveness,
  Observation,
  OwnerSentinel,
  Place,
  SessionEnd,
  SessionOwners,
  Verdict
} from "../../src/index.ts"
import * as Cases from "../Cases.ts"

interface Case {
  readonly name: string
  readonly facts: {
    readonly claim: ClaimState.ClaimState["_tag"]
    readonly sentinel:
      | { readonly tag: "Nobody" | "Unreadable" }
      | { readonly tag: "Session"; readonly owner: string }
      | { readonly tag: "Agent"; readonly parent: string; readonly ended: boolean }
      | { readonly tag: "Both"; readonly owner: string; readonly parent: string; readonly ended: boolean }
    readonly ends: Readonly<Record<string, SessionEnd.SessionEnd["_tag"]>>
    readonly agentStoreLeaf: boolean
    readonly quietForMs: number | null
    readonly occupants:
      | { readonly tag: "Known"; readonly pids: ReadonlyArray<number> }
      | { readonly tag: "Unknown"; readonly reason: string }
    readonly vantage: Verdict.Facts["vantage"]
    readonly git:
      | { readonly tag: "Unknown"; readonly reason: string }
      | (Omit<GitFacts.GitFacts, "ignored" | "lock"> & {
          readonly tag?: undefined
          readonly lock: { readonly holder: GitFacts.Lock["holder"] } | null
        })
  }
  readonly expect: { readonly tag: "Permit" } | { readonly tag: "Refuse"; readonly gate: Verdict.Gate }
}

const spelling = (path: string): Place.Place =>
  Place.resolved(path, [{ segments: Place.segmentsOf(path) ?? [], identities: [] }])

const answered = Observation.Answered({ servers: [], names: ["tm-live"] })
const liveness = (which: "Live" | "SessionGone") =>
  Liveness.livenessOf(answered, { tmuxName: which === "Live" ? "tm-live" : "tm-gone", process: "None" }, 0)

/** A claim state of each kind, as claims give it. */
const stateOf = (tag: ClaimState.ClaimState["_tag"]): ClaimState.ClaimState => {
  const claim = (path: string, which: "Live" | "SessionGone" = "Live") => [
    { session: "S", place: spelling(path), liveness: liveness(which) }
  ]
  const [claims, caller, incomplete] = {
    Foreign: [claim("/w/a"), undefined, undefined],
    Undeterminable: [[], undefined, "the store"],
    CallerWorkspace: [claim("/w/a"), "S", undefined],
    ForeignNested: [claim("/w"), undefined, undefined],
    CallerNested: [claim("/w"), "S", undefined],
    DeadClaimsDiscarded: [claim("/w/a", "SessionGone"), undefined, undefined],
    Unclaimed: [[], undefined, undefined]
  }[tag] as [ReturnType<typeof claim>, string | undefined, string | undefined]
  const state = LiveClaims.claimState(
    { claims, owners: SessionOwners.unread(caller), caller, observation: answered, incomplete, dismissed: [] },
    spelling("/w/a")
  )
  assert.strictEqual(state._tag, tag)
  return state
}

const sentinelOf = (given: Case["facts"]["sentinel"]): OwnerSentinel.OwnerSentinel => {
  if (given.tag === "Nobody") return OwnerSentinel.Nobody()
  if (given.tag === "Unreadable") return OwnerSentinel.Unreadable({ why: "half of it" })
  return OwnerSentinel.Named({
    createdAt: 0,
    owner: "owner" in given ? given.owner : undefined,
    agent:
      "parent" in given
        ? { agentId: "a", delegationId: "d", parent: given.parent, endedAt: given.ended ? 1 : undefined }
        : undefined
  })
}

const endOf = (says: SessionEnd.SessionEnd["_tag"]) => SessionEnd.conclude([{ says, why: "so it is" }])

const factsOf = ({ facts }: Case): Verdict.Facts => ({
  claim: stateOf(facts.claim),
  sentinel: sentinelOf(facts.sentinel),
  ends: new Map(Object.entries(facts.ends).map(([id, tag]) => [id, endOf(tag)])),
  agentStoreLeaf: facts.agentStoreLeaf,
  quietForMs: facts.quietForMs,
  occupants:
    facts.occupants.tag === "Known"
      ? {
          _tag: "Known",
          value: facts.occupants.pids.map((pid) => ({ pid, program: "vim", how: "its working directory" }))
        }
      : { _tag: "Unknown", reason: facts.occupants.reason },
  vantage: facts.vantage,
  git:
    facts.git.tag === "Unknown"
      ? { _tag: "Unknown", reason: facts.git.reason }
      : {
          _tag: "Told",
          facts: {
            ...facts.git,
            ignored: [],
            lock: facts.git.lock === null ? null : { holder: facts.git.lock.holder, reason: "" }
          }
        }
})

describe("Verdict.judge", () => {
  for (const given of Cases.read<ReadonlyArray<Case>>("verdict")) {
    it(given.name, () => {
      const verdict = Verdict.judge(factsOf(given))
      assert.strictEqual(verdict._tag, given.expect.tag)
      if (verdict._tag === "Refuse" && given.expect.tag === "Refuse") {
        assert.strictEqual(verdict.gate, given.expect.gate)
        assert.isNotEmpty(verdict.reason)
      }
      const first = Verdict.explain(factsOf(given)).find(({ refusal }) => refusal !== undefined)
      assert.strictEqual(first?.gate, given.expect.tag === "Refuse" ? given.expect.gate : undefined)
    })
  }
})

const day = 24 * 60 * 60 * 1000

const git: GitFacts.GitFacts = {
  main: false,
  aside: false,
  nested: [],
  mounts: [],
  submodules: false,
  dirty: [],
  flagged: [],
  operation: null,
  indexLock: false,
  headContained: true,
  headElsewhere: false,
  lock: null,
  ignored: []
}

/** Nothing speaks against it, and it is settled: quiet for a week. */
const free: Verdict.Facts = {
  claim: stateOf("Unclaimed"),
  sentinel: OwnerSentinel.Nobody(),
  ends: new Map(),
  agentStoreLeaf: false,
  quietForMs: 7 * day,
  occupants: { _tag: "Known", value: [] },
  vantage: "Own",
  git: { _tag: "Told", facts: git }
}

const gitUnknown = { _tag: "Unknown", reason: "no git" } as const

describe("Verdict.explain says what is refused only because it could not be told", () => {
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
  const agent = OwnerSentinel.Named({
    createdAt: 0,
    owner: undefined,
    agent: { agentId: "a", delegationId: "d", parent: "P", endedAt: undefined }
  })
  const leaf = { agentStoreLeaf: true } as const
  const cases: ReadonlyArray<
    readonly [name: string, facts: Partial<Verdict.Facts>, gates: ReadonlyArray<Verdict.Gate>]
  > = [
    ["nothing refuses", {}, []],
    ["claims that are not all known", { claim: stateOf("Undeterminable") }, ["Claim"]],
    ["a claim whose session was not observed", { claim: foreign(unobserved) }, ["Claim"]],
    ["a claim whose session is listed", { claim: foreign(answered) }, []],
    ["a claim of either", { claim: foreign(unobserved, answered) }, []],
    ["the caller's workspace", { claim: stateOf("CallerWorkspace") }, []],
    ["a sentinel that cannot be read", { sentinel: OwnerSentinel.Unreadable({ why: "half" }) }, ["Owner"]],
    ["an owner that may be live", { sentinel: named, ends: new Map([["S", endOf("Undeterminable")]]) }, ["Owner"]],
    [
      "an owner that is live and an agent whose parent may be",
      {
        sentinel: OwnerSentinel.Named({ ...agent, owner: "S" }),
        ends: new Map([
          ["S", endOf("Live")],
          ["P", endOf("Undeterminable")]
        ])
      },
      []
    ],
    ["an owner that is live", { sentinel: named, ends: new Map([["S", endOf("Live")]]) }, []],
    ["an owner that was not judged", { sentinel: named }, []],
    [
      "a parent that may be live, of a tree that is not settled",
      { sentinel: agent, ends: new Map([["P", endOf("Undeterminable")]]), quietForMs: 2 * day },
      ["Owner"]
    ],
    ["an agent's tree that is not settled", { ...leaf, quietForMs: 2 * day }, []],
    ["an agent's tree of which git tells nothing", { ...leaf, git: gitUnknown }, ["Nobody", "Git"]],
    ["an agent's tree of which no time is known", { ...leaf, quietForMs: null }, ["Nobody", "Quiet"]],
    ["a time that is too short", { quietForMs: 1 }, []],
    ["processes that could not be listed", { occupants: { _tag: "Unknown", reason: "" } }, ["Occupied"]],
    ["a process", { occupants: { _tag: "Known", value: [{ pid: 1, program: "", how: "" }] } }, []],
    ["another user's", { vantage: "OtherUser" }, []],
    ["nobody knows whose", { vantage: "Unknown" }, ["Vantage"]],
    ["a main worktree", { git: { _tag: "Told", facts: { ...git, main: true } } }, []]
  ]
  for (const [name, facts, gates] of cases) {
    it(name, () => {
      const steps = Verdict.explain({ ...free, ...facts })
      assert.deepStrictEqual(
        steps.map(({ gate }) => gate),
        [...Verdict.gates]
      )
      assert.deepStrictEqual(
        steps.filter(({ untold }) => untold).map(({ gate }) => gate),
        gates
      )
      for (const { refusal, untold } of steps) assert.isTrue(!untold || refusal !== undefined)
    })
  }
})

describe("Verdict.isSettled", () => {
  const told = (facts: Partial<GitFacts.GitFacts>): GitFacts.Told => ({ _tag: "Told", facts: { ...git, ...facts } })
  const locked = (holder: GitFacts.Lock["holder"]) => told({ lock: { holder, reason: "" } })
  const cases: ReadonlyArray<readonly [git: GitFacts.Told, quietForMs: number | null, settled: boolean]> = [
    [told({}), 7 * day, true],
    [told({}), 7 * day - 1, false],
    [told({}), null, false],
    [told({ headElsewhere: true }), day, true],
    [told({ headElsewhere: true }), day - 1, false],
    [told({ headElsewhere: true }), null, false],
    [locked("Gone"), 7 * day, true],
    [locked("Live"), 7 * day, false],
    [locked("Unknown"), 7 * day, false],
    [gitUnknown, 7 * day, false]
  ]
  for (const [git, quietForMs, settled] of cases) {
    it(`${JSON.stringify(git)}, quiet for ${quietForMs}`, () => {
      assert.strictEqual(Verdict.isSettled({ git, quietForMs }), settled)
    })
  }
})

describe("Verdict.restsOnSettled", () => {
  const agentOf = (end: SessionEnd.SessionEnd["_tag"], endedAt: number | undefined): Partial<Verdict.Facts> => ({
    sentinel: OwnerSentinel.Named({
      createdAt: 0,
      owner: undefined,
      agent: { agentId: "a", delegationId: "d", parent: "P", endedAt }
    }),
    ends: new Map([["P", endOf(end)]])
  })
  const cases: ReadonlyArray<readonly [name: string, facts: Partial<Verdict.Facts>, rests: boolean]> = [
    ["nobody's, anywhere", {}, false],
    ["an agent's store", { agentStoreLeaf: true }, true],
    ["inside a foreign workspace, quiet for a week", { claim: stateOf("ForeignNested") }, false],
    ["an agent whose parent has ended", agentOf("Ended", undefined), false],
    ["an agent that is marked ended", agentOf("Live", 1), false],
    ["an agent whose parent is live", agentOf("Live", undefined), true],
    ["an agent whose parent asks", agentOf("Caller", undefined), true]
  ]
  for (const [name, facts, rests] of cases) {
    it(name, () => assert.strictEqual(Verdict.restsOnSettled({ ...free, ...facts }), rests))
  }
})

describe("Verdict.judge, of one fact more", () => {
  const told = (facts: Partial<GitFacts.GitFacts>): Partial<Verdict.Facts> => ({
    git: { _tag: "Told", facts: { ...git, ...facts } }
  })

  it("may be asked for another quiet", () => {
    assert.strictEqual(Verdict.judge({ ...free, quietForMs: 60 }, { quiet: 60 })._tag, "Permit")
    assert.strictEqual(Verdict.judge({ ...free, quietForMs: 59 }, { quiet: 60 })._tag, "Refuse")
    assert.strictEqual(Verdict.judge({ ...free, quietForMs: day })._tag, "Permit")
    assert.strictEqual(Verdict.judge({ ...free, quietForMs: day - 1 })._tag, "Refuse")
  })

  it("permits with notes on what only just passes", () => {
    const notes = (facts: Partial<Verdict.Facts>) => {
      const verdict = Verdict.judge({ ...free, ...facts })
      return verdict._tag === "Permit" ? verdict.notes : undefined
    }
    assert.deepStrictEqual(notes({}), [])
    assert.deepStrictEqual(notes(told({ ignored: ["a", "b"] })), ['it holds ignored paths: "a", "b"'])
    assert.deepStrictEqual(notes({ claim: stateOf("DeadClaimsDiscarded") }), [
      "only sessions that are gone claimed it (S)"
    ])
  })

  it("names the first five of many, and how many more", () => {
    const names = (dirty: ReadonlyArray<string>) => {
      const verdict = Verdict.judge({ ...free, ...told({ dirty }) })
      return verdict._tag === "Refuse" ? verdict.reason : ""
    }
    assert.include(names(["a", "b", "c", "d", "e"]), '"d", "e";')
    assert.include(names(["a", "b", "c", "d", "e", "f"]), '"e" and 1 more;')
  })

  it("names the first of several processes, and how many more", () => {
    const words = (...pids: ReadonlyArray<number>) => {
      const occupants = pids.map((pid) => ({ pid, program: "vim", how: "open file /w/a/b" }))
      const verdict = Verdict.judge({ ...free, occupants: { _tag: "Known", value: occupants } })
      return verdict._tag === "Refuse" ? verdict.reason : ""
    }
    assert.include(words(7), "vim (process 7) uses it: open file /w/a/b;")
    assert.include(words(7, 8, 9), "vim (process 7) uses it: open file /w/a/b and 2 more;")
  })

  it("names the reason of a lock, where it has one", () => {
    const words = (reason: string) => {
      const verdict = Verdict.judge({ ...free, ...told({ lock: { holder: "Unknown", reason } }) })
      return verdict._tag === "Refuse" ? verdict.reason : ""
    }
    assert.strictEqual(words("mine"), "it is locked (mine); `git worktree unlock` it if nobody needs it")
    assert.strictEqual(words(""), "it is locked; `git worktree unlock` it if nobody needs it")
  })

  it("tells a duration in minutes, hours or days", () => {
    const reason = (quietForMs: number) => {
      const verdict = Verdict.judge({ ...free, quietForMs }, { quiet: 30 * day })
      return verdict._tag === "Refuse" ? verdict.reason.split(", not")[0] : ""
    }
    const minute = 60_000
    assert.deepStrictEqual([0, minute - 1, 119 * minute, 120 * minute, 48 * 60 * minute - 1, 2 * day].map(reason), [
      "it has been quiet for 0 min",
      "it has been quiet for 0 min",
      "it has been quiet for 119 min",
      "it has been quiet for 2 h",
      "it has been quiet for 47 h",
      "it has been quiet for 2 days"
    ])
  })
})
