/**
 * The occupants of a candidate by inode: what a process watches in it, or holds open by another name.
 */
import type * as PathUses from "../../machine/core/PathUses.ts"
import { type Gathered, occupant, type Occupant } from "./GatheredUses.ts"
import type * as Place from "./Place.ts"

/**
 * A directory around the candidate that a process watches: of a checkout, it explains every other watch of the process.
 */
export interface WatchedAround {
  readonly pid: number
  readonly path: string
}

export const watchedAround = (gathered: Gathered, places: ReadonlyArray<Place.Place>): ReadonlyArray<WatchedAround> =>
  [...gathered.watches].flatMap(([pid, marks]) =>
    around(places).flatMap(({ path, mark }) =>
      marks.some((each) => isSame(gathered, each, mark)) ? [{ pid, path }] : []
    )
  )

/**
 * The watches that count, given the processes whose watches do not: on which of these directories they are, or, where
 * none are given, whether any may be on one of the candidate's.
 */
export const watchers = (
  gathered: Gathered,
  explained: ReadonlySet<number>,
  inside: ReadonlyArray<Place.Identity>
): ReadonlyArray<Occupant> => {
  const inodes = Map.groupBy(inside, ({ inode }) => inode)
  return [...gathered.watches].flatMap(([pid, marks]) => {
    if (explained.has(pid)) return []
    const kind = marks.find((mark) => inodes.get(mark.inode)?.some((each) => isSame(gathered, mark, each)))?.kind
    return kind === undefined ? [] : [occupant(gathered, pid, `${kind} on a directory in it`)]
  })
}

/**
 * Whether a process whose watches count watches anything that may lie in the candidate.
 */
export const mayBeWatched = (
  { watches, exactDevices }: Gathered,
  explained: ReadonlySet<number>,
  places: ReadonlyArray<Place.Place>
): boolean => {
  const devices = new Set(places.flatMap((place) => own(place).map(({ device }) => device)))
  const isExact = devices.size > 0 && [...devices].every((device) => exactDevices.has(device))
  return [...watches].some(
    ([pid, marks]) => !explained.has(pid) && marks.some(({ device }) => !isExact || devices.has(device))
  )
}

/**
 * The open files that may lie in the candidate by another name than the one by which they were opened.
 */
export const maybeLinked = (
  { openFiles }: Gathered,
  places: ReadonlyArray<Place.Place>
): ReadonlyArray<PathUses.InodeUse> => {
  const devices = new Set(places.flatMap((place) => own(place).map(({ device }) => device)))
  return openFiles.filter(({ device }) => devices.size === 0 || devices.has(device))
}

/**
 * The occupants by files that are in the candidate, and open by another name.
 */
export const byLink = (
  gathered: Gathered,
  openFiles: ReadonlyArray<PathUses.InodeUse>,
  inside: ReadonlyArray<Place.Identity>
): ReadonlyArray<Occupant> => {
  const inodes = new Set(inside.map(({ device, inode }) => `${device}:${inode}`))
  return openFiles
    .filter(({ device, inode }) => inodes.has(`${device}:${inode}`))
    .map(({ pid }) => occupant(gathered, pid, "open file that has another name in it"))
}

/**
 * The occupants by sockets with a relative path, given the paths of the sockets in the candidate. Where the path began is not
 * told, so that it counts wherever one of them ends alike.
 */
export const bySocket = (gathered: Gathered, inside: ReadonlyArray<string>): ReadonlyArray<Occupant> => {
  const byName = new Map(inside.map((path) => [nameOf(path), path]))
  return gathered.sockets.flatMap(({ pid, path }) => {
    const found = byName.get(nameOf(path))
    return found === undefined ? [] : [occupant(gathered, pid, `open file ${found}`)]
  })
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** On file systems that number a device in their own way, the inode alone tells. */
const isSame = ({ exactDevices }: Gathered, mark: Place.Identity, file: Place.Identity): boolean =>
  mark.inode === file.inode && (mark.device === file.device || !exactDevices.has(file.device))

/** What stands at the place itself. */
const own = (place: Place.Place): ReadonlyArray<Place.Identity> =>
  place._tag === "Resolved"
    ? place.chains.flatMap((chain) => chain.slice(-1).flatMap((key) => identityIn(key) ?? []))
    : []

/** Every directory above, with its path. A chain of texts comes before that of identities. */
const around = (
  places: ReadonlyArray<Place.Place>
): ReadonlyArray<{ readonly path: string; readonly mark: Place.Identity }> =>
  places.flatMap((place) =>
    place._tag !== "Resolved"
      ? []
      : place.chains.flatMap((chain, index) => {
          const texts = place.chains[index - 1] ?? []
          return chain.slice(0, -1).flatMap((key, depth) => {
            const mark = identityIn(key)
            return mark === undefined ? [] : [{ path: texts[depth] ?? "", mark }]
          })
        })
  )

const identityIn = (key: string): Place.Identity | undefined => {
  const found = /^#(\d+):(\d+)$/.exec(key)
  if (found === null) return undefined
  const [device, inode] = found.slice(1).map(BigInt) as [bigint, bigint]
  return { device, inode }
}
