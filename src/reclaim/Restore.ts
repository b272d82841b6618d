import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Text from "../shared/core/Text.ts"
import type { Repository } from "../verdict/Git.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import * as ReclaimStep from "./core/ReclaimStep.ts"
import { carryOut, type Failure, forget, guarded, lookAt, pathOf, put, recoverAfter } from "./Guarded.ts"
import * as List from "./List.ts"
import { ReclaimJournal } from "./ReclaimJournal.ts"
import {
  annotateOutcomes,
  bounded,
  kept,
  type Outcome,
  type Outcomes,
  repositoryAt,
  type Services
} from "./Services.ts"

const { Obstacle } = ReclaimOutcome

export interface Options {
  /** Where to put it instead of where it was. What the journal does not know goes back only so. */
  readonly to?: string | undefined
  /** Repositories, or worktrees of them, in which to look besides those that the journal and the path itself name. */
  readonly repositories?: ReadonlyArray<string> | undefined
}

/**
 * Puts a worktree back that lies reclaimed: `path` is where it was, or where it lies. Refuses when anything stands there.
 * The last outcome is that of the worktree that was asked for; before it comes what was recovered on the way.
 */
export const restore = (path: string, options: Options = {}): Effect.Effect<Outcomes, never, Services> =>
  Effect.gen(function* () {
    if (options.to !== undefined && !options.to.startsWith("/")) {
      return [kept(path, Obstacle.NoSuchPath({ path: options.to }))]
    }
    const repositories = yield* repositoriesFor(path, options)
    const wanted = (yield* Effect.forEach(repositories, (repository) =>
      Effect.map(lookAt(repository), (leftovers) =>
        leftovers
          .filter((leftover) => isMeant(repository, leftover, path))
          .map((leftover) => ({
            repository,
            place: placeOf(repository, leftover),
            stands: leftover._tag === "Journalled" ? leftover.found.stands : undefined
          }))
      )
    )).flat()
    const [only] = wanted
    if (only === undefined) return [kept(path, Obstacle.NotReclaimed())]
    if (wanted.length > 1) return [kept(path, Obstacle.Several({ paths: wanted.map(({ place }) => place) }))]
    return yield* guarded("Reclaim.restore", only.repository.commonDirectory, [path], (repository) =>
      Effect.map(putBack(repository, path, only.place, options), (outcome) => [outcome])
    ).pipe(Effect.map((outcomes) => answered(only.stands, only.place, outcomes)))
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.restore",
      bound: undefined,
      safe: (reason): Outcomes => [ReclaimOutcome.Failed({ path, step: "look", reason })]
    }),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.restore", { attributes: { path: Text.escape(path) } })
  )

