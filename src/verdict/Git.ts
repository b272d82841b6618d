import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner } from "effect/process"
import * as MountTable from "../machine/MountTable.ts"
import * as Bound from "../shared/Bound.ts"
import type * as GitFacts from "./core/GitFacts.ts"
import * as GitList from "./core/GitList.ts"
import type * as Landed from "./core/Landed.ts"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as AdminFiles from "./AdminFiles.ts"
import * as Refspec from "./core/Refspec.ts"
import type * as Regenerable from "./core/Regenerable.ts"
import * as GitCommand from "./GitCommand.ts"
import { type Beside, content, type GitContent } from "./GitContent.ts"
import { failed, GitError, NoRepository, NotUsable, said } from "./GitCommand.ts"
import * as Inspect from "./Inspect.ts"
import * as LandedIn from "./LandedIn.ts"
import * as OldRemotes from "./OldRemotes.ts"
import * as RepositoryFacts from "./RepositoryFacts.ts"
import * as WorktreeFiles from "./WorktreeFiles.ts"

export { Failed, GitError, NoRepository, NotDone, NotUsable, type Options } from "./GitCommand.ts"
export type { WorktreeFiles } from "./WorktreeFiles.ts"

/**
 * One repository and all of its worktrees, as they were when it was asked about. What it is asked once for all of them is
 * kept as long as this value.
 */
export interface Repository {
  /** Its common git directory, canonical. */
  readonly commonDirectory: string
  readonly worktrees: ReadonlyArray<GitList.Worktree>
  /** The type of the file system that it lies on, where that is known. */
  readonly fileSystem?: string | undefined
  /** By what git may share with a remote the refs that keep the commits of what lies reclaimed, if by anything. */
  readonly sharedBy?: string | undefined
}

/**
 * What a person says of branches, and of what can be made again.
 */
export interface Settings extends Regenerable.Settings {
  /** The default branch, where it is another than the repository names. */
  readonly base?: string | undefined
  /** Branches besides the usual ones whose worktrees are kept; a `*` at the end stands for any text. */
  readonly keepBranches?: ReadonlyArray<string> | undefined
}

/**
 * Asks git. Nothing here changes anything, and each call is bounded by `Bound.Git`.
 */
export class Git extends Context.Service<
  Git,
  {
    /** The repository that `path` is a worktree of, or is itself. */
    readonly repository: (path: string) => Effect.Effect<Repository, GitError>
    /** What the files of one linked worktree tell, which starts no process. */
    readonly files: (
      repository: Repository,
      worktree: GitList.Worktree,
      settings: Settings
    ) => Effect.Effect<WorktreeFiles.WorktreeFiles, GitError>
    /** What speaks against moving it away. */
    readonly inspect: (
      repository: Repository,
      worktree: GitList.Worktree,
      files: WorktreeFiles.WorktreeFiles,
      settings: Settings
    ) => Effect.Effect<GitFacts.GitFacts, GitError>
    /** The paths of one linked worktree, ignored, untracked and tracked. What is known of them is not asked again. */
    readonly content: (
      repository: Repository,
      worktree: GitList.Worktree,
      beside?: Beside | undefined
    ) => Effect.Effect<GitContent, GitError>
    /** Whether what it holds has landed. Where it was not merged, contents are compared only if that is `thorough`. */
    readonly landed: (
      repository: Repository,
      work: Landed.Work,
      settings: Settings & { readonly thorough: boolean }
    ) => Effect.Effect<Landed.Landed, GitError>
  }
>()("session-liveness/services/Git") {}

/**
 * Runs real git.
 */
