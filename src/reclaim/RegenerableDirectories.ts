/**
 * The regenerable directories of one worktree, and what keeps each of them.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as ClaimIndex from "../claims/core/ClaimIndex.ts"
import type * as Place from "../claims/core/Place.ts"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import { Git, type Repository } from "../verdict/Git.ts"
import { failed, type GitError } from "../verdict/GitCommand.ts"
import type { GitContent } from "../verdict/GitContent.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import type * as LeadingLinks from "../verdict/LeadingLinks.ts"
import * as RepositoryPlaces from "../verdict/RepositoryPlaces.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { bounded, type NoAnswer } from "./Services.ts"

export interface Found {
  readonly directories: ReadonlyArray<SlimPlan.Directory>
  readonly identity: GitContent["identity"]
}

/**
 * Asks git what is ignored as a whole, and goes over each such directory that a tool makes. Who asks about many worktrees
 * of a repository hands in its places.
 */
export const find = (
  repository: Repository,
  worktree: GitList.Worktree,
  settings: Regenerable.Settings,
  known?: RepositoryPlaces.RepositoryPlaces | undefined
): Effect.Effect<Found, GitError | NoAnswer, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const git = yield* Git
    const { path } = worktree
    const content = yield* git.content(repository, worktree)
    const { regenerable } = yield* IgnoredPaths.divide(fs, path, content, settings)
    const asked = Effect.mapError((detail: string) => failed(path, detail))
    const places = known ?? (yield* RepositoryPlaces.make(fs, repository.worktrees))
    const links = yield* asked(Effect.flatMap(places.of(path), places.linksInto))
    const leading = links.filter((link) => link.worktree !== path)
    const canonical = yield* Effect.mapError(fs.realPath(path), (cause) => failed(path, cause.message))
    const obstacle = Effect.fnUntraced(function* (below: string) {
      const directory = `${canonical}/${below}`
      return obstacleOf(content, directory, canonical) ?? ledToBy(leading, yield* asked(places.of(directory)))
    })
    const directories = yield* Effect.forEach(regenerable, (covering) =>
      IgnoredPaths.examine(fs, `${path}/${covering.path}`, covering, {
        settings,
        owner: content.owner,
        total: DiskUsage.tally()
      }).pipe(
        Effect.flatMap(({ heldBack, ...examined }) =>
          Effect.map(obstacle(covering.path), (found) => ({ ...examined, heldBack: found ?? heldBack }))
        ),
        Effect.catch((cause) => Effect.succeed({ ...covering, usage: DiskUsage.nothing, heldBack: cause.message }))
      )
    )
    return { directories, identity: content.identity }
  }).pipe(bounded("the look at what can be made again"))

const obstacleOf = (
  { isOnDeviceOfRepository, mounts }: GitContent,
  directory: string,
  worktree: string
): string | undefined => {
  if (!isOnDeviceOfRepository) return "it lies on another device than its repository"
  const mount = mounts.find((point) => isOnOrInside(point, directory) || !isOnOrInside(point, worktree))
  return mount === undefined ? undefined : `${mount} is mounted in it, or shows what is in it`
}

const isOnOrInside = (path: string, directory: string): boolean => `${path}/`.startsWith(`${directory}/`)

/** Of the links that lead into the worktree, one that leads to the directory, into it, or to what it lies in. */
const ledToBy = (links: ReadonlyArray<LeadingLinks.Link>, directory: Place.Place): string | undefined => {
  const link = links.find(
    ({ target }) => ClaimIndex.isOnOrInside(target, directory) || ClaimIndex.isOnOrInside(directory, target)
  )
  return link === undefined ? undefined : `the link ${link.path} of another worktree leads to it`
}
