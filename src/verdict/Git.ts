import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { ChildProcessSpawner } from "effect/process"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"
import * as GitList from "./core/GitList.ts"
import * as MountTable from "../machine/MountTable.ts"
import * as OwnerSentinel from "./core/OwnerSentinel.ts"
import * as Refspec from "./core/Refspec.ts"
import * as AdminFiles from "./AdminFiles.ts"
import * as Place from "../claims/core/Place.ts"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as Bound from "../shared/Bound.ts"
import { content, type GitContent } from "./GitContent.ts"
import * as GitCommand from "./GitCommand.ts"
import { failed, GitError, NoRepository, NotUsable, said } from "./GitCommand.ts"
import * as RegularFile from "../shared/RegularFile.ts"

export { Failed, GitError, NoRepository, NotDone, NotUsable, type Options } from "./GitCommand.ts"

/**
 * One repository and all of its worktrees.
 */
export interface Repository {
  /** Its common git directory, canonical. */
  readonly commonDirectory: string
  readonly worktrees: ReadonlyArray<GitList.Worktree>
  /** The type of the file system that it lies on, where that is known. */
  readonly fileSystem?: string | undefined
  /** A setting by which git shares with a remote the refs that keep the commits of what lies reclaimed, if any. */
  readonly sharedBy?: string | undefined
}

/**
 * What git and its files tell of one worktree. The lock's holder is not git's to judge.
 */
export interface Inspection {
  readonly worktree: GitList.Worktree
  readonly adminDirectory: string
  /** Device and inode of the directory. */
  readonly identity: string
  readonly status: GitList.Status
  readonly flagged: ReadonlyArray<string>
  readonly nested: ReadonlyArray<string>
  readonly mounts: ReadonlyArray<string>
  readonly submodules: boolean
  readonly operation: string | null
  readonly indexLock: boolean
  readonly headContained: boolean
  readonly headElsewhere: boolean
  /** The newest sign of git at work in it, in milliseconds since the epoch. */
  readonly activeAt: number
  /** The user who owns the directory. */
  readonly owner: number | undefined
  /** The type of the file system that it lies on, or `undefined` where that is not told. */
  readonly fileSystem: string | undefined
}

/**
 * Asks git. Nothing here changes anything, and each call is bounded by `Bound.Git`.
 */
export class Git extends Context.Service<
  Git,
  {
    /** The repository that `path` is a worktree of, or is itself. */
    readonly repository: (path: string) => Effect.Effect<Repository, GitError>
    /** Looks at one linked worktree of a repository. */
    readonly inspect: (repository: Repository, worktree: GitList.Worktree) => Effect.Effect<Inspection, GitError>
    /** The paths of one linked worktree, ignored, untracked and tracked. */
    readonly content: (repository: Repository, worktree: GitList.Worktree) => Effect.Effect<GitContent, GitError>
  }
>()("session-liveness/verdict/Git") {}

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
      const { run, ask, disarming } = GitCommand.make(fs, spawner, options)
      return Git.of({
        repository: Effect.fnUntraced(function* (path) {
          yield* checkVersion(yield* ask(path, ["version"]), path)
          const where = yield* run(path, ["-C", path, "rev-parse", "--path-format=absolute", "--git-common-dir"], {
            bound: Bound.Git
          })
          if (where.exitCode !== 0) {
            return yield* new GitError({ reason: new NoRepository(), path, detail: said(where.exitCode, where.stderr) })
          }
          const commonDirectory = yield* fs
            .realPath(where.stdout.replace(/\n$/, ""))
            .pipe(Effect.mapError((cause) => failed(path, cause.message)))
          const list = GitList.worktrees(
            yield* ask(path, [`--git-dir=${commonDirectory}`, "worktree", "list", "--porcelain", "-z"])
          )
          if (list === undefined) return yield* failed(path, "git worktree list printed something else than a list")
          return {
            commonDirectory,
            worktrees: list,
            fileSystem: yield* MountTable.read(fs, spawner, options).pipe(
              Effect.flatMap((mounts) => mounts.fileSystemOf(commonDirectory)),
              Effect.orElseSucceed(() => undefined)
            ),
            sharedBy: yield* sharedBy(run, commonDirectory)
          }
        }),
        inspect: (repository, worktree) => inspect(fs, spawner, options, { ask, disarming }, repository, worktree),
        content: (repository, worktree) => content(fs, spawner, options, { ask, disarming }, repository, worktree)
      })
    })
  )

const checkVersion = (text: string, path: string): Effect.Effect<void, GitError> => {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(text) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36)
    ? Effect.void
    : Effect.fail(new GitError({ reason: new NotUsable(), path, detail: `this is ${text.trim() || "no git"}` }))
}

