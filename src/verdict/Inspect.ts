/**
 * Asks git what speaks against moving a worktree away.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Branches from "./core/Branches.ts"
import * as GitConfig from "./core/GitConfig.ts"
import type * as GitFacts from "./core/GitFacts.ts"
import * as GitIndex from "./core/GitIndex.ts"
import * as GitList from "./core/GitList.ts"
import * as OwnerSentinel from "./core/OwnerSentinel.ts"
import type { Repository, Settings } from "./Git.ts"
import { failed, type GitCommand, type GitError } from "./GitCommand.ts"
import * as IgnoredPaths from "./IgnoredPaths.ts"
import * as LeadingLinks from "./LeadingLinks.ts"
import { configOf, orFail, type RepositoryFacts } from "./RepositoryFacts.ts"
import type { WorktreeFiles } from "./WorktreeFiles.ts"

interface Asked {
  readonly fs: FileSystem.FileSystem
  readonly command: GitCommand
  readonly repository: Repository
  readonly facts: RepositoryFacts
  readonly worktree: GitList.Worktree
  readonly files: WorktreeFiles
  readonly settings: Settings
}

/**
 * Git directory and work tree are named outright: left to look for them, git would fall through a broken worktree to the
 * repository around it. Git starts in the worktree, because it lists only what lies below the directory it starts in.
 */
export const inspect = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<GitFacts.GitFacts, GitError> {
  const { fs, command, repository, facts, worktree, files, settings } = asked
  const { path } = worktree
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) => failed(path, cause.message))
  const where = ["-C", path, `--git-dir=${files.adminDirectory}`, `--work-tree=${path}`]
  const shared = facts.config
  const config = GitConfig.differsByWorktree(shared) ? yield* configOf(command, path, where) : shared
  const disarming = GitConfig.disarming(config)
  if (disarming === undefined) {
    return yield* failed(path, "git config names a filter or a hook with = in it, which cannot be kept from running")
  }
  const at = [...disarming, ...where]
  const status = yield* orFail(path, GitList.status(yield* command.ask(path, [...at, ...statusArgs])), "git status")
  const index = yield* readIndex(asked, at, config)
  const names = new Set(yield* ofFile(fs.readDirectory(files.adminDirectory)))
  const dirty = status.dirty.filter((entry) => entry !== `?? ${OwnerSentinel.fileName}`)
  const ignored = status.ignored.filter((entry) => entry !== OwnerSentinel.fileName)
  const harmless = yield* ofFile(harmlessOf(fs, path, dirty))
  const links = yield* facts.links
  const canonical = yield* ofFile(fs.realPath(path))
  return {
    longLived: Branches.isLongLived(worktree.branch, yield* facts.defaults(settings.base), settings.keepBranches),
    nested: [
      ...new Set([
        ...files.repositories,
        ...repository.worktrees
          .map((other) => other.path)
          .filter((other) => other !== path && LeadingLinks.isOnOrInside(other, path))
      ])
    ],
    mounts: files.mounts,
    immovable: immovable(files, repository),
    ledTo: links
      .filter(({ worktree, target }) => worktree !== path && LeadingLinks.isOnOrInside(target, canonical))
      .map((link) => link.path),
    submodules: names.has("modules") || (yield* ofFile(holdsAny(fs, path, index.submodules))),
    dirty: dirty.filter((entry) => !harmless.has(entry)),
    harmless: [...harmless].map((entry) => entry.slice(3)),
    flagged: yield* ofFile(
      Effect.filter(index.flagged, (each) => Effect.map(isMeant(fs, path, config, each), (meant) => !meant))
    ),
    operation: operationMarks.find(([mark]) => names.has(mark))?.[1],
    indexLock: names.has("index.lock"),
    headContained: yield* isContained(asked, at),
    ignored,
    ignoredWrite: yield* ofFile(IgnoredPaths.lastWrite(fs, path, ignored, settings))
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

/** What a move would not carry out, so that it is not even planned. */
const immovable = (files: WorktreeFiles, { sharedBy }: Repository): string | undefined => {
  if (!files.isBesideRepository) return "it is on another device than its repository"
  return sharedBy === undefined
    ? undefined
    : `what keeps its commits would be fetched or pushed: ${sharedBy} covers refs/reclaimed; narrow it to refs/heads`
}

const readIndex = Effect.fnUntraced(function* (
  { fs, command, worktree: { path }, files }: Asked,
  at: ReadonlyArray<string>,
  config: GitConfig.GitConfig
): Effect.fn.Return<GitIndex.GitIndex, GitError> {
  const hashBytes = GitConfig.last(config, "extensions.objectformat") === "sha256" ? 32 : 20
  const file = `${files.adminDirectory}/index`
  const bytes = yield* fs.lstat(file).pipe(
    // What is no regular file might be waited for for ever.
    Effect.flatMap(({ type }) => (type === "File" ? Effect.asSome(fs.readFile(file)) : Effect.succeedSome(noIndex))),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
    Effect.mapError((cause) => failed(path, cause.message))
  )
  if (Option.isNone(bytes)) return { flagged: [], submodules: [] }
  const read = GitIndex.parse(bytes.value, hashBytes)
  if (read !== undefined) return read
  return yield* orFail(
    path,
    GitList.tracked(yield* command.ask(path, [...at, "ls-files", "-v", "--stage", "-z"])),
    "git ls-files"
  )
})

/** Git is left to say what is wrong with it. */
const noIndex = new Uint8Array()

const manyUntracked = 1000

/**
 * The untracked entries that hold nothing: symbolic links and empty files.
 */
const harmlessOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  path: string,
  dirty: ReadonlyArray<string>
): Effect.fn.Return<ReadonlySet<string>, PlatformError> {
  // Among so many something will hold something, and one is enough.
  if (dirty.length > manyUntracked) return new Set()
  const found = yield* Effect.filter(dirty, (entry) =>
    entry.startsWith("?? ")
      ? Effect.map(
          fs.lstat(`${path}/${entry.slice(3)}`),
          ({ type, size }) => type === "SymbolicLink" || (type === "File" && Number(size) === 0)
        )
      : Effect.succeed(false)
  )
  return new Set(found)
})

