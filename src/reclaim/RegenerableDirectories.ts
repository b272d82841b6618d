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
import type { Beside, GitContent } from "../verdict/GitContent.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import type * as LeadingLinks from "../verdict/LeadingLinks.ts"
import * as RepositoryPlaces from "../verdict/RepositoryPlaces.ts"
import type * as SlimPlan from "./core/SlimPlan.ts"
import { bounded, type NoAnswer } from "./Services.ts"

export interface Found<D> {
  readonly directories: ReadonlyArray<D>
  readonly identity: GitContent["identity"]
}

/** A directory that a tool makes, and what keeps it as far as its surroundings tell. */
export interface Covered extends Regenerable.Covering {
  readonly heldBack: string | undefined
}

type Look<D> = Effect.Effect<Found<D>, GitError | NoAnswer, Git | FileSystem.FileSystem>

/**
 * The directories that are ignored as a whole and that a tool makes; what is in them is not looked at. `beside` is what an
 * inspection told a moment ago; without it git is asked.
 */
export const look = (
  repository: Repository,
  worktree: GitList.Worktree,
  settings: Regenerable.Settings,
  places: RepositoryPlaces.RepositoryPlaces,
  beside?: Beside | undefined
): Look<Covered> => bounded(what)(cover(repository, worktree, settings, places, beside))

/**
 * The same, and goes over each of them.
 */
export const find = (
  repository: Repository,
  worktree: GitList.Worktree,
  settings: Regenerable.Settings,
  places: RepositoryPlaces.RepositoryPlaces
): Look<SlimPlan.Directory> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { owner, identity, directories } = yield* cover(repository, worktree, settings, places)
    const examined = yield* Effect.forEach(directories, ({ heldBack, ...covering }) =>
      IgnoredPaths.examine(fs, `${worktree.path}/${covering.path}`, covering, {
        settings,
        owner,
        total: DiskUsage.tally()
      }).pipe(
        Effect.map((found) => ({ ...found, heldBack: heldBack ?? found.heldBack })),
        Effect.catch((cause) => Effect.succeed({ ...covering, usage: DiskUsage.nothing, heldBack: cause.message }))
      )
    )
    return { directories: examined, identity }
  }).pipe(bounded(what))

const what = "the look at what can be made again"

const cover = Effect.fnUntraced(function* (
  repository: Repository,
  worktree: GitList.Worktree,
  settings: Regenerable.Settings,
  places: RepositoryPlaces.RepositoryPlaces,
  beside?: Beside | undefined
) {
  const fs = yield* FileSystem.FileSystem
  const git = yield* Git
  const { path } = worktree
  const content = yield* git.content(repository, worktree, beside)
  const { regenerable } = yield* IgnoredPaths.divide(fs, path, content, settings)
  const asked = Effect.mapError((detail: string) => failed(path, detail))
  const links = yield* asked(Effect.flatMap(places.of(path), places.linksInto))
  const leading = links.filter((link) => link.worktree !== path)
  const canonical = yield* Effect.mapError(fs.realPath(path), (cause) => failed(path, cause.message))
  const directories = yield* Effect.forEach(
    regenerable,
    Effect.fnUntraced(function* (covering) {
      const directory = `${canonical}/${covering.path}`
      const obstacle = obstacleOf(content, directory, canonical) ?? ledToBy(leading, yield* asked(places.of(directory)))
      return { ...covering, heldBack: obstacle } satisfies Covered
    })
  )
  return { directories, identity: content.identity, owner: content.owner }
})

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
