import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"

/**
 * One directory of a tree. `modifiedAt` is in milliseconds since the epoch, `NaN` where it is not known.
 */
export interface Directory {
  readonly path: string
  readonly device: bigint
  readonly inode: bigint | undefined
  readonly modifiedAt: number
}

/** How many levels of a shallow directory are visited, its own included. */
const shallowLevels = 2

/**
 * Every directory of a tree, the top one first, without `.git`. Of a directory for which `isShallow` holds, given its name and
 * the names that stand beside it, only the top two levels are visited. Links are not followed. A directory that vanishes on
 * the way is passed over.
 */
export const walk = (
  fs: FileSystem.FileSystem,
  top: string,
  isShallow: (name: string, beside: ReadonlyArray<string>) => boolean
): Effect.Effect<ReadonlyArray<Directory>, PlatformError> => {
  const visit = (path: string, levels: number): Effect.Effect<ReadonlyArray<Directory>, PlatformError> =>
    Effect.gen(function* () {
      const info = yield* fs.lstat(path)
      if (info.type !== "Directory") return []
      const here: Directory = {
        path,
        device: BigInt(info.dev),
        inode: Option.getOrUndefined(Option.map(info.ino, BigInt)),
        modifiedAt: Option.match(info.mtime, { onNone: () => NaN, onSome: (time) => time.getTime() })
      }
      if (levels <= 1) return [here]
      const entries = yield* fs.readDirectoryEntries(path)
      const names = entries.map(({ name }) => name)
      const below = yield* Effect.forEach(
        entries.filter(({ name, type }) => type === "Directory" && name !== ".git"),
        ({ name }) => visit(`${path}/${name}`, Math.min(levels - 1, isShallow(name, names) ? shallowLevels : Infinity)),
        { concurrency: 8 }
      )
      return [here, ...below.flat()]
    }).pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])))
  return visit(top, Infinity)
}

/**
 * The numbers of every regular file of a tree. Links are not followed. What vanishes on the way is passed over.
 */
export const files = (fs: FileSystem.FileSystem, top: string): Effect.Effect<ReadonlyArray<Numbered>, PlatformError> =>
  below(fs, top, (path, type) => (type === "File" ? ifThere(Effect.map(fs.lstat(path), numbered)) : Effect.succeed([])))

/**
 * The path of every socket of a tree. Links are not followed. What vanishes on the way is passed over.
 */
export const sockets = (fs: FileSystem.FileSystem, top: string): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  below(fs, top, (path, type) => Effect.succeed(type === "Socket" ? [path] : []))

/** What `of` gives for each entry of a tree that is no directory. */
const below = <A>(
  fs: FileSystem.FileSystem,
  top: string,
  of: (path: string, type: FileSystem.File.Type) => Effect.Effect<ReadonlyArray<A>, PlatformError>
): Effect.Effect<ReadonlyArray<A>, PlatformError> =>
  ifThere(fs.readDirectoryEntries(top)).pipe(
    Effect.flatMap(
      Effect.forEach(
        ({ name, type }): Effect.Effect<ReadonlyArray<A>, PlatformError> =>
          type === "Directory" ? below(fs, `${top}/${name}`, of) : of(`${top}/${name}`, type),
        { concurrency: 8 }
      )
    ),
    Effect.map((found) => found.flat())
  )

/** How a file system counts a file. */
interface Numbered {
  readonly device: bigint
  readonly inode: bigint
}

const numbered = ({ dev, ino }: FileSystem.File.Info): ReadonlyArray<Numbered> =>
  Option.match(ino, { onNone: () => [], onSome: (inode) => [{ device: BigInt(dev), inode: BigInt(inode) }] })

const ifThere = <A>(effect: Effect.Effect<ReadonlyArray<A>, PlatformError>) =>
  Effect.catchReason(effect, "PlatformError", "NotFound", () => Effect.succeed<ReadonlyArray<A>>([]))
