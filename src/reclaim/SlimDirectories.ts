/**
 * Moves regenerable directories out of a worktree into a place of our own, and from there back or away.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as DirectoryWalk from "../verdict/DirectoryWalk.ts"
import { secondsOf } from "./KeepTime.ts"
import * as SlimEntry from "./core/SlimEntry.ts"

/**
 * What an entry needs to know of a directory before it is moved. Fails where it is reached through a link, or is no directory.
 */
export const describe = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktree: string,
  path: string,
  now: number
): Effect.fn.Return<SlimEntry.Moved, string> {
  const at = `${worktree}/${path}`
  const parent = parentOf(at)
  const [info, around, canonical, top] = yield* told(
    Effect.all([fs.lstat(at), fs.lstat(parent), fs.realPath(parent), fs.realPath(worktree)])
  )
  const inode = Option.getOrUndefined(info.ino)?.toString()
  const parentWrittenAt = Option.getOrUndefined(around.mtime)?.getTime()
  if (info.type !== "Directory" || inode === undefined) return yield* Effect.fail("it is no directory")
  if (parentWrittenAt === undefined) return yield* Effect.fail("the directory around it tells no time")
  if (canonical !== parentOf(`${top}/${path}`)) return yield* Effect.fail("it is reached through a link")
  return { path, inode, parentWrittenAt, name: SlimEntry.nameOf(inode, now) }
})

/**
 * Moves one out, which is one step of the file system, and leaves the time of the directory around it as it was.
 */
export const moveOut = (
  fs: FileSystem.FileSystem,
  place: string,
  worktree: string,
  moved: SlimEntry.Moved
): Effect.Effect<void, string> =>
  Effect.gen(function* () {
    if (yield* isThere(fs, `${place}/${moved.name}`))
      return yield* Effect.fail(`${place}/${moved.name} is there already`)
    yield* told(fs.rename(`${worktree}/${moved.path}`, `${place}/${moved.name}`))
    yield* restoreTime(fs, worktree, moved)
    if (yield* isIt(fs, place, moved)) return
    yield* moveBackWhatever(fs, place, worktree, moved)
    return yield* Effect.fail("another directory has taken its name")
  })

/**
 * Moves one back where it was. Gives why it stays in our place where something else stands there by now.
 */
export const moveBack = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  place: string,
  worktree: string,
  moved: SlimEntry.Moved
): Effect.fn.Return<void, string> {
  if (yield* isIt(fs, place, moved)) yield* moveBackWhatever(fs, place, worktree, moved)
})

const moveBackWhatever = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  place: string,
  worktree: string,
  moved: SlimEntry.Moved
): Effect.fn.Return<void, string> {
  const to = `${worktree}/${moved.path}`
  if (yield* isThere(fs, to)) {
    return yield* Effect.fail(`something else stands at ${to} by now; it lies at ${place}/${moved.name}`)
  }
  yield* told(fs.rename(`${place}/${moved.name}`, to))
  yield* restoreTime(fs, worktree, moved)
})

/**
 * Removes one that lies in our place. Links in it are removed, not followed.
 */
export const remove = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  place: string,
  moved: SlimEntry.Moved
): Effect.fn.Return<void, string> {
  if (!(yield* isIt(fs, place, moved))) return
  const path = `${place}/${moved.name}`
  const removal = fs.remove(path, { recursive: true })
  yield* removal.pipe(
    // Some tools take the leave to write from the directories of what they make.
    Effect.catchReason("PlatformError", "PermissionDenied", () => Effect.andThen(makeWritable(fs, path), removal)),
    told
  )
})

const makeWritable = (fs: FileSystem.FileSystem, path: string): Effect.Effect<void, PlatformError> =>
  DirectoryWalk.walk(fs, path, {
    onDirectory: () => {},
    onOtherDevice: () => {},
    beforeReading: (below, { mode }) =>
      (mode & 0o700) === 0o700 ? Effect.void : fs.chmod(below === "" ? path : `${path}/${below}`, 0o700)
  })

const restoreTime = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktree: string,
  { path, parentWrittenAt }: SlimEntry.Moved
): Effect.fn.Return<void, string> {
  const parent = parentOf(`${worktree}/${path}`)
  const { atime } = yield* told(fs.lstat(parent))
  const readAt = Option.match(atime, { onNone: () => parentWrittenAt, onSome: (date) => date.getTime() })
  yield* told(fs.utimes(parent, secondsOf(readAt), secondsOf(parentWrittenAt)))
})

const isIt = (
  fs: FileSystem.FileSystem,
  place: string,
  { name, inode }: SlimEntry.Moved
): Effect.Effect<boolean, string> =>
  fs.lstat(`${place}/${name}`).pipe(
    Effect.map((info) => info.type === "Directory" && Option.getOrUndefined(info.ino)?.toString() === inode),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
    told
  )

const isThere = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, string> =>
  fs.lstat(path).pipe(
    Effect.as(true),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
    told
  )

const told = <A, R>(effect: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, string, R> =>
  Effect.mapError(effect, (cause) => cause.message)

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))
