import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { ChildProcessSpawner } from "effect/process"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Exposure from "../shared/core/Exposure.ts"
import * as GitList from "./core/GitList.ts"
import * as Mounts from "../machine/core/Mounts.ts"
import * as OwnerSentinel from "./core/OwnerSentinel.ts"
import * as Place from "../claims/core/Place.ts"
import type { ReclaimLeft } from "../reclaim/core/ReclaimLeft.ts"
import { reclaimedIn, type ReclaimStep } from "../reclaim/core/ReclaimStep.ts"
import * as SweepGuard from "../reclaim/core/SweepGuard.ts"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"
import * as Executable from "../shared/Executable.ts"
import * as GitSteps from "../reclaim/GitSteps.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as WholeFile from "../shared/WholeFile.ts"

/** git is not installed, or older than 2.36, which cannot list worktrees with NUL. */
export class NotUsable extends Schema.TaggedClass<NotUsable>()("NotUsable", {}) {}

/** The path is no repository, or no linked worktree of it. */
export class NoRepository extends Schema.TaggedClass<NoRepository>()("NoRepository", {}) {}

/** git, or the file system beside it, did not give a whole answer. */
export class Failed extends Schema.TaggedClass<Failed>()("Failed", {}) {}

/** A change was not made, or not whole. */
export class NotDone extends Schema.TaggedClass<NotDone>()("NotDone", {}) {}

/**
 * git could not tell, or not do.
 */
export class GitError extends Schema.TaggedError<GitError>()("GitError", {
  reason: Schema.Union([NotUsable, NoRepository, Failed, NotDone]),
  path: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    switch (this.reason._tag) {
      case "NotUsable":
        return `${this.detail}; install git 2.36 or newer`
      case "NoRepository":
        return `${this.path} is no git repository or worktree that can be read: ${this.detail}; name one, or see \`git worktree repair\``
      case "Failed":
        return `asked about ${this.path}, git gave no whole answer: ${this.detail}; ask it by hand and mend what it names`
      case "NotDone":
        return `the change of the repository ${this.path} was not carried out: ${this.detail}`
    }
  }
}

/**
 * One repository and all of its worktrees.
 */
export interface Repository {
  /** Its common git directory, canonical. */
  readonly commonDirectory: string
  readonly worktrees: ReadonlyArray<GitList.Worktree>
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
 * Asks git. Reads change nothing and are bounded by `Bound.Git` each.
 */
export class Git extends Context.Service<
  Git,
  {
    /** The repository that `path` is a worktree of, or is itself. */
    readonly repository: (path: string) => Effect.Effect<Repository, GitError>
    /** Looks at one linked worktree of a repository. */
    readonly inspect: (repository: Repository, worktree: GitList.Worktree) => Effect.Effect<Inspection, GitError>
    /** Carries out one step of a move, a restoration or a removal. It is never killed. Gives notes for a person. */
    readonly carryOut: (repository: Repository, step: ReclaimStep) => Effect.Effect<ReadonlyArray<string>, GitError>
    /**
     * Keeps every other sweep from changing the repository until the scope closes. `isAbandoned` says whether the holder
     * of a guard that was found is proven gone; then it is taken over. It is not asked of one in another pid namespace,
     * whose guard is never taken over.
     */
    readonly guard: (
      repository: Repository,
      own: SweepGuard.SweepGuard,
      isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
    ) => Effect.Effect<void, GitError, Scope.Scope>
    /** Everything that moves, restorations and removals have left, whether or not git can list it. */
    readonly left: (repository: Repository) => Effect.Effect<ReadonlyArray<ReclaimLeft>, GitError>
  }
>()("session-liveness/services/Git") {}

/**
 * Where git is looked for, and in what environment it runs.
 */
export interface Options {
  /** The environment of the caller. Of `GIT_*` only `GIT_CONFIG_*` is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The executable; looked for on `PATH` and where package managers put it, unless given. */
  readonly executable?: string | undefined
  /** As Node names it. Mounts are only known on `linux`. */
  readonly platform: string
}

/**
 * Runs real git.
 */
export const layer = (
  options: Options
): Layer.Layer<Git, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    Git,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner

      const run = Effect.fnUntraced(function* (
        path: string,
        args: ReadonlyArray<string>,
        kind: { readonly bound: Command.Options["bound"]; readonly input?: string | undefined } = { bound: Bound.Git }
      ): Effect.fn.Return<Command.Output, GitError> {
        const command = yield* Executable.find(fs, {
          name: "git",
          path: options.env["PATH"],
          given: options.executable
        }).pipe(Effect.mapError((detail) => new GitError({ reason: new NotUsable(), path, detail })))
        return yield* Command.run(spawner, {
          command,
          args: [...always, ...args],
          env: environment(options.env),
          maxBytes,
          ...kind
        }).pipe(Effect.mapError(({ detail }) => failed(path, detail)))
      })

