/**
 * Git in memory: repositories that tell what they are described to, and take the steps of a move, a restoration or a
 * removal as git would. The directories themselves are moved on the file system that the layer is given.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import * as Option from "effect/Option"
import type * as GitList from "../verdict/core/GitList.ts"
import type { JournalEntry } from "../reclaim/core/JournalEntry.ts"
import * as Leftover from "../reclaim/core/Leftover.ts"
import * as ReclaimRecord from "../reclaim/core/ReclaimRecord.ts"
import { reclaimedAt, type ReclaimStep, withdrawnAt } from "../reclaim/core/ReclaimStep.ts"
import type * as IgnoredTree from "../verdict/core/IgnoredTree.ts"
import * as Slim from "../reclaim/steps/Slim.ts"
import type * as GitFacts from "../verdict/core/GitFacts.ts"
import type * as Landed from "../verdict/core/Landed.ts"
import { Failed, Git, GitError, NoRepository, type WorktreeFiles } from "../verdict/Git.ts"
import { GitChanges } from "../reclaim/GitChanges.ts"
import { ReclaimedTrees } from "../reclaim/ReclaimedTrees.ts"
import * as ReclaimJournal from "../reclaim/ReclaimJournal.ts"

/**
 * One linked worktree, and what its files and git tell of it; `undefined`: neither can. Worktrees that lie inside it are
 * added to what is nested.
 */
export interface Worktree {
  readonly path: string
  readonly branch: string | undefined
  readonly head: string
  readonly locked: string | undefined
  readonly adminDirectory: string
  readonly facts:
    | {
        readonly files: Omit<WorktreeFiles, "adminDirectory">
        readonly git: GitFacts.GitFacts
        readonly landed: Landed.Landed
      }
    | undefined
  readonly content?: IgnoredTree.Content | undefined
}

/**
 * One repository with its main worktree at `path`. `listed: false`: its worktrees cannot be listed.
 */
export interface Repository {
  readonly path: string
  readonly commonDirectory: string
  readonly listed: boolean
  readonly worktrees: ReadonlyArray<Worktree>
}

/**
 * One call that changes something.
 */
export type Change = Data.TaggedEnum<{
  Step: { readonly repository: string; readonly step: ReclaimStep }
  Guard: { readonly repository: string }
}>

export const Change = Data.taggedEnum<Change>()

export interface FakeGit {
  readonly layer: Layer.Layer<
    Git | GitChanges | ReclaimedTrees | ReclaimJournal.ReclaimJournal,
    never,
    FileSystem.FileSystem
  >
  /** Every change so far, in order, those that failed included. */
  readonly changes: ReadonlyArray<Change>
  /** The repositories as they are now. */
  readonly repositories: () => ReadonlyArray<Repository>
  /** Where the worktree that is at that path now was described to be. */
  readonly described: (path: string) => string
}

