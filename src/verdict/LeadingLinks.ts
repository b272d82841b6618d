/**
 * Symbolic links that lead from one worktree into another, as people make them to share a directory.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import type * as Place from "../claims/core/Place.ts"
import * as PathResolver from "../claims/PathResolver.ts"

export interface Link {
  readonly path: string
  /** The worktree that it lies in. */
  readonly worktree: string
  /** Where it leads, or would once something is there. */
  readonly target: Place.Place
}

const concurrency = 16

/**
 * The links in the top two levels of these worktrees, a scope of `node_modules` not counted as one. One that stays in its own may still lead into another that lies
 * within it, as an agent's worktree lies in the main one. What vanishes meanwhile is none.
 */
export const gather = (
  fs: FileSystem.FileSystem,
  resolve: PathResolver.PathResolver,
  worktrees: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Link>, string> =>
  Effect.forEach(worktrees, (worktree) => inWorktree(fs, worktree), { concurrency }).pipe(
    Effect.mapError(({ message }) => message),
    Effect.flatMap((found) =>
      Effect.forEach(
        found.flat(),
        ({ path, worktree, target }) =>
          Effect.map(PathResolver.orText(resolve, target), (target): Link => ({ path, worktree, target })),
        { concurrency }
      )
    )
  )

interface Read {
  readonly path: string
  readonly worktree: string
  readonly target: string
}

const inWorktree = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktree: string
): Effect.fn.Return<ReadonlyArray<Read>, PlatformError> {
  const entriesOf = (directory: string) =>
    fs.readDirectoryEntries(directory).pipe(
      Effect.map((entries) => entries.map(({ name, type }) => ({ path: `${directory}/${name}`, type }))),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
      // A worktree that is no directory any more holds no links.
      Effect.catchReason("PlatformError", "BadResource", () => Effect.succeed([]))
    )
  const top = yield* entriesOf(worktree)
  const below = yield* Effect.forEach(
    top.filter(({ path, type }) => type === "Directory" && !path.endsWith("/.git")),
    ({ path }) => entriesOf(path)
  )
  const scoped = yield* Effect.forEach(
    below.flat().filter(({ path, type }) => type === "Directory" && /\/node_modules\/@[^/]+$/.test(path)),
    ({ path }) => entriesOf(path)
  )
  const found = yield* Effect.forEach(
    [...top, ...below.flat(), ...scoped.flat()].filter(({ type }) => type === "SymbolicLink" || type === "Unknown"),
    ({ path, type }) => leadsTo(fs, worktree, path, type)
  )
  return found.flat()
})

/** Where a link leads that cannot be read is not known, so that no worktree is known to be led to by none. */
const leadsTo = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktree: string,
  path: string,
  type: FileSystem.File.Type
): Effect.fn.Return<ReadonlyArray<Read>, PlatformError> {
  const isLink = type === "SymbolicLink" || (yield* orGone(fs.lstat(path)))?.type === "SymbolicLink"
  const text = isLink ? yield* orGone(fs.readLink(path)) : undefined
  if (text === undefined) return []
  const spelled = text.startsWith("/") ? text : `${path.slice(0, path.lastIndexOf("/"))}/${text}`
  const target = yield* orGone(fs.realPath(path)).pipe(
    // A loop leads nowhere.
    Effect.catchReason("PlatformError", "BadResource", () => Effect.undefined)
  )
  return [{ path, worktree, target: target ?? spelled }]
})

const orGone = <A>(self: Effect.Effect<A, PlatformError>): Effect.Effect<A | undefined, PlatformError> =>
  Effect.catchReason(self, "PlatformError", "NotFound", () => Effect.undefined)
