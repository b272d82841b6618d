/**
 * What is asked once of a repository for all of its worktrees, and only when the first of them needs it.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as RegularFile from "../shared/RegularFile.ts"
import * as Bound from "../shared/Bound.ts"
import type * as MountTable from "../machine/MountTable.ts"
import * as Branches from "./core/Branches.ts"
import * as Exposed from "./Exposed.ts"
import * as GitConfig from "./core/GitConfig.ts"
import * as History from "./core/History.ts"
import type { Repository } from "./Git.ts"
import { failed, type GitCommand, type GitError, said } from "./GitCommand.ts"
import * as RepositoryPlaces from "./RepositoryPlaces.ts"

export interface RepositoryFacts {
  readonly config: GitConfig.GitConfig
  readonly mounts: Effect.Effect<MountTable.MountTable, string>
  readonly refs: Effect.Effect<ReadonlyArray<Branches.Ref>, GitError>
  /** The default branches: what a person says, else what the repository does. */
  readonly defaults: (base: string | undefined) => Effect.Effect<ReadonlyArray<Branches.Ref>, GitError>
  readonly history: (ref: Branches.Ref) => Effect.Effect<History.History, GitError>
  /** What of it another user than a worktree's may have written, and why. */
  readonly exposed: (owner: number | undefined) => Effect.Effect<string | undefined, PlatformError>
  readonly places: RepositoryPlaces.RepositoryPlaces
}

export const make = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  command: GitCommand,
  { commonDirectory, worktrees }: Repository,
  config: GitConfig.GitConfig,
  mounts: RepositoryFacts["mounts"]
): Effect.fn.Return<RepositoryFacts> {
  const at = [`--git-dir=${commonDirectory}`]
  const refs = yield* Effect.cached(
    Effect.flatMap(
      command.ask(commonDirectory, [
        ...at,
        "for-each-ref",
        `--format=${Branches.refFormat}`,
        "refs/heads",
        "refs/remotes",
        "refs/tags"
      ]),
      (text) => orFail(commonDirectory, Branches.parse(text), "git for-each-ref")
    )
  )
  return {
    config,
    mounts,
    refs,
    defaults: once(
      (base) => base,
      Effect.fnUntraced(function* (base) {
        const isBare = worktrees.some(({ bare }) => bare)
        const head = isBare ? yield* RegularFile.read(fs, `${commonDirectory}/HEAD`, maxHeadBytes) : undefined
        return Branches.defaults(yield* refs, {
          base,
          bareHead: head?._tag === "File" ? /^ref: ([^]*?)\n*$/.exec(head.text)?.[1] : undefined,
          initial: GitConfig.last(config, "init.defaultbranch")
        })
      })
    ),
    history: once(
      (ref) => ref.object,
      (ref) =>
        Effect.map(log(command, commonDirectory, [ref.object]), (commits) =>
          History.make(Branches.shortName(ref.name), commits)
        )
    ),
    exposed: once(
      (owner) => owner,
      (owner) => Exposed.inCommon(fs, commonDirectory, owner)
    ),
    places: yield* RepositoryPlaces.make(fs, worktrees)
  }
})

/** Asks for each key once. */
const once = <Asked, Key, A, E>(
  keyOf: (asked: Asked) => Key,
  ask: (asked: Asked) => Effect.Effect<A, E>
): ((asked: Asked) => Effect.Effect<A, E>) => {
  const answers = new Map<Key, Effect.Effect<A, E>>()
  return Effect.fnUntraced(function* (asked) {
    const answer = answers.get(keyOf(asked)) ?? (yield* Effect.cached(ask(asked)))
    answers.set(keyOf(asked), answer)
    return yield* answer
  })
}

const maxHeadBytes = 64 * 1024

/**
 * The configuration that git would go by there.
 */
export const configOf = Effect.fnUntraced(function* (
  { ask }: GitCommand,
  path: string,
  where: ReadonlyArray<string>
): Effect.fn.Return<GitConfig.GitConfig, GitError> {
  return yield* orFail(path, GitConfig.parse(yield* ask(path, [...where, "config", "--null", "--list"])), "git config")
})

/**
 * The newest commits of a branch, or of what lies between two. What is not UTF-8 in a message does no harm.
 */
export const log = Effect.fnUntraced(function* (
  { run }: GitCommand,
  commonDirectory: string,
  range: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<History.Commit>, GitError> {
  const args = [`--git-dir=${commonDirectory}`, "-c", "log.showRoot=true", "log", ...History.logOptions, ...range, "--"]
  const { exitCode, stdout, stderr } = yield* run(commonDirectory, args, { bound: Bound.Git })
  if (exitCode !== 0) return yield* failed(commonDirectory, `git log: ${said(exitCode, stderr)}`)
  return yield* orFail(commonDirectory, History.parse(stdout), "git log")
})

export const orFail = <A>(path: string, parsed: A | undefined, what: string): Effect.Effect<A, GitError> =>
  parsed === undefined
    ? Effect.fail(failed(path, `${what} printed something else than was asked for`))
    : Effect.succeed(parsed)
