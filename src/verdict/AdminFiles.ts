/**
 * What a git directory may hold so that git and we can read it to its end: a FIFO in the place of a log is read for ever.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as RegularFile from "../shared/RegularFile.ts"

/** The socket of git's own file watcher, which nothing here and no git that is run here speaks to. */
const watcherSocket = "fsmonitor--daemon.ipc"

/**
 * Fails with the first entry of an admin directory that is neither a directory nor a regular file of bounded size. A link
 * leads to what somebody else may write.
 */
export const areRegular = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  adminDirectory: string
): Effect.fn.Return<void, string> {
  const logs = yield* entriesOf(fs, `${adminDirectory}/logs`, { recursive: true })
  yield* check([...(yield* entriesOf(fs, adminDirectory)), ...logs], (path) =>
    whyBad(path, fs.lstat(path), path === `${adminDirectory}/${watcherSocket}`)
  )
})

/**
 * The same of what git reads to say which repository a git directory belongs to: it would wait for each of these files.
 */
export const areReadable = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  gitDirectory: string
): Effect.fn.Return<void, string> {
  const own = ["HEAD", "commondir", "config", "config.worktree"]
  yield* check(within([gitDirectory], own), isWaitedFor(fs))
  const common = yield* RegularFile.read(fs, `${gitDirectory}/commondir`, maxPathBytes)
  if (common._tag !== "File") return
  const path = common.text.replace(/\n+$/, "")
  const named = path.startsWith("/") ? path : `${gitDirectory}/${path}`
  const canonical = yield* Effect.orElseSucceed(fs.realPath(named), () => named)
  yield* check(within([canonical], own), isWaitedFor(fs))
})

/**
 * The same of what it reads to list worktrees.
 */
export const areListable = (fs: FileSystem.FileSystem, commonDirectory: string): Effect.Effect<void, string> =>
  Effect.flatMap(
    Effect.orElseSucceed(entriesOf(fs, `${commonDirectory}/worktrees`), () => []),
    (directories) => check(within(directories, ["HEAD", "commondir", "gitdir", "locked"]), isWaitedFor(fs))
  )

const within = (directories: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  directories.flatMap((directory) => names.map((name) => `${directory}/${name}`))

const maxPathBytes = 64 * 1024

const entriesOf = (
  fs: FileSystem.FileSystem,
  directory: string,
  options?: { readonly recursive: boolean }
): Effect.Effect<ReadonlyArray<string>, string> =>
  fs.readDirectory(directory, options).pipe(
    Effect.map((names) => names.map((name) => `${directory}/${name}`)),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
    Effect.mapError((cause) => cause.message)
  )

const check = Effect.fnUntraced(function* (
  paths: ReadonlyArray<string>,
  whyOf: (path: string) => Effect.Effect<string | undefined, string>
): Effect.fn.Return<void, string> {
  const bad = yield* Effect.forEach(paths, whyOf, { concurrency: 16 })
  const why = bad.find((each) => each !== undefined)
  if (why !== undefined) return yield* Effect.fail(why)
})

/** For what cannot be looked at git does not wait, and says what is wrong with it. */
const isWaitedFor = (fs: FileSystem.FileSystem) => (path: string) =>
  Effect.orElseSucceed(whyBad(path, fs.stat(path)), () => undefined)

const whyBad = (
  path: string,
  look: Effect.Effect<FileSystem.File.Info, PlatformError>,
  mayBeSocket = false
): Effect.Effect<string | undefined, string> =>
  look.pipe(
    Effect.map((info) => {
      if (info.type === "Directory" || (info.type === "File" && info.size <= maxBytes)) return undefined
      if (info.type === "Socket" && mayBeSocket) return undefined
      const what = info.type === "File" ? `larger than ${maxBytes} bytes` : `a ${info.type}, not a regular file`
      return `${path} is ${what}; look at it, and remove it`
    }),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    Effect.mapError((cause) => cause.message)
  )

const maxBytes = 256 * 1024 * 1024
