/**
 * Claims arranged so that judging one candidate costs its depth.
 */
import * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as WorkspaceClaim from "./WorkspaceClaim.ts"

type Claim = WorkspaceClaim.WorkspaceClaim

export interface ClaimIndex {
  /** Claims by the last keys of their places: found when the candidate lies on or inside them. */
  readonly at: ReadonlyMap<string, Held>
  /** Claims by every key of their places: found when they lie on or inside the candidate. */
  readonly above: ReadonlyMap<string, Held>
  /** Live claims, and the caller's, that cannot be placed. */
  readonly unplaceable: ReadonlyArray<Claim>
}

/**
 * The claims that share one key, by whose they are. The caller's count as live whatever was observed.
 */
export interface Held {
  readonly foreign: ReadonlyArray<Claim>
  readonly callers: ReadonlyArray<Claim>
  readonly gone: ReadonlyArray<Claim>
}

/**
 * Arranges claims. The order in which they come changes nothing.
 */
export const build = (claims: ReadonlyArray<Claim>, caller: string | undefined): ClaimIndex => {
  const at = new Map<string, MutableHeld>()
  const above = new Map<string, MutableHeld>()
  const unplaceable: Array<Claim> = []
  for (const claim of [...claims].sort(WorkspaceClaim.compare)) {
    const whose = whoseIs(claim, caller)
    if (claim.place._tag === "Unplaceable") {
      if (whose !== "gone") unplaceable.push(claim)
    } else {
      const { chains } = claim.place
      for (const key of new Set(chains.flatMap((chain) => chain.slice(-1)))) hold(at, key, whose, claim)
      for (const key of new Set(chains.flat())) hold(above, key, whose, claim)
    }
  }
  return { at, above, unplaceable }
}

/**
 * Every claim, whosever it is, that lies on or inside the candidate.
 */
export const on = ({ above }: ClaimIndex, candidate: Place.Place): ReadonlyArray<Claim> =>
  candidate._tag === "Unplaceable"
    ? []
    : [
        ...new Set(
          candidate.chains
            .flatMap((chain) => above.get(chain.at(-1) ?? "") ?? [])
            .flatMap(({ foreign, callers, gone }) => [...foreign, ...callers, ...gone])
        )
      ]

/**
 * Whether one place is another, or lies inside it.
 */
export const isOnOrInside = (place: Place.Place, around: Place.Place): boolean => {
  if (place._tag === "Unplaceable" || around._tag === "Unplaceable") return false
  const last = new Set(around.chains.map((chain) => chain.at(-1)))
  return place.chains.some((chain) => chain.some((key) => last.has(key)))
}

type Whose = keyof Held
type MutableHeld = Record<Whose, Array<Claim>>

const whoseIs = (claim: Claim, caller: string | undefined): Whose =>
  caller !== undefined && claim.session === caller
    ? "callers"
    : Liveness.$is("SessionGone")(claim.liveness)
      ? "gone"
      : "foreign"

const hold = (map: Map<string, MutableHeld>, key: string, whose: Whose, claim: Claim): void => {
  const held = map.get(key) ?? { foreign: [], callers: [], gone: [] }
  held[whose].push(claim)
  map.set(key, held)
}
