/**
 * Removes regenerable directories of worktrees: written down, moved out, looked at once more, removed.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import * as IgnoredTree from "../verdict/core/IgnoredTree.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import { Git, type Repository } from "../verdict/Git.ts"
import { notDone } from "../verdict/GitCommand.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import type * as JournalEntry from "./core/JournalEntry.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import { carryOut as carryOutSteps, type Failure } from "./Guarded.ts"
import { ReclaimJournal } from "./ReclaimJournal.ts"
import { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { bounded, type Outcome, type Services } from "./Services.ts"
import * as SlimDirectories from "./SlimDirectories.ts"
import * as SlimPlace from "./SlimPlace.ts"

export interface Slimming {
  readonly worktree: GitList.Worktree
  /** At least one. */
  readonly directories: ReadonlyArray<Regenerable.Covering>
  readonly settings: Regenerable.Settings
  /** Of all that the run removes. */
  readonly total: DiskUsage.Tally
}

interface Slim extends Slimming {
  readonly slim: JournalEntry.Slim
}

/**
 * What lies in our place and is to be removed from it.
 */
export interface MovedOut extends Slim {
  /** How many bytes its removal frees. */
  readonly freed: number
}

/**
 * Takes what is said of each of these worktrees of one repository out of it, and gives what is to be removed now, and why
 * the others stay. It is not left half-done.
 */
export const moveOut = (
  repository: Repository,
  slimmings: ReadonlyArray<Slimming>
): Effect.Effect<readonly [out: ReadonlyArray<MovedOut>, kept: ReadonlyArray<Outcome>], Failure, Services> =>
  Effect.gen(function* () {
    const journal = yield* ReclaimJournal
    const [moving, refused] = yield* partition(slimmings, describe(repository))
    yield* journal.putSlims(moving.map(({ slim }) => slim)).pipe(bounded("the journal"))
    const [out, held] = yield* partition(moving, moveOutOne(repository))
    const noted = yield* journal.putSlims(out.map(({ slim }) => slim)).pipe(bounded("the journal"), Effect.result)
    if (Result.isSuccess(noted)) return [out, [...refused, ...held]] as const
    const [, back] = yield* partition(out, ({ slim }) => putBack(repository, slim, noted.failure.message))
    return [[], [...refused, ...held, ...back]] as const
  }).pipe(Effect.uninterruptible)

/**
 * Removes it. What an interruption leaves goes away the next time.
 */
export const remove = (
  repository: Repository,
  out: ReadonlyArray<MovedOut>
): Effect.Effect<ReadonlyArray<Outcome>, Failure, Services> =>
  Effect.gen(function* () {
    const journal = yield* ReclaimJournal
    const [removed, left] = yield* partition(out, removeOne(repository))
    yield* journal.forgetSlims(removed.map(({ slim }) => slim)).pipe(bounded("the journal"))
    const done = removed.map(({ worktree: { path }, directories, freed }) =>
      ReclaimOutcome.Slimmed({ path, freed, directories: directories.map((each) => each.path) })
    )
    return [...left, ...done]
  })

/** One that fails keeps none of the others. */
const partition = <A extends Slimming, B, R>(
  slimmings: ReadonlyArray<A>,
  step: (slimming: A) => Effect.Effect<B, Failure | Held, R>
) =>
  Effect.partition(slimmings, (slimming) =>
    Effect.mapError(step(slimming), (failure): Outcome => {
      const { path } = slimming.worktree
      return failure._tag === "Held"
        ? ReclaimOutcome.Failed({ path, step: "slim", reason: failure.message })
        : ReclaimOutcome.Kept({ path, gate: "Plan", reason: failure.message })
    })
  )

/** It was moved out, and is back where it was. */
class Held extends Data.TaggedError("Held")<{ readonly message: string }> {}

const describe = (repository: Repository) =>
  Effect.fnUntraced(function* (slimming: Slimming): Effect.fn.Return<Slim, Failure, Services> {
    const { path: worktree } = slimming.worktree
    const fs = yield* FileSystem.FileSystem
    const trees = yield* ReclaimedTrees
    const now = yield* Clock.currentTimeMillis
    const directories = yield* Effect.forEach(slimming.directories, ({ path }) =>
      SlimDirectories.describe(fs, worktree, path, now)
    ).pipe(Effect.mapError((detail) => notDone(worktree, detail)))
    const identities = yield* bounded("the look at the worktree")(trees.identify(repository, worktree))
    const entry = { name: directories[0]?.name ?? "", worktree, state: "Moving", directories } as const
    return { ...slimming, slim: { repository: identities.repository, entry } }
  })

/** Moves them out and looks at them there, or moves them back. */
const moveOutOne = (repository: Repository) =>
  Effect.fnUntraced(function* (moving: Slim): Effect.fn.Return<MovedOut, Failure | Held, Services> {
    const { slim } = moving
    const freed = yield* carryOutSteps(repository, [{ _tag: "MoveOut", entry: slim.entry }]).pipe(
      Effect.andThen(lookOnceMore(repository, moving)),
      Effect.catch(({ message }) => putBack(repository, slim, message))
    )
    return { ...moving, freed, slim: { ...slim, entry: { ...slim.entry, state: "Removing" } } }
  })

const putBack = Effect.fnUntraced(function* (
  repository: Repository,
  slim: JournalEntry.Slim,
  message: string
): Effect.fn.Return<never, Failure | Held, Services> {
  const journal = yield* ReclaimJournal
  yield* carryOutSteps(repository, [{ _tag: "MoveBack", entry: slim.entry }])
  yield* journal.forgetSlims([slim]).pipe(bounded("the journal"))
  return yield* new Held({ message })
})

const removeOne =
  (repository: Repository) =>
  (removing: MovedOut): Effect.Effect<MovedOut, Failure, Services> =>
    Effect.as(carryOutSteps(repository, [{ _tag: "RemoveMoved", entry: removing.slim.entry }]), removing)

/**
 * Nobody finds them by their path any more: what is in them now is what is removed. Gives the bytes that this frees.
 */
const lookOnceMore = Effect.fnUntraced(function* (
  repository: Repository,
  { worktree, directories, settings, total, slim: { entry } }: Slim
): Effect.fn.Return<number, Failure, Services> {
  const fs = yield* FileSystem.FileSystem
  const git = yield* Git
  const place = SlimPlace.of(repository.commonDirectory)
  const held = (path: string, why: string) => notDone(`${worktree.path}/${path}`, why)
  // Only what is tracked by now matters.
  const content = yield* bounded("git")(git.content(repository, worktree, { ignored: [], untracked: [] }))
  const isTracked = IgnoredTree.mixedWith(
    directories.map(({ path }) => path),
    [content.tracked]
  )
  const before = DiskUsage.freed(total.usage())
  for (const directory of directories) {
    const { path } = directory
    const name = entry.directories.find((moved) => moved.path === path)?.name ?? ""
    if (isTracked(path)) return yield* held(path, "something in it is tracked by now")
    const examining = { settings, owner: content.owner, total }
    const { heldBack } = yield* IgnoredPaths.examine(fs, `${place}/${name}`, directory, examining).pipe(
      Effect.mapError((cause) => held(path, cause.message))
    )
    if (heldBack !== undefined) return yield* held(path, heldBack)
  }
  return DiskUsage.freed(total.usage()) - before
})
