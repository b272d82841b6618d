import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as ClaudeId from "../shared/core/ClaudeId.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import * as Root from "../shared/core/Root.ts"
import * as LinkFile from "./core/LinkFile.ts"
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
  /** The entry is not a regular file. */
  NotRegular: {}
  /** The entry is larger than `LinkFile.largest`. */
  TooLarge: {}
  /** Anything else: permission, a link that points nowhere, a disk error. */
  Unreadable: {}
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * A read of the sidecar that failed. `path` names the entry or the directory. It is no `Schema.TaggedError`, because
 * hooks have no time to load `Schema`.
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
 * The link files that list one Claude id, and every link file that could not be read.
 */
export interface Found {
  readonly files: ReadonlyArray<{ readonly managedId: ManagedId.ManagedId; readonly file: LinkFile.LinkFile }>
  readonly faults: ReadonlyArray<SidecarError>
}

/**
 * Reads the sidecar.
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
    /** Every link file that lists `claudeId`. `findBy` is one over `list` and `readEach`. */
    readonly find: (claudeId: ClaudeId.ClaudeId) => Effect.Effect<Found, SidecarError>
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
        names,
        (name) => `${directory}/${name}`,
        (name, content) => visit(name, Result.mapError(content, toError))
      ),
    find: (claudeId) =>
      Effect.suspend(() => {
        const { found, visit } = finding(claudeId)
        return files
          .scan(directory, ManagedId.is, (name, content) => visit(name, Result.mapError(content, toError)))
          .pipe(
            Effect.catch((fault) => (fault.kind === "Missing" ? Effect.void : Effect.fail(toError(fault)))),
            Effect.as(found)
          )
      })
  })
}

/**
 * `readEach` by one `read` after another, a few of them side by side: for readers that know nothing faster.
 */
export const readEachBy =
  (read: SidecarReader["Service"]["read"]): SidecarReader["Service"]["readEach"] =>
  (names, visit) =>
    Files.readEachBy(read)(names, (name) => name, visit)

/**
 * `find` by a listing, then `readEach`: for readers that know nothing faster. An entry that `readEach` leaves out could
 * not be read.
 */
export const findBy =
  (reader: Pick<SidecarReader["Service"], "list" | "readEach">): SidecarReader["Service"]["find"] =>
  (claudeId) =>
    Effect.gen(function* () {
      const listing = yield* reader.list
      const { found, visit } = finding(claudeId)
      if (listing._tag !== "Listed") return found
      const leftOut = yield* readWhole(reader, listing.names.filter(ManagedId.is), visit)
      return { ...found, faults: [...found.faults, ...leftOut] }
    })

const finding = (claudeId: ClaudeId.ClaudeId) => {
  const files: Array<Found["files"][number]> = []
  const faults: Array<SidecarError> = []
  const mayList = LinkFile.mayList(claudeId)
  const visit = (name: string, content: Result.Result<Pick<Content, "bytes">, SidecarError>): void => {
    if (Result.isFailure(content)) {
      if (content.failure.reason._tag !== "Vanished") faults.push(content.failure)
    } else if (mayList(content.success.bytes) && ManagedId.is(name)) {
      files.push({ managedId: name, file: LinkFile.parse(content.success.bytes) })
    }
  }
  return { found: { files, faults }, visit }
}

/**
 * Reads each of `names`, and answers those that the reader left out: it has read only a part of the sidecar. What comes
 * in the order of `names` costs nothing to keep account of.
 */
export const readWhole = Effect.fnUntraced(function* (
  { readEach }: Pick<SidecarReader["Service"], "readEach">,
  names: ReadonlyArray<string>,
  visit: (name: string, content: Result.Result<Content, SidecarError>) => void
): Effect.fn.Return<ReadonlyArray<SidecarError>> {
  const early = new Set<string>()
  let inOrder = 0
  yield* readEach(names, (name, content) => {
    if (name === names[inOrder]) inOrder++
    else early.add(name)
    visit(name, content)
  })
  return names
    .slice(inOrder)
    .filter((name) => !early.has(name))
    .map((path) => new SidecarError({ reason: Reason.Unreadable(), path, cause: "the reader left it out" }))
})

const reasonOf: Record<FileFault["kind"], keyof typeof StoreFault.inSidecar> = {
  Missing: "Vanished",
  NotRegular: "NotRegular",
  TooLarge: "TooLarge",
  Taken: "Unreadable",
  NameFolds: "Unreadable",
  Failed: "Unreadable"
}

const toError = (fault: FileFault): SidecarError =>
  new SidecarError({ reason: Reason[reasonOf[fault.kind]](), path: fault.path, cause: fault })

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
    readEach: /* @__PURE__ */ readEachBy(vanished),
    find: () => Effect.succeed({ files: [], faults: [] })
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
