import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ClaudeId } from "../shared/core/ClaudeId.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import * as Root from "../shared/core/Root.ts"
import { type AppendOnlyFiles, type FileFault, splitPath } from "./AppendOnlyFiles.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"

/**
 * Why a link file was not changed.
 */
export type Reason = Data.TaggedEnum<{
  /** No file of that name is there to be healed or moved. */
  Missing: {}
  /** A directory, FIFO, socket or device stands in its place. */
  NotRegular: {}
  /** The file is larger than `LinkFile.largest`, or would be. */
  TooLarge: {}
  /** The file system folds case, and the name on disk is not exactly the id. */
  NameFolds: {}
  /** The place in the quarantine is taken. */
  Taken: {}
  /** Links lie where nothing is ever moved. */
  Immovable: {}
  /** Anything else; of a write that failed part-way a torn tail may stay, which the next record heals. */
  Failed: {}
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * A write to the sidecar that did not happen, or not whole. `path` names the link file. It is no `Schema.TaggedError`,
 * because hooks have no time to load `Schema`.
 */
export class LinkWriteError extends Data.TaggedError("LinkWriteError")<{
  readonly reason: Reason
  readonly path: string
  readonly cause: unknown
}> {
  override get message(): string {
    return Reason.$match(this.reason, {
      Missing: () => `${this.path} is not there any more; nothing was written, record again`,
      NotRegular: () => `${this.path} is not a regular file; nothing was written, move it out of the sidecar`,
      NameFolds: () =>
        `${this.path} exists under another spelling, and this file system folds names; nothing was written, use the spelling that is there`,
      TooLarge: () => `${this.path} may not grow beyond 1 MiB; nothing was written, move it out of the sidecar`,
      Taken: () =>
        `${this.path} could not be moved, the name is taken in the quarantine; nothing was moved, plan again`,
      Immovable: () => `${this.path} is only ever added to; nothing was moved, and nothing has to be`,
      Failed: () => `${this.path} could not be written whole; check permissions and free space, then record again`
    })
  }
}

/**
 * Changes the sidecar by appending, and by moving whole files away. It never rewrites, truncates or deletes.
 */
export class LinkWriter extends Context.Service<
  LinkWriter,
  {
    /**
     * Appends `claudeId` to the link file of `managedId` in one write, after closing a torn tail, unless it is listed
     * already. Answers whether it wrote. After `true` the link stands in the sidecar, whatever was pruned meanwhile.
     */
    readonly append: (managedId: ManagedId.ManagedId, claudeId: ClaudeId) => Effect.Effect<boolean, LinkWriteError>
    /** Closes a torn tail in one write. Answers whether there was one. */
    readonly closeTail: (managedId: ManagedId.ManagedId) => Effect.Effect<boolean, LinkWriteError>
    /**
     * Moves a link file into the directory `quarantine` beside the sidecar, never over another file, and gives the file
     * as it is once it was moved: a link may have been recorded in it since it was looked at.
     */
    readonly quarantine: (
      managedId: ManagedId.ManagedId,
      quarantine: string
    ) => Effect.Effect<LinkFile.LinkFile, LinkWriteError>
  }
>()("session-liveness/links/LinkWriter") {}

/**
 * A writer to the sidecar of `root` over any files.
 */
export const make = (files: AppendOnlyFiles, root: string): LinkWriter["Service"] => {
  const directory = Root.sidecar(root)
  const path = (managedId: ManagedId.ManagedId) => `${directory}/${managedId}`
  return LinkWriter.of({
    append: (managedId, claudeId) =>
      Effect.catch(
        files.append(path(managedId), {
          create: true,
          shows: "Whole",
          appendix: (bytes) => LinkFile.addition(bytes, claudeId)
        }),
        toError
      ),
    closeTail: (managedId) =>
      Effect.catch(
        files.append(path(managedId), {
          create: false,
          shows: "Whole",
          appendix: (bytes) => Option.getOrUndefined(LinkFile.closing(bytes[bytes.length - 1]))
        }),
        toError
      ),
    quarantine: (managedId, quarantine) =>
      !ManagedId.is(quarantine)
        ? Effect.fail(new LinkWriteError({ reason: Reason.Failed(), path: quarantine, cause: "is no directory name" }))
        : files
            .move(path(managedId), `${splitPath(directory).directory}/${quarantine}/${managedId}`)
            .pipe(Effect.map(LinkFile.parse), Effect.catch(toError))
  })
}

const toError = (fault: FileFault): Effect.Effect<never, LinkWriteError> =>
  Effect.fail(new LinkWriteError({ reason: Reason[fault.kind](), path: fault.path, cause: fault }))

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
