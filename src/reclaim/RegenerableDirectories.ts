/**
 * The regenerable directories of one worktree, and what keeps each of them.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import { Git, type Repository } from "../verdict/Git.ts"
import { failed, type GitError } from "../verdict/GitCommand.ts"
import type { GitContent } from "../verdict/GitContent.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import * as LeadingLinks from "../verdict/LeadingLinks.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { bounded, type NoAnswer } from "./Services.ts"

export interface Found {
  readonly directories: ReadonlyArray<SlimPlan.Directory>
  readonly identity: GitContent["identity"]
}

/**
 * Asks git what is ignored as a whole, and goes over each such directory that a tool makes.
 */
export const find = (
  repository: Repository,
  worktree: GitList.Worktree,
  settings: Regenerable.Settings
): Effect.Effect<Found, GitError | NoAnswer, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const git = yield* Git
    const { path } = worktree
    const content = yield* git.content(repository, worktree)
    const { regenerable } = yield* IgnoredPaths.divide(fs, path, content, settings)
    const others = repository.worktrees.filter((each) => !each.bare && each.path !== path)
    const links = yield* LeadingLinks.gather(
      fs,
      others.map((each) => each.path)
    ).pipe(Effect.mapError((cause) => failed(path, cause.message)))
    const canonical = yield* Effect.mapError(fs.realPath(path), (cause) => failed(path, cause.message))
    const obstacle = (below: string) => obstacleOf(content, `${canonical}/${below}`, canonical, links)
    const directories = yield* Effect.forEach(regenerable, (covering) =>
      IgnoredPaths.examine(fs, `${path}/${covering.path}`, covering, {
        settings,
        owner: content.owner,
        total: DiskUsage.tally()
      }).pipe(
        Effect.map(({ heldBack, ...examined }) => ({ ...examined, heldBack: obstacle(covering.path) ?? heldBack })),
        Effect.catch((cause) => Effect.succeed({ ...covering, usage: DiskUsage.nothing, heldBack: cause.message }))
      )
    )
    return { directories, identity: content.identity }
  }).pipe(bounded("the look at what can be made again"))

const obstacleOf = (
  { isOnDeviceOfRepository, mounts }: GitContent,
  directory: string,
  worktree: string,
  links: ReadonlyArray<LeadingLinks.Link>
): string | undefined => {
  if (!isOnDeviceOfRepository) return "it lies on another device than its repository"
  const mount = mounts.find(
    (point) => LeadingLinks.isOnOrInside(point, directory) || !LeadingLinks.isOnOrInside(point, worktree)
  )
  if (mount !== undefined) return `${mount} is mounted in it, or shows what is in it`
  const link = links.find(
    ({ target }) =>
      LeadingLinks.isOnOrInside(target, directory) ||
      (LeadingLinks.isOnOrInside(directory, target) && LeadingLinks.isOnOrInside(target, worktree))
  )
  return link === undefined ? undefined : `the link ${link.path} of another worktree leads to it`
}
