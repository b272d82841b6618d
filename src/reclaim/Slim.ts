/**
 * Removes what tools make again, and leaves the worktrees where they are.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import * as FailOpen from "../shared/FailOpen.ts"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type { Repository } from "../verdict/Git.ts"
import * as RepositoryPlaces from "../verdict/RepositoryPlaces.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as SlimGate from "./core/SlimGate.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { type Failure, foundIn, guarded, lookAt } from "./Guarded.ts"
import * as JudgeAnew from "./JudgeAnew.ts"
import * as RegenerableDirectories from "./RegenerableDirectories.ts"
import { annotateOutcomes, concurrency, kept, type Outcome, type Outcomes, type Services } from "./Services.ts"
import * as SlimTree from "./SlimTree.ts"

/**
 * Removes the directories that a plan says, some trees of a repository at a time: all is observed and each is judged again,
 * its directories are moved out of it at once, looked at where nobody finds them, and only then removed, while the next are
 * judged. What a kill leaves goes back or away the next time.
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
        (known) =>
          Stream.fromIterable(Arr.chunksOf(trees, concurrency)).pipe(
            Stream.mapEffect((some) => moveOut(plan.settings, known, some, total)),
            Stream.buffer({ capacity: 1 }),
            Stream.mapEffect((moved) => remove(known, moved)),
            Stream.runCollect,
            Effect.map((outcomes) => inOrder(trees, outcomes.flat()))
          )
      )
  ).pipe(
    Effect.map((outcomes) => outcomes.flat()),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.slim", { attributes: { trees: plan.trees.length } })
  )
}

const inOrder = (trees: ReadonlyArray<SlimPlan.Tree>, outcomes: Outcomes): Outcomes => {
  const byPath = Map.groupBy(outcomes, ({ path }) => path)
  return trees.flatMap(({ path }) => byPath.get(path) ?? [])
}

const orKept = <A>(paths: ReadonlyArray<string>, answer: (kept: Outcomes) => A) =>
  FailOpen.foldsTo({
    program: "Reclaim.slim",
    bound: undefined,
    safe: (reason) => answer(paths.map((path) => ReclaimOutcome.Kept({ path, gate: "Plan", reason })))
  })

interface Moved {
  readonly out: ReadonlyArray<SlimTree.MovedOut>
  readonly kept: Outcomes
}

const moveOut = (
  settings: SlimPlan.SlimPlan["settings"],
  known: Repository,
  trees: ReadonlyArray<SlimPlan.Tree>,
  total: DiskUsage.Tally
): Effect.Effect<Moved, never, Services> =>
  Effect.gen(function* () {
    const found = foundIn(yield* lookAt(known))
    const anew = yield* JudgeAnew.observe(settings, known.commonDirectory)
    const places = yield* RepositoryPlaces.make(yield* FileSystem.FileSystem, anew.repository.worktrees)
    const slimmings: Array<SlimTree.Slimming> = []
    const refused = yield* Effect.forEach(
      trees,
      (tree) =>
        lookAnew(settings, anew, places, found, tree).pipe(
          Effect.map((look): Outcomes => {
            if ("_tag" in look) return [look]
            slimmings.push({ ...look, settings, total })
            return []
          }),
          orKept([tree.path], (kept) => kept)
        ),
      { concurrency }
    )
    const [out, held] = yield* SlimTree.moveOut(anew.repository, slimmings)
    return { out, kept: [...refused.flat(), ...held] }
  }).pipe(
    orKept(
      trees.map(({ path }) => path),
      (kept) => ({ out: [], kept })
    )
  )

const remove = (known: Repository, { out, kept }: Moved): Effect.Effect<Outcomes, never, Services> =>
  SlimTree.remove(known, out).pipe(
    orKept(
      out.map(({ worktree }) => worktree.path),
      (left) => left
    ),
    Effect.map((outcomes) => [...kept, ...outcomes])
  )

/** What is still to be removed of a tree, or why it stays. */
const lookAnew = Effect.fnUntraced(function* (
  settings: SlimPlan.SlimPlan["settings"],
  anew: JudgeAnew.Anew,
  places: RepositoryPlaces.RepositoryPlaces,
  reclaimed: ReadonlyArray<Leftover.Found>,
  { path, record, decision }: SlimPlan.Tree
): Effect.fn.Return<Outcome | Pick<SlimTree.Slimming, "worktree" | "directories">, Failure, Services> {
  if (decision._tag === "Keep") return keptBy(path, decision)
  const found = reclaimed.find(({ entry }) => entry.record.name === record?.name)
  const strange = Leftover.strangeness(anew.repository.commonDirectory, path, found)
  if (strange !== undefined) return kept(path, ReclaimOutcome.Obstacle.NotOurs({ why: strange }))
  const again = yield* JudgeAnew.judge(anew, settings, path, found?.entry.record)
  if (again === undefined) return kept(path, ReclaimOutcome.Obstacle.Unlisted())
  const { worktree, judged } = again
  const now = yield* Clock.currentTimeMillis
  const refusal = SlimGate.refusal(judged, found && now - found.entry.record.at)
  if (refusal !== undefined) return keptBy(path, refusal)
  const beside = judged.untracked && { ignored: judged.ignored, untracked: judged.untracked }
  const seen = yield* RegenerableDirectories.look(anew.repository, worktree, settings, places, beside)
  if (!isSame(seen.identity, judged.identity)) return kept(path, ReclaimOutcome.Obstacle.Replaced())
  const planned = new Map(decision.directories.map((each) => [each.path, each]))
  const directories = seen.directories.flatMap((each) => {
    const before = planned.get(each.path)
    return before === undefined ? [] : [{ ...each, heldBack: each.heldBack ?? before.heldBack }]
  })
  const free = directories.filter(({ heldBack }) => heldBack === undefined)
  if (free.length > 0) return { worktree, directories: free }
  const heldBack = directories.map((each) => `${each.path}: ${each.heldBack}`)
  return kept(path, ReclaimOutcome.Obstacle.NothingRegenerable({ heldBack }))
})

const keptBy = (path: string, { gate, reason }: SlimGate.Refusal): Outcome =>
  ReclaimOutcome.Kept({ path, gate, reason })

type Identity = NonNullable<ReclaimPlan.Candidate["identity"]>

const isSame = (identity: Identity, other: Identity | undefined): boolean =>
  identity.directory === other?.directory && identity.adminDirectory === other.adminDirectory
