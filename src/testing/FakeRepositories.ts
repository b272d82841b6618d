/**
 * Repositories in memory, that tell what they are described to and become others as git's steps are taken.
 */
import * as Effect from "effect/Effect"
import type * as IgnoredTree from "../verdict/core/IgnoredTree.ts"
import type * as GitFacts from "../verdict/core/GitFacts.ts"
import type * as Landed from "../verdict/core/Landed.ts"
import { Failed, GitError, NoRepository, type WorktreeFiles } from "../verdict/Git.ts"

/**
 * One linked worktree, and what its files and git tell of it; `undefined`: neither can. Worktrees that lie inside it are
 * added to what is nested.
 */
export interface Worktree {
  readonly path: string
  readonly branch: string | undefined
  readonly head: string
  readonly locked: string | undefined
  readonly adminDirectory: string
  readonly facts:
    | {
        readonly files: Omit<WorktreeFiles, "adminDirectory">
        readonly git: GitFacts.GitFacts
        readonly landed: Landed.Landed
      }
    | undefined
  readonly content?: IgnoredTree.Content | undefined
}

/**
 * One repository with its main worktree at `path`. `listed: false`: its worktrees cannot be listed.
 */
export interface Repository {
  readonly path: string
  readonly commonDirectory: string
  readonly listed: boolean
  readonly worktrees: ReadonlyArray<Worktree>
}

export const failed = (path: string, detail: string): GitError => new GitError({ reason: new Failed(), path, detail })

export type FakeRepositories = ReturnType<typeof make>

/** The repositories, as they are now. */
export const make = (description: ReadonlyArray<Repository>) => {
  const state = new Map(description.map((repository) => [repository.commonDirectory, repository]))
  const all = (): ReadonlyArray<Repository> => [...state.values()]

  const find = (path: string): Repository | undefined =>
    all().find(
      (repository) =>
        repository.path === path ||
        repository.commonDirectory === path ||
        repository.worktrees.some((worktree) => worktree.path === path)
    )

  const known = (path: string): Effect.Effect<Repository, GitError> =>
    Effect.suspend(() => {
      const repository = find(path)
      if (repository === undefined) {
        return Effect.fail(new GitError({ reason: new NoRepository(), path, detail: "not a git repository" }))
      }
      return repository.listed ? Effect.succeed(repository) : Effect.fail(failed(path, "git worktree list: exit 128"))
    })

  const describedOf = Effect.fnUntraced(function* (commonDirectory: string, path: string) {
    const { worktrees } = yield* known(commonDirectory)
    const worktree = worktrees.find((candidate) => candidate.path === path)
    if (worktree?.facts === undefined) return yield* failed(path, "git status: exit 128")
    return { ...worktree, facts: worktree.facts }
  })

  /** Replaces the worktree that `which` picks. */
  const change = (
    commonDirectory: string,
    which: (worktree: Worktree) => boolean,
    how: (worktree: Worktree) => Worktree | undefined | string
  ): Effect.Effect<void, GitError> =>
    Effect.suspend(() => {
      const repository = state.get(commonDirectory)
      const before = repository?.worktrees.find(which)
      if (repository === undefined || before === undefined)
        return Effect.fail(failed(commonDirectory, "no such worktree"))
      const after = how(before)
      if (typeof after === "string") return Effect.fail(failed(commonDirectory, after))
      state.set(commonDirectory, {
        ...repository,
        worktrees: repository.worktrees.flatMap((worktree) =>
          worktree !== before ? [worktree] : after === undefined ? [] : [after]
        )
      })
      return Effect.void
    })

  /** Where the worktree that is at that path now was described to be. */
  const described = (path: string): string => {
    const here = worktreesOf(all()).find((worktree) => worktree.path === path)
    const first = worktreesOf(description).find(({ adminDirectory }) => adminDirectory === here?.adminDirectory)
    return first?.path ?? path
  }

  /** The worktree of which one thing is so, where there is one. */
  const worktree = (commonDirectory: string, which: (worktree: Worktree) => boolean): Worktree | undefined =>
    state.get(commonDirectory)?.worktrees.find(which)

  return { all, known, describedOf, change, described, worktree }
}

const worktreesOf = (repositories: ReadonlyArray<Repository>): ReadonlyArray<Worktree> =>
  repositories.flatMap(({ worktrees }) => worktrees)
