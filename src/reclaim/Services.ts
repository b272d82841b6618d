/**
 * What the programs of this room share: what they need, how long their looks take, and how outcomes are put.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Bound from "../shared/Bound.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import { Git, type Repository } from "../verdict/Git.ts"
import type * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type { GitChanges } from "./GitChanges.ts"
import type { ReclaimedTrees } from "./ReclaimedTrees.ts"
import type { ReclaimJournal } from "./ReclaimJournal.ts"

/** What a survey needs. */
export type Reading = JudgeWorktree.Services

/** What the programs that change something need besides. */
export type Services = Reading | GitChanges | ReclaimedTrees | ReclaimJournal | FileSystem.FileSystem

export type Outcome = ReclaimOutcome.ReclaimOutcome
export type Outcomes = ReadonlyArray<Outcome>

/** How many worktrees are looked at side by side: each of them runs git. */
export const concurrency = 4

/** A service gave no answer in time. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  what: Schema.String,
  within: Schema.String
}) {
  override get message(): string {
    return `${this.what} gave no answer within ${this.within}`
  }
}

/**
 * Ends a look within a bound, whatever the services below it do.
 */
export const bounded =
  (what: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | NoAnswer, R> =>
    Effect.flatMap(Bound.Survey, (bound) =>
      Effect.timeoutOrElse(Bound.detached(self), {
        duration: bound,
        orElse: () => Effect.fail(new NoAnswer({ what, within: Bound.format(bound) }))
      })
    )

export const kept = (path: string, obstacle: ReclaimOutcome.Obstacle): Outcome =>
  ReclaimOutcome.Kept({ path, gate: "Plan", reason: ReclaimOutcome.explain(obstacle) })

export const linkedWorktrees = (repository: Repository): ReadonlyArray<GitList.Worktree> =>
  repository.worktrees.filter(({ main, bare }) => !main && !bare)

export const repositoryAt = (path: string) => Effect.flatMap(Git, (git) => git.repository(path)).pipe(bounded("git"))

/**
 * The repositories of these paths, each once, and those that could not be listed.
 */
export const listed = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const results = yield* Effect.forEach(
    paths,
    (path) => Effect.map(Effect.result(repositoryAt(path)), (result) => ({ path, result })),
    { concurrency }
  )
  const repositories = new Map(
    results.flatMap(({ result }) =>
      Result.isSuccess(result) ? [[result.success.commonDirectory, result.success] as const] : []
    )
  )
  const unlisted = results.flatMap(({ path, result }): ReadonlyArray<ReclaimPlan.Unlisted> =>
    Result.isFailure(result) ? [{ repository: path, reason: result.failure.message }] : []
  )
  return { repositories: [...repositories.values()], unlisted }
})

/**
 * What a look gives for each repository, and those that could not be looked at.
 */
export const ofEach = <A, E extends { readonly message: string }, R>(
  repositories: ReadonlyArray<Repository>,
  look: (repository: Repository) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<
  { readonly items: ReadonlyArray<A>; readonly unlisted: ReadonlyArray<ReclaimPlan.Unlisted> },
  never,
  R
> =>
  Effect.map(
    Effect.forEach(repositories, (repository) =>
      Effect.map(Effect.result(look(repository)), (result) => ({ repository: repository.commonDirectory, result }))
    ),
    (looks) => ({
      items: looks.flatMap(({ result }) => (Result.isSuccess(result) ? result.success : [])),
      unlisted: looks.flatMap(({ repository, result }) =>
        Result.isFailure(result) ? [{ repository, reason: result.failure.message }] : []
      )
    })
  )

export const annotateOutcomes = (outcomes: Outcomes): Effect.Effect<void> => {
  const count = (...tags: ReadonlyArray<Outcome["_tag"]>) => outcomes.filter(({ _tag }) => tags.includes(_tag)).length
  return Effect.annotateCurrentSpan({
    done: count("Moved", "Restored", "Recovered", "Removed", "RemovedEmpty"),
    kept: count("Kept"),
    failed: count("Failed")
  })
}
