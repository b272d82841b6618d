/**
 * Removes regenerable directories of one worktree: written down, moved out, looked at once more, removed.
 */
import * as Clock from "effect/Clock"
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
import type * as SlimPlan from "./core/SlimPlan.ts"
import { carryOut as carryOutSteps, type Failure } from "./Guarded.ts"
import { ReclaimJournal } from "./ReclaimJournal.ts"
import { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { bounded, type Outcome, type Services } from "./Services.ts"
import * as SlimDirectories from "./SlimDirectories.ts"
import * as SlimPlace from "./SlimPlace.ts"

export interface Slimming {
  readonly repository: Repository
  readonly worktree: GitList.Worktree
  /** At least one. */
  readonly directories: ReadonlyArray<SlimPlan.Directory>
  readonly settings: Regenerable.Settings
  /** Of all that the run removes. */
  readonly total: DiskUsage.Tally
}

/**
 * Only the removal itself may be interrupted: what is left of it goes away the next time.
 */
export const carryOut = (slimming: Slimming): Effect.Effect<Outcome, Failure, Services> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* (): Effect.fn.Return<Outcome, Failure, Services> {
      const { repository, worktree, directories } = slimming
      const { path } = worktree
      const moving = yield* describe(slimming)
      yield* put(moving)
      const checked = yield* carryOutSteps(repository, [{ _tag: "MoveOut", entry: moving.entry }]).pipe(
        Effect.andThen(lookOnceMore(slimming, moving)),
        Effect.result
      )
      if (Result.isFailure(checked)) {
        yield* carryOutSteps(repository, [{ _tag: "MoveBack", entry: moving.entry }])
        yield* forget(moving)
        return ReclaimOutcome.Failed({ path, step: "slim", reason: checked.failure.message })
      }
      const removing: JournalEntry.Slim = { ...moving, entry: { ...moving.entry, state: "Removing" } }
      yield* put(removing)
      yield* restore(carryOutSteps(repository, [{ _tag: "RemoveMoved", entry: removing.entry }]))
      yield* forget(removing)
      return ReclaimOutcome.Slimmed({ path, freed: checked.success, directories: directories.map((each) => each.path) })
    })
  )

const put = (slim: JournalEntry.Slim) =>
  Effect.flatMap(ReclaimJournal, (journal) => journal.putSlim(slim)).pipe(bounded("the journal"))

const forget = (slim: JournalEntry.Slim) =>
  Effect.flatMap(ReclaimJournal, (journal) => journal.forgetSlim(slim)).pipe(bounded("the journal"))

const describe = Effect.fnUntraced(function* ({
  repository,
  worktree: { path: worktree },
  directories
}: Slimming): Effect.fn.Return<JournalEntry.Slim, Failure, Services> {
  const fs = yield* FileSystem.FileSystem
  const trees = yield* ReclaimedTrees
  const now = yield* Clock.currentTimeMillis
  const moved = yield* Effect.forEach(directories, ({ path }) =>
    SlimDirectories.describe(fs, worktree, path, now)
  ).pipe(Effect.mapError((detail) => notDone(worktree, detail)))
  const identities = yield* bounded("the look at the worktree")(trees.identify(repository, worktree))
  return {
    repository: identities.repository,
    entry: { name: moved[0]?.name ?? "", worktree, state: "Moving", directories: moved }
  }
})

/**
 * Nobody finds them by their path any more: what is in them now is what is removed. Gives the bytes that this frees.
 */
const lookOnceMore = Effect.fnUntraced(function* (
  { repository, worktree, directories, settings, total }: Slimming,
  { entry }: JournalEntry.Slim
): Effect.fn.Return<number, Failure, Services> {
  const fs = yield* FileSystem.FileSystem
  const git = yield* Git
  const place = SlimPlace.of(repository.commonDirectory)
  const held = (path: string, why: string) => notDone(`${worktree.path}/${path}`, why)
  const content = yield* bounded("git")(git.content(repository, worktree))
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
