/**
 * Directories of ours in places where others can put something else: looked at, without following links, each time
 * before they are used.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { type Identity, isSame } from "./core/JournalEntry.ts"

/**
 * Whether there is one. Fails where anything but a real directory of `user` stands there.
 */
export const isThere = (
  fs: FileSystem.FileSystem,
  path: string,
  user: number | undefined
): Effect.Effect<boolean, string> =>
  fs.lstat(path).pipe(
    Effect.matchEffect({
      onFailure: (cause) =>
        cause.reason._tag === "NotFound" ? Effect.succeed(false) : Effect.fail(`${path}: ${cause.message}`),
      onSuccess: (info) => {
        if (info.type !== "Directory") {
          return Effect.fail(`${path} is a ${info.type}, not a directory of ours; look at it, and remove it`)
        }
        const owner = Option.getOrUndefined(info.uid)
        return user === undefined || owner === user
          ? Effect.succeed(true)
          : Effect.fail(`${path} belongs to another user (${owner})`)
      }
    })
  )

/**
 * Makes sure that there is one.
 */
export const ensure = (
  fs: FileSystem.FileSystem,
  path: string,
  user: number | undefined
): Effect.Effect<void, string> =>
  Effect.gen(function* () {
    if (yield* isThere(fs, path, user)) return
    yield* Effect.catchReason(
      fs.makeDirectory(path, { mode: 0o700 }),
      "PlatformError",
      "AlreadyExists",
      () => Effect.void
    ).pipe(Effect.mapError((cause) => cause.message))
    if (!(yield* isThere(fs, path, user))) return yield* Effect.fail(`${path} has gone again`)
  })

/**
 * What tells a directory from another that took its name; `undefined` where no directory is.
 */
export const identify = (fs: FileSystem.FileSystem, path: string): Effect.Effect<Identity | undefined> =>
  fs.lstat(path).pipe(
    Effect.map((info) =>
      info.type !== "Directory" || Option.isNone(info.ino)
        ? undefined
        : {
            inode: String(info.ino.value),
            birth: Option.match(info.birthtime, { onNone: () => null, onSome: (date) => date.getTime() || null })
          }
    ),
    Effect.orElseSucceed(() => undefined)
  )

export const isIt = (fs: FileSystem.FileSystem, path: string, identity: Identity): Effect.Effect<boolean> =>
  Effect.map(identify(fs, path), (found) => isSame(identity, found))
