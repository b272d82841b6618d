/**
 * What every step works with.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as GitList from "../../verdict/core/GitList.ts"
import type { ReclaimStep } from "../core/ReclaimStep.ts"

/**
 * `read` asks git and is bounded. `write` has git change something, and is killed only where `bounded` says so: a git that
 * moves or removes runs to its end.
 */
export interface Tools {
  readonly fs: FileSystem.FileSystem
  readonly commonDirectory: string
  readonly user: number | undefined
  /** What is mounted inside an absolute canonical path, or shows what is in it elsewhere. */
  readonly mountsIn: (path: string) => Effect.Effect<ReadonlyArray<string>, string>
  readonly read: (args: ReadonlyArray<string>, input?: string) => Effect.Effect<string, string>
  readonly write: (
    args: ReadonlyArray<string>,
    kind?: { readonly bounded?: boolean | undefined; readonly input?: string | undefined }
  ) => Effect.Effect<void, string>
}

/** The step with that tag. */
export type Step<Tag extends ReclaimStep["_tag"]> = Extract<ReclaimStep, { _tag: Tag }>

/** Carries one step out, and gives notes for a person; fails with what stood in the way. */
export type CarryOut<Tag extends ReclaimStep["_tag"]> = (
  tools: Tools,
  step: Step<Tag>
) => Effect.Effect<ReadonlyArray<string>, string>

/** The lock of a harness that is gone, while ours is on: a file beside `locked`. */
export const priorLock = "locked-before-reclaim"

/** Our own lock, while the worktree is being removed: a file where `locked` was. */
export const suspendedLock = "locked-until-removal"

export const maxBytes = 64 * 1024 * 1024

export const gitDir = ({ commonDirectory }: Tools): string => `--git-dir=${commonDirectory}`

export const worded = <A>(effect: Effect.Effect<A, PlatformError>): Effect.Effect<A, string> =>
  Effect.mapError(effect, (cause) => cause.message)

export const isThere = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, string> =>
  fs.lstat(path).pipe(
    Effect.as(true),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
    worded
  )

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

export const worktrees = (tools: Tools): Effect.Effect<ReadonlyArray<GitList.Worktree>, string> =>
  Effect.flatMap(tools.read([gitDir(tools), "worktree", "list", "--porcelain", "-z"]), (text) => {
    const list = GitList.worktrees(text)
    return list === undefined
      ? Effect.fail("git worktree list printed something else than a list")
      : Effect.succeed(list)
  })
