/**
 * Files that are there whole or not at all, wherever whoever writes them is stopped.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"

/**
 * What to write, and a directory on the same file system where it may be prepared.
 */
export interface WholeFile {
  readonly path: string
  readonly text: string
  readonly mode: number
  readonly workshop: string
}

/**
 * Creates a file, and fails when anything stands there.
 */
export const create = (fs: FileSystem.FileSystem, file: WholeFile): Effect.Effect<void, PlatformError> =>
  prepared(fs, file, (ready) => fs.link(ready, file.path))

/**
 * Puts a file in the place of what stands there.
 */
export const replace = (fs: FileSystem.FileSystem, file: WholeFile): Effect.Effect<void, PlatformError> =>
  prepared(fs, file, (ready) => fs.rename(ready, file.path))

const prepared = <E>(
  fs: FileSystem.FileSystem,
  { text, mode, workshop }: WholeFile,
  use: (ready: string) => Effect.Effect<void, E>
): Effect.Effect<void, E | PlatformError> =>
  Effect.acquireUseRelease(
    fs.makeTempDirectory({ directory: workshop, prefix: ".new-" }),
    (directory) =>
      Effect.gen(function* () {
        const ready = `${directory}/file`
        yield* fs.writeFileString(ready, text)
        yield* fs.chmod(ready, mode)
        yield* use(ready)
      }),
    (directory) => Effect.ignore(fs.remove(directory, { recursive: true }))
  )
