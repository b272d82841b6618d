import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import {
  type Append,
  type AppendOnlyFiles,
  appendixOf,
  type Content,
  FileFault,
  isSpelledSo,
  mostMoves,
  readEachBy,
  scanBy,
  splitPath
} from "./AppendOnlyFiles.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as OtherWriters from "../shared/OtherWriters.ts"

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

    const readAll = (path: string, size: number) =>
      fs.open(path, { flag: "r" }).pipe(
        Effect.catch(fault(path)),
        Effect.flatMap((file) => readOpen(file, path, size)),
        Effect.scoped
      )

    const read = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Content, FileFault> {
      const info = yield* stat(path)
      return {
        bytes: yield* readAll(path, Number(info.size)),
        modifiedAt: Option.match(info.mtime, { onNone: () => NaN, onSome: (date) => date.getTime() }),
        exposed: yield* OtherWriters.why(info, undefined)
      }
    })

    const readEach = readEachBy(read)

    /** Whether the file that was opened still has the name by which it was. */
    const isStillAt = (path: string, opened: FileSystem.File.Info): Effect.Effect<boolean, FileFault> =>
      fs.stat(path).pipe(
        Effect.map(({ dev, ino }) => dev === opened.dev && Option.getOrNull(ino) === Option.getOrNull(opened.ino)),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
        Effect.mapError(failed(path))
      )

    const appendOnce = Effect.fnUntraced(function* (path: string, options: Append) {
      const file = yield* openForAppend(path, options.create)
      const info = yield* file.stat.pipe(Effect.mapError(failed(path)), Effect.flatMap(regular(path)))
      const seen =
        options.shows === "Whole"
          ? yield* readOpen(file, path, Number(info.size))
          : yield* lastByte(file, path, Number(info.size))
      const bytes = yield* Effect.fromResult(appendixOf(path, options, seen))
      if (bytes === undefined) return "Nothing"
      const { directory, name } = splitPath(path)
      if (!(yield* isSpelledSo({ isThere, names }, directory, name))) {
        return yield* new FileFault({ kind: "NameFolds", path })
      }
      yield* file.writeAll(bytes).pipe(Effect.mapError(failed(path)))
      return (yield* isStillAt(path, info)) ? "Written" : "MovedAway"
    }, Effect.scoped)

    return {
      names,
      read,
      readEach,
      scan: scanBy({ names, readEach }),
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
      append: Effect.fnUntraced(function* (path, options) {
        for (let moves = 0; moves < mostMoves; moves++) {
          const did = yield* appendOnce(path, options)
          if (did !== "MovedAway") return did === "Written"
        }
        return yield* new FileFault({ kind: "Failed", path, cause: new Error("it was moved away again and again") })
      }),
      move: Effect.fnUntraced(function* (from, to) {
        const info = yield* fs.lstat(from).pipe(Effect.catch(fault(from)))
        yield* regular(from)(info)
        yield* fs
          .makeDirectory(splitPath(to).directory, { recursive: true, mode: 0o700 })
          .pipe(Effect.mapError(failed(to)))
        if (yield* isThere(to)) return yield* new FileFault({ kind: "Taken", path: to })
        yield* fs.rename(from, to).pipe(Effect.mapError(failed(from)))
        return yield* readAll(to, Number(info.size))
      })
    }
  }
)

const failed = (path: string) => (cause: PlatformError) => new FileFault({ kind: "Failed", path, cause })

const regular =
  (path: string) =>
  (info: FileSystem.File.Info): Effect.Effect<FileSystem.File.Info, FileFault> =>
    info.type === "File" ? Effect.succeed(info) : Effect.fail(new FileFault({ kind: "NotRegular", path }))

/**
 * Reads to the end of the file, unless it is too large. A first read that gives exactly the `size` that was promised is
 * whole.
 */
const readOpen = Effect.fnUntraced(function* (
  file: FileSystem.File,
  path: string,
  size: number
): Effect.fn.Return<Uint8Array, FileFault> {
  const tooLarge = new FileFault({ kind: "TooLarge", path })
  if (size > LinkFile.largest) return yield* tooLarge
  let bytes = new Uint8Array(size + 1)
  for (let length = 0; ;) {
    const read = yield* file.read(bytes.subarray(length)).pipe(Effect.mapError(failed(path)))
    length += read
    if (read === 0 || length === size) return bytes.subarray(0, length)
    if (length > LinkFile.largest) return yield* tooLarge
    if (length === bytes.length) {
      const larger = new Uint8Array(LinkFile.largest + 1)
      larger.set(bytes)
      bytes = larger
    }
  }
})

const lastByte = (file: FileSystem.File, path: string, size: number): Effect.Effect<Uint8Array, FileFault> => {
  const byte = new Uint8Array(1)
  if (size === 0) return Effect.succeed(byte.subarray(1))
  return file.read(byte, { position: BigInt(size - 1) }).pipe(
    Effect.map((read) => byte.subarray(0, read)),
    Effect.mapError(failed(path))
  )
}
