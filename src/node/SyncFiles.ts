import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import { type AppendOnlyFiles, type Content, FileFault, otherSpelling, splitPath } from "../links/AppendOnlyFiles.ts"
import * as PlainFiles from "./PlainFiles.ts"

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = fs.constants

/**
 * `AppendOnlyFiles` over synchronous `node:fs`, for processes that live for milliseconds.
 */
export const files: AppendOnlyFiles = {
  names: (directory) => attempt(directory, () => PlainFiles.names(directory)),
  read: (path) => attempt(path, () => PlainFiles.read(path)),
  readEach: (paths, visit) => {
    const from = (start: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const until = performance.now() + momentMillis
        const asker = PlainFiles.user()
        for (let index = start; index < paths.length; index++) {
          visit(index, readShared(paths[index] ?? "", asker))
          if (index % filesAMoment === 0 && performance.now() > until)
            return Effect.andThen(Effect.yieldNow, from(index + 1))
        }
        return Effect.void
      })
    return from(0)
  },
  chunks: (path, onChunk) => attempt(path, () => PlainFiles.readPieces(path, onChunk)),
  append: (path, { create, appendix }) =>
    attempt(path, () => {
      const fd = openForAppend(path, create)
      try {
        const { size } = PlainFiles.regular(fs.fstatSync(fd))
        if (!isSpelledSo(path)) throw new FileFault({ kind: "NameFolds", path })
        const bytes = appendix(lastByte(fd, size))
        return bytes !== undefined && writeOnce(fd, bytes)
      } finally {
        fs.closeSync(fd)
      }
    }),
  move: (from, to) =>
    attempt(from, () => {
      PlainFiles.regular(fs.lstatSync(from))
      fs.mkdirSync(splitPath(to).directory, { recursive: true, mode: 0o700 })
      if (PlainFiles.entryExists(to)) throw new FileFault({ kind: "Taken", path: to })
      fs.renameSync(from, to)
    })
}

/** How long the event loop is held at a stretch. */
const momentMillis = 8
const filesAMoment = 16

const readShared = (path: string, asker: number | undefined): Result.Result<Content, FileFault> => {
  try {
    return Result.succeed(PlainFiles.readShared(path, asker))
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

const toFault = (path: string, cause: unknown): FileFault =>
  cause instanceof FileFault
    ? cause
    : new FileFault({
        kind: PlainFiles.kindOf(path, cause),
        path,
        ...(cause instanceof PlainFiles.NotRegular ? {} : { cause })
      })

const isSpelledSo = (path: string): boolean => {
  const { directory, name } = splitPath(path)
  const other = otherSpelling(name)
  if (other === name) return true
  if (other !== undefined && !PlainFiles.entryExists(`${directory}/${other}`)) return true
  return PlainFiles.names(directory).includes(name)
}

/**
 * `O_EXCL` keeps a link that points nowhere from being followed and its target from being made.
 */
const openForAppend = (path: string, create: boolean): number => {
  const open = (flags: number) => fs.openSync(path, O_RDWR | O_APPEND | PlainFiles.O_NONBLOCK | flags, 0o600)
  try {
    return open(0)
  } catch (cause) {
    if (!create || PlainFiles.codeOf(cause) !== "ENOENT") throw cause
  }
  fs.mkdirSync(splitPath(path).directory, { recursive: true, mode: 0o700 })
  try {
    return open(O_CREAT | O_EXCL)
  } catch (cause) {
    if (PlainFiles.codeOf(cause) !== "EEXIST") throw cause
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