/**
 * A file that sparse checkout keeps away is meant not to be there.
 */
const isMeant = (
  fs: FileSystem.FileSystem,
  path: string,
  config: GitConfig.GitConfig,
  flagged: GitFacts.Flagged
): Effect.Effect<boolean, PlatformError> =>
  flagged.flag === "skip-worktree" && GitConfig.isTrue(config, "core.sparsecheckout")
    ? fs.lstat(`${path}/${flagged.path}`).pipe(
        Effect.as(false),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(true))
      )
    : Effect.succeed(false)

const holdsAny = (
  fs: FileSystem.FileSystem,
  path: string,
  submodules: ReadonlyArray<string>
): Effect.Effect<boolean, PlatformError> =>
  Effect.map(
    Effect.forEach(submodules, (name) =>
      fs.readDirectory(`${path}/${name}`).pipe(
        Effect.map((names) => names.length > 0),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
      )
    ),
    (held) => held.includes(true)
  )

/**
 * Whether any ref contains `HEAD`. Where one names it, git need not look for one that comes after it.
 */
const isContained = Effect.fnUntraced(function* (
  { command, facts, worktree: { head, path } }: Asked,
  at: ReadonlyArray<string>
): Effect.fn.Return<boolean, GitError> {
  if (head === undefined) return false
  if ((yield* facts.refs).some(({ object }) => object === head)) return true
  const text = yield* command.ask(path, [
    ...at,
    "for-each-ref",
    "--format=%(refname)",
    "--count=1",
    "--contains=HEAD",
    "refs/heads",
    "refs/remotes",
    "refs/tags"
  ])
  return text !== ""
})

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
