/**
 * Who holds which workspace, and whether they are still there.
 */
import * as ClaimIndex from "./ClaimIndex.ts"
import * as ClaimState from "./ClaimState.ts"
import * as Derived from "../../shared/core/Derived.ts"
import type * as Observation from "./Observation.ts"
import type * as Place from "./Place.ts"
import type { SessionOwners } from "./SessionOwners.ts"
import type { WorkspaceClaim } from "./WorkspaceClaim.ts"

/**
 * Every claim of a store, none left out; or, when `incomplete` says why, not every one, so that it refuses all.
 */
export interface LiveClaims {
  readonly claims: ReadonlyArray<WorkspaceClaim>
  /** What is known of each record's session, whether or not it has a workspace, and of the Claude ids. */
  readonly owners: SessionOwners
  readonly caller: string | undefined
  readonly observation: Observation.Observation
  readonly incomplete: string | undefined
  /** Records that a person dismissed by id: their claims are not counted. */
  readonly dismissed: ReadonlyArray<string>
  /** What else a person should know of the claims. */
  readonly notes?: ReadonlyArray<string> | undefined
}

/**
 * What the claims say of one candidate. They are arranged once, so that each further candidate costs its depth.
 */
export const claimState = (claims: LiveClaims, candidate: Place.Place): ClaimState.ClaimState =>
  ClaimState.of({ index: indexOf(claims), incomplete: claims.incomplete, candidate })

/**
 * The last signs of the records that claim the candidate, on it or inside it, and the newest of those whose claim cannot
 * be placed; `null` for one that is not known.
 */
export const lastSigns = (claims: LiveClaims, candidate: Place.Place): ReadonlyArray<number | null> => {
  const index = indexOf(claims)
  const on = candidate._tag === "Resolved" ? ClaimIndex.inside(index, candidate.chains) : []
  return [
    ...on.flatMap(({ foreign, callers, gone }) =>
      [...foreign, ...callers, ...gone].map(({ lastSignAt }) => lastSignAt ?? null)
    ),
    ...index.unresolvableSigns
  ]
}

const indexOf: (claims: LiveClaims) => ClaimIndex.ClaimIndex = Derived.once(({ claims, caller }) =>
  ClaimIndex.build(claims, caller)
)
