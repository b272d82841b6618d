/**
 * Where regenerable directories lie between their worktree and their removal: beside what lies reclaimed, on the file
 * system of the repository, so that they get there in one step.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import * as OwnDirectory from "./OwnDirectory.ts"

export const of = (commonDirectory: string): string => `${ReclaimedDirectory.of(commonDirectory)}/.slimmed`

/**
 * Makes sure that it is there, each directory of it a real one of `user`.
 */
export const ensure = (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  user: number | undefined
): Effect.Effect<string, string> =>
  Effect.gen(function* () {
    yield* OwnDirectory.ensure(fs, ReclaimedDirectory.of(commonDirectory), user)
    yield* OwnDirectory.ensure(fs, of(commonDirectory), user)
    return of(commonDirectory)
  })

/**
 * The place, or `undefined` where there is none.
 */
export const find = (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  user: number | undefined
): Effect.Effect<string | undefined, string> =>
  Effect.gen(function* () {
    const isThere =
      (yield* OwnDirectory.isThere(fs, ReclaimedDirectory.of(commonDirectory), user)) &&
      (yield* OwnDirectory.isThere(fs, of(commonDirectory), user))
    return isThere ? of(commonDirectory) : undefined
  })
