/**
 * How git is run: by which executable, in what environment, and with which of its configuration's programs kept from
 * running.
 */
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { ChildProcessSpawner } from "effect/process"
import * as Schema from "effect/Schema"
import * as GitList from "./core/GitList.ts"
import * as Bound from "../shared/Bound.ts"
import type * as MacTools from "../machine/MacTools.ts"
import * as Command from "../shared/Command.ts"
import * as Executable from "../shared/Executable.ts"

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
        return `${this.path} is no git repository or worktree that can be read: ${this.detail}; name one, or, if its repository was moved, see \`git worktree repair\``
      case "Failed":
        return `git gave no whole answer about ${this.path}: ${this.detail}; run git there by hand and fix what it names`
      case "NotDone":
        return `the change of the repository ${this.path} was not carried out: ${this.detail}`
    }
  }
}

/**
 * Where git is looked for, and in what environment it runs.
 */
export interface Options {
  /** The environment of the caller. Of `GIT_*` only `GIT_CONFIG_*` is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The executable; looked for on `PATH` and where package managers put it, unless given. */
  readonly executable?: string | undefined
  /** As Node names it. Mounts are known on `linux` and `darwin`. */
  readonly platform: string
  /** The programs of macOS, where they lie elsewhere. */
  readonly tools?: MacTools.MacTools | undefined
}

/**
 * Ways of asking git. Only `run` with the bound `undefined` may change anything: it is never killed.
 */
export interface GitCommand {
  readonly run: (
    path: string,
    args: ReadonlyArray<string>,
    kind: {
      readonly bound: Context.Reference<Duration.Input> | undefined
      readonly input?: string | undefined
    }
  ) => Effect.Effect<Command.Output, GitError>
  /** The standard output of a read that succeeds. */
  readonly ask: (path: string, args: ReadonlyArray<string>, input?: string) => Effect.Effect<string, GitError>
  /**
   * What keeps git from running the programs that its configuration names. `where` is what tells the commands that
   * follow where they run: told otherwise, git may read another configuration, or none of another user's repository.
   */
  readonly disarming: (path: string, where: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, GitError>
}

export const make = (
  fs: FileSystem.FileSystem,
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  options: Options
): GitCommand => {
  // Looked for until it is found: a look is a dozen calls, and there is one for every command.
  let found: string | undefined
  const executable = Effect.suspend(() =>
    found !== undefined
      ? Effect.succeed(found)
      : Effect.tap(Executable.find(fs, { name: "git", path: options.env["PATH"], given: options.executable }), (path) =>
          Effect.sync(() => (found = path))
        )
  )
  const env = environment(options.env)
  const run = Effect.fnUntraced(function* (
    path: string,
    args: ReadonlyArray<string>,
    kind: { readonly bound: Command.Options["bound"]; readonly input?: string | undefined } = { bound: Bound.Git }
  ): Effect.fn.Return<Command.Output, GitError> {
    const command = yield* Effect.mapError(
      executable,
      (detail) => new GitError({ reason: new NotUsable(), path, detail })
    )
    return yield* Command.run(spawner, {
      command,
      args: [...always, ...args],
      env,
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

  return { run, ask, disarming }
}

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

export const failed = (path: string, detail: string): GitError => new GitError({ reason: new Failed(), path, detail })

export const notDone = (path: string, detail: string): GitError => new GitError({ reason: new NotDone(), path, detail })

export const said = (exitCode: number, stderr: string): string => {
  const text = stderr.trim()
  return text === "" ? `exit ${exitCode}, nothing said` : text.slice(0, 300)
}
