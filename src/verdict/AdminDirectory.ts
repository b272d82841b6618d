import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
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
  const info = yield* fs.lstat(dotGit).pipe(Effect.mapError((cause) => `${dotGit}: ${cause.message}`))
  if (info.type === "Directory") return dotGit
  const file = yield* RegularFile.read(fs, dotGit, maxBytes)
  const target = file._tag === "File" ? /^gitdir: ([^]+?)\n*$/.exec(file.text)?.[1] : undefined
  if (target === undefined) return yield* Effect.fail(`${dotGit} names no admin directory`)
  return target.startsWith("/") ? target : `${worktree}/${target}`
})

const maxBytes = 64 * 1024
