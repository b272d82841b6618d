/**
 * What an admin directory may hold so that git and we can read it to its end.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"

/**
 * Fails with the first entry that is neither a directory nor a regular file of bounded size: a FIFO in the place of a log
 * is read for ever, and a link leads to what somebody else may write.
 */
export const areRegular = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  adminDirectory: string
): Effect.fn.Return<void, string> {
  for (const directory of [adminDirectory, `${adminDirectory}/logs`]) {
    const names = yield* fs.readDirectory(directory).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
      Effect.mapError((cause) => cause.message)
    )
    const bad = yield* Effect.forEach(names, (name) => whyBad(fs, `${directory}/${name}`), { concurrency: 16 })
    const why = bad.find((each) => each !== undefined)
    if (why !== undefined) return yield* Effect.fail(why)
  }
})

const whyBad = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string | undefined, string> =>
  fs.lstat(path).pipe(
    Effect.map((info) => {
      if (info.type === "Directory" || (info.type === "File" && info.size <= maxBytes)) return undefined
      const what = info.type === "File" ? `larger than ${maxBytes} bytes` : `a ${info.type}, not a regular file`
      return `${path} is ${what}; look at it, and remove it`
    }),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    Effect.mapError((cause) => cause.message)
  )

const maxBytes = 256 * 1024 * 1024