/** Those that are named, that the journal names for the path, and that in which the path itself lies. */
const repositoriesFor = Effect.fnUntraced(function* (path: string, { repositories = [] }: Options) {
  const journal = yield* ReclaimJournal
  const written = yield* bounded("the journal")(journal.repositoriesOf(path))
  const lies = /^(.*)\/reclaimed\/[^/]+\/*$/.exec(path)?.[1]
  const found = yield* Effect.forEach([...repositories, ...written, ...(lies === undefined ? [] : [lies])], (at) =>
    Effect.option(repositoryAt(at))
  )
  const all = found.flatMap(Option.toArray)
  return [...new Map(all.map((repository) => [repository.commonDirectory, repository])).values()]
})

const placeOf = (repository: Repository, leftover: Leftover.Leftover): string =>
  leftover._tag === "Stranger" ? leftover.path : pathOf(repository, leftover.found)

/** A tree that stands already, because its restoration was stopped, is one that its old path means. */
const isMeant = (repository: Repository, leftover: Leftover.Leftover, path: string): boolean => {
  if (placeOf(repository, leftover) === path.replace(/\/+$/, "")) return true
  if (leftover._tag === "Stranger") return false
  const { entry, lies, withdrawn, stands } = leftover.found
  return (lies || (withdrawn ?? stands) !== undefined) && entry.record.path === path
}

/** A restoration that was stopped, and is recovered now, is what was asked for. */
const answered = (stands: string | undefined, place: string, outcomes: Outcomes): Outcomes => {
  const own = outcomes.find((outcome) => outcome._tag === "Recovered" && outcome.path === stands)
  return own?._tag === "Recovered"
    ? [
        ...outcomes.slice(0, -1).filter((outcome) => outcome !== own),
        ReclaimOutcome.Restored({ path: own.path, from: place, notes: [own.what] })
      ]
    : outcomes
}

const putBack = Effect.fnUntraced(function* (
  repository: Repository,
  path: string,
  place: string,
  options: Options
): Effect.fn.Return<Outcome, Failure, Services> {
  const fs = yield* FileSystem.FileSystem
  const leftover = (yield* lookAt(repository)).find((each) => placeOf(repository, each) === place)
  if (leftover === undefined) return kept(path, Obstacle.NotReclaimed())
  const found = leftover._tag === "Journalled" ? leftover.found : undefined
  const obstacle = found === undefined ? undefined : Leftover.obstacle(found)
  const isOurs = found !== undefined && obstacle === undefined
  const to = options.to ?? (isOurs ? found.entry.record.path : undefined)
  const why = leftover._tag === "Stranger" ? List.strange(leftover.adminDirectory) : (obstacle ?? "")
  const adminDirectory = found?.adminDirectory ?? (leftover._tag === "Stranger" ? leftover.adminDirectory : undefined)
  if (!isOurs && (adminDirectory === undefined || (found !== undefined && !(found.lies && found.linked)))) {
    return kept(path, Obstacle.NotOurs({ why }))
  }
  if (to === undefined || adminDirectory === undefined) return kept(path, Obstacle.NeedsPath({ why }))
  if (to.startsWith(`${ReclaimedDirectory.of(repository.commonDirectory)}/`)) {
    return kept(path, Obstacle.NoSuchPath({ path: to }))
  }
  const stands = yield* bounded("the file system")(Effect.result(fs.lstat(to)))
  if (!(Result.isFailure(stands) && stands.failure.reason._tag === "NotFound")) {
    return kept(path, Obstacle.PathTaken({ path: to }))
  }
  return yield* Effect.uninterruptible(
    isOurs ? putBackOurs(repository, found, place, to) : putBackStranger(repository, adminDirectory, place, to)
  )
})

const putBackOurs = Effect.fnUntraced(function* (
  repository: Repository,
  { entry, adminDirectory }: Leftover.Found,
  from: string,
  to: string
): Effect.fn.Return<Outcome, Failure, Services> {
  const restoring = { ...entry, restoringSince: yield* Clock.currentTimeMillis }
  yield* put(restoring)
  const restored = yield* Effect.result(
    carryOut(repository, ReclaimStep.restore(entry.record, adminDirectory, from, to)).pipe(
      Effect.tap(() => forget(restoring))
    )
  )
  if (Result.isSuccess(restored)) return ReclaimOutcome.Restored({ path: to, from, notes: restored.success })
  yield* recoverAfter(repository, restoring)
  return ReclaimOutcome.Failed({ path: to, step: "restore", reason: restored.failure.message })
})

/** Its lock, its refs and its branch are somebody's: it is only moved, with its `HEAD` detached. */
const putBackStranger = Effect.fnUntraced(function* (
  repository: Repository,
  adminDirectory: string,
  from: string,
  to: string
): Effect.fn.Return<Outcome, Failure, Services> {
  const worktree = repository.worktrees.find((each) => each.path === from)
  if (worktree?.head === undefined) return kept(from, Obstacle.NoAdminDirectory({ path: from }))
  const { head, branch, locked } = worktree
  const restored = yield* Effect.result(
    carryOut(repository, [
      ...(branch === undefined ? [] : ([{ _tag: "Detach", adminDirectory, head }] as const)),
      { _tag: "Move", from, to }
    ])
  )
  if (Result.isFailure(restored)) {
    return ReclaimOutcome.Failed({ path: to, step: "restore", reason: restored.failure.message })
  }
  const notes = locked === undefined ? [] : [`it is locked as before; see \`git worktree unlock\``]
  return ReclaimOutcome.Restored({ path: to, from, notes: ["its HEAD is detached", ...notes] })
})
