/**
 * Gathers what processes use, so that each candidate can be asked who occupies it. Whatever fails, the answer is
 * `Unknown`, which refuses.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as PathUses from "../machine/core/PathUses.ts"
import * as Processes from "../machine/core/Processes.ts"
import * as Directories from "../machine/Directories.ts"
import { ProcessTable, type ProcessTableError } from "../machine/ProcessTable.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Known from "../shared/core/Known.ts"
import * as Text from "../shared/core/Text.ts"
import * as Occupants from "./core/Occupants.ts"
import type * as LiveClaims from "./core/LiveClaims.ts"
import type * as Observation from "./core/Observation.ts"
import type * as Place from "./core/Place.ts"
import type * as PathResolver from "./PathResolver.ts"
import * as Panes from "./Panes.ts"
import { TmuxProbe } from "./TmuxProbe.ts"

/** The home directory of who asks. */
export const Home: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "session-liveness/Occupants/Home",
  { defaultValue: () => process.env["HOME"] }
)

/**
 * What processes use, and the panes in which they run, which are asked for only where somebody is found.
 */
export interface Gathered extends Occupants.Gathered {
  readonly panes: Effect.Effect<ReadonlyArray<Observation.Pane>>
}

/**
 * Every process of this machine. A list that was cut off, or that nobody consults, is `Unknown`.
 */
export const listProcesses: Effect.Effect<Known.Known<Processes.ProcessList>, never, ProcessTable> = Effect.gen(
  function* () {
    const table = yield* ProcessTable
    const listed = yield* table.snapshot
    if (listed._tag === "NotConsulted") return Known.unknown("no process table is consulted")
    return Processes.holdsSelf(listed) ? Known.known(listed) : Known.unknown("the list of processes was cut off")
  }
).pipe(
  FailOpen.foldsTo({
    program: "Reclaim.survey",
    answer: "the processes could not be listed, so every worktree stays",
    bound: Bound.Git,
    safe: Known.unknown
  })
)

/**
 * What these processes use, each path looked up. A path of which it cannot be told where it leads makes the whole
 * `Unknown`.
 */
export const gather = (
  processes: Known.Known<Processes.ProcessList>,
  claims: LiveClaims.LiveClaims,
  resolve: PathResolver.PathResolver
): Effect.Effect<Known.Known<Gathered>, never, ProcessTable | TmuxProbe> =>
  processes._tag === "Unknown"
    ? Effect.succeed(processes)
    : gatherUses(processes.value, claims, resolve).pipe(
        FailOpen.foldsTo({
          program: "Reclaim.survey",
          answer: "the paths that processes use are not known, so every worktree stays",
          bound: Bound.Git,
          safe: Known.unknown
        })
      )

const gatherUses = Effect.fnUntraced(function* (
  list: Processes.ProcessList,
  { observation, owners: { registry } }: LiveClaims.LiveClaims,
  resolve: PathResolver.PathResolver
): Effect.fn.Return<Known.Known<Gathered>, ProcessTableError, ProcessTable | TmuxProbe> {
  // What cannot be read may register a process that stands elsewhere.
  if (registry?.unread !== undefined) {
    return Known.unknown(`the Claude registry could not be read: ${registry.unread}`)
  }
  const table = yield* ProcessTable
  const heard = new Set(observation._tag === "Answered" ? observation.servers.map(({ pid }) => pid) : [])
  const counting = PathUses.counting(list, heard)
  const uses = yield* table.uses(counting)
  const registered = (registry?.entries ?? []).flatMap(({ pid, liveness, workspaces }) =>
    liveness._tag === "Gone"
      ? []
      : (workspaces ?? []).map((path): PathUses.PathUse => ({ pid, kind: "registry entry", path }))
  )
  const counted = [...uses.paths.filter(PathUses.counts(list, heard)), ...registered]
  const paths = yield* Effect.forEach(
    Map.groupBy(counted, ({ path }) => path),
    ([path, uses]) => Effect.map(resolve(path), (place): Occupants.ResolvedPath => ({ place, uses })),
    { concurrency: 16 }
  )
  const lost = paths.find(({ place }) => place._tag === "Unresolvable" && place.undecided === true)
  if (lost !== undefined) {
    return Known.unknown(`what process ${lost.uses[0]?.pid} uses could not be looked up: ${lost.place.path}`)
  }
  return Known.known({
    ...Occupants.arrange(counting, counted, paths, uses),
    panes: yield* Effect.cached(Effect.provideService(Panes.all, TmuxProbe, yield* TmuxProbe))
  })
})

/**
 * Who occupies what lies at any of these places: a worktree may be known by an old path and a new one. `inside` gives its
 * directories, and is asked only where a process watches something that may be one of them.
 */
