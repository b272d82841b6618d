import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import { type CarryOut, gitDir, isThere, worded, worktrees } from "./Tools.ts"

export const carryOut: CarryOut<"Remove"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, write } = tools
    if (!(yield* worktrees(tools)).some(({ path }) => path === step.path)) return []
    // git goes on to forget a worktree of which it could not remove every file.
    const stuck = (yield* isThere(fs, step.path)) ? yield* firstUnwritable(fs, step.path) : undefined
    if (stuck !== undefined) return yield* Effect.fail(`${stuck} may not be written to`)
    yield* write([gitDir(tools), "worktree", "remove", step.path])
    return []
  })

/**
 * The first directory of a tree whose entries this process may not remove. Links are not followed.
 */
const firstUnwritable = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string
): Effect.fn.Return<string | undefined, string> {
  for (let level: ReadonlyArray<string> = [root]; level.length > 0;) {
    const writable = yield* Effect.forEach(
      level,
      (directory) => Effect.isSuccess(fs.access(directory, { readable: true, writable: true })),
      { concurrency }
    )
    const stuck = level.find((_, index) => writable[index] === false)
    if (stuck !== undefined) return stuck
    const below = yield* Effect.forEach(
      level,
      (directory) =>
        Effect.map(fs.readDirectoryEntries(directory), (entries) =>
          entries.filter(({ type }) => type === "Directory").map(({ name }) => `${directory}/${name}`)
        ),
      { concurrency }
    ).pipe(worded)
    level = below.flat()
  }
  return undefined
})

const concurrency = 16
