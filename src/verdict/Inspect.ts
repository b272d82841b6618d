/**
 * Asks git what speaks against moving a worktree away.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Branches from "./core/Branches.ts"
import * as GitConfig from "./core/GitConfig.ts"
import type * as GitFacts from "./core/GitFacts.ts"
import type * as GitList from "./core/GitList.ts"
import * as OwnerSentinel from "./core/OwnerSentinel.ts"
import type { Repository, Settings } from "./Git.ts"
import { failed, type GitCommand, type GitError } from "./GitCommand.ts"
import * as IgnoredPaths from "./IgnoredPaths.ts"
import type { RepositoryFacts } from "./RepositoryFacts.ts"
import type { WorktreeFiles } from "./WorktreeFiles.ts"
import * as WorktreeGit from "./WorktreeGit.ts"

interface Asked {
  readonly fs: FileSystem.FileSystem
  readonly command: GitCommand
  readonly repository: Repository
  readonly facts: RepositoryFacts
  readonly worktree: GitList.Worktree
  readonly files: WorktreeFiles
  readonly settings: Settings
}

export const inspect = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<GitFacts.GitFacts, GitError> {
  const { fs, command, repository, facts, worktree, files, settings } = asked
  const { path } = worktree
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) => failed(path, cause.message))
  const git = yield* WorktreeGit.make(fs, command, facts, path, files.adminDirectory)
  const status = yield* git.status
  const index = yield* git.index
  const names = new Set(yield* ofFile(fs.readDirectory(files.adminDirectory)))
  const dirty = status.dirty.filter((entry) => entry !== `?? ${OwnerSentinel.fileName}`)
  const ignored = status.ignored.filter((entry) => entry !== OwnerSentinel.fileName)
  const harmless = yield* ofFile(harmlessOf(fs, path, dirty))
  const { places } = facts
  const ofPlaces = Effect.mapError((detail: string) => failed(path, detail))
  const here = yield* ofPlaces(places.of(path))
  const inside = yield* ofPlaces(places.worktreesIn(here))
  const links = yield* ofPlaces(places.linksInto(here))
  return {
    longLived: Branches.isLongLived(worktree.branch, yield* facts.defaults(settings.base), settings.keepBranches),
    nested: [
      ...new Set([...files.repositories, ...inside.flatMap((other) => (other.path === path ? [] : [other.path]))])
    ],
    mounts: files.mounts,
    immovable: immovable(files, repository, names),
    ledTo: links.flatMap((link) => (link.worktree === path ? [] : [link.path])),
    submodules: names.has("modules") || (yield* ofFile(holdsAny(fs, path, index.submodules))),
    dirty: dirty.filter((entry) => !harmless.has(entry)),
    harmless: [...harmless].map((entry) => entry.slice(3)),
    flagged: yield* ofFile(
      Effect.filter(index.flagged, (each) => Effect.map(isMeant(fs, path, git.config, each), (meant) => !meant))
    ),
    operation: operationMarks.find(([mark]) => names.has(mark))?.[1],
    indexLock: names.has("index.lock"),
    headContained: yield* isContained(asked, git),
    ignored,
    ignoredWrite: yield* ofFile(IgnoredPaths.lastWrite(fs, path, ignored, settings))
  }
})

/** What a move would not carry out, so that it is not even planned. */
const immovable = (
  files: WorktreeFiles,
  { sharedBy }: Repository,
  adminNames: ReadonlySet<string>
): string | undefined => {
  if (adminNames.has("reftable")) return "its refs are kept as reftable, where the log of HEAD cannot be read whole"
  if (!files.isBesideRepository) return "it is on another device or mount than its repository"
  if (files.closed !== undefined) return `${files.closed} cannot be written to`
  return sharedBy === undefined ? undefined : `what keeps its commits would be fetched or pushed: ${sharedBy}`
}

const manyUntracked = 1000

/**
 * The untracked entries that hold nothing: symbolic links and empty files.
 */
export const harmlessOf = Effect.fnUntraced(function* (
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
  { facts, worktree: { head } }: Asked,
  git: WorktreeGit.WorktreeGit
): Effect.fn.Return<boolean, GitError> {
  if (head === undefined) return false
  if ((yield* facts.refs).some(({ object }) => object === head)) return true
  const text = yield* git.ask([
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
