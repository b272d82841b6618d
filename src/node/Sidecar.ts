/**
 * Sidecar and ledger over synchronous `node:fs`, for processes that live for milliseconds: hooks and status lines.
 */
import * as Layer from "effect/Layer"
import * as LinkWriter from "../links/LinkWriter.ts"
import * as SavingsLedger from "../links/SavingsLedger.ts"
import * as SidecarReader from "../links/SidecarReader.ts"
import { files } from "./SyncFiles.ts"

/** Where a layer looks. */
export interface Options {
  readonly root: string
}

/** Reads the sidecar of `root`, synchronously. */
export const layerSidecarReader = (options: Options): Layer.Layer<SidecarReader.SidecarReader> =>
  Layer.succeed(SidecarReader.SidecarReader, SidecarReader.make(files, options.root))

/** Writes to the sidecar of `root`, synchronously. */
export const layerLinkWriter = (options: Options): Layer.Layer<LinkWriter.LinkWriter> =>
  Layer.succeed(LinkWriter.LinkWriter, LinkWriter.make(files, options.root))

/** The savings ledger of `root`, synchronously. */
export const layerSavingsLedger = (options: Options): Layer.Layer<SavingsLedger.SavingsLedger> =>
  Layer.succeed(SavingsLedger.SavingsLedger, SavingsLedger.make(files, options.root))

/** The three of them. */
export const layerSidecar = (
  options: Options
): Layer.Layer<SidecarReader.SidecarReader | LinkWriter.LinkWriter | SavingsLedger.SavingsLedger> =>
  Layer.mergeAll(layerSidecarReader(options), layerLinkWriter(options), layerSavingsLedger(options))
