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
 * `undefined`: git no longer lists it. With `record`, which we have reclaimed, the claims on its old path count too.
 */
export const judgeAnew = (
  settings: ReclaimPlan.Settings,
  commonDirectory: string,
  path: string,
  record?: ReclaimRecord.ReclaimRecord
): Effect.Effect<JudgedAnew | undefined, GitError | NoAnswer, Reading> =>
  Effect.gen(function* () {
    const git = yield* Git
    const observed = yield* JudgeWorktree.gather(settings)
    const repository = yield* git.repository(commonDirectory)
    const worktree = linkedWorktrees(repository).find((worktree) => worktree.path === path)
    if (worktree === undefined) return undefined
    const taken = record && { path: record.path, lock: ReclaimRecord.printLock(record) }
    return {
      repository,
      worktree,
      judged: yield* JudgeWorktree.judge(observed, settings, repository, worktree, { taken })
    }
  }).pipe(bounded("the last look"))
