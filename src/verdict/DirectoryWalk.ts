/**
 * Goes over everything below a directory, and over nothing else: links are not followed, and another file system is not
 * entered.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import type * as DiskUsage from "./core/DiskUsage.ts"

/**
 * One name in a directory, as it is itself.
 */
export interface Listed extends DiskUsage.Entry {
  readonly name: string
  readonly isDirectory: boolean
  readonly mode: number
  readonly owner: number | undefined
}

/**
 * The names in a directory with what `lstat` says of each. A name that has vanished meanwhile is left out.
 */
export type List = (fs: FileSystem.FileSystem, directory: string) => Effect.Effect<ReadonlyArray<Listed>, PlatformError>

const list: List = (fs, directory) =>
  Effect.flatMap(fs.readDirectory(directory), (names) =>
    Effect.map(
      Effect.forEach(names, (name) => lookAt(fs, `${directory}/${name}`, name), { concurrency }),
      (found) => found.flatMap(Option.toArray)
    )
  )

/**
 * How the directories from `root` down are listed; through the file system, unless a platform has a way that costs less
 * than a call for each name.
 */
export const Lister: Context.Reference<Listing> = Context.Reference<Listing>("session-liveness/DirectoryWalk/Lister", {
  defaultValue: () => () => Effect.succeed(list)
})

export type Listing = (fs: FileSystem.FileSystem, root: string) => Effect.Effect<List>

/**
 * What is told of a directory before anything in it is gone over.
 */
export interface Directory {
  /** Below the directory that is gone over; `""` is that itself. */
  readonly path: string
  readonly self: Listed
  /** What is in it. */
  readonly entries: ReadonlyArray<Listed>
}

export interface Visitor {
  /** Is given every directory. An entry that lies on another file system is in no directory that is given. */
  readonly onDirectory: (directory: Directory) => void
  /** Is given every path that is passed over, because it lies on another file system. */
  readonly onOtherDevice: (path: string) => void
  /** Is given a directory before it is read, and may make it readable. */
  readonly beforeReading?: ((path: string, self: Listed) => Effect.Effect<void, PlatformError>) | undefined
}

const concurrency = 16

/**
 * Gives every directory from `root` down to the visitor. No more is remembered than the directories that are still to be
 * read. What vanishes meanwhile, unless it is `root`, is passed over; any other failure ends the walk.
 */
export const walk = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string,
  visitor: Visitor
): Effect.fn.Return<void, PlatformError> {
  const listing = yield* (yield* Lister)(fs, root)
  const at = (path: string) => (path === "" ? root : `${root}/${path}`)
  const top = listed("", yield* fs.lstat(root))
  const read = Effect.fnUntraced(function* ({ path, self }: Omit<Directory, "entries">) {
    if (visitor.beforeReading !== undefined) yield* visitor.beforeReading(path, self)
    const all = yield* listing(fs, at(path)).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([]))
    )
    const isHere = ({ name, device }: Listed) => device === top.device || isUnreadable(name)
    const entries = all.filter(isHere)
    visitor.onDirectory({ path, self, entries })
    const below = (name: string) => (path === "" ? name : `${path}/${name}`)
    for (const entry of all) if (!isHere(entry)) visitor.onOtherDevice(below(entry.name))
    return entries.flatMap((entry) => (entry.isDirectory ? [{ path: below(entry.name), self: entry }] : []))
  })
  const waiting: Array<Omit<Directory, "entries">> = top.isDirectory ? [{ path: "", self: top }] : []
  while (waiting.length > 0) {
    const found = yield* Effect.forEach(waiting.splice(-concurrency), read, { concurrency })
    for (const directories of found) for (const directory of directories) waiting.push(directory)
  }
})

const lookAt = (
  fs: FileSystem.FileSystem,
  path: string,
  name: string
): Effect.Effect<Option.Option<Listed>, PlatformError> =>
  fs.lstat(path).pipe(
    Effect.map((info) => Option.some(listed(name, info))),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(vanished(name)))
  )

/** A name that is not UTF-8 is read as another one, at which nothing is. */
export const vanished = (name: string): Option.Option<Listed> =>
  isUnreadable(name)
    ? Option.some({ name, isDirectory: false, mode: 0, owner: undefined, device: 0, inode: 0, names: 1, bytes: 0 })
    : Option.none()

export const isUnreadable = (name: string): boolean => name.includes("\ufffd")

const blockBytes = 512

const listed = (name: string, info: FileSystem.File.Info): Listed => ({
  name,
  isDirectory: info.type === "Directory",
  mode: info.mode,
  owner: Option.getOrUndefined(info.uid),
  device: Number(info.dev),
  inode: Option.match(info.ino, { onNone: () => 0, onSome: Number }),
  names: info.type === "Directory" ? 1 : Option.match(info.nlink, { onNone: () => 1, onSome: Number }),
  bytes: Option.match(info.blocks, { onNone: () => Number(info.size), onSome: (blocks) => Number(blocks) * blockBytes })
})
