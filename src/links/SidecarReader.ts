import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { Listing, make, readEachBy, Reason, SidecarError, SidecarReader } from "./SidecarReaderContract.ts"
import * as Root from "../shared/core/Root.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"

export * from "./SidecarReaderContract.ts"

/**
 * Reads the sidecar of `root`, through Effect's `FileSystem`.
 */
export const layer = (options: { readonly root: string }): Layer.Layer<SidecarReader, never, FileSystem.FileSystem> =>
  Layer.effect(
    SidecarReader,
    Effect.map(FileSystemFiles.make, (files) => make(files, options.root))
  )

/**
 * Reads the sidecar of `root`, in memory. Layers of the other services see it when they are given the same `files`.
 */
export const layerMemory = (options: {
  readonly root: string
  readonly files: MemoryFiles.Files
}): Layer.Layer<SidecarReader> => Layer.succeed(SidecarReader, make(MemoryFiles.make(options.files), options.root))

const vanished = (name: string): Effect.Effect<never, SidecarError> =>
  Effect.fail(new SidecarError({ reason: Reason.Vanished(), path: name, cause: undefined }))

/**
 * No sidecar lies beside this store: none is consulted, and the history is `Absent`.
 */
export const layerNone: Layer.Layer<SidecarReader> = Layer.succeed(
  SidecarReader,
  SidecarReader.of({
    list: Effect.succeed(Listing.NotConsulted()),
    read: vanished,
    readEach: readEachBy(vanished)
  })
)

/**
 * The sidecar that lies beside a record store: that of the directory above, if the store lies in a directory named
 * `session-manager`, else none.
 */
export const layerBeside = (options: {
  readonly store: string
}): Layer.Layer<SidecarReader, never, FileSystem.FileSystem> => {
  const root = Root.ofStore(options.store)
  return root === undefined ? layerNone : layer({ root })
}
