/**
 * Which processes use a candidate.
 */
import type * as Processes from "../../machine/core/Processes.ts"
import type * as Known from "../../shared/core/Known.ts"
import * as Text from "../../shared/core/Text.ts"
import * as ClaimIndex from "./ClaimIndex.ts"
import * as Place from "./Place.ts"

/**
 * What all processes use, gathered once for all candidates.
 */
export interface Gathered {
  readonly uses: ReadonlyArray<ResolvedUse>
}

export interface ResolvedUse {
  readonly use: Processes.PathUse
  readonly place: Place.Place
}

/**
 * A process that uses the candidate, and how.
 */
export interface Occupant {
  readonly pid: number
  readonly how: string
}

/**
 * The occupants of what lies at any of these places, first those that may be at work in it.
 */
export const of = ({ uses }: Gathered, places: ReadonlyArray<Place.Place>): ReadonlyArray<Occupant> =>
  uses
    .filter(({ place: used }) => places.some((place) => ClaimIndex.isOnOrInside(used, place)))
    .map(({ use }) => use)
    .sort(byWeight)
    .map(({ pid, kind, path }) => ({ pid, how: `${kind} ${path}` }))

/**
 * A use of a path that cannot be placed lies at least where its text says.
 */
export const atLeast = (place: Place.Place): Place.Place =>
  place._tag === "Resolved"
    ? place
    : Place.resolved(place.path, [{ segments: Place.segmentsOf(place.path) ?? [], identities: [] }])

/**
 * Why the gate refuses, or `undefined` when nothing uses the candidate.
 */
export const explain = (occupants: Known.Known<ReadonlyArray<Occupant>>): string | undefined => {
  if (occupants._tag === "Unknown") return `it cannot be told which processes use it: ${Text.escape(occupants.reason)}`
  const [first, ...more] = occupants.value
  if (first === undefined) return undefined
  return `process ${first.pid} uses it (${Text.escape(first.how)})${more.length === 0 ? "" : ` and ${more.length} more`}; end it, or let it leave`
}

/** A process that may be at work in it comes before one that only has it mounted. */
const byWeight = (a: Processes.PathUse, b: Processes.PathUse): number =>
  Number(a.kind === "mount") - Number(b.kind === "mount") ||
  a.pid - b.pid ||
  Text.compare(a.kind, b.kind) ||
  Text.compare(a.path, b.path)
