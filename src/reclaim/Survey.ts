import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Text from "../shared/core/Text.ts"
import * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as Lost from "./Lost.ts"
import { concurrency, linkedWorktrees, listed, type Reading } from "./Services.ts"

/**
 * Which worktrees to survey, and what a person or an embedder may say about them.
 */
export interface Options extends ReclaimPlan.Settings {
  /** Paths of repositories, or of any worktree of them. */
  readonly repositories: ReadonlyArray<string>
  /** Whether every gate is asked of every candidate; unless set, none behind the first that refuses. */
  readonly everything?: boolean | undefined
  /** Is called for every candidate as it has been judged, for a progress line. */
  readonly onJudged?: ((done: number, all: number) => Effect.Effect<void>) | undefined
}

/**
 * Judges every linked worktree of the repositories and changes nothing. A repository that cannot be listed is named with
 * the reason. Ends within `Bound.Survey`.
 */
export const survey = (options: Options): Effect.Effect<ReclaimPlan.Plan, never, Reading> => {
  const { repositories: paths, onJudged, everything, ...settings } = options
  return Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { repositories, unlisted } = yield* listed(paths)
    const observed = yield* JudgeWorktree.gather(settings)
    const fs = yield* FileSystem.FileSystem
    const registered = repositories.flatMap((repository) =>
      linkedWorktrees(repository).map((worktree) => ({ repository, worktree }))
    )
    // What is not there cannot be judged, which is no failure: `lost` lists it.
    const linked = yield* Effect.filter(registered, ({ worktree }) =>
      Effect.map(Lost.isGone(fs, worktree), (gone) => !gone)
    )
    let done = 0
    const candidates = yield* Effect.forEach(
      linked,
      ({ repository, worktree }) =>
        Effect.tap(JudgeWorktree.judge(observed, settings, repository, worktree, { everything }), () =>
          onJudged === undefined ? Effect.void : onJudged(++done, linked.length)
        ),
      { concurrency }
    )
    return { at, settings, candidates: candidates.sort(byPath), unlisted, notes: observed.claims.notes ?? [] }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      bound: Bound.Survey,
      safe: (reason): ReclaimPlan.Plan => ({
        at: 0,
        settings,
        candidates: [],
        unlisted: paths.map((repository) => ({ repository, reason })),
        notes: []
      })
    }),
    Effect.tap(({ candidates, unlisted }) =>
      Effect.annotateCurrentSpan({
        candidates: candidates.length,
        permitted: candidates.filter(({ verdict }) => verdict._tag === "Permit").length,
        unlisted: unlisted.length
      })
    ),
    Effect.withSpan("Reclaim.survey", { attributes: { repositories: paths.length } })
  )
}

const byPath = (a: ReclaimPlan.Candidate, b: ReclaimPlan.Candidate): number =>
  Text.compare(a.path, b.path) || Text.compare(a.repository, b.repository)
