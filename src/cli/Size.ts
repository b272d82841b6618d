/**
 * How much of a disk a tree takes.
 */
import { Effect } from "effect"
import * as fs from "node:fs"

export interface Size {
  readonly bytes: number
  /** False when the tree holds more than was looked at. */
  readonly whole: boolean
}

/** How many entries of one tree are looked at, unless given: a walk must end, whatever is in there. */
const defaultBound = 50_000

/**
 * Walks a tree without following links or leaving its file system. A file of several names counts once.
 */
export const of = (root: string, bound: number = defaultBound): Effect.Effect<Size> =>
  Effect.gen(function* () {
    const device = lstat(root)?.dev
    const several = new Set<bigint>()
    const directories = [root]
    let size: Size = { bytes: 0, whole: true }
    let seen = 0
    for (let directory; (directory = directories.pop()) !== undefined;) {
      for (const path of entries(directory)) {
        if (path === undefined || ++seen > bound) {
          size = { ...size, whole: false }
          break
        }
        const info = lstat(path)
        if (info === undefined) {
          size = { ...size, whole: false }
          continue
        }
        if (info.dev !== device || several.has(info.ino)) continue
        if (info.isDirectory()) directories.push(path)
        else if (info.nlink > 1n) several.add(info.ino)
        size = { ...size, bytes: size.bytes + Number(info.blocks) * blockSize }
      }
      if (seen > bound) break
      yield* Effect.yieldNow
    }
    return size
  })

/** What `blocks` counts, whatever the file system's own blocks are. */
const blockSize = 512

/** The paths in a directory, and `undefined` where they cannot be listed any further. */
function* entries(directory: string): Generator<string | undefined> {
  let open: fs.Dir | undefined
  try {
    open = fs.opendirSync(directory)
    for (let entry; (entry = open.readSync()) !== null;) yield `${directory}/${entry.name}`
  } catch {
    yield undefined
  } finally {
    open?.closeSync()
  }
}

const lstat = (path: string): fs.BigIntStats | undefined => {
  try {
    return fs.lstatSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

const units = ["KiB", "MiB", "GiB", "TiB"] as const

/** A size for a person: `840 KiB`, `more than 3.2 GiB`. */
export const text = ({ bytes, whole }: Size): string => {
  let amount = bytes / 1024
  let unit = 0
  for (; amount >= 1000 && unit < units.length - 1; unit++) amount /= 1024
  return `${whole ? "" : "more than "}${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`
}
