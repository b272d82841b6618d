import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as fs from "node:fs"
import type * as DirectoryWalk from "../verdict/DirectoryWalk.ts"
import { Lister, vanished } from "../verdict/DirectoryWalk.ts"
import { toError } from "./ProcFileSystem.ts"

const blockBytes = 512

/**
 * One effect for a directory instead of one for each name in it, which is most of the time that a walk takes.
 */
export const layerListing: Layer.Layer<never> = Layer.succeed(Lister, (_, directory) =>
  Effect.callback<ReadonlyArray<DirectoryWalk.Listed>, PlatformError>((resume) => {
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
)

const atOnce = 16

const listed = (name: string, stats: fs.Stats): DirectoryWalk.Listed => ({
  name,
  isDirectory: stats.isDirectory(),
  mode: stats.mode,
  owner: stats.uid,
  device: stats.dev,
  inode: stats.ino,
  names: stats.isDirectory() ? 1 : stats.nlink,
  bytes: stats.blocks * blockBytes
})
