/**
 * How a worktree and its admin directory name each other.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Place from "../claims/core/Place.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as AdminDirectory from "../verdict/AdminDirectory.ts"

/**
 * Where an admin directory says that its worktree is; `undefined` where it does not say.
 */
export const worktreeOf = (fs: FileSystem.FileSystem, adminDirectory: string): Effect.Effect<string | undefined> =>
  Effect.map(RegularFile.read(fs, `${adminDirectory}/gitdir`, maxBytes), (file) => {
    const text = file._tag === "File" ? file.text.replace(/\n$/, "").replace(/\/\.git$/, "") : ""
    return text === "" ? undefined : text.startsWith("/") ? text : normal(`${adminDirectory}/${text}`)
  })

/**
 * Which admin directory a worktree names, whether or not it is there; `undefined` where it names none.
 */
export const adminOf = (fs: FileSystem.FileSystem, worktree: string): Effect.Effect<string | undefined> =>
  AdminDirectory.find(fs, worktree).pipe(
    Effect.map(normal),
    Effect.orElseSucceed(() => undefined)
  )

/**
 * Whether a worktree names that admin directory as its own. What it names relatively may be meant from where it stood
 * before it was moved.
 */
export const leadsTo = (
  fs: FileSystem.FileSystem,
  worktree: string,
  adminDirectory: string,
  before: string = worktree
): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const target = yield* AdminDirectory.find(fs, worktree)
    for (const candidate of [target, `${before}${target.slice(worktree.length)}`]) {
      const real = yield* Effect.option(fs.realPath(candidate))
      if (Option.isSome(real) && real.value === adminDirectory) return true
    }
    return false
  }).pipe(Effect.orElseSucceed(() => false))

const normal = (path: string): string => `/${(Place.segmentsOf(path) ?? []).join("/")}`

const maxBytes = 64 * 1024
