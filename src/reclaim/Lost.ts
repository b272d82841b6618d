/**
 * What git and the disk do not agree about: registrations without a directory, and directories without a registration.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import type { Git } from "../verdict/Git.ts"
import type * as Orphan from "./core/Orphan.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as Orphans from "./Orphans.ts"
import { linkedWorktrees, listed } from "./Services.ts"

/**
 * A registered worktree whose directory is not there. It may be elsewhere: nothing is done about it, because pruning the
 * registration of a tree that is only elsewhere destroys its index.
 */
export interface Gone {
  /** The repository's common git directory. */
  readonly repository: string
  readonly path: string
  readonly branch: string | undefined
}

export interface Lost {
  readonly gone: ReadonlyArray<Gone>
  readonly orphans: ReadonlyArray<Orphan.Orphan>
  readonly unlisted: ReadonlyArray<ReclaimPlan.Unlisted>
}

export interface Options {
  /** Paths of repositories, or of any worktree of them. */
  readonly repositories: ReadonlyArray<string>
  /** Directories in which agents keep worktrees, besides `.claude/worktrees` of each checkout. */
  readonly stores?: ReadonlyArray<string> | undefined
}

/**
 * Looks for both and changes nothing. Ends within `Bound.Survey`.
 */
export const lost = (options: Options): Effect.Effect<Lost, never, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { repositories, unlisted } = yield* listed(options.repositories)
    const gone = yield* Effect.forEach(repositories, (repository) =>
      Effect.map(
        Effect.filter(linkedWorktrees(repository), (worktree) => isGone(fs, worktree)),
        (worktrees) =>
          worktrees.map(({ path, branch }): Gone => ({ repository: repository.commonDirectory, path, branch }))
      )
    )
    return {
      gone: gone.flat(),
      orphans: yield* Orphans.gather(fs, repositories, options.stores ?? []),
      unlisted
    }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.lost",
      bound: Bound.Survey,
      safe: (reason): Lost => ({
        gone: [],
        orphans: [],
        unlisted: options.repositories.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.withSpan("Reclaim.lost", { attributes: { repositories: options.repositories.length } })
  )

/**
 * Whether nothing stands where a worktree is registered. Where that is not known, it is not gone.
 */
export const isGone = (fs: FileSystem.FileSystem, { path }: Pick<GitList.Worktree, "path">): Effect.Effect<boolean> =>
  fs.lstat(path).pipe(
    Effect.as(false),
    Effect.catch((cause) => Effect.succeed(cause.reason._tag === "NotFound"))
  )
