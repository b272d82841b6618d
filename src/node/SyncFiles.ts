import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import {
  type Append,
  type AppendOnlyFiles,
  appendixOf,
  type Content,
  FileFault,
  mostMoves,
  otherSpelling,
  splitPath
} from "../links/AppendOnlyFiles.ts"
import * as OtherWriters from "../shared/OtherWriters.ts"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"
import * as PlainFiles from "./PlainFiles.ts"

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = fs.constants

/**
 * `AppendOnlyFiles` over synchronous `node:fs`, for processes that live for milliseconds.
 */
export const files: AppendOnlyFiles = {
  names: (directory) => attempt(directory, () => PlainFiles.names(directory)),
  read: (path) =>
    Effect.flatMap(OtherWriters.Everybody, (everybody) =>
      attempt(path, () => {
        const content = read(path, PlainFiles.user(), everybody)
        return { ...content, bytes: Uint8Array.from(content.bytes) }
      })
    ),
  readEach: (names, pathOf, visit) =>
    Effect.flatMap(OtherWriters.Everybody, (everybody) => {
      const asker = PlainFiles.user()
      return inMoments(names, (name) => {
        const path = pathOf(name)
        visit(
          name,
          result(path, () => read(path, asker, everybody))
        )
      })
    }),
  scan: (directory, wants, visit) =>
    Effect.flatMap(
      attempt(directory, () => PlainFiles.entries(directory)),
      (entries) =>
        inMoments(entries, (entry) => {
          if (!wants(entry.name)) return
          const path = `${directory}/${entry.name}`
          visit(
            entry.name,
            result(path, () => ({ bytes: PlainFiles.readListed(path, entry) }))
          )
        })
    ),
  chunks: (path, onChunk) => attempt(path, () => PlainFiles.readPieces(path, onChunk)),
  append: (path, options) =>
    attempt(path, () => {
      for (let moves = 0; moves < mostMoves; moves++) {
        const did = appendOnce(path, options)
        if (did !== "MovedAway") return did === "Written"
      }
      throw new Error("it was moved away again and again")
    }),
  move: (from, to) =>
    attempt(from, () => {
      PlainFiles.regular(fs.lstatSync(from))
      fs.mkdirSync(splitPath(to).directory, { recursive: true, mode: 0o700 })
      if (PlainFiles.entryExists(to)) throw new FileFault({ kind: "Taken", path: to })
      fs.renameSync(from, to)
      return Uint8Array.from(PlainFiles.read(to).bytes)
    })
}

/** In memory that the next call uses again. */
const read = (path: string, asker: number | undefined, everybody: number | undefined): Content => {
  const { bytes, stats } = PlainFiles.read(path)
  const standing = { owner: stats.uid, group: stats.gid, mode: stats.mode }
  return { bytes, modifiedAt: stats.mtimeMs, exposed: WritableByOthers.why(standing, asker, everybody) }
}

/** How long the event loop is held at a stretch. */
const momentMillis = 8
const stepsAMoment = 16

const inMoments = <A>(items: ReadonlyArray<A>, step: (item: A) => void): Effect.Effect<void> => {
  const from = (start: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const until = performance.now() + momentMillis
      for (let index = start; index < items.length; index++) {
        step(items[index] as A)
        if (index % stepsAMoment === 0 && performance.now() > until)
          return Effect.andThen(Effect.yieldNow, from(index + 1))
      }
      return Effect.void
    })
  return from(0)
}

const result = <A>(path: string, evaluate: () => A): Result.Result<A, FileFault> => {
  try {
    return Result.succeed(evaluate())
  } catch (cause) {
    return Result.fail(toFault(path, cause))
  }
}

const attempt = <A>(path: string, evaluate: () => A): Effect.Effect<A, FileFault> =>
  Effect.suspend(() => Effect.fromResult(result(path, evaluate)))

const toFault = (path: string, cause: unknown): FileFault => {
  if (cause instanceof FileFault) return cause
  const kind = PlainFiles.kindOf(path, cause)
  return new FileFault(kind === "Failed" ? { kind, path, cause } : { kind, path })
}

const appendOnce = (path: string, options: Append): "Nothing" | "Written" | "MovedAway" => {
  const fd = openForAppend(path, options.create)
  try {
    const stats = PlainFiles.regular(fs.fstatSync(fd))
    const seen = options.shows === "Whole" ? PlainFiles.readOpen(fd, stats.size) : lastByte(fd, stats.size)
    const bytes = Result.getOrThrow(appendixOf(path, options, seen))
    if (bytes === undefined) return "Nothing"
    if (!isSpelledSo(path)) throw new FileFault({ kind: "NameFolds", path })
    const written = fs.writeSync(fd, bytes)
    if (written !== bytes.length) throw new Error(`wrote ${written} of ${bytes.length} bytes`)
    const there = fs.statSync(path, { throwIfNoEntry: false })
    return there?.ino === stats.ino && there.dev === stats.dev ? "Written" : "MovedAway"
  } finally {
    fs.closeSync(fd)
  }
}

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

const lastByte = (fd: number, size: number): Uint8Array => {
  const byte = Buffer.allocUnsafe(1)
  return byte.subarray(0, size === 0 ? 0 : fs.readSync(fd, byte, 0, 1, size - 1))
}
