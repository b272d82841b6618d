/**
 * Observes everything again and judges one worktree.
 */
import * as Effect from "effect/Effect"
import type * as GitList from "../verdict/core/GitList.ts"
import * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import { Git, type GitError, type Repository } from "../verdict/Git.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import { bounded, linkedWorktrees, type NoAnswer, type Reading } from "./Services.ts"

export interface JudgedAnew {
  readonly repository: Repository
  readonly worktree: GitList.Worktree
  readonly judged: ReclaimPlan.Candidate
}

/**
 * Everything as it is now, for worktrees of one repository that are judged at once.
 */
export interface Anew {
  readonly observed: JudgeWorktree.Observed
  readonly repository: Repository
}

export const observe = (
  settings: ReclaimPlan.Settings,
  commonDirectory: string
): Effect.Effect<Anew, GitError | NoAnswer, Reading> => bounded("the last look")(gather(settings, commonDirectory))

/**
 * `undefined`: git no longer lists it. With `record`, which we have reclaimed, the claims on its old path count too.
 */
export const judge = (
  anew: Anew,
  settings: ReclaimPlan.Settings,
  path: string,
  record?: ReclaimRecord.ReclaimRecord
): Effect.Effect<JudgedAnew | undefined, NoAnswer, Reading> =>
  bounded("the last look")(judgeIn(anew, settings, path, record))

/**
 * Both, for one worktree.
 */
export const judgeAnew = (
  settings: ReclaimPlan.Settings,
  commonDirectory: string,
  path: string,
  record?: ReclaimRecord.ReclaimRecord
): Effect.Effect<JudgedAnew | undefined, GitError | NoAnswer, Reading> =>
  gather(settings, commonDirectory).pipe(
    Effect.flatMap((anew) => judgeIn(anew, settings, path, record)),
    bounded("the last look")
  )

const gather = Effect.fnUntraced(function* (settings: ReclaimPlan.Settings, commonDirectory: string) {
  const git = yield* Git
  const observed = yield* JudgeWorktree.gather(settings)
  return { observed, repository: yield* git.repository(commonDirectory) }
})

const judgeIn = Effect.fnUntraced(function* (
  { observed, repository }: Anew,
  settings: ReclaimPlan.Settings,
  path: string,
  record: ReclaimRecord.ReclaimRecord | undefined
) {
  const worktree = linkedWorktrees(repository).find((worktree) => worktree.path === path)
  if (worktree === undefined) return undefined
  const taken = record && { path: record.path, lock: ReclaimRecord.printLock(record) }
  const judged = yield* JudgeWorktree.judge(observed, settings, repository, worktree, { taken })
  return { repository, worktree, judged }
})
