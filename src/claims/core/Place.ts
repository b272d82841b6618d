/**
 * Where a path is, in every way in which two paths can be the same place.
 */
import * as Data from "effect/Data"

/**
 * A path that has been looked up, or why it cannot be.
 *
 * Each spelling of a path is a chain of keys from the root of the file system down to the path itself: one key for the
 * text of each segment so far, one for the identity of what stands there. Two places overlap when the last key of one
 * is anywhere in a chain of the other.
 */
export type Place = Data.TaggedEnum<{
  Resolved: { readonly path: string; readonly chains: ReadonlyArray<ReadonlyArray<string>> }
  Unresolvable: {
    readonly path: string
    readonly why: string
    /** Whether a look that failed is all that kept it from being resolved, so that it may be anywhere. */
    readonly undecided?: boolean | undefined
  }
}>

const constructors = Data.taggedEnum<Place>()
export const { Unresolvable, $is, $match } = constructors

/**
 * What was found on the way down one spelling of a path.
 */
export interface Spelling {
  /** Whole segments below the root of the file system, without `.` and `..`. */
  readonly segments: ReadonlyArray<string>
  /**
   * Device and inode of the root and of each segment in turn, as far down as something exists. `undefined` for one that
   * the file system does not number.
   */
  readonly identities: ReadonlyArray<Identity | undefined>
}

export interface Identity {
  readonly device: bigint
  readonly inode: bigint
}

/**
 * A path whose spellings have been looked up: as given, and canonical. Most often they are one.
 */
export const resolved = (
  path: string,
  spellings: ReadonlyArray<Spelling>
): Extract<Place, { readonly _tag: "Resolved" }> =>
  constructors.Resolved({
    path,
    chains: spellings
      .filter((spelling, index) => !spellings.slice(0, index).some((earlier) => isSame(spelling, earlier)))
      .flatMap((spelling) => [textChain(spelling), identityChain(spelling)])
  })

const isSame = (a: Spelling, b: Spelling): boolean =>
  a.segments.length === b.segments.length &&
  a.identities.length === b.identities.length &&
  a.segments.every((segment, depth) => segment === b.segments[depth]) &&
  a.identities.every((identity, depth) => {
    const other = b.identities[depth]
    return identity?.device === other?.device && identity?.inode === other?.inode
  })

/**
 * The segments of an absolute path made lexically normal, or `undefined` when it is not absolute.
 */
export const segmentsOf = (path: string): ReadonlyArray<string> | undefined => {
  if (!path.startsWith("/")) return undefined
  const segments: Array<string> = []
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  }
  return segments
}

const textChain = ({ segments }: Spelling): ReadonlyArray<string> => descend("/", segments)

/**
 * What does not exist yet, or no longer, is known by the identity of the deepest ancestor that does and by its name
 * below it.
 */
const identityChain = ({ segments, identities }: Spelling): ReadonlyArray<string> => {
  const known = identities.map((identity, depth) =>
    identity === undefined ? undefined : { depth, key: `#${identity.device}:${identity.inode}` }
  )
  const deepest = known.findLast((entry) => entry !== undefined)
  if (deepest === undefined) return []
  const existing = known.flatMap((entry) => (entry === undefined ? [] : [entry.key]))
  return [...existing, ...descend(`${deepest.key}/`, segments.slice(deepest.depth)).slice(1)]
}

const descend = (start: string, segments: ReadonlyArray<string>): ReadonlyArray<string> => {
  const chain = [start]
  let key = start
  for (const segment of segments) {
    key += `${segment.normalize("NFC")}/`
    chain.push(key)
  }
  return chain
}
