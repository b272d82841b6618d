import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as RegularFile from "../shared/RegularFile.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import type { Repository } from "../verdict/Git.ts"
import { failed, type GitError } from "../verdict/GitCommand.ts"
import { type Identity, isSame, type JournalEntry } from "./core/JournalEntry.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import { reclaimedAt, withdrawnAt } from "./core/ReclaimStep.ts"
import * as Links from "./Links.ts"
import * as OwnDirectory from "./OwnDirectory.ts"
import { type JournalError, ReclaimJournal } from "./ReclaimJournal.ts"
import { isThere, maxBytes, suspendedLock } from "./steps/Tools.ts"

/**
 * Looks at what lies reclaimed, and changes nothing.
 */
export class ReclaimedTrees extends Context.Service<
  ReclaimedTrees,
  {
    /** Every entry of the journal with what the files say about it, and whatever else lies in `reclaimed/`. */
    readonly look: (repository: Repository) => Effect.Effect<ReadonlyArray<Leftover.Leftover>, GitError | JournalError>
    /** The identities of a repository and of a worktree of it. */
    readonly identify: (
      repository: Repository,
      path: string
    ) => Effect.Effect<{ readonly repository: Identity; readonly tree: Identity }, GitError>
  }
>()("session-liveness/reclaim/ReclaimedTrees") {}

export interface Options {
  readonly user?: number | undefined
}

export const layer = (
  options: Options = {}
): Layer.Layer<ReclaimedTrees, never, FileSystem.FileSystem | ReclaimJournal> =>
  Layer.effect(
    ReclaimedTrees,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const journal = yield* ReclaimJournal
      const identity = Effect.fnUntraced(function* (repository: Repository, path: string) {
        const found = yield* OwnDirectory.identify(fs, path)
        return found ?? (yield* failed(repository.commonDirectory, `${path} is no directory`))
      })
      return ReclaimedTrees.of({
        identify: (repository, path) =>
          Effect.all({
            repository: identity(repository, repository.commonDirectory),
            tree: identity(repository, path)
          }),
        look: Effect.fnUntraced(function* (repository) {
          const { commonDirectory } = repository
          const own = <A>(effect: Effect.Effect<A, string>) =>
            Effect.mapError(effect, (detail) => failed(commonDirectory, detail))
          const { entries } = yield* journal.read(yield* identity(repository, commonDirectory))
          const directory = ReclaimedDirectory.of(commonDirectory)
          const names = (yield* own(OwnDirectory.isThere(fs, directory, options.user)))
            ? yield* own(Effect.mapError(fs.readDirectory(directory), (cause) => cause.message))
            : []
          const found = yield* Effect.forEach(entries, (entry) =>
            own(foundOf(fs, options.user, commonDirectory, entry))
          )
          const known = new Set(found.map(({ entry }) => entry.record.name))
          const strangers = yield* Effect.forEach(
            names.filter((name) => !name.startsWith(".") && !known.has(name)),
            (name) => strangerOf(fs, options.user, commonDirectory, `${directory}/${name}`)
          )
          return [...found.map((each) => Leftover.Journalled({ found: each })), ...strangers]
        })
      })
    })
  )

const foundOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  user: number | undefined,
  commonDirectory: string,
  entry: JournalEntry
): Effect.fn.Return<Leftover.Found, string> {
  const { record, adminName } = entry
  const path = reclaimedAt(commonDirectory, record.name)
  const adminDirectory = `${commonDirectory}/worktrees/${adminName}`
  const registered =
    (yield* isOwn(fs, `${commonDirectory}/worktrees`, user)) &&
    (yield* isOwn(fs, adminDirectory, user)) &&
    (yield* isThere(fs, `${adminDirectory}/HEAD`))
  const textOf = (name: string) =>
    Effect.map(RegularFile.read(fs, `${adminDirectory}/${name}`, maxBytes), (file) =>
      file._tag === "File" ? file.text.trim() : file._tag === "Nothing" ? undefined : ""
    )
  const ours = ReclaimRecord.printLock(record)
  const locked = registered ? yield* textOf("locked") : undefined
  const suspended = registered ? yield* textOf(suspendedLock) : undefined
  const head = registered ? yield* textOf("HEAD") : undefined
  const pointsAt = registered ? yield* Links.worktreeOf(fs, adminDirectory) : undefined
  const lying = yield* OwnDirectory.identify(fs, path)
  const lies = isSame(entry.tree, lying)
  const away = withdrawnAt(commonDirectory, record.name)
  const withdrawn = !lies && (yield* OwnDirectory.isIt(fs, away, entry.tree)) ? away : undefined
  const elsewhere = [record.path, ...(pointsAt === undefined || [path, away].includes(pointsAt) ? [] : [pointsAt])]
  const isLinked = (place: string) =>
    pointsAt === place ? Links.leadsTo(fs, place, adminDirectory) : Effect.succeed(false)
  // Another directory in its place has become its registration's tree where both say so.
  const stands =
    lies || withdrawn !== undefined
      ? undefined
      : ((yield* findFirst(elsewhere, (place) => OwnDirectory.isIt(fs, place, entry.tree))) ??
        (yield* findFirst(elsewhere, isLinked)))
  const at = lies ? path : (withdrawn ?? stands)
  const named = at === undefined ? undefined : yield* Links.adminOf(fs, at)
  const linked = at !== undefined && (yield* isLinked(at))
  return {
    entry,
    adminDirectory,
    registered,
    lock: locked === ours ? "Ours" : locked !== undefined ? "Other" : suspended === ours ? "Suspended" : "None",
    lies,
    withdrawn,
    taken: yield* takenOf(fs, { path, lying, lies, at, named, adminDirectory, entry }),
    stands,
    linked,
    head
  }
})

/**
 * Why what lies or stands there is not to be touched. A tree that names another admin directory, which is there, has
 * become another registration's; where that is nowhere, the repository has been moved.
 */
const takenOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  given: {
    readonly path: string
    readonly lying: Identity | undefined
    readonly lies: boolean
    readonly at: string | undefined
    readonly named: string | undefined
    readonly adminDirectory: string
    readonly entry: JournalEntry
  }
): Effect.fn.Return<string | undefined, string> {
  const { path, lying, lies, at, named, adminDirectory, entry } = given
  if (!lies && (lying !== undefined || (yield* isThere(fs, path)))) {
    return "another directory lies there than the one that was reclaimed"
  }
  if (at === undefined || named === undefined) return undefined
  const real = yield* Effect.orElseSucceed(fs.realPath(named), () => undefined)
  if (real === adminDirectory) return undefined
  const isMoved = real === undefined && named.endsWith(`/worktrees/${entry.adminName}`)
  return isMoved ? undefined : `its registration is another repository's: ${named}`
})

const strangerOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  user: number | undefined,
  commonDirectory: string,
  path: string
): Effect.fn.Return<Leftover.Leftover> {
  const named = (yield* isOwn(fs, path, user)) ? yield* Links.adminOf(fs, path) : undefined
  const isHere =
    named !== undefined &&
    named.startsWith(`${commonDirectory}/worktrees/`) &&
    (yield* isOwn(fs, `${commonDirectory}/worktrees`, user)) &&
    (yield* isOwn(fs, named, user)) &&
    (yield* Links.worktreeOf(fs, named)) === path
  return Leftover.Stranger({ path, adminDirectory: isHere ? named : undefined })
})

const isOwn = (fs: FileSystem.FileSystem, path: string, user: number | undefined): Effect.Effect<boolean> =>
  Effect.orElseSucceed(OwnDirectory.isThere(fs, path, user), () => false)

const findFirst = Effect.fnUntraced(function* <A>(
  all: ReadonlyArray<A>,
  holds: (one: A) => Effect.Effect<boolean>
): Effect.fn.Return<A | undefined> {
  for (const one of all) if (yield* holds(one)) return one
  return undefined
})
