import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import * as Exposure from "../core/Exposure.ts"
import { type AppendOnlyFiles, type Content, FileFault, isSpelledSo, splitPath } from "../contracts/AppendOnlyFiles.ts"

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants
/** Absent on Windows, which has no FIFO to wait for. */
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0
const pieceBytes = 256 * 1024

/**
 * `AppendOnlyFiles` over synchronous `node:fs`, for processes that live for milliseconds. A file is opened without
 * blocking and then looked at, so that a FIFO cannot hold it, whenever it was put there.
 */
export const files: AppendOnlyFiles = {
  names: (directory) => attempt(directory, () => fs.readdirSync(directory)),
  read: (path) => attempt(path, () => withFile(path, O_RDONLY, readWhole)),
  readEach: (paths, visit) => {
    const from = (start: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const until = performance.now() + momentMillis
        for (let index = start; index < paths.length; index++) {
          visit(index, readShared(paths[index] ?? ""))
          if (performance.now() > until) return Effect.andThen(Effect.yieldNow, from(index + 1))
        }
        return Effect.void
      })
    return from(0)
  },
  chunks: (path, onChunk) => attempt(path, () => withFile(path, O_RDONLY, (fd) => readPieces(fd, onChunk))),
  append: (path, { create, appendix }) =>
    Effect.acquireUseRelease(
      attempt(path, () => openForAppend(path, create)),
      (fd) =>
        Effect.flatMap(
          attempt(path, () => regular(path, fs.fstatSync(fd)).size),
          (size) => {
            const { directory, name } = splitPath(path)
            return Effect.flatMap(isSpelledSo({ isThere, names: files.names }, directory, name), (spelledSo) =>
              spelledSo
                ? attempt(path, () => {
                    const bytes = appendix(lastByte(fd, size))
                    return bytes !== undefined && writeOnce(fd, bytes)
                  })
                : Effect.fail(new FileFault({ kind: "NameFolds", path }))
            )
          }
        ),
      (fd) => Effect.sync(() => fs.closeSync(fd))
    ),
  move: (from, to) =>
    attempt(from, () => {
      regular(from, fs.lstatSync(from))
      fs.mkdirSync(splitPath(to).directory, { recursive: true, mode: 0o700 })
      if (entryExists(to)) throw new FileFault({ kind: "Taken", path: to })
      fs.renameSync(from, to)
    })
}

/** How long the event loop is held at a stretch. */
const momentMillis = 8

const shared = Buffer.allocUnsafe(64 * 1024)

/**
 * Reads into memory that the next call uses again.
 */
const readShared = (path: string): Result.Result<Content, FileFault> => {
  try {
    return Result.succeed(
      withFile(path, O_RDONLY, (fd, stats) => {
        if (stats.size >= shared.length) return readWhole(fd, stats)
        const length = fs.readSync(fd, shared, 0, shared.length, null)
        return length === stats.size
          ? content(shared.subarray(0, length), stats)
          : content(Buffer.concat([shared.subarray(0, length), fs.readFileSync(fd)]), stats)
      })
    )
  } catch (cause) {
    return Result.fail(toFault(path, cause))
  }
}

const attempt = <A>(path: string, evaluate: () => A): Effect.Effect<A, FileFault> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(evaluate())
    } catch (cause) {
      return Effect.fail(toFault(path, cause))
    }
  })

const toFault = (path: string, cause: unknown): FileFault => {
  if (cause instanceof FileFault) return cause
  const code = codeOf(cause)
  const missing = code === "ENOENT" && !entryMayExist(path)
  return new FileFault({ kind: missing ? "Missing" : unopenable.has(code) ? "NotRegular" : "Failed", path, cause })
}

/** How the opening itself fails: of a directory for writing, and of a socket on Linux and on macOS. */
const unopenable: ReadonlySet<unknown> = new Set(["EISDIR", "ENXIO", "EOPNOTSUPP"])

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

const entryExists = (path: string): boolean => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined

const entryMayExist = (path: string): boolean => {
  try {
    return entryExists(path)
  } catch {
    return true
  }
}

const isThere = (path: string): Effect.Effect<boolean, FileFault> => attempt(path, () => entryExists(path))

const regular = (path: string, stats: fs.Stats): fs.Stats => {
  if (!stats.isFile()) throw new FileFault({ kind: "NotRegular", path })
  return stats
}

const withFile = <A>(path: string, flags: number, use: (fd: number, stats: fs.Stats) => A): A => {
  const fd = fs.openSync(path, flags | O_NONBLOCK)
  try {
    return use(fd, regular(path, fs.fstatSync(fd)))
  } finally {
    fs.closeSync(fd)
  }
}

/**
 * A read that gives exactly what `fstat` promised is whole; anything else is read on to the end of the file.
 */
const readWhole = (fd: number, stats: fs.Stats): Content => {
  const bytes = Buffer.allocUnsafe(stats.size + 1)
  const length = fs.readSync(fd, bytes, 0, bytes.length, null)
  return content(
    length === stats.size ? bytes.subarray(0, length) : Buffer.concat([bytes.subarray(0, length), fs.readFileSync(fd)]),
    stats
  )
}

const content = (bytes: Uint8Array, stats: fs.Stats): Content => ({
  bytes,
  modifiedAt: stats.mtimeMs,
  exposed: Exposure.why({ owner: stats.uid, mode: stats.mode }, process.geteuid?.())
})

const readPieces = (fd: number, onChunk: (chunk: Uint8Array) => void): void => {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  for (;;) {
    const read = fs.readSync(fd, buffer, 0, buffer.length, null)
    if (read === 0) return
    onChunk(buffer.subarray(0, read))
  }
}

/**
 * `O_EXCL` keeps a link that points nowhere from being followed and its target from being made.
 */
const openForAppend = (path: string, create: boolean): number => {
  const open = (flags: number) => fs.openSync(path, O_RDWR | O_APPEND | O_NONBLOCK | flags, 0o600)
  try {
    return open(0)
  } catch (cause) {
    if (!create || codeOf(cause) !== "ENOENT") throw cause
  }
  fs.mkdirSync(splitPath(path).directory, { recursive: true, mode: 0o700 })
  try {
    return open(O_CREAT | O_EXCL)
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause
    return open(0)
  }
}

const lastByte = (fd: number, size: number): number | undefined => {
  if (size === 0) return undefined
  const byte = Buffer.allocUnsafe(1)
  return fs.readSync(fd, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined
}

const writeOnce = (fd: number, bytes: Uint8Array): true => {
  const written = fs.writeSync(fd, bytes)
  if (written !== bytes.length) throw new Error(`wrote ${written} of ${bytes.length} bytes`)
  return true
}
