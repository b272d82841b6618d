import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as RegularFile from "../shared/RegularFile.ts"

/**
 * Git's admin directory of a worktree, read from its own `.git`: for a linked worktree the directory that the file
 * names, for a main one the directory itself. Fails with what was found instead; the directories above are never asked.
 */
export const find = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  worktree: string
): Effect.fn.Return<string, string> {
  const dotGit = `${worktree}/.git`
  const file = yield* RegularFile.read(fs, dotGit, maxBytes)
  if (file._tag !== "File") {
    const info = yield* fs.lstat(dotGit).pipe(Effect.mapError((cause) => `${dotGit}: ${cause.message}`))
    if (info.type === "Directory") return dotGit
  }
  const target = file._tag === "File" ? /^gitdir: ([^]+?)\n*$/.exec(file.text)?.[1] : undefined
  if (target === undefined) return yield* Effect.fail(`${dotGit} names no admin directory`)
  return target.startsWith("/") ? target : `${worktree}/${target}`
})

/**
 * The git directory that git finds first, from a path upwards; the path itself where there is none.
 */
export const around = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, path: string): Effect.fn.Return<string> {
  const start = yield* Effect.orElseSucceed(fs.realPath(path), () => path)
  for (let at = start; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = yield* Effect.option(find(fs, at))
    if (Option.isSome(found)) return found.value
    // A bare one.
    if (yield* Effect.orElseSucceed(fs.exists(`${at}/HEAD`), () => false)) return at
  }
  return start
})

const maxBytes = 64 * 1024