export const make = (description: ReadonlyArray<Repository>): FakeGit => {
  const changes: Array<Change> = []
  const guarded = new Set<string>()
  /** The locks that ours stands before, or that are open for a removal, by admin directory. */
  const locks = { prior: new Map<string, string>(), open: new Map<string, string>() }
  const state = new Map(description.map((repository) => [repository.commonDirectory, repository]))

  const failed = (path: string, detail: string): GitError => new GitError({ reason: new Failed(), path, detail })

  const find = (path: string): Repository | undefined =>
    [...state.values()].find(
      (repository) =>
        repository.path === path ||
        repository.commonDirectory === path ||
        repository.worktrees.some((worktree) => worktree.path === path)
    )

  const known = (path: string): Effect.Effect<Repository, GitError> =>
    Effect.suspend(() => {
      const repository = find(path)
      if (repository === undefined) {
        return Effect.fail(new GitError({ reason: new NoRepository(), path, detail: "not a git repository" }))
      }
      return repository.listed ? Effect.succeed(repository) : Effect.fail(failed(path, "git worktree list: exit 128"))
    })

  const describedOf = Effect.fnUntraced(function* (commonDirectory: string, path: string) {
    const { worktrees } = yield* known(commonDirectory)
    const worktree = worktrees.find((candidate) => candidate.path === path)
    if (worktree?.facts === undefined) return yield* failed(path, "git status: exit 128")
    return { ...worktree, facts: worktree.facts }
  })

  /** Replaces the worktree that `which` picks. */
  const change = (
    commonDirectory: string,
    which: (worktree: Worktree) => boolean,
    how: (worktree: Worktree) => Worktree | undefined | string
  ): Effect.Effect<void, GitError> =>
    Effect.suspend(() => {
      const repository = state.get(commonDirectory)
      const before = repository?.worktrees.find(which)
      if (repository === undefined || before === undefined)
        return Effect.fail(failed(commonDirectory, "no such worktree"))
      const after = how(before)
      if (typeof after === "string") return Effect.fail(failed(commonDirectory, after))
      state.set(commonDirectory, {
        ...repository,
        worktrees: repository.worktrees.flatMap((worktree) =>
          worktree !== before ? [worktree] : after === undefined ? [] : [after]
        )
      })
      return Effect.void
    })

  /** Nothing is there, too, where a file is in the way. */
  const isThere = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, GitError> =>
    Effect.catch(fs.exists(path), (cause) =>
      cause.reason._tag === "BadResource" ? Effect.succeed(false) : Effect.fail(failed(path, cause.message))
    )

  const take = (
    fs: FileSystem.FileSystem,
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
        ? change(commonDirectory, ({ adminDirectory }) => adminDirectory === step.adminDirectory, how)
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
          yield* change(
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
          const worktree = state.get(commonDirectory)?.worktrees.find(({ path }) => path === step.path)
          if (worktree?.locked !== undefined) return yield* failed(step.path, "it is locked")
          yield* ofFile(fs.remove(step.path, { recursive: true, force: true }))
          yield* change(
            commonDirectory,
            ({ path }) => path === step.path,
            () => undefined
          )
        })
    }
  }

  const foundOf = Effect.fnUntraced(function* (
    fs: FileSystem.FileSystem,
    commonDirectory: string,
    entry: JournalEntry
  ): Effect.fn.Return<Leftover.Found, GitError> {
    const { record } = entry
    const path = reclaimedAt(commonDirectory, record.name)
    const adminDirectory = `${commonDirectory}/worktrees/${entry.adminName}`
    const worktree = state.get(commonDirectory)?.worktrees.find((each) => each.adminDirectory === adminDirectory)
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

  return {
    changes,
    repositories: () => [...state.values()],
    described: (path) => {
      const here = worktreesOf([...state.values()]).find((worktree) => worktree.path === path)
      const first = worktreesOf(description).find(({ adminDirectory }) => adminDirectory === here?.adminDirectory)
      return first?.path ?? path
    },
    layer: Layer.mergeAll(
      Layer.succeed(
        Git,
        Git.of({
          repository: (path) => Effect.map(known(path), toList),
          files: ({ commonDirectory }, { path }) =>
            Effect.map(describedOf(commonDirectory, path), ({ facts, adminDirectory }) => ({
              ...facts.files,
              adminDirectory
            })),
          inspect: ({ commonDirectory, worktrees }, { path }) =>
            Effect.map(describedOf(commonDirectory, path), ({ facts: { git } }) => {
              const inside = worktrees.map((other) => other.path).filter((other) => other.startsWith(`${path}/`))
              return { ...git, nested: [...new Set([...git.nested, ...inside])].sort() }
            }),
          content: ({ commonDirectory }, { path }) =>
            Effect.map(describedOf(commonDirectory, path), ({ facts: { files, git }, adminDirectory, content }) => ({
              ignored: [...git.ignored, ...(content?.ignored ?? [])],
              untracked: git.dirty
                .filter((each) => each.startsWith("?? "))
                .map((each) => each.slice(3))
                .concat(content?.untracked ?? []),
              tracked: content?.tracked ?? [],
              identity: { directory: files.identity, adminDirectory },
              isOnDeviceOfRepository: files.isBesideRepository,
              owner: files.owner,
              mounts: files.mounts
            })),
          landed: ({ commonDirectory }, { head }) =>
            Effect.flatMap(known(commonDirectory), ({ worktrees }) => {
              const facts = worktrees.find((worktree) => worktree.head === head)?.facts
              return facts === undefined
                ? Effect.fail(failed(commonDirectory, "git log: exit 128"))
                : Effect.succeed(facts.landed)
            })
        })
      ),
      Layer.effect(
        GitChanges,
        Effect.map(FileSystem.FileSystem, (fs) =>
          GitChanges.of({
            carryOut: ({ commonDirectory }, step) =>
              Effect.suspend(() => {
                changes.push(Change.Step({ repository: commonDirectory, step }))
                return Effect.as(take(fs, commonDirectory, step), [])
              }),
            guard: ({ commonDirectory }) =>
              Effect.acquireRelease(
                Effect.suspend(() => {
                  if (guarded.has(commonDirectory))
                    return Effect.fail(failed(commonDirectory, "another sweep is at work"))
                  changes.push(Change.Guard({ repository: commonDirectory }))
                  guarded.add(commonDirectory)
                  return Effect.void
                }),
                () => Effect.sync(() => guarded.delete(commonDirectory))
              )
          })
        )
      ),
      Layer.effect(
        ReclaimedTrees,
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const journal = yield* ReclaimJournal.ReclaimJournal
          return ReclaimedTrees.of({
            look: ({ commonDirectory }) =>
              Effect.flatMap(journal.read(identityOf(commonDirectory)), ({ entries }) =>
                Effect.forEach(entries, (entry) =>
                  Effect.map(foundOf(fs, commonDirectory, entry), (found) => Leftover.Journalled({ found }))
                )
              ),
            identify: ({ commonDirectory }, path) =>
              Effect.map(known(commonDirectory), ({ worktrees }) => ({
                repository: identityOf(commonDirectory),
                tree: identityOf(worktrees.find((worktree) => worktree.path === path)?.adminDirectory ?? path)
              }))
          })
        })
      )
    ).pipe(Layer.provideMerge(ReclaimJournal.layerMemory))
  }
}

const identityOf = (inode: string) => ({ inode, birth: null })

const worktreesOf = (repositories: ReadonlyArray<Repository>): ReadonlyArray<Worktree> =>
  repositories.flatMap(({ worktrees }) => worktrees)

const toList = ({ path, commonDirectory, worktrees }: Repository) => ({
  commonDirectory,
  fileSystem: "ext4",
  worktrees: [
    { path, main: true, bare: false, head: mainHead, branch: "refs/heads/main", locked: undefined },
    ...worktrees.map(toEntry)
  ]
})

const mainHead = "fedcba9876543210fedcba9876543210fedcba98"

const toEntry = ({ path, head, branch, locked }: Worktree): GitList.Worktree => ({
  path,
  main: false,
  bare: false,
  head,
  branch,
  locked
})
