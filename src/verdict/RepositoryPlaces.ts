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
  /** The worktrees on a place or inside it, and the links that lead there. */
  readonly inside: (place: Place.Place) => Effect.Effect<Inside, string>
}

export interface Inside {
  readonly worktrees: ReadonlyArray<string>
  readonly links: ReadonlyArray<LeadingLinks.Link>
}

export const make = (
  fs: FileSystem.FileSystem,
  worktrees: ReadonlyArray<GitList.Worktree>
): Effect.Effect<RepositoryPlaces> => {
  const resolve = PathResolver.make(fs)
  const of = (path: string) => PathResolver.orText(resolve, path)
  const arrange = Effect.gen(function* () {
    const placed = yield* Effect.forEach(worktrees, ({ path }) => Effect.map(of(path), (place) => ({ path, place })))
    const checkedOut = worktrees.flatMap(({ bare, path }) => (bare ? [] : [path]))
    const links = yield* LeadingLinks.gather(fs, resolve, checkedOut)
    const worktreesIn = PlaceIndex.build(placed, ({ place }) => place)
    const linksIn = PlaceIndex.build(links, ({ target }) => target)
    return (place: Place.Place): Inside => ({
      worktrees: worktreesIn(place).map(({ path }) => path),
      links: linksIn(place)
    })
  })
  return Effect.map(Effect.cached(arrange), (arranged) => ({
    of,
    inside: (place) => Effect.map(arranged, (inside) => inside(place))
  }))
}
