/**
 * What of a repository speaks for a removal, and may be the doing of another user than the worktree's.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as OtherWriters from "../shared/OtherWriters.ts"

/** Its refs, what it ignores, and how it is asked. */
const spoken: ReadonlyArray<string> = [
  "",
  "/config",
  "/info",
  "/info/exclude",
  "/objects",
  "/packed-refs",
  "/refs",
  "/refs/heads",
  "/refs/remotes",
  "/refs/tags",
  "/reftable",
  "/worktrees"
]

/**
 * The first part of a common git directory that another user may have written, and why.
 */
export const inCommon = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  owner: number | undefined
): Effect.fn.Return<string | undefined, PlatformError> {
  for (const name of spoken) {
    const exposed = yield* why(fs, `${commonDirectory}${name}`, owner)
    if (exposed !== undefined) return exposed
  }
  return undefined
})

/**
 * The same of one file. What is not there nobody has written.
 */
export const why = (
  fs: FileSystem.FileSystem,
  file: string,
  owner: number | undefined
): Effect.Effect<string | undefined, PlatformError> =>
  fs.stat(file).pipe(
    Effect.flatMap((info) => OtherWriters.why(info, owner)),
    Effect.map((exposed) => {
      if (exposed === undefined) return undefined
      const wayOut = exposed.startsWith("belongs") ? "; give it to the user of the worktree with `chown`" : ""
      return `${file} ${exposed}${wayOut}`
    }),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined)
  )
