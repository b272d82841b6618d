/**
 * Asks git about one linked worktree. Git directory and work tree are named outright: left to look for them, git would
 * fall through a broken worktree to the repository around it. Git starts in the worktree, because it lists only what lies
 * below the directory it starts in.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as GitConfig from "./core/GitConfig.ts"
import * as GitIndex from "./core/GitIndex.ts"
import * as GitList from "./core/GitList.ts"
import { failed, type GitCommand, type GitError } from "./GitCommand.ts"
import { configOf, orFail, type RepositoryFacts } from "./RepositoryFacts.ts"

export interface WorktreeGit {
  readonly config: GitConfig.GitConfig
  /** What git does, with nothing run that its configuration names. */
  readonly ask: (args: ReadonlyArray<string>) => Effect.Effect<string, GitError>
  readonly status: Effect.Effect<GitList.Status, GitError>
  readonly index: Effect.Effect<GitIndex.GitIndex, GitError>
  /** The path of every file in the index. */
  readonly tracked: Effect.Effect<ReadonlyArray<string>, GitError>
}

export const make = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  command: GitCommand,
  facts: RepositoryFacts,
  path: string,
  adminDirectory: string
): Effect.fn.Return<WorktreeGit, GitError> {
  const where = ["-C", path, `--git-dir=${adminDirectory}`, `--work-tree=${path}`]
  const config = GitConfig.differsByWorktree(facts.config) ? yield* configOf(command, path, where) : facts.config
  const disarming = GitConfig.disarming(config)
  if (disarming === undefined) {
    return yield* failed(path, "git config names a filter or a hook with = in it, which cannot be kept from running")
  }
  const ask = (args: ReadonlyArray<string>) => command.ask(path, [...disarming, ...where, ...args])
  const hashBytes = GitConfig.last(config, "extensions.objectformat") === "sha256" ? 32 : 20
  const indexBytes = readIndex(fs, adminDirectory, path)
  const list = <A>(
    read: (bytes: Uint8Array, hashBytes: number) => A | undefined,
    options: ReadonlyArray<string>,
    parse: (text: string) => A | undefined
  ) =>
    Effect.flatMap(indexBytes, (bytes) => {
      const known = read(bytes, hashBytes)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.flatMap(ask(["ls-files", ...options, "-z"]), (text) => orFail(path, parse(text), "git ls-files"))
    })
  return {
    config,
    ask,
    status: Effect.flatMap(ask(statusArgs), (text) => orFail(path, GitList.status(text), "git status")),
    index: list(GitIndex.parse, ["-v", "--stage"], GitList.tracked),
    tracked: list(GitIndex.paths, [], GitList.items)
  }
})

const statusArgs: ReadonlyArray<string> = [
  "status",
  "--porcelain",
  "-z",
  "--untracked-files=all",
  "--ignored=matching",
  // Else git would run in a submodule under a configuration of its own. One that holds anything is refused anyway.
  "--ignore-submodules=dirty",
  "--no-renames"
]

const readIndex = (
  fs: FileSystem.FileSystem,
  adminDirectory: string,
  path: string
): Effect.Effect<Uint8Array, GitError> => {
  const file = `${adminDirectory}/index`
  return fs.lstat(file).pipe(
    // What is no regular file might be waited for for ever.
    Effect.flatMap(({ type }) => (type === "File" ? fs.readFile(file) : Effect.succeed(leftToGit))),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(leftToGit)),
    Effect.mapError((cause) => failed(path, cause.message))
  )
}

const leftToGit = new Uint8Array()
