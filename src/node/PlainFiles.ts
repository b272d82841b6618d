/**
 * Regular files, read by synchronous `node:fs` and nothing else: a process that lives for milliseconds has no time to
 * load a runtime. A file is opened without blocking and then looked at, so that a FIFO cannot hold it, whenever it was
 * put there.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats
} from "node:fs"
import type { Content } from "../links/AppendOnlyFiles.ts"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"

const { O_RDONLY } = constants
/** Absent on Windows, which has no FIFO to wait for. */
export const O_NONBLOCK: number = constants.O_NONBLOCK ?? 0

/**
 * A directory, FIFO, socket or device stands where a regular file is asked for.
 */
export class NotRegular extends Error {}

/**
 * The effective user, who may become another one.
 */
export const user = (): number | undefined => process.geteuid?.()

/**
 * The names in a directory, in no particular order.
 */
export const names = (directory: string): ReadonlyArray<string> => readdirSync(directory)

/**
 * The whole file.
 */
export const read = (path: string): Content => withRegular(path, (fd, stats) => readWhole(fd, stats))

/**
 * The whole file, in memory that the next call uses again, also one of `readPieces`. Written out, because thousands of
 * files are read by it, or some hundred in a process that has not warmed up.
 */
export const readShared = (path: string, asker: number | undefined = user()): Content => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    const stats = regular(fstatSync(fd))
    if (stats.size >= shared.length) return readWhole(fd, stats, asker)
    const length = readSync(fd, shared, 0, shared.length, null)
    const bytes = shared.subarray(0, length)
    return content(length === stats.size ? bytes : Buffer.concat([bytes, readFileSync(fd)]), stats, asker)
  } finally {
    closeSync(fd)
  }
}

/**
 * Hands the file over piece by piece, in memory that is used again, also by `readShared`.
 */
export const readPieces = (path: string, onPiece: (piece: Uint8Array) => void): void =>
  withRegular(path, (fd) => {
    for (;;) {
      const read = readSync(fd, shared, 0, shared.length, null)
      if (read === 0) return
      onPiece(shared.subarray(0, read))
    }
  })

/**
 * What was thrown when `path` was read or written. `Missing`: its own name is not there.
 */
export const kindOf = (path: string, cause: unknown): "Missing" | "NotRegular" | "Failed" => {
  if (cause instanceof NotRegular) return "NotRegular"
  const code = codeOf(cause)
  if (code === "ENOENT" && !entryMayExist(path)) return "Missing"
  return unopenable.has(code) ? "NotRegular" : "Failed"
}

export const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

export const regular = (stats: Stats): Stats => {
  if (!stats.isFile()) throw new NotRegular()
  return stats
}

export const entryExists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** How the opening itself fails: of a directory for writing, and of a socket on Linux and on macOS. */
const unopenable: ReadonlySet<unknown> = new Set(["EISDIR", "ENXIO", "EOPNOTSUPP"])

const entryMayExist = (path: string): boolean => {
  try {
    return entryExists(path)
  } catch {
    return true
  }
}

const shared = Buffer.allocUnsafe(64 * 1024)

const withRegular = <A>(path: string, use: (fd: number, stats: Stats) => A): A => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    return use(fd, regular(fstatSync(fd)))
  } finally {
    closeSync(fd)
  }
}

/**
 * A read that gives exactly what `fstat` promised is whole; anything else is read on to the end of the file.
 */
const readWhole = (fd: number, stats: Stats, asker: number | undefined = user()): Content => {
  const bytes = Buffer.allocUnsafe(stats.size + 1)
  const length = readSync(fd, bytes, 0, bytes.length, null)
  return content(
    length === stats.size ? bytes.subarray(0, length) : Buffer.concat([bytes.subarray(0, length), readFileSync(fd)]),
    stats,
    asker
  )
}

const content = (bytes: Uint8Array, stats: Stats, asker: number | undefined): Content => ({
  bytes,
  modifiedAt: stats.mtimeMs,
  exposed: WritableByOthers.why({ owner: stats.uid, mode: stats.mode }, asker)
})
