import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { type CarryOut, gitDir, isThere, worded, worktrees } from "./Tools.ts"

export const carryOut: CarryOut<"Remove"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, user, write } = tools
    if (!(yield* worktrees(tools)).some(({ path }) => path === step.path)) return []
    // git goes on to forget a worktree of which it could not remove every file.
    const stuck = (yield* isThere(fs, step.path)) ? yield* firstStuck(fs, step.path, user) : undefined
    if (stuck !== undefined) return yield* Effect.fail(stuck)
    yield* write([gitDir(tools), "worktree", "remove", step.path])
    return []
  })

/**
 * Why the first entry of a tree cannot be removed by this process. Links are not followed.
 */
const firstStuck = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string,
  user: number | undefined
): Effect.fn.Return<string | undefined, string> {
  for (let level: ReadonlyArray<string> = [root]; level.length > 0;) {
    const below: Array<string> = []
    const found = yield* Effect.forEach(
      level,
      Effect.fnUntraced(function* (directory): Effect.fn.Return<string | undefined, string> {
        if (!(yield* isWritable(fs, directory))) return `${directory} may not be written to`
        // Where only the owner of an entry may remove it, what others have in it stays.
        const { mode, uid } = yield* worded(fs.lstat(directory))
        if ((mode & sticky) !== 0 && user !== 0 && Option.getOrUndefined(uid) !== user) {
          return `${directory} is sticky and another user's`
        }
        const entries = yield* worded(fs.readDirectoryEntries(directory))
        const files = entries.filter(({ type }) => type === "File").map(({ name }) => `${directory}/${name}`)
        below.push(...entries.filter(({ type }) => type === "Directory").map(({ name }) => `${directory}/${name}`))
        const kept = yield* Effect.findFirst(files, (file) => isImmutable(fs, file))
        return Option.getOrUndefined(
          Option.map(kept, (file) => `${file} may not be removed by anybody; see \`lsattr\``)
        )
      }),
      { concurrency }
    )
    const stuck = found.find((each) => each !== undefined)
    if (stuck !== undefined) return stuck
    level = below
  }
  return undefined
})

const isWritable = (fs: FileSystem.FileSystem, directory: string): Effect.Effect<boolean> =>
  Effect.isSuccess(fs.access(directory, { readable: true, writable: true }))

/** Permissions of a file have no say in its removal. What is not permitted to anybody has. */
const isImmutable = (fs: FileSystem.FileSystem, file: string): Effect.Effect<boolean> =>
  fs.access(file, { writable: true }).pipe(
    Effect.as(false),
    Effect.catch(({ cause }) => Effect.succeed(Predicate.hasProperty(cause, "code") && cause.code === "EPERM"))
  )

const sticky = 0o1000

const concurrency = 16
