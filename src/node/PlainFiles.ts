/**
 * Regular files, read by synchronous `node:fs` and nothing else: a process that lives for milliseconds has no time to
 * load a runtime. A file is opened without blocking and then looked at, so that a FIFO cannot hold it, whenever it was
 * put there.
 */
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats
} from "node:fs"
import * as LinkFile from "../links/core/LinkFile.ts"

const { O_RDONLY } = constants
/** Both are absent on Windows, which has no FIFO to wait for. */
export const O_NONBLOCK: number = constants.O_NONBLOCK ?? 0
const O_NOFOLLOW: number = constants.O_NOFOLLOW ?? 0

/**
 * A directory, FIFO, socket or device stands where a regular file is asked for.
 */
export class NotRegular extends Error {}

/**
 * The file is larger than `LinkFile.largest`.
 */
export class TooLarge extends Error {}

/**
 * The effective user, who may become another one.
 */
export const user = (): number | undefined => process.geteuid?.()

/**
 * The names in a directory, in no particular order.
 */
export const names = (directory: string): ReadonlyArray<string> => readdirSync(directory)

/**
 * The same with their types.
 */
export const entries = (directory: string): ReadonlyArray<Dirent> => readdirSync(directory, { withFileTypes: true })

/**
 * The whole file, in memory that the next call of anything here uses again.
 */
export const read = (path: string): { readonly bytes: Uint8Array; readonly stats: Stats } => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    const stats = regular(fstatSync(fd))
    return { bytes: readOpen(fd, stats.size), stats }
  } finally {
    closeSync(fd)
  }
}

/**
 * The bytes of a file that its directory lists, in memory that is used again. Where the entry is a regular file, opening
 * it without following links and without blocking takes the place of `fstat`: what was put in its place meanwhile either
 * does not open, or gives no bytes, or fills the buffer. A full buffer and everything else goes the long way.
 */
export const readListed = (path: string, entry: Dirent): Uint8Array => {
  if (entry.isFile()) {
    const fd = openUnfollowed(path)
    if (fd !== undefined) {
      try {
        const length = readSync(fd, shared, 0, shared.length, null)
        if (length < shared.length) return shared.subarray(0, length)
      } finally {
        closeSync(fd)
      }
    }
  }
  return read(path).bytes
}

/**
 * What is in an open file, in memory that is used again. A first read that gives exactly the `size` that `fstat`
 * promised is whole; anything else is read on, to the end of the file or until it is too large.
 */
export const readOpen = (fd: number, size: number): Uint8Array => {
  if (size > LinkFile.largest) throw new TooLarge()
  let bytes = shared
  for (let length = 0; ;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    length += read
    if (read === 0 || length === size) return bytes.subarray(0, length)
    if (length > LinkFile.largest) throw new TooLarge()
    if (length === bytes.length) {
      bytes = Buffer.allocUnsafe(LinkFile.largest + 1)
      shared.copy(bytes)
    }
  }
}

/**
 * Hands the file over piece by piece, in memory that is used again.
 */
export const readPieces = (path: string, onPiece: (piece: Uint8Array) => void): void => {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    regular(fstatSync(fd))
    for (;;) {
      const read = readSync(fd, shared, 0, shared.length, null)
      if (read === 0) return
      onPiece(shared.subarray(0, read))
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * What was thrown when `path` was read or written. `Missing`: its own name is not there.
 */
export const kindOf = (path: string, cause: unknown): "Missing" | "NotRegular" | "TooLarge" | "Failed" => {
  if (cause instanceof NotRegular) return "NotRegular"
  if (cause instanceof TooLarge) return "TooLarge"
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

/** `undefined`: a link stands there by now. */
const openUnfollowed = (path: string): number | undefined => {
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  } catch (cause) {
    if (codeOf(cause) === "ELOOP") return undefined
    throw cause
  }
}
