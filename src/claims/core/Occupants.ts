/**
 * Which processes use a candidate.
 */
import * as Interpreter from "../../machine/core/Interpreter.ts"
import * as MacPaths from "../../machine/core/MacPaths.ts"
import type * as PathUses from "../../machine/core/PathUses.ts"
import * as Processes from "../../machine/core/Processes.ts"
import type * as Known from "../../shared/core/Known.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Place from "./Place.ts"
import * as SpelledPath from "./SpelledPath.ts"

/**
 * What all processes use, gathered once for all candidates.
 */
export interface Gathered {
  readonly list: Processes.ProcessList
  /** The uses of each path by every key of its place: found for whatever holds the path. */
  readonly byKey: ReadonlyMap<string, ReadonlyArray<ResolvedPath>>
  readonly watches: ReadonlyMap<number, ReadonlyArray<PathUses.InodeUse>>
  /** Files that are open, and may be so by a name that lies elsewhere. */
  readonly openFiles: ReadonlyArray<PathUses.InodeUse>
  readonly exactDevices: ReadonlySet<bigint>
  readonly commandLines: ReadonlyArray<CommandLine>
}

/**
 * One path, and all uses of it.
 */
export interface ResolvedPath {
  readonly place: Place.Place
  readonly uses: ReadonlyArray<PathUses.PathUse>
}

/**
 * The words of a process in which a path may be named. `foldsCase`: they are lower case, and name it in any case.
 */
export interface CommandLine {
  readonly pid: number
  readonly foldsCase: boolean
  readonly readings: ReadonlyArray<string>
  readonly isShell: boolean
  readonly directory: string | undefined
}

/**
 * A process that uses the candidate, and how. `pane` is the tmux pane in which it runs, where there is one.
 */
export interface Occupant {
  readonly pid: number
  readonly program: string
  readonly how: string
  readonly pane?: string | undefined
}

export const arrange = (
  list: Processes.ProcessList,
  uses: ReadonlyArray<PathUses.PathUse>,
  paths: ReadonlyArray<ResolvedPath>,
  { inodes, exactDevices }: Pick<PathUses.Uses, "inodes" | "exactDevices">
): Gathered => {
  const byKey = new Map<string, Array<ResolvedPath>>()
  const directories = new Map<number, string>()
  for (const { pid, kind, path } of uses) {
    if (kind === "working directory" && !directories.has(pid)) directories.set(pid, path)
  }
  for (const path of paths) {
    const place = atLeast(path.place)
    for (const key of new Set(place._tag === "Resolved" ? place.chains.flat() : [])) {
      const there = byKey.get(key)
      if (there === undefined) byKey.set(key, [path])
      else there.push(path)
    }
  }
  return {
    list,
    byKey,
    watches: Map.groupBy(
      inodes.filter(({ kind }) => kind === "watch"),
      ({ pid }) => pid
    ),
    openFiles: inodes.filter(({ kind }) => kind === "open file"),
    exactDevices,
    commandLines: list.processes.map((process) => ({
      pid: process.pid,
      foldsCase: list.argsAreWords === true,
      readings: [...new Set(readingsOf(process.args, list.argsAreWords === true))],
      isShell: Interpreter.isShellProcess(process),
      directory: directories.get(process.pid)
    }))
  }
}

/** Where arguments are words, `ps` has escaped what it did not print, and most file systems fold the case of names. */
const readingsOf = (args: ReadonlyArray<string>, areWords: boolean): ReadonlyArray<string> => {
  if (!areWords) return args.flatMap(SpelledPath.readings)
  const line = args.join(" ")
  return [line, MacPaths.unescape(line)].flatMap((text) => SpelledPath.readings(text).map(folded))
}

const folded = (text: string): string => text.toLowerCase().normalize("NFC")

/**
 * A use of a path that cannot be resolved lies at least where its text says.
 */
const atLeast = (place: Place.Place): Place.Place =>
  place._tag === "Resolved"
    ? place
    : Place.resolved(place.path, [{ segments: Place.segmentsOf(place.path) ?? [], identities: [] }])

/**
 * The occupants by the paths that processes use, those first that may be at work in the candidate. A candidate may be
 * known at several places. `longer`: what the names have more that stand beside it and begin with its own.
 */
export const byPath = (
  gathered: Gathered,
  places: ReadonlyArray<Place.Place>,
  longer: ReadonlyArray<string>
): ReadonlyArray<Occupant> => {
  const last = new Set(places.flatMap((place) => (place._tag === "Resolved" ? place.chains : [])).map(lastOf))
  const found = new Set([...last].flatMap((key) => gathered.byKey.get(key) ?? []))
  const isOn = (place: Place.Place) =>
    place._tag === "Resolved" && place.chains.some((chain) => last.has(lastOf(chain)))
  const goesOn = ({ followedBy }: PathUses.PathUse) =>
    followedBy !== undefined && longer.some((rest) => followedBy.startsWith(rest))
  return [...found]
    .flatMap(({ place, uses }) => (isOn(place) ? uses.filter((use) => !goesOn(use)) : uses))
    .sort(byWeight)
    .map(({ pid, kind, path }) => occupant(gathered, pid, `${kind} ${path}`))
}

