import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import { type AppendOnlyFiles, type Content, FileFault, isSpelledSo, readEachBy, splitPath } from "./AppendOnlyFiles.ts"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"

/** The service of `effect/FileSystem` by its key alone: its module loads streams, which a hook has no use for. */
const FileSystemKey = Context.Service<FileSystem.FileSystem, FileSystem.FileSystem>("effect/FileSystem")

const pieceBytes = 64 * 1024

/**
 * `AppendOnlyFiles` over Effect's `FileSystem`. Between the look at a file's type and its opening lies an instant in
 * which a regular file could be replaced by a FIFO; the layers of `session-liveness/node` close it.
 */
export const make: Effect.Effect<AppendOnlyFiles, never, FileSystem.FileSystem> = Effect.map(
  FileSystemKey,
  (fs): AppendOnlyFiles => {
    const isThere = (path: string): Effect.Effect<boolean, FileFault> =>
      fs.lstat(path).pipe(
        Effect.as(true),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
        Effect.mapError(failed(path))
      )

    const fault = (path: string) => (cause: PlatformError) =>
      cause.reason._tag === "NotFound"
        ? Effect.flatMap(isThere(path), (there) =>
            Effect.fail(new FileFault({ kind: there ? "Failed" : "Missing", path, cause }))
          )
        : Effect.fail(failed(path)(cause))

    const names = (directory: string) => fs.readDirectory(directory).pipe(Effect.catch(fault(directory)))

    const stat = (path: string) => fs.stat(path).pipe(Effect.catch(fault(path)), Effect.flatMap(regular(path)))

    const openExisting = (path: string): Effect.Effect<FileSystem.File, FileFault, Scope.Scope> =>
      Effect.andThen(stat(path), fs.open(path, { flag: "a+", mode: 0o600 }).pipe(Effect.mapError(failed(path))))

    const openNew = (path: string): Effect.Effect<FileSystem.File, FileFault, Scope.Scope> =>
      fs.makeDirectory(splitPath(path).directory, { recursive: true, mode: 0o700 }).pipe(
        Effect.andThen(fs.open(path, { flag: "ax+", mode: 0o600 })),
        Effect.catchReason("PlatformError", "AlreadyExists", () => openExisting(path)),
        Effect.mapError((cause) => (cause._tag === "FileFault" ? cause : failed(path)(cause)))
      )

    const openForAppend = (path: string, create: boolean) =>
      create
        ? Effect.catchIf(
            openExisting(path),
            (cause) => cause.kind === "Missing",
            () => openNew(path)
          )
        : openExisting(path)

    const read = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Content, FileFault> {
      const info = yield* stat(path)
      const bytes = yield* fs.readFile(path).pipe(Effect.catch(fault(path)))
      return {
        bytes,
        modifiedAt: Option.match(info.mtime, { onNone: () => NaN, onSome: (date) => date.getTime() }),
        exposed: WritableByOthers.why({ owner: undefined, mode: info.mode }, undefined)
      }
    })

    return {
      names,
      read,
      readEach: readEachBy(read),
      chunks: (path, onChunk) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* stat(path)
            const file = yield* fs.open(path, { flag: "r" }).pipe(Effect.catch(fault(path)))
            const buffer = new Uint8Array(pieceBytes)
            for (;;) {
              const read = yield* file.read(buffer).pipe(Effect.mapError(failed(path)))
              if (read === 0) return
              yield* Effect.try({
                try: () => onChunk(buffer.subarray(0, read)),
                catch: (cause) => new FileFault({ kind: "Failed", path, cause })
              })
            }
          })
        ),
      append: (path, { create, appendix }) =>
        Effect.scoped(
          Effect.gen(function* () {
            const file = yield* openForAppend(path, create)
            const { size } = yield* file.stat.pipe(Effect.mapError(failed(path)), Effect.flatMap(regular(path)))
            const { directory, name } = splitPath(path)
            if (!(yield* isSpelledSo({ isThere, names }, directory, name))) {
              return yield* new FileFault({ kind: "NameFolds", path })
            }
            const last = size > 0n ? yield* lastByte(file, BigInt(size)).pipe(Effect.mapError(failed(path))) : undefined
            const bytes = appendix(last)
            if (bytes === undefined) return false
            yield* file.writeAll(bytes).pipe(Effect.mapError(failed(path)))
            return true
          })
        ),
      move: Effect.fnUntraced(function* (from, to) {
        const info = yield* fs.lstat(from).pipe(Effect.catch(fault(from)))
        yield* regular(from)(info)
        yield* fs
          .makeDirectory(splitPath(to).directory, { recursive: true, mode: 0o700 })
          .pipe(Effect.mapError(failed(to)))
        if (yield* isThere(to)) return yield* new FileFault({ kind: "Taken", path: to })
        yield* fs.rename(from, to).pipe(Effect.mapError(failed(from)))
      })
    }
  }
)

const failed = (path: string) => (cause: PlatformError) => new FileFault({ kind: "Failed", path, cause })

const regular =
  (path: string) =>
  (info: FileSystem.File.Info): Effect.Effect<FileSystem.File.Info, FileFault> =>
    info.type === "File" ? Effect.succeed(info) : Effect.fail(new FileFault({ kind: "NotRegular", path }))

const lastByte = (file: FileSystem.File, size: bigint): Effect.Effect<number | undefined, PlatformError> => {
  const byte = new Uint8Array(1)
  return Effect.map(file.read(byte, { position: size - 1n }), (read) => (read === 1 ? byte[0] : undefined))
}
