/**
 * Claims arranged so that judging one candidate costs its depth.
 */
import * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as WorkspaceClaim from "./WorkspaceClaim.ts"

type Claim = WorkspaceClaim.WorkspaceClaim
type Chains = ReadonlyArray<ReadonlyArray<string>>

export interface ClaimIndex {
  /** What is held, by the last keys of its place: found when the candidate lies on it or inside it. */
  readonly at: ByKey
  /** What is held, by every key of its place, at whatever depth: found when it lies on the candidate or inside it. */
  readonly above: ByKey
  /** Live claims, and the caller's, that cannot be placed. */
  readonly unresolvable: ReadonlyArray<Lost>
  /** The newest last sign of all claims that cannot be placed; `null`: one is not known; none: there are no such claims. */
  readonly unresolvableSigns: readonly [] | readonly [number | null]
}

/** A claim that cannot be placed. */
export interface Lost extends Claim {
  readonly place: Extract<Place.Place, { readonly _tag: "Unresolvable" }>
}

type ByKey = (key: string | undefined) => ReadonlyArray<Held>

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
  const held = holder(caller)
  const lost = claims.filter((claim): claim is Lost => claim.place._tag === "Unresolvable")
  return {
    at: byKey(claims, (chain) => chain.slice(-1), held),
    above: byKey(claims, (chain) => chain, held),
    unresolvable: lost.filter((claim) => whoseIs(claim, caller) !== "gone").sort(WorkspaceClaim.compare),
    unresolvableSigns: newest(lost)
  }
}

/**
 * Arranges claims by a key of each spelling of their places. The claims of one key are a chain of numbers, each of which
 * leads to the one before, because most keys are never asked for.
 */
const byKey = (
  claims: ReadonlyArray<Claim>,
  keysOf: (chain: ReadonlyArray<string>) => ReadonlyArray<string>,
  held: (place: Place.Place, claims: ReadonlyArray<Claim>) => Held
): ByKey => {
  const heads = new Map<string | undefined, number>()
  const entries: Array<Claim> = []
  const before: Array<number | undefined> = []
  for (const claim of claims) {
    if (claim.place._tag === "Unresolvable") continue
    for (const chain of claim.place.chains) {
      for (const key of keysOf(chain)) {
        before.push(heads.get(key))
        heads.set(key, entries.push(claim) - 1)
      }
    }
  }
  const asked = new Map<string | undefined, ReadonlyArray<Held>>()
  return (key) => {
    const head = heads.get(key)
    if (head === undefined) return nothing
    const known = asked.get(key)
    if (known !== undefined) return known
    const found = new Set<Claim>()
    for (let at: number | undefined = head; at !== undefined; at = before[at]) found.add(entries[at] as Claim)
    const fresh = Array.from(
      Map.groupBy(found, ({ place }) => place),
      ([place, there]) => held(place, there)
    )
    asked.set(key, fresh)
    return fresh
  }
}

const nothing: ReadonlyArray<Held> = []

/** What is held at a place is one value, under whichever key it is found: all its claims are found under each. */
const holder = (caller: string | undefined) => {
  const known = new Map<Place.Place, Held>()
  return (place: Place.Place, claims: ReadonlyArray<Claim>): Held => {
    const before = known.get(place)
    if (before !== undefined) return before
    const held: Record<keyof Held, Array<Claim>> = { foreign: [], callers: [], gone: [] }
    for (const claim of claims.toSorted(WorkspaceClaim.compare)) held[whoseIs(claim, caller)].push(claim)
    known.set(place, held)
    return held
  }
}

/**
 * What is held on the place or inside it.
 */
export const inside = ({ above }: ClaimIndex, chains: Chains): ReadonlyArray<Held> =>
  distinct(chains.map((chain) => above(chain.at(-1))))

/**
 * What is held on the place or around it.
 */
export const around = ({ at }: ClaimIndex, chains: Chains): ReadonlyArray<Held> =>
  distinct(chains.flatMap((chain) => chain.map(at)))

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

const distinct = (lists: ReadonlyArray<ReadonlyArray<Held>>): ReadonlyArray<Held> => {
  const [only, ...others] = lists.filter((list) => list.length > 0)
  if (only === undefined) return []
  return others.length === 0 ? only : [...new Set([only, ...others].flat())]
}

const newest = (claims: ReadonlyArray<Claim>): ClaimIndex["unresolvableSigns"] => {
  const signs = claims.map(({ lastSignAt }) => lastSignAt ?? Number.NaN)
  if (signs.length === 0) return []
  return [signs.every(Number.isFinite) ? signs.reduce((newest, sign) => Math.max(newest, sign)) : null]
}