/**
 * The occupants by the words of their command lines.
 */
export const byWords = (
  gathered: Gathered,
  places: ReadonlyArray<Place.Place>,
  longer: ReadonlyArray<string>
): ReadonlyArray<Occupant> => {
  const spelled = spellingsOf(places)
  return gathered.commandLines.flatMap((line) => {
    const path = spelled.find((each) => names(line, each, longer))
    return path === undefined ? [] : [occupant(gathered, line.pid, `command line ${path}`)]
  })
}

/**
 * Whether any command line may name the candidate, so that it is worth asking what stands beside it.
 */
export const mayBeNamed = ({ commandLines }: Gathered, places: ReadonlyArray<Place.Place>): boolean =>
  spellingsOf(places).some((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1)
    return commandLines.some(({ readings, foldsCase }) =>
      readings.some((reading) => reading.includes(foldsCase ? folded(name) : name))
    )
  })

const names = (line: CommandLine, path: string, longer: ReadonlyArray<string>): boolean => {
  const as = line.foldsCase ? folded : (text: string) => text
  const fromThere = line.directory === undefined ? undefined : SpelledPath.relative(as(line.directory), as(path))
  const spellings = [as(path), ...(fromThere === undefined ? [] : [fromThere])].map((text) => ({
    text,
    longer: longer.map(as)
  }))
  return line.readings.some((reading) =>
    spellings.some((spelling) => SpelledPath.isIn(reading, spelling, line.isShell))
  )
}

/** How the candidate is spelled, in full. The root of the file system is everybody's. */
export const spellingsOf = (places: ReadonlyArray<Place.Place>): ReadonlyArray<string> => {
  const keys = places.flatMap((place) =>
    place._tag === "Resolved" ? place.chains.flatMap((chain) => chain.at(-1) ?? []) : []
  )
  return [...new Set(keys.filter((key) => key.startsWith("/") && key !== "/").map((key) => key.slice(0, -1)))]
}

/**
 * What the names have more that stand beside a path and begin with its own name.
 */
export const longerThan = (path: string, beside: ReadonlyArray<string>): ReadonlyArray<string> => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return beside.flatMap((other) => {
    const normal = other.normalize("NFC")
    return normal !== name && normal.startsWith(name) ? [normal.slice(name.length)] : []
  })
}

const lastOf = (chain: ReadonlyArray<string>): string => chain.at(-1) ?? ""

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

/** On file systems that number a device in their own way, the inode alone tells. */
const isSame = ({ exactDevices }: Gathered, mark: Place.Identity, file: Place.Identity): boolean =>
  mark.inode === file.inode && (mark.device === file.device || !exactDevices.has(file.device))

/** What stands at the place itself. */
const own = (place: Place.Place): ReadonlyArray<Place.Identity> =>
  place._tag === "Resolved" ? place.chains.flatMap((chain) => identityIn(chain.at(-1)) ?? []) : []

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

const identityIn = (key: string | undefined): Place.Identity | undefined => {
  const match = /^#(\d+):(\d+)$/.exec(key ?? "")
  return match === null ? undefined : { device: BigInt(match[1] ?? ""), inode: BigInt(match[2] ?? "") }
}

const occupant = ({ list }: Gathered, pid: number, how: string): Occupant => {
  const process = list.processes.find((each) => each.pid === pid)
  return { pid, program: process === undefined ? "a process" : Processes.programOf(process), how }
}

/**
 * Why the gate refuses, or `undefined` when nothing uses the candidate.
 */
export const explain = (occupants: Known.Known<ReadonlyArray<Occupant>>): string | undefined => {
  if (occupants._tag === "Unknown") return `it cannot be told which processes use it: ${Text.escape(occupants.reason)}`
  const [first, ...more] = occupants.value
  if (first === undefined) return undefined
  const { program, pid, pane, how } = first
  const where = pane === undefined ? "" : ` in tmux pane ${Text.escape(pane)}`
  const others = more.length === 0 ? "" : ` and ${more.length} more`
  const advice = multiplexers.test(program)
    ? `it holds the sessions of others and is not to be ended: close the windows that use it`
    : `close it when its work is done, or let it leave`
  return `${Text.escape(program)} (process ${pid})${where} uses it: ${Text.escape(how)}${others}; ${advice}`
}

const multiplexers = /^(tmux|tmate|screen|zellij|dtach|abduco|byobu|mosh-server|sshd)\b/i

/** The plainest comes first, and a process that only has it mounted last. */
const byWeight = (a: PathUses.PathUse, b: PathUses.PathUse): number =>
  Number(a.kind === "mount") - Number(b.kind === "mount") ||
  a.pid - b.pid ||
  weights.indexOf(a.kind) - weights.indexOf(b.kind) ||
  Text.compare(a.path, b.path)

const weights: ReadonlyArray<PathUses.PathUse["kind"]> = [
  "working directory",
  "root",
  "executable",
  "open file",
  "mapped file",
  "registry entry",
  "command line",
  "mount"
]
