/**
 * Git in memory: repositories that tell what they are described to, and take the steps of a move, a restoration or a
 * removal as git would. The directories themselves are moved on the file system that the layer is given.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Leftover from "../reclaim/core/Leftover.ts"
import type { ReclaimStep } from "../reclaim/core/ReclaimStep.ts"
import { GitChanges } from "../reclaim/GitChanges.ts"
import { ReclaimedTrees } from "../reclaim/ReclaimedTrees.ts"
import * as ReclaimJournal from "../reclaim/ReclaimJournal.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import { Git } from "../verdict/Git.ts"
import { harmlessOf } from "../verdict/Inspect.ts"
import * as FakeGitSteps from "./FakeGitSteps.ts"
import * as FakeRepositories from "./FakeRepositories.ts"
import { failed, type Repository, type Worktree } from "./FakeRepositories.ts"

export type { Repository, Worktree } from "./FakeRepositories.ts"

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
  const repositories = FakeRepositories.make(description)
  const locks: FakeGitSteps.Locks = { prior: new Map(), open: new Map() }
  const changes: Array<Change> = []
  return {
    changes,
    repositories: repositories.all,
    described: repositories.described,
    layer: Layer.mergeAll(reads(repositories), writes(repositories, locks, changes), trees(repositories, locks)).pipe(
      Layer.provideMerge(ReclaimJournal.layerMemory)
    )
  }
}

const reads = (repositories: FakeRepositories.FakeRepositories): Layer.Layer<Git, never, FileSystem.FileSystem> =>
  Layer.effect(
    Git,
    Effect.map(FileSystem.FileSystem, (fs) =>
      Git.of({
        repository: (path) => Effect.map(repositories.known(path), toList),
        files: ({ commonDirectory }, { path }) =>
          Effect.map(repositories.describedOf(commonDirectory, path), ({ facts, adminDirectory }) => ({
            ...facts.files,
            adminDirectory
          })),
        inspect: ({ commonDirectory, worktrees }, { path }) =>
          Effect.gen(function* () {
            const { git } = (yield* repositories.describedOf(commonDirectory, path)).facts
            // What no file stands for stays a change.
            const harmless = yield* Effect.orElseSucceed(harmlessOf(fs, path, git.dirty), () => new Set<string>())
            const inside = worktrees.map((other) => other.path).filter((other) => other.startsWith(`${path}/`))
            return {
              ...git,
              dirty: git.dirty.filter((entry) => !harmless.has(entry)),
              harmless: [...git.harmless, ...[...harmless].map((entry) => entry.slice(3))],
              nested: [...new Set([...git.nested, ...inside])].sort()
            }
          }),
        content: ({ commonDirectory }, { path }) =>
          Effect.map(
            repositories.describedOf(commonDirectory, path),
            ({ facts: { files, git }, adminDirectory, content }) => ({
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
            })
          ),
        landed: ({ commonDirectory }, { head }) =>
          Effect.flatMap(repositories.known(commonDirectory), ({ worktrees }) => {
            const facts = worktrees.find((worktree) => worktree.head === head)?.facts
            return facts === undefined
              ? Effect.fail(failed(commonDirectory, "git log: exit 128"))
              : Effect.succeed(facts.landed)
          })
      })
    )
  )

const writes = (
  repositories: FakeRepositories.FakeRepositories,
  locks: FakeGitSteps.Locks,
  changes: Array<Change>
): Layer.Layer<GitChanges, never, FileSystem.FileSystem> => {
  const guarded = new Set<string>()
  return Layer.effect(
    GitChanges,
    Effect.map(FileSystem.FileSystem, (fs) =>
      GitChanges.of({
        carryOut: ({ commonDirectory }, step) =>
          Effect.suspend(() => {
            changes.push(Change.Step({ repository: commonDirectory, step }))
            return Effect.as(FakeGitSteps.take({ repositories, locks, fs }, commonDirectory, step), [])
          }),
        guard: ({ commonDirectory }) =>
          Effect.acquireRelease(
            Effect.suspend(() => {
              if (guarded.has(commonDirectory)) return Effect.fail(failed(commonDirectory, "another sweep is at work"))
              changes.push(Change.Guard({ repository: commonDirectory }))
              guarded.add(commonDirectory)
              return Effect.void
            }),
            () => Effect.sync(() => guarded.delete(commonDirectory))
          )
      })
    )
  )
}

const trees = (
  repositories: FakeRepositories.FakeRepositories,
  locks: FakeGitSteps.Locks
): Layer.Layer<ReclaimedTrees, never, FileSystem.FileSystem | ReclaimJournal.ReclaimJournal> =>
  Layer.effect(
    ReclaimedTrees,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const journal = yield* ReclaimJournal.ReclaimJournal
      return ReclaimedTrees.of({
        look: ({ commonDirectory }) =>
          Effect.flatMap(journal.read(identityOf(commonDirectory)), ({ entries }) =>
            Effect.forEach(entries, (entry) =>
              Effect.map(FakeGitSteps.foundOf({ repositories, locks, fs }, commonDirectory, entry), (found) =>
                Leftover.Journalled({ found })
              )
            )
          ),
        identify: ({ commonDirectory }, path) =>
          Effect.map(repositories.known(commonDirectory), ({ worktrees }) => ({
            repository: identityOf(commonDirectory),
            tree: identityOf(worktrees.find((worktree) => worktree.path === path)?.adminDirectory ?? path)
          }))
      })
    })
  )

const identityOf = (inode: string) => ({ inode, birth: null })

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
