/**
 * Facts of a worktree that nothing speaks against, to be altered.
 */
import { assert } from "@effect/vitest"
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
  Landed,
  type Verdict
} from "../../src/internal.ts"

export const day = 24 * 60 * 60 * 1000

export const now = 400 * day

export const spelling = (path: string): Place.Place =>
  Place.resolved(path, [{ segments: Place.segmentsOf(path) ?? [], identities: [] }])

export const answered = Observation.Answered({ servers: [], names: ["tm-live"] })

const liveness = (which: "Live" | "SessionGone") =>
  Liveness.livenessOf(answered, { tmuxName: which === "Live" ? "tm-live" : "tm-gone", process: "None" }, 0)

/** A claim state of each kind, as claims give it. */
export const claimOf = (tag: ClaimState.ClaimState["_tag"]): ClaimState.ClaimState => {
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

export const endOf = (says: SessionEnd.SessionEnd["_tag"]): SessionEnd.SessionEnd =>
  SessionEnd.conclude([{ says, why: "so it is" }])

export const known = <A>(value: A) => ({ _tag: "Known", value }) as const
export const unknown = (reason: string) => ({ _tag: "Unknown", reason }) as const

/** The last sign of work, so long ago. */
export const since = (ms: number, what = "the directory /w/a/src"): Verdict.Facts["lastSign"] =>
  known({ what, at: now - ms })

export const git: GitFacts.GitFacts = {
  longLived: false,
  nested: [],
  mounts: [],
  immovable: undefined,
  ledTo: [],
  submodules: false,
  dirty: [],
  harmless: [],
  flagged: [],
  operation: undefined,
  indexLock: false,
  headContained: true,
  ignored: [],
  ignoredWrite: undefined
}

export const landed: Landed.Landed = { _tag: "Landed", into: "main", how: "it was merged" }
export const notLanded = Landed.NotLanded({ why: "2 commits of it are not in main", commits: 2, isReverted: false })

/** Landed and quiet for two days. */
export const free: Verdict.Facts = {
  path: "/w/a",
  repository: "/w/r/.git",
  now,
  claim: claimOf("Unclaimed"),
  sentinel: OwnerSentinel.Nobody(),
  ends: new Map(),
  managed: new Set(),
  occupants: known([]),
  vantage: known("Own"),
  lastSign: since(2 * day),
  bootedAt: known(now - 30 * day),
  serversStartedAt: known([now - 30 * day]),
  registered: {
    main: false,
    reclaimed: false,
    head: "0123456789abcdef0123456789abcdef01234567",
    branch: "refs/heads/fix",
    lock: undefined
  },
  git: known(git),
  landed
}

export const withGit = (facts: Partial<GitFacts.GitFacts>): Partial<Verdict.Facts> => ({
  git: known({ ...git, ...facts })
})

export const registered = (facts: Partial<GitFacts.Registered>): Partial<Verdict.Facts> => ({
  registered: { ...free.registered, ...facts }
})

export const agent = (endedAt?: number): OwnerSentinel.Sentinel =>
  OwnerSentinel.Named({
    createdAt: 0,
    owner: undefined,
    agent: { agentId: "a", delegationId: "d", parent: "P", endedAt }
  })
