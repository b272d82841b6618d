import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Root from "../shared/core/Root.ts"
import * as StoreFault from "./core/StoreFault.ts"
import type { AppendOnlyFiles, Content, FileFault } from "./AppendOnlyFiles.ts"
import * as Files from "./AppendOnlyFiles.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"

/**
 * Why the sidecar gave no answer.
 */
export type Reason = Data.TaggedEnum<{
  /** The entry was listed, and its own name is gone since: no failure to a reader. */
  Vanished: {}
  /** The entry is no regular file. */
  NotRegular: {}
  /** Anything else: permission, a link that points nowhere, a disk error. */
  Unreadable: {}
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * A look at the sidecar that failed. `path` names the entry or the directory.
 */
export class SidecarError extends Data.TaggedError("SidecarError")<{
  readonly reason: Reason
  readonly path: string
  readonly cause: unknown
}> {
  override get message(): string {
    return StoreFault.inSidecar[this.reason._tag](this.path)
  }
}

/**
 * What one look at the sidecar directory gave. `NotConsulted`: there is no sidecar beside this store. `Absent`: the
 * directory itself does not exist.
 */
export type Listing = Data.TaggedEnum<{
  NotConsulted: {}
  Absent: {}
  Listed: { readonly names: ReadonlyArray<string> }
}>

export const Listing = Data.taggedEnum<Listing>()

/**
 * Reads the sidecar. It decides nothing: names and bytes are handed over as they are.
 */
export class SidecarReader extends Context.Service<
  SidecarReader,
  {
    /** Every name in the sidecar directory, in no particular order. */
    readonly list: Effect.Effect<Listing, SidecarError>
    /** The whole entry of that name. A FIFO, socket, device or directory is never waited for. */
    readonly read: (name: string) => Effect.Effect<Content, SidecarError>
    /**
     * Reads many entries, as `read` does each, and hands them to `visit` in any order. Bytes are only valid until it
     * returns. `readEachBy(read)` is one.
     */
    readonly readEach: (
      names: ReadonlyArray<string>,
      visit: (name: string, content: Result.Result<Content, SidecarError>) => void
    ) => Effect.Effect<void>
  }
>()("session-liveness/links/SidecarReader") {}

/**
 * A reader of the sidecar of `root` over any files.
 */
export const make = (files: AppendOnlyFiles, root: string): SidecarReader["Service"] => {
  const directory = Root.sidecar(root)
  return SidecarReader.of({
    list: Effect.suspend(() => files.names(directory)).pipe(
      Effect.map((names) => Listing.Listed({ names })),
      Effect.catch((fault) =>
        fault.kind === "Missing" ? Effect.succeed(Listing.Absent()) : Effect.fail(toError(fault))
      )
    ),
    read: (name) => Effect.mapError(files.read(`${directory}/${name}`), toError),
    readEach: (names, visit) =>
      files.readEach(
        names.map((name) => `${directory}/${name}`),
        (index, content) => visit(names[index] ?? "", Result.mapError(content, toError))
      )
  })
}

/**
 * `readEach` by one `read` after another, a few of them side by side: for readers that know nothing faster.
 */
export const readEachBy =
  (read: SidecarReader["Service"]["read"]): SidecarReader["Service"]["readEach"] =>
  (names, visit) =>
    Files.readEachBy(read)(names, (index, content) => visit(names[index] ?? "", content))

const toError = (fault: FileFault): SidecarError =>
  new SidecarError({
    reason:
      fault.kind === "Missing"
        ? Reason.Vanished()
        : fault.kind === "NotRegular"
          ? Reason.NotRegular()
          : Reason.Unreadable(),
    path: fault.path,
    cause: fault
  })

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
export const layerNone: Layer.Layer<SidecarReader> = /* @__PURE__ */ Layer.succeed(
  SidecarReader,
  /* @__PURE__ */ SidecarReader.of({
    list: /* @__PURE__ */ Effect.succeed(/* @__PURE__ */ Listing.NotConsulted()),
    read: vanished,
    readEach: /* @__PURE__ */ readEachBy(vanished)
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
