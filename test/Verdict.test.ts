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
} from "../src/index.ts"
import * as Cases from "./Cases.ts"

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
  Place.placed(path, [{ segments: Place.segmentsOf(path) ?? [], identities: [] }])

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
      ? { _tag: "Known", occupants: facts.occupants.pids.map((pid) => ({ pid, how: "its working directory" })) }
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
