/**
 * Whether one candidate may be reclaimed.
 */
import * as Data from "effect/Data"
import * as ClaimState from "../../claims/core/ClaimState.ts"
import type * as GitFacts from "./GitFacts.ts"
import type * as Known from "../../shared/core/Known.ts"
import * as Occupants from "../../claims/core/Occupants.ts"
import type * as OwnerSentinel from "./OwnerSentinel.ts"
import * as Quiet from "./Quiet.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * `Permit` only behind the last gate; a gate whose facts could not be told refuses and says which.
 */
export type Verdict = Data.TaggedEnum<{
  Permit: { readonly notes: ReadonlyArray<string> }
  Refuse: { readonly gate: Gate; readonly reason: string }
}>

const constructors = Data.taggedEnum<Verdict>()
export const { $is, $match } = constructors

/** The gates, in the order in which they speak. */
export const gates = ["Claim", "Owner", "Nobody", "Quiet", "Occupied", "Vantage", "Git"] as const

export type Gate = (typeof gates)[number]

/**
 * All that is known of one candidate.
 */
export interface Facts {
  readonly claim: ClaimState.ClaimState
  readonly sentinel: OwnerSentinel.OwnerSentinel
  /** The end of each session that the sentinel names. */
  readonly ends: ReadonlyMap<string, SessionEnd.SessionEnd>
  /** Whether it is `…/.claude/worktrees/<name>`, whose name may hold slashes as that of a branch does. */
  readonly agentStoreLeaf: boolean
  /** `null`: not known. */
  readonly quietForMs: number | null
  readonly occupants: Known.Known<ReadonlyArray<Occupants.Occupant>>
  readonly vantage: "Own" | "OtherUser" | "Network" | "Unknown"
  readonly git: GitFacts.Told
}

/**
 * What a person may set.
 */
export interface Settings {
  /** How long a candidate must have been quiet, in milliseconds. A day unless set. */
  readonly quiet?: number | undefined
}

/**
 * The first gate that refuses, else a permit.
 */
export const judge = (facts: Facts, settings: Settings = {}): Verdict => {
  for (const gate of gates) {
    const reason = refusals[gate](facts, settings)
    if (reason !== undefined) return constructors.Refuse({ gate, reason })
  }
  return constructors.Permit({ notes: notes(facts) })
}

/**
 * What one gate says, whatever the gates before it said.
 */
export interface Step {
  readonly gate: Gate
  /** `undefined`: the gate lets it pass. */
  readonly refusal: string | undefined
  /** Whether it refuses only because its facts could not be told. */
  readonly untold: boolean
}

/**
 * The whole chain of evidence, gate by gate.
 */
export const explain = (facts: Facts, settings: Settings = {}): ReadonlyArray<Step> =>
  gates.map((gate) => {
    const refusal = refusals[gate](facts, settings)
    return { gate, refusal, untold: refusal !== undefined && untold[gate](facts) }
  })

/**
 * Whether the tree is unlocked, or locked by a harness that is proven gone, and merged and quiet for a day, or quiet for
 * seven days.
 */
export const isSettled = ({ git, quietForMs }: Pick<Facts, "git" | "quietForMs">): boolean => {
  if (git._tag === "Unknown" || (git.facts.lock !== null && git.facts.lock.holder !== "Gone")) return false
  return Quiet.atLeast(quietForMs, longQuiet) || (git.facts.headElsewhere && Quiet.atLeast(quietForMs, Quiet.day))
}

/**
 * Whether only being settled lets this candidate pass the owner's gates: such a one is kept longer when it is reclaimed.
 */
export const restsOnSettled = (facts: Facts): boolean => {
  const unsettled: Facts = { ...facts, git: { _tag: "Unknown", reason: "" } }
  return refusals.Owner(unsettled, {}) !== undefined || refusals.Nobody(unsettled, {}) !== undefined
}

const longQuiet = 7 * Quiet.day

type Refusal = (facts: Facts, settings: Settings) => string | undefined

const claim: Refusal = ({ claim }) => (ClaimState.permits(claim) ? undefined : ClaimState.explain(claim))

const owner: Refusal = (facts) => {
  const { sentinel } = facts
  if (sentinel._tag === "Nobody") return undefined
  if (sentinel._tag === "Unreadable") {
    return `its ownership sentinel cannot be read: ${Text.escape(sentinel.why)}; mend or remove the sentinel by hand`
  }
  return ownerRefusal(facts, sentinel.owner) ?? agentRefusal(facts, sentinel.agent)
}

const ownerRefusal = ({ ends }: Facts, session: string | undefined): string | undefined => {
  if (session === undefined) return undefined
  const end = ends.get(session)
  return end?._tag === "Ended" || end?._tag === "Caller"
    ? undefined
    : `its owner ${Text.escape(session)} ${endText(end)}`
}

const agentRefusal = (facts: Facts, agent: OwnerSentinel.Agent | undefined): string | undefined => {
  if (agent === undefined || agent.endedAt !== undefined) return undefined
  const end = facts.ends.get(agent.parent)
  if (end?._tag === "Ended" || isSettled(facts)) return undefined
  return `agent ${Text.escape(agent.agentId)} owns it, is not marked ended, and its parent ${Text.escape(
    agent.parent
  )} ${endText(end)}; the tree is not settled either`
}