const sharedBy = Effect.fnUntraced(function* (
  run: GitCommand.GitCommand["run"],
  commonDirectory: string
): Effect.fn.Return<string | undefined, GitError> {
  const where = `--git-dir=${commonDirectory}`
  const keys = "^remote\\..*\\.(fetch|push|mirror)$"
  const { exitCode, stdout, stderr } = yield* run(commonDirectory, [where, "config", "--null", "--get-regexp", keys], {
    bound: Bound.Git
  })
  // 1: none is there.
  if (exitCode > 1) return yield* failed(commonDirectory, `git config: ${said(exitCode, stderr)}`)
  return Refspec.sharing(stdout)
})

/**
 * Git directory and work tree are named outright: left to look for them, git would fall through a broken worktree to the
 * repository around it. Git starts in the worktree, because it lists only what lies below the directory it starts in.
 */
const inspect = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  options: GitCommand.Options,
  { ask, disarming }: Pick<GitCommand.GitCommand, "ask" | "disarming">,
  repository: Repository,
  worktree: GitList.Worktree
): Effect.fn.Return<Inspection, GitError> {
  const { path } = worktree
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) => failed(path, cause.message))
  const adminDirectory = yield* AdminDirectory.find(fs, path).pipe(
    Effect.flatMap((directory) => Effect.mapError(fs.realPath(directory), (cause) => cause.message)),
    Effect.mapError((detail) => new GitError({ reason: new NoRepository(), path, detail }))
  )
  if (!adminDirectory.startsWith(`${repository.commonDirectory}/worktrees/`)) {
    return yield* new GitError({
      reason: new NoRepository(),
      path,
      detail: `its admin directory ${adminDirectory} is none of ${repository.commonDirectory}`
    })
  }
  yield* Effect.mapError(AdminFiles.areRegular(fs, adminDirectory), (detail) => failed(path, detail))
  if (repository.worktrees.filter((other) => other.path === path).length > 1) {
    return yield* new GitError({ reason: new NoRepository(), path, detail: "more than one admin directory claims it" })
  }
  // To move it would be to move the link.
  if ((yield* ofFile(fs.lstat(path))).type === "SymbolicLink") {
    return yield* failed(path, "it is a symbolic link; run `git worktree repair` in the directory that it leads to")
  }
  const info = yield* ofFile(fs.stat(path))
  const owner = Option.getOrUndefined(info.uid)
  const exposed = yield* exposedIn(fs, repository.commonDirectory, adminDirectory, owner).pipe(ofFile)
  if (exposed !== undefined) return yield* failed(path, `another user may have written what it says: ${exposed}`)
  const canonical = yield* ofFile(fs.realPath(path))
  if ((yield* worktreeOf(fs, adminDirectory)) !== `${canonical}/.git`) {
    return yield* new GitError({
      reason: new NoRepository(),
      path,
      detail: `its admin directory ${adminDirectory} is another worktree's`
    })
  }
  const ofMounts = Effect.mapError((detail: string) => failed(path, detail))
  const mounts = yield* ofMounts(MountTable.read(fs, spawner, options))

  const where = ["-C", path, `--git-dir=${adminDirectory}`, `--work-tree=${path}`]
  const at = [...(yield* disarming(path, where)), ...where]
  const status = GitList.status(
    yield* ask(path, [
      ...at,
      "status",
      "--porcelain",
      "-z",
      "--untracked-files=all",
      "--ignored=matching",
      // Else git would run in a submodule under a configuration of its own. One that holds anything is refused anyway.
      "--ignore-submodules=dirty",
      "--no-renames"
    ])
  )
  const tracked = GitList.tracked(yield* ask(path, [...at, "ls-files", "-v", "--stage", "-z"]))
  if (status === undefined || tracked === undefined)
    return yield* failed(path, "git printed something else than a list")
  const inSubmodules = yield* Effect.forEach(tracked.submodules, (name) =>
    fs.readDirectory(`${path}/${name}`).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
      ofFile
    )
  )
  const containing =
    worktree.head === undefined
      ? []
      : (yield* ask(path, [
          ...at,
          "for-each-ref",
          "--format=%(refname) %(symref)",
          "--contains=HEAD",
          "refs/heads",
          "refs/remotes",
          "refs/tags"
        ]))
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split(" "))
  const there = (name: string) =>
    fs.lstat(`${adminDirectory}/${name}`).pipe(
      Effect.asSome,
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
      ofFile
    )
  const operations = yield* Effect.filter(operationMarks, ([mark]) => Effect.map(there(mark), Option.isSome))
  const signs = (yield* Effect.forEach(activityFiles, there)).flatMap(Option.toArray)
  const nested = yield* nestedRepositories(fs, path).pipe(ofFile)
  return {
    worktree,
    adminDirectory,
    identity: identityOf(info),
    status: {
      dirty: status.dirty.filter((entry) => entry !== `?? ${OwnerSentinel.fileName}`),
      ignored: status.ignored.filter((entry) => entry !== OwnerSentinel.fileName)
    },
    flagged: tracked.flagged,
    nested: [
      ...new Set([
        ...nested,
        ...repository.worktrees.map((other) => other.path).filter((other) => other !== path && isInside(other, path))
      ])
    ],
    mounts: yield* ofMounts(mounts.pointsIn(canonical)),
    submodules: Option.isSome(yield* there("modules")) || inSubmodules.some((names) => names.length > 0),
    operation: operations[0]?.[1] ?? null,
    indexLock: Option.isSome(yield* there("index.lock")),
    headContained: containing.length > 0,
    // Another name for its own branch is its own branch.
    headElsewhere: containing.some((names) => worktree.branch === undefined || !names.includes(worktree.branch)),
    activeAt: Math.max(
      ...signs.map(({ mtime }) => Option.match(mtime, { onNone: () => NaN, onSome: (date) => date.getTime() }))
    ),
    owner,
    fileSystem: yield* ofMounts(mounts.fileSystemOf(canonical))
  }
})

