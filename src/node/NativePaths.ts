import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import * as fs from "node:fs"
import { toError } from "./ProcFileSystem.ts"

/**
 * The file system below it, except that a path is made canonical by one call instead of one for each of its parts.
 */
export const layerNativePaths: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (below) =>
    FileSystem.FileSystem.of({
      ...below,
      realPath: (path) =>
        Effect.callback<string, PlatformError>((resume) =>
          fs.realpath.native(path, (cause, canonical) =>
            resume(cause === null ? Effect.succeed(canonical) : Effect.fail(toError("realPath", path, cause)))
          )
        )
    })
  )
)
