/**
 * Which processes use a candidate.
 */
import type * as PathUses from "../../machine/core/PathUses.ts"
import type * as Known from "../../shared/core/Known.ts"
import * as Text from "../../shared/core/Text.ts"
import { type CommandLine, folded, type Gathered, occupant, type Occupant } from "./GatheredUses.ts"
import type * as Place from "./Place.ts"
import * as SpelledPath from "./SpelledPath.ts"

export { arrange, type Gathered, type Occupant, type ResolvedPath } from "./GatheredUses.ts"
export * from "./OccupantInodes.ts"

/**
 * The occupants by the paths that processes use, those first that may be at work in the candidate. A candidate may be
 * known at several places. `longer`: what the names have more that stand beside it and begin with its own.
 */
export const byPath = (
  gathered: Gathered,
  places: ReadonlyArray<Place.Place>,
  longer: ReadonlyArray<string>
): ReadonlyArray<Occupant> => {
  const last = new Set(places.flatMap(keysOf))
  const found = new Set([...last].flatMap((key) => gathered.byKey.get(key) ?? []))
  const isOn = (place: Place.Place) => keysOf(place).some((key) => last.has(key))
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
  const keys = places.flatMap(keysOf)
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

/** What a place itself is known by. */
const keysOf = (place: Place.Place): ReadonlyArray<string> =>
  place._tag === "Resolved" ? place.chains.flatMap((chain) => chain.at(-1) ?? []) : []

/**
 * Why the gate refuses, or `undefined` when nothing uses the candidate.
 */
export const explain = (occupants: Known.Known<ReadonlyArray<Occupant>>): string | undefined => {
  if (occupants._tag === "Unknown") return `it is not known which processes use it: ${Text.escape(occupants.reason)}`
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
