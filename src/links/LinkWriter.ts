import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { LinkWriter, make } from "./LinkWriterContract.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"

export * from "./LinkWriterContract.ts"

/**
 * Writes to the sidecar of `root`, through Effect's `FileSystem`.
 */
export const layer = (options: { readonly root: string }): Layer.Layer<LinkWriter, never, FileSystem.FileSystem> =>
  Layer.effect(
    LinkWriter,
    Effect.map(FileSystemFiles.make, (files) => make(files, options.root))
  )

/**
 * Writes to the sidecar of `root`, in memory. Layers of the other services see it when they are given the same `files`.
 */
export const layerMemory = (options: {
  readonly root: string
  readonly files: MemoryFiles.Files
}): Layer.Layer<LinkWriter> => Layer.succeed(LinkWriter, make(MemoryFiles.make(options.files), options.root))
