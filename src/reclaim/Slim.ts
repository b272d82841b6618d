/**
 * Removes what tools make again, and leaves the worktrees where they are.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import type { Repository } from "../verdict/Git.ts"
import * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import * as RepositoryPlaces from "../verdict/RepositoryPlaces.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import * as SlimGate from "./core/SlimGate.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { type Failure, foundIn, guarded, lookAt, pathOf } from "./Guarded.ts"
import { judgeAnew } from "./JudgeAnew.ts"
import type { ReclaimedTrees } from "./ReclaimedTrees.ts"
import * as RegenerableDirectories from "./RegenerableDirectories.ts"
import {
  annotateOutcomes,
  concurrency,
  kept,
  linkedWorktrees,
  listed,
  ofEach,
  type Outcome,
  type Outcomes,
  type Reading,
  type Services
} from "./Services.ts"
import * as SlimTree from "./SlimTree.ts"

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
  const strange = strangeness(repository, path, found)
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

/** What lies in `reclaimed/` and in no entry of the journal that counts may be anybody's. */
const strangeness = (
  { commonDirectory }: Repository,
  path: string,
  found: Leftover.Found | undefined
): string | undefined => {
  if (found !== undefined) return Leftover.obstacle(found)
  return path.startsWith(`${ReclaimedDirectory.of(commonDirectory)}/`)
    ? "it lies reclaimed in no entry of this user's journal"
    : undefined
}

/**
 * Removes the directories that a plan says, tree by tree: each tree is observed and judged again and its directories are
 * looked at again, moved out of it at once, looked at once more where nobody finds them, and only then removed. What a
 * kill leaves goes back or away the next time.
 */
export const slim = (plan: SlimPlan.SlimPlan): Effect.Effect<Outcomes, never, Services> => {
  const total = DiskUsage.tally()
  return Effect.forEach(
    Map.groupBy(plan.trees, ({ repository }) => repository),
    ([repository, trees]) =>
      guarded(
        "Reclaim.slim",
        repository,
        trees.map(({ path }) => path),
        (known) => Effect.forEach(trees, (tree) => slimOne(plan.settings, known, tree, total))
      )
  ).pipe(
    Effect.map((outcomes) => outcomes.flat()),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.slim", { attributes: { trees: plan.trees.length } })
  )
}

const slimOne = (
  settings: SlimPlan.SlimPlan["settings"],
  repository: Repository,
  { path, record, decision }: SlimPlan.Tree,
  total: DiskUsage.Tally
): Effect.Effect<Outcome, never, Services> => {
  if (decision._tag === "Keep") {
    const { gate, reason } = decision
    return Effect.succeed(ReclaimOutcome.Kept({ path, gate, reason }))
  }
  const planned = new Set(decision.directories.flatMap((each) => (each.heldBack === undefined ? [each.path] : [])))
  return Effect.gen(function* (): Effect.fn.Return<Outcome, Failure, Services> {
    const found = foundIn(yield* lookAt(repository)).find(({ entry }) => entry.record.name === record?.name)
    const strange = strangeness(repository, path, found)
    if (strange !== undefined) return kept(path, ReclaimOutcome.Obstacle.NotOurs({ why: strange }))
    const anew = yield* judgeAnew(settings, repository.commonDirectory, path, found?.entry.record)
    if (anew === undefined) return kept(path, ReclaimOutcome.Obstacle.Unlisted())
    const now = yield* Clock.currentTimeMillis
    const refusal = SlimGate.refusal(anew.judged, found && now - found.entry.record.at)
    if (refusal !== undefined) return ReclaimOutcome.Kept({ path, ...refusal })
    const seen = yield* RegenerableDirectories.find(anew.repository, anew.worktree, settings)
    if (!isSame(seen.identity, anew.judged.identity)) return kept(path, ReclaimOutcome.Obstacle.Replaced())
    const directories = seen.directories.filter((each) => planned.has(each.path) && each.heldBack === undefined)
    if (directories.length === 0) return kept(path, nothingIn(seen.directories))
    return yield* SlimTree.carryOut({ ...anew, directories, settings, total })
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.slim",
      bound: undefined,
      safe: (reason): Outcome => ReclaimOutcome.Kept({ path, gate: "Plan", reason })
    })
  )
}

const nothingIn = (directories: ReadonlyArray<SlimPlan.Directory>) =>
  ReclaimOutcome.Obstacle.NothingRegenerable({
    heldBack: directories.flatMap(({ path, heldBack }) => (heldBack === undefined ? [] : [`${path}: ${heldBack}`]))
  })

type Identity = NonNullable<ReclaimPlan.Candidate["identity"]>

const isSame = (identity: Identity, other: Identity | undefined): boolean =>
  identity.directory === other?.directory && identity.adminDirectory === other.adminDirectory
