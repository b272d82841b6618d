/**
 * Which worktrees of a repository lie in one another, and which links lead there: by place and identity, because one
 * directory has many names where case is folded, or where it is mounted twice.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Place from "../claims/core/Place.ts"
import * as PlaceIndex from "../claims/core/PlaceIndex.ts"
import * as PathResolver from "../claims/PathResolver.ts"
import type * as GitList from "./core/GitList.ts"
import * as LeadingLinks from "./LeadingLinks.ts"

/**
 * The places of one repository. They are looked up when the first is asked about, and kept as long as this value.
 */
export interface RepositoryPlaces {
  readonly of: (path: string) => Effect.Effect<Place.Place, string>
  /** The worktrees on a place or inside it. */
  readonly worktreesIn: (place: Place.Place) => Effect.Effect<ReadonlyArray<Placed>, string>
  /** The links of any worktree that lead there. */
  readonly linksInto: (place: Place.Place) => Effect.Effect<ReadonlyArray<LeadingLinks.Link>, string>
}

export interface Placed {
  readonly path: string
  readonly place: Place.Place
}

export const make = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktrees: ReadonlyArray<GitList.Worktree>
): Effect.fn.Return<RepositoryPlaces> {
  const resolve = PathResolver.make(fs)
  const of = (path: string) => PathResolver.orText(resolve, path)
  const checkedOut = worktrees.flatMap(({ bare, path }) => (bare ? [] : [path]))
  const placed = yield* Effect.cached(
    Effect.map(
      Effect.forEach(worktrees, ({ path }) => Effect.map(of(path), (place) => ({ path, place })), { concurrency: 16 }),
      (all) => PlaceIndex.build(all, ({ place }) => place)
    )
  )
  const links = yield* Effect.cached(
    Effect.map(LeadingLinks.gather(fs, resolve, checkedOut), (all) => PlaceIndex.build(all, ({ target }) => target))
  )
  return {
    of,
    worktreesIn: (place) => Effect.map(placed, (index) => index(place)),
    linksInto: (place) => Effect.map(links, (index) => index(place))
  }
})