const endText = (end: SessionEnd.SessionEnd | undefined): string => {
  switch (end?._tag) {
    case undefined:
      return "was not judged"
    case "Live":
      return `is live: ${end.why}`
    case "Undeterminable":
      return `may be live: ${end.reason}; a person who knows that it has ended removes the sentinel`
    case "Caller":
      return "is the caller"
    case "Ended":
      return "has ended"
  }
}

const nobody: Refusal = (facts) => {
  if (facts.sentinel._tag !== "Nobody") return undefined
  const byHand = "a person who knows that nobody needs it removes it with `git worktree remove`"
  if (facts.agentStoreLeaf && !isSettled(facts)) {
    return `nobody is named as its owner, it lies in an agent's store and it is not settled; ${byHand}`
  }
  if (facts.claim._tag === "ForeignNested" && !Quiet.atLeast(facts.quietForMs, longQuiet)) {
    return `nobody is named as its owner, ${ClaimState.explain(facts.claim)}, and it has not been quiet for seven days; ${byHand}`
  }
  return undefined
}

const quiet: Refusal = ({ quietForMs }, settings) => {
  const wanted = settings.quiet ?? Quiet.day
  if (Quiet.atLeast(quietForMs, wanted)) return undefined
  return quietForMs === null
    ? "it cannot be told how long it has been quiet: git, a claim on it or the boot of the machine tells no time; see what the other gates say"
    : `it has been quiet for ${duration(quietForMs)}, not for ${duration(wanted)}; wait, or ask for less`
}

const occupied: Refusal = ({ occupants }) => Occupants.explain(occupants)

const vantage: Refusal = ({ vantage }) =>
  ({
    Own: undefined,
    OtherUser: "it belongs to another user; run as that user",
    Network: "it lies on a network file system, where another host may use it; ask for its removal there, by hand",
    Unknown: "its owner or its file system could not be told; run on Linux or macOS, as its owner"
  })[vantage]

const git: Refusal = ({ git }) => {
  if (git._tag === "Unknown") return `git could not tell: ${Text.escape(git.reason)}`
  const { facts } = git
  if (facts.main) return "it is the main worktree, which is never reclaimed"
  if (facts.aside) return "it lies reclaimed already; restore it, or let it expire"
  if (facts.sharedBy !== undefined)
    return `what keeps its commits would be fetched or pushed: ${Text.escape(facts.sharedBy)} covers refs/reclaimed; narrow it to refs/heads`
  if (facts.nested.length > 0)
    return `another repository or worktree lies inside: ${list(facts.nested)}; move it out, or remove it by hand`
  if (facts.mounts.length > 0)
    return `a mount point lies inside, or shows what is in it elsewhere: ${list(facts.mounts)}; unmount it`
  if (facts.submodules)
    return "a submodule is or was initialised in it, which git does not move; remove the worktree by hand if nobody needs it"
  if (facts.dirty.length > 0) return `it holds changes: ${list(facts.dirty)}; commit or remove them`
  if (facts.flagged.length > 0) {
    return `files are flagged assume-unchanged or skip-worktree, which hides their changes: ${list(facts.flagged)}; clear the flags with \`git update-index --no-assume-unchanged --no-skip-worktree\``
  }
  if (facts.operation !== null) return `a ${facts.operation} is under way; finish or abort it`
  if (facts.indexLock)
    return "index.lock exists: git is at work in it, or died there; wait, or remove the lock if no git runs"
  if (!facts.headContained) return "its HEAD is contained in no branch, remote branch or tag; make a branch of it"
  if (facts.lock !== null && facts.lock.holder !== "Gone") {
    return `it is locked${facts.lock.reason === "" ? "" : ` (${Text.escape(facts.lock.reason)})`}${
      facts.lock.holder === "Live" ? " by a harness that runs" : ""
    }; \`git worktree unlock\` it if nobody needs it`
  }
  return undefined
}

const refusals: Readonly<Record<Gate, Refusal>> = {
  Claim: claim,
  Owner: owner,
  Nobody: nobody,
  Quiet: quiet,
  Occupied: occupied,
  Vantage: vantage,
  Git: git
}

const untold: Readonly<Record<Gate, (facts: Facts) => boolean>> = {
  Claim: ({ claim }) =>
    claim._tag === "Undeterminable" ||
    (claim._tag === "Foreign" &&
      claim.claims.every(({ liveness }) => liveness._tag === "Live" && liveness.because._tag === "Unobserved")),
  Owner: ({ sentinel, ends }) => {
    const tags = [...ends.values()].map(({ _tag }) => _tag)
    return sentinel._tag === "Unreadable" || (tags.includes("Undeterminable") && !tags.includes("Live"))
  },
  Nobody: ({ git, quietForMs }) => git._tag === "Unknown" || quietForMs === null,
  Quiet: ({ quietForMs }) => quietForMs === null,
  Occupied: ({ occupants }) => occupants._tag === "Unknown",
  Vantage: ({ vantage }) => vantage === "Unknown",
  Git: ({ git }) => git._tag === "Unknown"
}

const notes = ({ claim, git }: Facts): ReadonlyArray<string> => [
  ...(claim._tag === "Unclaimed" ? [] : [ClaimState.explain(claim)]),
  ...(git._tag === "Told" && git.facts.ignored.length > 0 ? [`it holds ignored paths: ${list(git.facts.ignored)}`] : [])
]

const shown = 5

const list = (paths: ReadonlyArray<string>): string => {
  const more = paths.length - shown
  const first = paths.slice(0, shown).map((path) => `"${Text.escape(path)}"`)
  return more > 0 ? `${first.join(", ")} and ${more} more` : first.join(", ")
}

const duration = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`
}
