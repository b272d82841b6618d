/**
 * Who holds which workspace, and whether they are still there.
 */
import * as ClaimIndex from "./ClaimIndex.ts"
import * as ClaimState from "./ClaimState.ts"
import type * as Liveness from "./Liveness.ts"
import type * as Observation from "./Observation.ts"
import type * as Place from "./Place.ts"
import type { WorkspaceClaim } from "./WorkspaceClaim.ts"

/**
 * Whether one record's session is still there, whether or not it has a workspace.
 */
export interface Owner {
  readonly session: string
  readonly tmuxName: string | undefined
  readonly liveness: Liveness.Liveness
}

/**
 * Every claim of a store, none left out; or, when `incomplete` says why, not every one, so that it refuses all.
 */
export interface LiveClaims {
  readonly claims: ReadonlyArray<WorkspaceClaim>
  /** `null`: the store was not read. */
  readonly owners: ReadonlyArray<Owner> | null
  readonly caller: string | undefined
  readonly observation: Observation.Observation
  readonly incomplete: string | undefined
  /** Records that a person dismissed by id: their claims are not counted. */
  readonly dismissed: ReadonlyArray<string>
}

/**
 * What the claims say of one candidate. They are arranged once, so that each further candidate costs its depth.
 */
export const claimState = (claims: LiveClaims, candidate: Place.Place): ClaimState.ClaimState => {
  const known = indexes.get(claims)
  const index = known ?? ClaimIndex.build(claims.claims, claims.caller)
  if (known === undefined) indexes.set(claims, index)
  return ClaimState.of({ index, incomplete: claims.incomplete, candidate })
}

const indexes = new WeakMap<LiveClaims, ClaimIndex.ClaimIndex>()
