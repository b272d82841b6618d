/**
 * Claims arranged so that judging one candidate costs its depth.
 */
import * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as WorkspaceClaim from "./WorkspaceClaim.ts"

type Claim = WorkspaceClaim.WorkspaceClaim
type Chains = ReadonlyArray<ReadonlyArray<string>>

export interface ClaimIndex {
  /** What is held, by the last keys of its place: found when the candidate lies on or inside it, and when it is the candidate. */
  readonly at: ReadonlyMap<string, ReadonlyArray<Held>>
  /**
   * What is held deeper, by the key that its place has at a depth: found when it lies inside a candidate of that depth. Each
   * depth is arranged when the first candidate asks for it.
   */
  readonly below: (depth: number) => ReadonlyMap<string, ReadonlyArray<Held>>
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
  const places: Array<{ readonly chains: Chains; readonly held: Held }> = []
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
    }
    places.push({ chains: place.chains, held })
  }
  const arranged = new Map<number, ReadonlyMap<string, ReadonlyArray<Held>>>()
  const below = (depth: number): ReadonlyMap<string, ReadonlyArray<Held>> => {
    const known = arranged.get(depth)
    if (known !== undefined) return known
    const fresh = new Map<string, Array<Held>>()
    for (const { chains, held } of places) {
      for (const chain of chains) {
        const key = chain[depth]
        if (key !== undefined && chain.length > depth + 1) hold(fresh, key, held)
      }
    }
    arranged.set(depth, fresh)
    return fresh
  }
  return {
    at,
    below,
    unresolvable: lost.filter((claim) => whoseIs(claim, caller) !== "gone").sort(WorkspaceClaim.compare),
    unresolvableSigns: newest(lost)
  }
}

/**
 * What is held on the place or inside it.
 */
export const inside = ({ at, below }: ClaimIndex, chains: Chains): ReadonlyArray<Held> =>
  distinct(
    chains.flatMap((chain) => {
      const last = chain.at(-1) ?? ""
      return [at.get(last), below(chain.length - 1).get(last)]
    })
  )

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
