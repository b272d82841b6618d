import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as fs from "node:fs"
import * as Mounts from "../machine/core/Mounts.ts"
import * as MountTable from "../machine/MountTable.ts"
import * as Platform from "../machine/Platform.ts"
import type * as DirectoryWalk from "../verdict/DirectoryWalk.ts"
import { Lister, vanished } from "../verdict/DirectoryWalk.ts"
import { toError } from "./ProcFileSystem.ts"

/**
 * One effect for a directory instead of one for each name in it, which is most of the time that a walk takes.
 */
export const layerListing: Layer.Layer<never> = Layer.succeed(Lister, (files, root) =>
  Effect.map(isPrompt(files, root), (prompt) => (_, directory) => (prompt ? listNow(directory) : listAside(directory)))
)

/**
 * Whether nothing below a directory can keep this process waiting for another host, as a dead share would. Where that is
 * not known it may, and what waits must then be a thread that can be left behind.
 */
const isPrompt = (files: FileSystem.FileSystem, root: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { name } = yield* Platform.Platform
    if (name !== "linux") return false
    const mounts = yield* MountTable.readLinux(files)
    const canonical = yield* files.realPath(root)
    const type = yield* mounts.fileSystemOf(canonical)
    return type !== undefined && !Mounts.isNetwork(type) && (yield* mounts.pointsIn(canonical)).length === 0
  }).pipe(Effect.orElseSucceed(() => false))

/** How many names are looked at before others get their turn. */
const moment = 1000

const listNow = Effect.fnUntraced(function* (
  directory: string
): Effect.fn.Return<ReadonlyArray<DirectoryWalk.Listed>, PlatformError> {
  const names = yield* Effect.try({
    try: () => fs.readdirSync(directory),
    catch: (cause) => toError("readDirectory", directory, cause)
  })
  const found: Array<DirectoryWalk.Listed> = []
  let next = 0
  const path = () => `${directory}/${names[next]}`
  const look = Effect.try({
    try: () => {
      for (const end = Math.min(next + moment, names.length); next < end; next++) {
        const name = names[next] ?? ""
        const stats = fs.lstatSync(path(), { throwIfNoEntry: false })
        if (stats !== undefined) found.push(listed(name, stats))
        else found.push(...Option.toArray(vanished(name)))
      }
    },
    catch: (cause) => toError("lstat", path(), cause)
  })
  yield* look
  while (next < names.length) yield* Effect.andThen(Effect.yieldNow, look)
  return found
})

const listAside = (directory: string): Effect.Effect<ReadonlyArray<DirectoryWalk.Listed>, PlatformError> =>
  Effect.callback((resume) => {
    fs.readdir(directory, (cause, names) => {
      if (cause !== null) return resume(Effect.fail(toError("readDirectory", directory, cause)))
      if (names.length === 0) return resume(Effect.succeed([]))
      const found: Array<DirectoryWalk.Listed> = []
      let failure: PlatformError | undefined
      let next = 0
      let left = names.length
      const look = () => {
        const name = names[next++]
        if (name === undefined) return
        fs.lstat(`${directory}/${name}`, (cause, stats) => {
          if (cause === null) found.push(listed(name, stats))
          else if (cause.code === "ENOENT") found.push(...Option.toArray(vanished(name)))
          else failure ??= toError("lstat", `${directory}/${name}`, cause)
          left -= 1
          if (left > 0) look()
          else resume(failure === undefined ? Effect.succeed(found) : Effect.fail(failure))
        })
      }
      for (let started = 0; started < atOnce; started++) look()
    })
  })

const atOnce = 16

const blockBytes = 512

const listed = (name: string, stats: fs.Stats): DirectoryWalk.Listed => {
  const isDirectory = stats.isDirectory()
  return {
    name,
    isDirectory,
    mode: stats.mode,
    owner: stats.uid,
    device: stats.dev,
    inode: stats.ino,
    names: isDirectory ? 1 : stats.nlink,
    bytes: stats.blocks * blockBytes
  }
}