      const ask = Effect.fnUntraced(function* (
        path: string,
        args: ReadonlyArray<string>,
        input?: string
      ): Effect.fn.Return<string, GitError> {
        const { exitCode, stdout, stderr } = yield* run(path, args, { bound: Bound.Git, input })
        if (exitCode === 0 && !stdout.includes("\ufffd")) return stdout
        return yield* failed(path, `git ${args.join(" ")}: ${exitCode === 0 ? "not UTF-8" : said(exitCode, stderr)}`)
      })

      /**
       * What keeps git from running the programs that its configuration names. `where` is what tells the commands that
       * follow where they run: told otherwise, git may read another configuration, or none of another user's repository.
       */
      const disarming = Effect.fnUntraced(function* (
        path: string,
        where: ReadonlyArray<string>
      ): Effect.fn.Return<ReadonlyArray<string>, GitError> {
        const { exitCode, stdout, stderr } = yield* run(path, [
          ...where,
          "config",
          "--null",
          "--name-only",
          "--get-regexp",
          "^(filter|hook)\\."
        ])
        // 1: none is there.
        if (exitCode === 1) return []
        if (exitCode !== 0 || stdout.includes("\ufffd")) {
          return yield* failed(path, `git config: ${exitCode === 0 ? "not UTF-8" : said(exitCode, stderr)}`)
        }
        const disarmed = GitList.disarming(stdout)
        return (
          disarmed ??
          (yield* failed(path, "git config names a filter or a hook with = in it, which cannot be kept from running"))
        )
      })

      return Git.of({
        repository: Effect.fnUntraced(function* (path) {
          yield* checkVersion(yield* ask(path, ["version"]), path)
          const where = yield* run(path, ["-C", path, "rev-parse", "--path-format=absolute", "--git-common-dir"])
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
          return { commonDirectory, worktrees: list }
        }),
        inspect: (repository, worktree) => inspect(fs, options.platform, { ask, disarming }, repository, worktree),
        carryOut: ({ commonDirectory }, step) =>
          GitSteps.carryOut(
            fs,
            {
              read: (args, input) => Effect.mapError(ask(commonDirectory, args, input), ({ detail }) => detail),
              write: Effect.fnUntraced(function* (args, input) {
                const places = yield* whereOf(fs, step, args)
                const disarmed = yield* Effect.forEach(places, (where) => disarming(commonDirectory, where)).pipe(
                  Effect.mapError(({ detail }) => detail)
                )
                const { exitCode, stderr } = yield* run(commonDirectory, [...disarmed.flat(), ...args], {
                  bound: undefined,
                  input
                }).pipe(Effect.mapError(({ detail }) => detail))
                if (exitCode !== 0)
                  return yield* Effect.fail(`git ${args.slice(1).join(" ")}: ${said(exitCode, stderr)}`)
              })
            },
            commonDirectory,
            step
          ).pipe(Effect.mapError((detail) => notDone(commonDirectory, `the step ${step._tag} failed: ${detail}`))),
        guard: ({ commonDirectory }, own, isAbandoned) =>
          Effect.asVoid(
            Effect.acquireRelease(takeGuard(fs, commonDirectory, own, isAbandoned), () =>
              leaveGuard(fs, commonDirectory, own)
            )
          ),
        left: ({ commonDirectory }) =>
          Effect.mapError(GitSteps.left(fs, commonDirectory), (detail) => failed(commonDirectory, detail))
      })
    })
  )

const guardOf = (commonDirectory: string): string => `${reclaimedIn(commonDirectory)}/.sweep`

const maxPointerBytes = 64 * 1024

/**
 * Creates the guard, or takes over one whose holder is gone. Only one sweep at a time may take over, and it looks once
 * more whether there is still something to take.
 */
const takeGuard = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  own: SweepGuard.SweepGuard,
  isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
): Effect.fn.Return<void, GitError> {
  const workshop = reclaimedIn(commonDirectory)
  const path = guardOf(commonDirectory)
  const takeover = `${path}-takeover`
  const told = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) =>
      notDone(
        commonDirectory,
        cause.reason._tag === "AlreadyExists"
          ? `another sweep is at work; wait for it, or remove ${path}* if none runs`
          : cause.message
      )
    )
  const create = (name: string) =>
    told(WholeFile.create(fs, { path: name, text: SweepGuard.print(own), mode: 0o600, workshop }))
  const isLeft = Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, path, maxPointerBytes)
    if (found._tag === "Nothing") return false
    const holder = found._tag === "File" ? SweepGuard.parse(found.text) : Option.none()
    if (Option.isNone(holder)) return yield* notDone(commonDirectory, `${path} names no sweep; remove it if none runs`)
    if (SweepGuard.isElsewhere(holder.value, own)) {
      return yield* notDone(
        commonDirectory,
        `a sweep in another pid namespace (pid ${holder.value.pid} there) holds the repository, and it cannot be told from here whether it is still at work; wait for it, or remove ${path} if it has ended`
      )
    }
    if (yield* isAbandoned(holder.value)) return true
    return yield* notDone(
      commonDirectory,
      `another sweep is at work (pid ${holder.value.pid}), or git still is for one; wait for it, or remove ${path} if it has ended`
    )
  })
  yield* told(fs.makeDirectory(workshop, { recursive: true, mode: 0o700 }))
  if ((yield* told(fs.realPath(workshop))) !== workshop) {
    return yield* notDone(commonDirectory, `${workshop} leads elsewhere; remove the link`)
  }
  if (!(yield* isLeft)) return yield* create(path)
  yield* create(takeover)
  const drop = Effect.ignore(fs.remove(takeover))
  yield* Effect.flatMap(isLeft, (still) =>
    still ? told(fs.rename(takeover, path)) : Effect.andThen(create(path), drop)
  ).pipe(Effect.onError(() => drop))
})

