import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"

/**
 * Has one entry come to a directory or go from it, and puts the time of the directory back, which is a sign of work in a
 * worktree around it. Where anything else in it has changed meanwhile, or that cannot be told, its time stays new.
 */
export const keepTime = <A>(
  fs: FileSystem.FileSystem,
  entry: string,
  self: Effect.Effect<A, string>
): Effect.Effect<A, string> =>
  Effect.gen(function* () {
    const at = entry.lastIndexOf("/")
    const directory = entry.slice(0, at) || "/"
    const look = Effect.option(lookAt(fs, directory, entry.slice(at + 1)))
    const before = yield* look
    const done = yield* self
    if (Option.isNone(before)) return done
    const isAsBefore = Effect.map(look, (after) => Option.isSome(after) && after.value.others === before.value.others)
    if (!(yield* isAsBefore)) return done
    const { readAt, writtenAt } = before.value
    yield* Effect.ignore(fs.utimes(directory, secondsOf(readAt), secondsOf(writtenAt)))
    // Somebody may have written between that look and this.
    if (yield* isAsBefore) return done
    const now = secondsOf(yield* Clock.currentTimeMillis)
    yield* Effect.ignore(fs.utimes(directory, now, now))
    return done
  })

/** As a fraction a whole millisecond may come out just below itself, and would be read as the one before. */
export const secondsOf = (milliseconds: number): number => (milliseconds + 0.0005) / 1000

/** The directory and its other entries by name and identity, and then its times: what changes them later is seen. */
const lookAt = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  directory: string,
  entry: string
): Effect.fn.Return<
  { readonly others: string; readonly readAt: number; readonly writtenAt: number },
  PlatformError | string
> {
  const names = (yield* fs.readDirectory(directory)).filter((name) => name !== entry).sort()
  const entries = yield* Effect.forEach(
    names,
    (name) => Effect.map(fs.lstat(`${directory}/${name}`), ({ ino }) => `${name}/${Option.getOrElse(ino, () => "?")}`),
    { concurrency: 16 }
  )
  const { atime, dev, ino, mtime, type } = yield* fs.lstat(directory)
  if (type !== "Directory" || Option.isNone(mtime)) return yield* Effect.fail(`the time of ${directory} is not known`)
  return {
    others: [dev, Option.getOrElse(ino, () => "?"), ...entries].join("\0"),
    readAt: Option.getOrElse(atime, () => mtime.value).getTime(),
    writtenAt: mtime.value.getTime()
  }
})
