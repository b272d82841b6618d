/**
 * What the claims say of one candidate.
 */
import * as Data from "effect/Data"
import * as ClaimIndex from "./ClaimIndex.ts"
import * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as Text from "../../shared/core/Text.ts"
import * as WorkspaceClaim from "./WorkspaceClaim.ts"

type Claims = ReadonlyArray<WorkspaceClaim.WorkspaceClaim>

/**
 * The first that applies, in this order. `ForeignNested` leaves the word to the gates after the claim gate.
 */
export type ClaimState = Data.TaggedEnum<{
  /** A live claim of another session is on the candidate or inside it. */
  Foreign: { readonly claims: Claims }
  /** The claims are incomplete, or the candidate, a live claim or the caller's cannot be placed. */
  Undeterminable: { readonly why: string; readonly claims: Claims }
  /** The caller's claim is on the candidate or inside it. */
  CallerWorkspace: { readonly claims: Claims }
  /** The candidate lies inside another live session's workspace. */
  ForeignNested: { readonly claims: Claims }
  /** The candidate lies inside the caller's workspace. */
  CallerNested: { readonly claims: Claims }
  /** Only claims of gone sessions touch the candidate. */
  DeadClaimsDiscarded: { readonly claims: Claims }
  Unclaimed: {}
}>

const constructors = Data.taggedEnum<ClaimState>()
export const { $is, $match } = constructors

/**
 * Judges one candidate. The cost grows with the candidate's depth, not with the number of claims.
 */
export const of = ({
  index,
  incomplete,
  candidate
}: {
  readonly index: ClaimIndex.ClaimIndex
  /** Why the claims are not every one, or `undefined`. */
  readonly incomplete: string | undefined
  readonly candidate: Place.Place
}): ClaimState => {
  if (candidate._tag === "Unresolvable") {
    return constructors.Undeterminable({
      why: `the candidate ${quote(candidate.path)} cannot be placed: ${Text.escape(candidate.why)}`,
      claims: []
    })
  }
  const on = ClaimIndex.inside(index, candidate.chains)
  const around = ClaimIndex.around(index, candidate.chains)

  const foreign = union(on.map((held) => held.foreign))
  if (foreign.length > 0) return constructors.Foreign({ claims: foreign })
  if (incomplete !== undefined) return constructors.Undeterminable({ why: incomplete, claims: [] })
  const [lost] = index.unresolvable
  if (lost !== undefined) return constructors.Undeterminable({ why: whyLost(lost), claims: index.unresolvable })
  const own = union(on.map((held) => held.callers))
  if (own.length > 0) return constructors.CallerWorkspace({ claims: own })
  const foreignAround = union(around.map((held) => held.foreign))
  if (foreignAround.length > 0) return constructors.ForeignNested({ claims: foreignAround })
  const ownAround = union(around.map((held) => held.callers))
  if (ownAround.length > 0) return constructors.CallerNested({ claims: ownAround })
  const gone = union([...new Set([...on, ...around])].map((held) => held.gone))
  return gone.length > 0 ? constructors.DeadClaimsDiscarded({ claims: gone }) : constructors.Unclaimed()
}

/**
 * The one of two states that applies first; of two alike the first.
 */
export const stricter = (a: ClaimState, b: ClaimState): ClaimState =>
  order.indexOf(b._tag) < order.indexOf(a._tag) ? b : a

const order: ReadonlyArray<ClaimState["_tag"]> = [
  "Foreign",
  "Undeterminable",
  "CallerWorkspace",
  "ForeignNested",
  "CallerNested",
  "DeadClaimsDiscarded",
  "Unclaimed"
]

/**
 * Whether the claim gate lets a candidate of this state pass on to the gates after it.
 */
export const permits: (state: ClaimState) => boolean = $match({
  Foreign: () => false,
  Undeterminable: () => false,
  CallerWorkspace: () => false,
  ForeignNested: () => true,
  CallerNested: () => true,
  DeadClaimsDiscarded: () => true,
  Unclaimed: () => true
})

/**
 * The sessions that a state names, each once.
 */
export const sessions = (state: ClaimState): ReadonlyArray<string> =>
  "claims" in state ? [...new Set(state.claims.map(({ session }) => session))] : []

/**
 * A state in words: the claimant, whether it is the caller, why it counts as live, and what would settle it.
 */
export const explain: (state: ClaimState) => string = $match({
  Foreign: ({ claims }) => `${holders(claims)} on it or inside it: ${whyLive(claims)}`,
  Undeterminable: ({ why }) => why,
  CallerWorkspace: ({ claims }) =>
    `it is, or holds, the workspace of the caller (${names(claims)}); end that session first`,
  ForeignNested: ({ claims }) => `it lies inside the workspace of ${names(claims)}: ${whyLive(claims)}`,
  CallerNested: ({ claims }) => `it lies inside the workspace of the caller (${names(claims)})`,
  DeadClaimsDiscarded: ({ claims }) => `only sessions that are gone claimed it (${names(claims)})`,
  Unclaimed: () => "no session claims it"
})

const union = (lists: ReadonlyArray<Claims>): Claims => {
  const [only, ...others] = lists.filter((list) => list.length > 0)
  if (only === undefined) return []
  return others.length === 0 ? only : [...new Set([only, ...others].flat())].sort(WorkspaceClaim.compare)
}

const shown = 3

const names = (claims: Claims): string => {
  const sessions = [...new Set(claims.map(({ session }) => Text.escape(session)))]
  const more = sessions.length - shown
  return more > 0 ? `${sessions.slice(0, shown).join(", ")} and ${more} more` : sessions.join(", ")
}

const holders = (claims: Claims): string => {
  const [first] = claims
  return first === undefined ? "a session" : `${names(claims)} claims ${quote(first.place.path)},`
}

const whyLive = (claims: Claims): string => {
  const [first] = claims
  if (first === undefined || first.liveness._tag === "SessionGone") return "it counts as live"
  const { what, settle } = Liveness.explain(first.liveness.because)
  return `${what}; to settle it, ${settle}`
}

const whyLost = ({ session, place }: ClaimIndex.Lost): string =>
  `the workspace ${quote(place.path)} of ${Text.escape(session)} cannot be placed: ${Text.escape(place.why)}; ` +
  "fix the record's path or dismiss the record with --dismiss ID"

const quote = (path: string): string => `"${Text.escape(path)}"`