/**
 * Removes the guard, unless it is another's by now.
 */
const leaveGuard = (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  own: SweepGuard.SweepGuard
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, guardOf(commonDirectory), maxPointerBytes)
    if (found._tag === "File" && found.text === SweepGuard.print(own)) yield* fs.remove(guardOf(commonDirectory))
  }).pipe(Effect.ignore)

const always: ReadonlyArray<string> = [
  "--no-optional-locks",
  "--no-pager",
  // One makes a commit contain what it does not.
  "--no-replace-objects",
  // Its words would stand before all else that git says.
  "-c",
  "advice.graftFileDeprecated=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.excludesFile=",
  "-c",
  "status.showUntrackedFiles=all",
  // Each of these hides changes when it is set the other way.
  "-c",
  "core.ignoreCase=false",
  "-c",
  "core.trustctime=true",
  "-c",
  "core.checkStat=default",
  "-c",
  "core.fileMode=true"
]

const maxBytes = 256 * 1024 * 1024

/** `GIT_CONFIG` itself sends `git config`, and no other command, to another file. */
const environment = (env: Options["env"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      ...Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG_")),
      ...Object.entries(fixed)
    ].filter((entry): entry is [string, string] => entry[1] !== undefined)
  )

const fixed = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  // As a replacement, one makes a commit contain what it does not.
  GIT_GRAFT_FILE: "/dev/null",
  // A partial clone would fetch what it lacks, by whatever program its configuration names.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none"
}

/**
 * The places whose configuration holds while a step runs git with these arguments: where they say, and for a removal also
 * the worktree, in which git then asks for its status. A removal that was stopped may have left no directory.
 */
const whereOf = (
  fs: FileSystem.FileSystem,
  step: ReclaimStep,
  args: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> => {
  const named = args.filter((arg) => /^--(git-dir|work-tree)=/.test(arg))
  if (step._tag !== "Remove") return Effect.succeed([named])
  return fs.exists(step.path).pipe(
    Effect.orElseSucceed(() => true),
    Effect.map((exists) =>
      exists ? [named, ["-C", step.path, `--git-dir=${step.path}/.git`, `--work-tree=${step.path}`]] : [named]
    )
  )
}

const failed = (path: string, detail: string): GitError => new GitError({ reason: new Failed(), path, detail })

const notDone = (path: string, detail: string): GitError => new GitError({ reason: new NotDone(), path, detail })

const said = (exitCode: number, stderr: string): string => {
  const text = stderr.trim()
  return text === "" ? `exit ${exitCode}, nothing said` : text.slice(0, 300)
}

const checkVersion = (text: string, path: string): Effect.Effect<void, GitError> => {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(text) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36)
    ? Effect.void
    : Effect.fail(new GitError({ reason: new NotUsable(), path, detail: `this is ${text.trim() || "no git"}` }))
}

interface Asking {
  readonly ask: (path: string, args: ReadonlyArray<string>) => Effect.Effect<string, GitError>
  readonly disarming: (path: string, where: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, GitError>
}

/**
 * Git directory and work tree are named outright: left to look for them, git would fall through a broken worktree to the
 * repository around it. Git starts in the worktree, because it lists only what lies below the directory it starts in.
 */
const inspect = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  platform: string,
  { ask, disarming }: Asking,
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
  const mounts = platform === "linux" ? Mounts.parse(yield* ofFile(fs.readFileString("/proc/self/mountinfo"))) : []
  if (mounts === undefined) return yield* failed(path, "/proc/self/mountinfo has another shape")

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
    mounts: [...new Set([...Mounts.inside(mounts, canonical), ...Mounts.showing(mounts, canonical)])],
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
    fileSystem: platform === "linux" ? Mounts.of(mounts, canonical)?.type : undefined
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
      Effect.map((info) => Exposure.why({ owner: Option.getOrUndefined(info.uid), mode: info.mode }, owner)),
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