const maxBackLinkBytes = 64 * 1024

/**
 * The canonical `.git` file that an admin directory says is its worktree's; `undefined` when it is not there.
 */
const worktreeOf = (fs: FileSystem.FileSystem, adminDirectory: string): Effect.Effect<string | undefined> =>
  Effect.flatMap(RegularFile.read(fs, `${adminDirectory}/gitdir`, maxBackLinkBytes), (file) => {
    const target = file._tag === "File" ? file.text.replace(/\n+$/, "") : ""
    return fs
      .realPath(target.startsWith("/") ? target : `${adminDirectory}/${target}`)
      .pipe(Effect.orElseSucceed(() => undefined))
  })

/**
 * Device and inode, which tell one directory from another that took its name.
 */
const identityOf = (info: FileSystem.File.Info): string =>
  `${info.dev}:${Option.match(info.ino, { onNone: () => "?", onSome: String })}`

const isInside = (path: string, directory: string): boolean => {
  const segments = Place.segmentsOf(path)
  const above = Place.segmentsOf(directory)
  return (
    segments !== undefined &&
    above !== undefined &&
    segments.length > above.length &&
    above.every((segment, index) => segment === segments[index])
  )
}

/** What of a common git directory speaks for a removal: its refs, what it ignores, and how it is asked. */
const spoken: ReadonlyArray<string> = [
  "",
  "/config",
  "/info",
  "/info/exclude",
  "/objects",
  "/packed-refs",
  "/refs",
  "/refs/heads",
  "/refs/remotes",
  "/refs/tags",
  "/reftable",
  "/worktrees"
]

/**
 * The first of these, or the admin directory, that may be the doing of another user than the worktree's, and why.
 */
const exposedIn = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  adminDirectory: string,
  owner: number | undefined
): Effect.fn.Return<string | undefined, PlatformError> {
  for (const file of [adminDirectory, ...spoken.map((name) => `${commonDirectory}${name}`)]) {
    const why = yield* fs.stat(file).pipe(
      Effect.map((info) => WritableByOthers.why({ owner: Option.getOrUndefined(info.uid), mode: info.mode }, owner)),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined)
    )
    if (why !== undefined) {
      const wayOut = why.startsWith("belongs") ? "; give it to the user of the worktree with `chown`" : ""
      return `${file} ${why}${wayOut}`
    }
  }
  return undefined
})

const activityFiles: ReadonlyArray<string> = ["HEAD", "logs/HEAD", "index", "commondir", "reftable/tables.list"]

const operationMarks: ReadonlyArray<readonly [string, string]> = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase or am"],
  ["MERGE_HEAD", "merge"],
  // After a squash nothing else names the changes that were there before it.
  ["MERGE_AUTOSTASH", "merge with an autostash"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "sequence of picks or reverts"],
  ["BISECT_LOG", "bisect"],
  ["BISECT_START", "bisect"],
  // Its directory stays behind, empty, when the merge has ended.
  ["NOTES_MERGE_PARTIAL", "merge of notes"],
  ["NOTES_MERGE_REF", "merge of notes"]
]

/**
 * Whether a directory that holds these names is a repository, or the worktree of one. A bare one has no `.git`.
 */
const isRepository = (names: ReadonlyArray<string>): boolean =>
  names.includes(".git") || ["HEAD", "objects", "refs"].every((name) => names.includes(name))

/**
 * Every repository below `root`, ignored ones too. Links are not followed.
 */
const nestedRepositories = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string
): Effect.fn.Return<ReadonlyArray<string>, PlatformError> {
  const found: Array<string> = []
  let level: ReadonlyArray<string> = [root]
  while (level.length > 0) {
    const below = yield* Effect.forEach(
      level,
      (directory) =>
        Effect.gen(function* () {
          const entries = yield* fs.readDirectoryEntries(directory)
          if (directory !== root && isRepository(entries.map(({ name }) => name))) found.push(directory)
          const directories = yield* Effect.filter(entries, ({ name, type }) =>
            type === "Unknown"
              ? Effect.map(fs.lstat(`${directory}/${name}`), (info) => info.type === "Directory")
              : Effect.succeed(type === "Directory")
          )
          return directories.map(({ name }) => `${directory}/${name}`)
        }),
      { concurrency: 16 }
    )
    level = below.flat()
  }
  return found.sort()
})
