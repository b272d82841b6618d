/**
 * The real file system, some of whose files answer otherwise.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, FileSystem, Layer, PlatformError } from "effect"

type Operation =
  | "readFileString"
  | "readLink"
  | "readDirectory"
  | "readDirectoryEntries"
  | "stat"
  | "lstat"
  | "readFile"

/** What a file answers instead: a failure, or something to read. */
export type Answer =
  | { readonly fails: PlatformError.SystemErrorTag; readonly code: string }
  | { readonly gives: string | ReadonlyArray<string> }

/** The error that Node gives for `code`, as Effect's file system hands it on. */
const error = (method: string, path: string, tag: PlatformError.SystemErrorTag, code: string) =>
  PlatformError.systemError({
    _tag: tag,
    module: "FileSystem",
    method,
    pathOrDescriptor: path,
    cause: Object.assign(new Error(`${code}: ${path}`), { code })
  })

/** `answer` is asked at every look; `undefined` leaves it to the real file system. */
export const layer = (
  answer: (operation: Operation, path: string) => Answer | undefined
): Layer.Layer<FileSystem.FileSystem> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const instead = <A>(operation: Operation, path: string, real: Effect.Effect<A, PlatformError.PlatformError>) =>
        Effect.suspend(() => {
          const given = answer(operation, path)
          if (given === undefined) return real
          return "fails" in given
            ? Effect.fail(error(operation, path, given.fails, given.code))
            : Effect.succeed(given.gives as A)
        })
      return FileSystem.FileSystem.of({
        ...fs,
        readFileString: (path, encoding) => instead("readFileString", path, fs.readFileString(path, encoding)),
        readLink: (path) => instead("readLink", path, fs.readLink(path)),
        readDirectory: (path, options) => instead("readDirectory", path, fs.readDirectory(path, options)),
        readDirectoryEntries: (path) => instead("readDirectoryEntries", path, fs.readDirectoryEntries(path)),
        readFile: (path) => instead("readFile", path, fs.readFile(path)),
        stat: (path) => instead("stat", path, fs.stat(path)),
        lstat: (path) => instead("lstat", path, fs.lstat(path))
      })
    })
  ).pipe(Layer.provide(NodeFileSystem.layer))
