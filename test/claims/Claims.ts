/**
 * What claims say of a candidate, on the real file system.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect } from "effect"
import {
  ClaimState,
  LiveClaims,
  Liveness,
  Observation,
  type Place,
  SessionOwners,
  WorkspaceClaims
} from "../../src/internal.ts"

export interface Question {
  /** Each session's workspace. Those named `gone…` have ended, the caller's is named `caller`. */
  readonly claims: Readonly<Record<string, string>>
  readonly candidate: string
}

export interface Said {
  readonly state: ClaimState.ClaimState["_tag"]
  readonly permits: boolean
  readonly words: string
}

const observation = Observation.Answered({ servers: [], names: ["tm-live"] })

const livenessOf = (session: string) =>
  Liveness.livenessOf(observation, { tmuxName: session.startsWith("gone") ? "tm-gone" : "tm-live", process: "None" }, 0)

/**
 * What claims say whose places were looked up before.
 */
export const say = (claims: Readonly<Record<string, Place.Place>>, candidate: string): Effect.Effect<Said> =>
  Effect.map(locate(candidate), (place) => {
    const caller = "caller" in claims ? "caller" : undefined
    const held = Object.entries(claims).map(([session, place]) => ({ session, place, liveness: livenessOf(session) }))
    const state = LiveClaims.claimState(
      {
        claims: held,
        owners: SessionOwners.unread(caller),
        caller,
        observation,
        incomplete: undefined,
        dismissed: []
      },
      place
    )
    return { state: state._tag, permits: ClaimState.permits(state), words: ClaimState.explain(state) }
  })

export const ask = ({ claims, candidate }: Question): Effect.Effect<Said> =>
  Effect.flatMap(
    Effect.all(Object.fromEntries(Object.entries(claims).map(([session, path]) => [session, locate(path)]))),
    (places) => say(places, candidate)
  )

export const locate = (path: string): Effect.Effect<Place.Place> =>
  WorkspaceClaims.locate(path).pipe(Effect.provide(NodeFileSystem.layer))
