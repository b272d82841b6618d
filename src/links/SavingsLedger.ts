import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { SavingsLedger, make } from "./SavingsLedgerContract.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"

export * from "./SavingsLedgerContract.ts"

/**
 * The savings ledger of `root`, through Effect's `FileSystem`.
 */
export const layer = (options: { readonly root: string }): Layer.Layer<SavingsLedger, never, FileSystem.FileSystem> =>
  Layer.effect(
    SavingsLedger,
    Effect.map(FileSystemFiles.make, (files) => make(files, options.root))
  )

/**
 * The savings ledger of `root`, in memory. Layers of the other services see it when they are given the same `files`.
 */
export const layerMemory = (options: {
  readonly root: string
  readonly files: MemoryFiles.Files
}): Layer.Layer<SavingsLedger> => Layer.succeed(SavingsLedger, make(MemoryFiles.make(options.files), options.root))