export const of = (
  gathered: Known.Known<Gathered>,
  places: ReadonlyArray<Place.Place>,
  inside: Effect.Effect<Known.Known<ReadonlyArray<Place.Identity>>, never, FileSystem.FileSystem>
): Effect.Effect<Known.Known<ReadonlyArray<Occupants.Occupant>>, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (gathered._tag === "Unknown") return gathered
    const found = yield* occupantsOf(gathered.value, places, inside)
    if (found._tag === "Unknown" || found.value.length === 0) return found
    const panes = yield* gathered.value.panes
    return Known.known(
      found.value.map((occupant) => ({ ...occupant, pane: paneOf(gathered.value, panes, occupant.pid) }))
    )
  })

/**
 * What stands at the directories of a tree, of those that a tool makes again the top two levels.
 */
export const inside = (
  top: string,
  isRegenerable: (name: string, beside: ReadonlyArray<string>) => boolean
): Effect.Effect<Known.Known<ReadonlyArray<Place.Identity>>, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Directories.walk(fs, top, isRegenerable)).pipe(
    Effect.map((directories) =>
      Known.known(
        directories.flatMap(({ device, inode }): ReadonlyArray<Place.Identity> =>
          inode === undefined ? [] : [{ device, inode }]
        )
      )
    ),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the directories of a worktree could not be compared with those that processes watch, so it stays",
      bound: Bound.Git,
      safe: (reason) => Known.unknown(`its directories could not be compared with those that are watched: ${reason}`)
    })
  )

const occupantsOf = Effect.fnUntraced(function* (
  gathered: Gathered,
  places: ReadonlyArray<Place.Place>,
  inside: Effect.Effect<Known.Known<ReadonlyArray<Place.Identity>>, never, FileSystem.FileSystem>
): Effect.fn.Return<Known.Known<ReadonlyArray<Occupants.Occupant>>, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const isNamed = Occupants.mayBeNamed(gathered, places)
  const longer = yield* Effect.forEach(isNamed ? Occupants.spellingsOf(places) : [], (path) =>
    fs.readDirectory(path.slice(0, path.lastIndexOf("/")) || "/").pipe(
      Effect.orElseSucceed(() => []),
      Effect.map((beside) => Occupants.longerThan(path, beside))
    )
  )
  const byPath = Occupants.byPath(gathered, places, longer.flat())
  if (byPath.length > 0) return Known.known(byPath)
  const byWords = isNamed ? Occupants.byWords(gathered, places, longer.flat()) : []
  if (byWords.length > 0) return Known.known(byWords)
  const maybeLinked = Occupants.maybeLinked(gathered, places)
  if (maybeLinked.length > 0) {
    const files = yield* lookIn(places, (path) => Directories.files(fs, path))
    if (files._tag === "Unknown") return files
    const byLink = Occupants.byLink(gathered, maybeLinked, files.value)
    if (byLink.length > 0) return Known.known(byLink)
  }
  if (gathered.sockets.length > 0) {
    const sockets = yield* lookIn(places, (path) => Directories.sockets(fs, path))
    if (sockets._tag === "Unknown") return sockets
    const bySocket = Occupants.bySocket(gathered, sockets.value)
    if (bySocket.length > 0) return Known.known(bySocket)
  }
  const home = yield* Effect.flatMap(Home, (path) => Effect.orElseSucceed(fs.realPath(path ?? ""), () => undefined))
  // An editor on a checkout, or an indexer of the home, watches everything below it.
  const around = yield* Effect.filter(Occupants.watchedAround(gathered, places), ({ path }) =>
    path === `${home}/` ? Effect.succeed(true) : Effect.orElseSucceed(fs.exists(`${path}.git`), () => false)
  )
  const explained = new Set(around.map(({ pid }) => pid))
  if (!Occupants.mayBeWatched(gathered, explained, places)) return Known.known([])
  const directories = yield* inside
  return directories._tag === "Unknown"
    ? directories
    : Known.known(Occupants.watchers(gathered, explained, directories.value))
})

/** What is found in the candidate, of which something may be open by another name than its path. */
const lookIn = <A>(
  places: ReadonlyArray<Place.Place>,
  look: (path: string) => Effect.Effect<ReadonlyArray<A>, PlatformError>
): Effect.Effect<Known.Known<ReadonlyArray<A>>> =>
  Effect.forEach(new Set(places.map(({ path }) => path)), look).pipe(
    Effect.map((files) => Known.known(files.flat())),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the files of a worktree could not be compared with those that processes have open, so it stays",
      bound: Bound.Git,
      safe: (reason) => Known.unknown(`its files could not be compared with those that are open: ${reason}`)
    })
  )

const paneOf = ({ list }: Gathered, panes: ReadonlyArray<Observation.Pane>, pid: number): string | undefined => {
  const above = Processes.ancestors({ ...list, self: { ...list.self, pid } })
  return above.flatMap((each) =>
    panes
      .filter((pane) => pane.pid === each)
      .map(({ id, session }) => `${id} of ${session}`)
      .sort(Text.compare)
  )[0]
}
