import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { type PlatformError, type SystemErrorTag, systemError } from "effect/PlatformError"
import * as fs from "node:fs"

/**
 * The file system below it, except that what `/proc` tells of processes is read without the detour over another thread,
 * which costs many times the read itself. Only what the kernel answers from its own tables is read so: a command line lies
 * in the memory of the process, which can keep a reader waiting for ever, and a list of mounts waits for whoever mounts.
 */
export const layerProcFiles: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (below) =>
    FileSystem.FileSystem.of({
      ...below,
      readFileString: (path, encoding) => {
        if (encoding !== undefined) return below.readFileString(path, encoding)
        if (isOwnTable(path)) return attempt("readFileString", path, () => fs.readFileSync(path, "utf8"))
        return isCommandLine(path) ? readApart(path) : below.readFileString(path)
      },
      readLink: (path) =>
        isOwnTable(path) ? attempt("readLink", path, () => fs.readlinkSync(path)) : below.readLink(path),
      readDirectory: (path, options) =>
        options === undefined && isOwnTable(path)
          ? attempt("readDirectory", path, () => fs.readdirSync(path))
          : below.readDirectory(path, options)
    })
  )
)

/** What lies below `root` or `cwd` of a process is on any file system, and is none of these. */
const isOwnTable = (path: string): boolean =>
  /^\/proc(\/(self|[0-9]+)(\/task\/[0-9]+)?)?(\/(stat|status|exe|cwd|root|task|fd|fd\/[0-9]+|ns\/[a-z]+))?$/.test(path)

const isCommandLine = (path: string): boolean => /^\/proc\/[0-9]+(\/task\/[0-9]+)?\/cmdline$/.test(path)

const pieceBytes = 4 * 1024

/**
 * Opens and closes here, and waits only for the reads. A command line ends with NUL: a short piece that does is its last,
 * and so is one that holds nothing.
 */
const readApart = (path: string): Effect.Effect<string, PlatformError> =>
  Effect.callback<string, PlatformError>((resume) => {
    let fd: number
    try {
      fd = fs.openSync(path, "r")
    } catch (cause) {
      return resume(Effect.fail(toError("readFileString", path, cause)))
    }
    const pieces: Array<Buffer> = []
    const next = () => {
      const piece = Buffer.allocUnsafe(pieceBytes)
      fs.read(fd, piece, 0, pieceBytes, null, (cause, length) => {
        if (cause === null) pieces.push(piece.subarray(0, length))
        if (cause === null && length > 0 && !(length < pieceBytes && piece[length - 1] === 0)) return next()
        fs.closeSync(fd)
        resume(
          cause === null
            ? Effect.succeed(Buffer.concat(pieces).toString("utf8"))
            : Effect.fail(toError("readFileString", path, cause))
        )
      })
    }
    next()
  })

const attempt = <A>(method: string, path: string, run: () => A): Effect.Effect<A, PlatformError> =>
  Effect.try({ try: run, catch: (cause) => toError(method, path, cause) })

/** The same as the file system below gives. */
export const toError = (method: string, path: string, cause: unknown): PlatformError =>
  systemError({ _tag: tagOf(cause), module: "FileSystem", method, pathOrDescriptor: path, cause })

const tagOf = (cause: unknown): SystemErrorTag => {
  switch (cause instanceof Error && "code" in cause ? cause.code : undefined) {
    case "ENOENT":
      return "NotFound"
    case "EACCES":
    case "EPERM":
      return "PermissionDenied"
    case "EISDIR":
    case "ENOTDIR":
    case "ELOOP":
      return "BadResource"
    default:
      return "Unknown"
  }
}
