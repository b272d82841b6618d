/**
 * A git that is narrowed to what one command asks.
 */
import { Effect } from "effect"
import { Git } from "../internal.ts"

/** Lets a program see these worktrees alone, each of which is still inspected as one among all of its repository. */
export const worktrees = (paths: ReadonlySet<string>) =>
  Effect.updateService(Git.Git, (git) => {
    const whole = new Map<string, Git.Repository>()
    return Git.Git.of({
      ...git,
      repository: (path) =>
        Effect.map(git.repository(path), (repository) => {
          whole.set(repository.commonDirectory, repository)
          return { ...repository, worktrees: repository.worktrees.filter(({ path }) => paths.has(path)) }
        }),
      files: (repository, ...rest) => git.files(whole.get(repository.commonDirectory) ?? repository, ...rest),
      inspect: (repository, ...rest) => git.inspect(whole.get(repository.commonDirectory) ?? repository, ...rest),
      landed: (repository, ...rest) => git.landed(whole.get(repository.commonDirectory) ?? repository, ...rest)
    })
  })

/** Lists each repository once for all the looks of one screen. */
export const once = Effect.updateService(Git.Git, (git) => {
  const listed = new Map<string, Git.Repository>()
  return Git.Git.of({
    ...git,
    repository: (path) => {
      const before = listed.get(path)
      if (before !== undefined) return Effect.succeed(before)
      return Effect.tap(git.repository(path), (repository) =>
        Effect.sync(() => {
          listed.set(path, repository)
          listed.set(repository.commonDirectory, repository)
        })
      )
    }
  })
})
