/**
 * Looks for what tools make again, as far as it may be removed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import type { Repository } from "../verdict/Git.ts"
import * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import * as RepositoryPlaces from "../verdict/RepositoryPlaces.ts"
import * as Leftover from "./core/Leftover.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import * as SlimGate from "./core/SlimGate.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { foundIn, lookAt, pathOf } from "./Guarded.ts"
import type { ReclaimedTrees } from "./ReclaimedTrees.ts"
import * as RegenerableDirectories from "./RegenerableDirectories.ts"
import { concurrency, linkedWorktrees, listed, ofEach, type Reading } from "./Services.ts"

/**
 * Which worktrees to look through, and what a person or an embedder may say about them.
 */
export interface Options extends ReclaimPlan.Settings, Regenerable.Settings {
  /** Paths of repositories, or of any worktree of them. */
  readonly repositories: ReadonlyArray<string>
}

/**
 * Looks for regenerable directories in what lies reclaimed and in the other linked worktrees, as far as nobody works there,
 * and changes nothing. Ends within `Bound.Survey`.
 */
export const planSlim = (options: Options): Effect.Effect<SlimPlan.SlimPlan, never, Reading | ReclaimedTrees> => {
  const { repositories: paths, ...settings } = options
  return Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { repositories, unlisted } = yield* listed(paths)
    const observed = yield* JudgeWorktree.gather(settings)
    const planned = yield* ofEach(
      repositories,
      Effect.fnUntraced(function* (repository) {
        const reclaimed = new Map(
          foundIn(yield* lookAt(repository)).map((found) => [pathOf(repository, found), found] as const)
        )
        const places = yield* RepositoryPlaces.make(yield* FileSystem.FileSystem, repository.worktrees)
        return yield* Effect.forEach(
          linkedWorktrees(repository),
          (worktree) => planTree(settings, observed, { repository, worktree, places }, reclaimed.get(worktree.path)),
          { concurrency }
        )
      })
    )
    return { at, settings, trees: planned.items, unlisted: [...unlisted, ...planned.unlisted] }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.planSlim",
      bound: Bound.Survey,
      safe: (reason): SlimPlan.SlimPlan => ({
        at: 0,
        settings,
        trees: [],
        unlisted: paths.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.tap(({ trees, unlisted }) => Effect.annotateCurrentSpan({ trees: trees.length, unlisted: unlisted.length })),
    Effect.withSpan("Reclaim.planSlim", { attributes: { repositories: paths.length } })
  )
}

interface Known {
  readonly repository: Repository
  readonly worktree: GitList.Worktree
  readonly places: RepositoryPlaces.RepositoryPlaces
}

const planTree = Effect.fnUntraced(function* (
  settings: SlimPlan.SlimPlan["settings"],
  observed: JudgeWorktree.Observed,
  { repository, worktree, places }: Known,
  found: Leftover.Found | undefined
): Effect.fn.Return<SlimPlan.Tree, never, Reading> {
  const { path } = worktree
  const tree = { repository: repository.commonDirectory, path, record: found?.entry.record }
  const keep = (refusal: SlimGate.Refusal): SlimPlan.Tree => ({ ...tree, decision: { _tag: "Keep", ...refusal } })
  const strange = Leftover.strangeness(repository.commonDirectory, path, found)
  if (strange !== undefined) return keep({ gate: "Plan", reason: strange })
  const record = found?.entry.record
  const taken = record && { path: record.path, lock: ReclaimRecord.printLock(record) }
  const judged = yield* JudgeWorktree.judge(observed, settings, repository, worktree, { taken })
  const refusal = SlimGate.refusal(judged, record && observed.now - record.at)
  if (refusal !== undefined) return keep(refusal)
  return yield* RegenerableDirectories.find(repository, worktree, settings, places).pipe(
    Effect.match({
      onSuccess: ({ directories }): SlimPlan.Tree => ({ ...tree, decision: { _tag: "Slim", directories } }),
      onFailure: ({ message }) => keep({ gate: "Git", reason: message })
    })
  )
})