export const layer = (
  options: GitCommand.Options
): Layer.Layer<Git, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    Git,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const command = GitCommand.make(fs, spawner, options)
      const known = new WeakMap<Repository, RepositoryFacts.RepositoryFacts>()
      const mountsAnew = Effect.cached(MountTable.read(fs, spawner, options))
      const configOf = ({ commonDirectory }: Pick<Repository, "commonDirectory">) =>
        RepositoryFacts.configOf(command, commonDirectory, [`--git-dir=${commonDirectory}`])
      const factsOf = Effect.fnUntraced(function* (repository: Repository) {
        const before = known.get(repository)
        if (before !== undefined) return before
        const config = yield* configOf(repository)
        const facts = yield* RepositoryFacts.make(fs, command, repository, config, yield* mountsAnew)
        known.set(repository, facts)
        return facts
      })
      return Git.of({
        repository: Effect.fnUntraced(function* (path) {
          const listed = yield* list(fs, command, path)
          const config = yield* configOf(listed)
          const mounts = yield* mountsAnew
          const repository: Repository = {
            ...listed,
            fileSystem: yield* mounts.pipe(
              Effect.flatMap((table) => table.fileSystemOf(listed.commonDirectory)),
              Effect.orElseSucceed(() => undefined)
            ),
            sharedBy: Refspec.sharing(config) ?? (yield* OldRemotes.sharing(fs, listed.commonDirectory))
          }
          known.set(repository, yield* RepositoryFacts.make(fs, command, repository, config, mounts))
          return repository
        }),
        files: (repository, worktree, settings) =>
          Effect.flatMap(factsOf(repository), (facts) =>
            WorktreeFiles.gather(fs, facts, repository, worktree, settings)
          ),
        inspect: (repository, worktree, files, settings) =>
          Effect.flatMap(factsOf(repository), (facts) =>
            Inspect.inspect({ fs, command, repository, facts, worktree, files, settings })
          ),
        content: (repository, worktree, beside) =>
          Effect.flatMap(factsOf(repository), (facts) => content(fs, command, facts, repository, worktree, beside)),
        landed: (repository, work, { base, thorough }) =>
          Effect.flatMap(factsOf(repository), (facts) =>
            LandedIn.landed({ command, repository, facts, work, base, thorough })
          )
      })
    })
  )

const list = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  { run }: GitCommand.GitCommand,
  path: string
): Effect.fn.Return<Repository, GitError> {
  const bound = Bound.Git
  const worded = Effect.mapError((detail: string) => failed(path, detail))
  yield* worded(Effect.flatMap(AdminDirectory.around(fs, path), (directory) => AdminFiles.areReadable(fs, directory)))
  const where = yield* run(path, ["-C", path, "rev-parse", "--path-format=absolute", "--git-common-dir"], { bound })
  if (where.exitCode !== 0) {
    yield* checkVersion(run, path)
    return yield* new GitError({ reason: new NoRepository(), path, detail: said(where.exitCode, where.stderr) })
  }
  const commonDirectory = yield* fs
    .realPath(where.stdout.replace(/\n$/, ""))
    .pipe(Effect.mapError((cause) => failed(path, cause.message)))
  yield* worded(AdminFiles.areListable(fs, commonDirectory))
  const listed = yield* run(path, [`--git-dir=${commonDirectory}`, "worktree", "list", "--porcelain", "-z"], { bound })
  if (listed.exitCode !== 0) {
    yield* checkVersion(run, path)
    return yield* failed(path, `git worktree list: ${said(listed.exitCode, listed.stderr)}`)
  }
  const worktrees = listed.stdout.includes("\ufffd") ? undefined : GitList.worktrees(listed.stdout)
  if (worktrees === undefined) return yield* failed(path, "git worktree list printed something else than a list")
  return { commonDirectory, worktrees }
})

/**
 * An old git, which knows neither of these options, is told apart from a repository that is broken.
 */
const checkVersion = Effect.fnUntraced(function* (
  run: GitCommand.GitCommand["run"],
  path: string
): Effect.fn.Return<void, GitError> {
  const { stdout } = yield* run(path, ["version"], { bound: Bound.Git })
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(stdout) ?? []
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36)) return
  return yield* new GitError({ reason: new NotUsable(), path, detail: `this is ${stdout.trim() || "no git"}` })
})
