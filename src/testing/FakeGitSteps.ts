/**
 * The steps of a move, a restoration or a removal, taken on repositories in memory and on a file system.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Option from "effect/Option"
import type { JournalEntry } from "../reclaim/core/JournalEntry.ts"
import type * as Leftover from "../reclaim/core/Leftover.ts"
import * as ReclaimRecord from "../reclaim/core/ReclaimRecord.ts"
import { reclaimedAt, type ReclaimStep, withdrawnAt } from "../reclaim/core/ReclaimStep.ts"
import * as Slim from "../reclaim/steps/Slim.ts"
import type { GitError } from "../verdict/Git.ts"
import { failed, type FakeRepositories, type Worktree } from "./FakeRepositories.ts"

/** The locks that ours stands before, or that are open for a removal, by admin directory. */
export interface Locks {
  readonly prior: Map<string, string>
  readonly open: Map<string, string>
}

interface On {
  readonly repositories: FakeRepositories
  readonly locks: Locks
  readonly fs: FileSystem.FileSystem
}

/** Nothing is there, too, where a file is in the way. */
const isThere = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, GitError> =>
  Effect.catch(fs.exists(path), (cause) =>
    cause.reason._tag === "BadResource" ? Effect.succeed(false) : Effect.fail(failed(path, cause.message))
  )

/** Takes one step as git would. */
export const take = (
  { repositories, locks, fs }: On,
  commonDirectory: string,
  step: ReclaimStep
): Effect.Effect<void, GitError> => {
  const ofFile = (effect: Effect.Effect<unknown, PlatformError>): Effect.Effect<void, GitError> =>
    effect.pipe(
      Effect.mapError((cause) => failed(commonDirectory, cause.message)),
      Effect.asVoid
    )
  const withAdmin = (how: (worktree: Worktree) => Worktree | undefined | string) =>
    "adminDirectory" in step
      ? repositories.change(commonDirectory, ({ adminDirectory }) => adminDirectory === step.adminDirectory, how)
      : Effect.void
  switch (step._tag) {
    case "KeepCommits":
    case "ForgetCommits":
    case "MoveSentinel":
    case "RemoveLeftovers":
      return Effect.void
    case "RepairLinks":
      return withAdmin((worktree) => ({ ...worktree, path: step.worktree }))
    case "AcquireLock":
      return withAdmin((worktree) => {
        if (worktree.locked !== step.prior) return "its lock is not the one that was seen any more"
        if (worktree.locked !== undefined) locks.prior.set(worktree.adminDirectory, worktree.locked)
        return { ...worktree, locked: step.reason }
      })
    case "ReleaseLock":
      return withAdmin((worktree) =>
        worktree.locked === step.reason ? { ...worktree, locked: locks.prior.get(worktree.adminDirectory) } : worktree
      )
    case "SuspendLock":
      return withAdmin((worktree) => {
        if (worktree.locked === undefined) return worktree
        locks.open.set(worktree.adminDirectory, worktree.locked)
        return { ...worktree, locked: undefined }
      })
    case "ResumeLock":
      return withAdmin((worktree) => {
        const locked = locks.open.get(worktree.adminDirectory) ?? worktree.locked
        locks.open.delete(worktree.adminDirectory)
        return { ...worktree, locked }
      })
    case "Detach":
      return withAdmin((worktree) => ({ ...worktree, branch: undefined }))
    case "Attach":
      return withAdmin((worktree) => ({ ...worktree, branch: step.branch }))
    case "Move":
      return Effect.gen(function* () {
        if (!(yield* isThere(fs, step.from)) && (yield* isThere(fs, step.to))) return
        if (yield* isThere(fs, step.to)) return yield* failed(step.to, "something else stands there")
        yield* ofFile(fs.makeDirectory(step.to.slice(0, step.to.lastIndexOf("/")), { recursive: true }))
        yield* ofFile(fs.rename(step.from, step.to))
        yield* repositories.change(
          commonDirectory,
          ({ path }) => path === step.from,
          (worktree) => ({ ...worktree, path: step.to })
        )
      })
    case "MoveOut":
    case "MoveBack":
    case "RemoveMoved":
      return Slim.carryOut({ fs, commonDirectory, user: undefined, mountsIn: () => Effect.succeed([]) }, step).pipe(
        Effect.mapError((detail) => failed(commonDirectory, detail)),
        Effect.asVoid
      )
    case "Remove":
      return Effect.gen(function* () {
        const worktree = repositories.worktree(commonDirectory, ({ path }) => path === step.path)
        if (worktree?.locked !== undefined) return yield* failed(step.path, "it is locked")
        yield* ofFile(fs.remove(step.path, { recursive: true, force: true }))
        yield* repositories.change(
          commonDirectory,
          ({ path }) => path === step.path,
          () => undefined
        )
      })
  }
}

/** What is found of a worktree that a journal tells of. */
export const foundOf = Effect.fnUntraced(function* (
  { repositories, locks, fs }: On,
  commonDirectory: string,
  entry: JournalEntry
): Effect.fn.Return<Leftover.Found, GitError> {
  const { record } = entry
  const path = reclaimedAt(commonDirectory, record.name)
  const adminDirectory = `${commonDirectory}/worktrees/${entry.adminName}`
  const worktree = repositories.worktree(commonDirectory, (each) => each.adminDirectory === adminDirectory)
  const ours = ReclaimRecord.printLock(record)
  const lies = yield* isThere(fs, `${path}/.git`)
  const away = withdrawnAt(commonDirectory, record.name)
  const withdrawn = !lies && (yield* isThere(fs, `${away}/.git`)) ? away : undefined
  const places = [record.path, ...(worktree === undefined || worktree.path === path ? [] : [worktree.path])]
  const stands = Option.getOrUndefined(yield* Effect.findFirst(places, (at) => isThere(fs, `${at}/.git`)))
  const suspended = locks.open.get(adminDirectory) === ours ? "Suspended" : "None"
  return {
    entry,
    adminDirectory,
    registered: worktree !== undefined,
    lock: worktree?.locked === undefined ? suspended : worktree.locked === ours ? "Ours" : "Other",
    lies,
    withdrawn,
    taken: undefined,
    stands: lies || withdrawn !== undefined ? undefined : stands,
    linked: worktree !== undefined && worktree.path === (lies ? path : (withdrawn ?? stands)),
    head: worktree?.branch === undefined ? worktree?.head : undefined
  }
})
