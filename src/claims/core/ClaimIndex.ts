/**
 * Claims arranged so that judging one candidate costs its depth.
 */
import * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as WorkspaceClaim from "./WorkspaceClaim.ts"

type Claim = WorkspaceClaim.WorkspaceClaim
type Chains = ReadonlyArray<ReadonlyArray<string>>

export interface ClaimIndex {
  /** What is held, by the last keys of its place: found when the candidate lies on or inside it. */
  readonly at: ReadonlyMap<string, ReadonlyArray<Held>>
  /** What is held, by every key of its place: found when it lies on or inside the candidate. */
  readonly above: ReadonlyMap<string, ReadonlyArray<Held>>
  /** Live claims, and the caller's, that cannot be placed. */
  readonly unresolvable: ReadonlyArray<Claim>
  /** The newest last sign of all claims that cannot be placed; `null`: one is not known; none: there are no such claims. */
  readonly unresolvableSigns: readonly [] | readonly [number | null]
}

/**
 * The claims of one place, by whose they are. The caller's count as live whatever was observed.
 */
export interface Held {
  readonly foreign: ReadonlyArray<Claim>
  readonly callers: ReadonlyArray<Claim>
  readonly gone: ReadonlyArray<Claim>
}

/**
 * Arranges claims. The order in which they come changes nothing. Claims that share one `Place` cost little more than one.
 */
export const build = (claims: ReadonlyArray<Claim>, caller: string | undefined): ClaimIndex => {
  const at = new Map<string, Array<Held>>()
  const above = new Map<string, Array<Held>>()
  const lost: Array<Claim> = []
  for (const [place, there] of Map.groupBy(claims, (claim) => claim.place)) {
    if (place._tag === "Unresolvable") {
      for (const claim of there) lost.push(claim)
      continue
    }
    const held: Record<keyof Held, Array<Claim>> = { foreign: [], callers: [], gone: [] }
    for (const claim of there.sort(WorkspaceClaim.compare)) held[whoseIs(claim, caller)].push(claim)
    for (const chain of place.chains) {
      const last = chain.at(-1)
      if (last !== undefined) hold(at, last, held)
      for (const key of chain) hold(above, key, held)
    }
  }
  return {
    at,
    above,
    unresolvable: lost.filter((claim) => whoseIs(claim, caller) !== "gone").sort(WorkspaceClaim.compare),
    unresolvableSigns: newest(lost)
  }
}

/**
 * What is held on the place or inside it.
 */
export const inside = ({ above }: ClaimIndex, chains: Chains): ReadonlyArray<Held> =>
  distinct(chains.map((chain) => above.get(chain.at(-1) ?? "")))

/**
 * What is held on the place or around it.
 */
export const around = ({ at }: ClaimIndex, chains: Chains): ReadonlyArray<Held> =>
  distinct(chains.flatMap((chain) => chain.map((key) => at.get(key))))

/**
 * Whether one place is another, or lies inside it.
 */
export const isOnOrInside = (place: Place.Place, around: Place.Place): boolean => {
  if (place._tag === "Unresolvable" || around._tag === "Unresolvable") return false
  const last = new Set(around.chains.map((chain) => chain.at(-1)))
  return place.chains.some((chain) => chain.some((key) => last.has(key)))
}

const whoseIs = (claim: Claim, caller: string | undefined): keyof Held =>
  claim.session === caller ? "callers" : Liveness.$is("SessionGone")(claim.liveness) ? "gone" : "foreign"

/** One place comes with all its keys before the next one does, so that a key it has twice finds it last in the list. */
const hold = (map: Map<string, Array<Held>>, key: string, held: Held): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [held])
  else if (list.at(-1) !== held) list.push(held)
}

const distinct = (lists: ReadonlyArray<ReadonlyArray<Held> | undefined>): ReadonlyArray<Held> => {
  const [only, ...others] = lists.filter((list) => list !== undefined)
  if (only === undefined) return []
  return others.length === 0 ? only : [...new Set([only, ...others].flat())]
}

const newest = (claims: ReadonlyArray<Claim>): ClaimIndex["unresolvableSigns"] => {
  if (claims.length === 0) return []
  let sign = -Infinity
  for (const { lastSignAt } of claims) {
    if (lastSignAt === undefined || !Number.isFinite(lastSignAt)) return [null]
    sign = Math.max(sign, lastSignAt)
  }
  return [sign]
}
