/**
 * What the files of a worktree and of its git admin directory tell, without asking git.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Known from "../shared/core/Known.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as ClaimIndex from "../claims/core/ClaimIndex.ts"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as AdminFiles from "./AdminFiles.ts"
import type * as GitList from "./core/GitList.ts"
import * as HeadLog from "./core/HeadLog.ts"
import type * as Regenerable from "./core/Regenerable.ts"
import type * as SignOfWork from "./core/SignOfWork.ts"
import * as Exposed from "./Exposed.ts"
import type { Repository } from "./Git.ts"
import { failed, GitError, NoRepository } from "./GitCommand.ts"
import type { RepositoryFacts } from "./RepositoryFacts.ts"
import * as TreeWalk from "./TreeWalk.ts"

export interface WorktreeFiles {
  readonly adminDirectory: string
  /** Device and inode of the directory. */
  readonly identity: string
  /** Whether the repository lies on the same device and mount. */
  readonly isBesideRepository: boolean
  /** A directory to which a move has to write, and which is closed to that. */
  readonly closed?: string | undefined
  /** The user who owns the directory. */
  readonly owner: number | undefined
  /** The type of the file system that it lies on, or `undefined` where that is not known. */
  readonly fileSystem: string | undefined
  /** Mount points inside it, and those elsewhere that show it or what is in it. */
  readonly mounts: ReadonlyArray<string>
  /** Repositories of any kind inside it. */
  readonly repositories: ReadonlyArray<string>
  /** Each place where work shows, with its newest time. */
  readonly signs: ReadonlyArray<Known.Known<SignOfWork.SignOfWork>>
  readonly headLog: Pick<HeadLog.HeadLog, "madeAt" | "commits">
}

export const gather = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  facts: RepositoryFacts,
  repository: Repository,
  { path }: GitList.Worktree,
  settings: Regenerable.Settings
): Effect.fn.Return<WorktreeFiles, GitError> {
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) => failed(path, cause.message))
  const { adminDirectory, canonical, info } = yield* place(fs, facts, repository, path)
  yield* Effect.mapError(AdminFiles.areRegular(fs, adminDirectory), (detail) => failed(path, detail))
  const ofMounts = Effect.mapError((detail: string) => failed(path, detail))
  const mounts = yield* ofMounts(facts.mounts)
  const common = yield* ofFile(fs.stat(repository.commonDirectory))
  const log = yield* readLog(fs, adminDirectory)
  const tree = yield* ofFile(TreeWalk.walk(fs, path, settings))
  const admin = yield* Effect.forEach(["HEAD", "commondir"], (name) => fileSign(fs, `${adminDirectory}/${name}`))
  return {
    adminDirectory,
    identity: `${info.dev}:${Option.match(info.ino, { onNone: () => "?", onSome: String })}`,
    isBesideRepository: common.dev === info.dev && mounts.isOneMount(canonical, repository.commonDirectory),
    closed: yield* closedOf(fs, [
      canonical.slice(0, canonical.lastIndexOf("/")) || "/",
      canonical,
      repository.commonDirectory,
      adminDirectory
    ]),
    owner: Option.getOrUndefined(info.uid),
    fileSystem: yield* ofMounts(mounts.fileSystemOf(canonical)),
    mounts: yield* ofMounts(mounts.pointsIn(canonical)),
    repositories: tree.repositories,
    signs: [tree.sign, ...admin.flatMap(Option.toArray), ...log.signs],
    headLog: log
  }
})

/** A directory can be closed to its own user: mounted read-only, or immutable. */
const closedOf = (fs: FileSystem.FileSystem, directories: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.filter(directories, (directory) => Effect.isFailure(fs.access(directory, { writable: true }))),
    ([first]) => first
  )

/**
 * The directories of a worktree, after making sure that they are each other's and nobody else's.
 */
const place = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  facts: RepositoryFacts,
  repository: Repository,
  path: string
): Effect.fn.Return<
  { readonly adminDirectory: string; readonly canonical: string; readonly info: FileSystem.File.Info },
  GitError
> {
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) => failed(path, cause.message))
  const none = (detail: string) => new GitError({ reason: new NoRepository(), path, detail })
  const adminDirectory = yield* AdminDirectory.find(fs, path).pipe(
    Effect.flatMap((directory) => Effect.mapError(fs.realPath(directory), (cause) => cause.message)),
    Effect.mapError(none)
  )
  if (!adminDirectory.startsWith(`${repository.commonDirectory}/worktrees/`)) {
    return yield* none(`its admin directory ${adminDirectory} is none of ${repository.commonDirectory}`)
  }
  const names = yield* Effect.mapError(registeredAs(facts.places, path), (detail) => failed(path, detail))
  if (names.length > 1) {
    const other = names.find((name) => name !== path)
    return yield* none(
      `more than one admin directory claims it${other === undefined ? "" : `, one of them as ${other}`}`
    )
  }
  // To move it would be to move the link.
  const info = yield* ofFile(fs.lstat(path))
  if (info.type === "SymbolicLink") {
    return yield* failed(path, "it is a symbolic link; run `git worktree repair` in the directory that it leads to")
  }
  const owner = Option.getOrUndefined(info.uid)
  const exposed = (yield* ofFile(Exposed.why(fs, adminDirectory, owner))) ?? (yield* ofFile(facts.exposed(owner)))
  if (exposed !== undefined) return yield* failed(path, `another user may have written what it says: ${exposed}`)
  const canonical = yield* ofFile(fs.realPath(path))
  if ((yield* worktreeOf(fs, adminDirectory)) !== `${canonical}/.git`) {
    return yield* none(`its admin directory ${adminDirectory} is another worktree's`)
  }
  return { adminDirectory, canonical, info }
})

/** One directory may be registered by two names, as where it was removed by hand and made anew in another case. */
const registeredAs = Effect.fnUntraced(function* (
  places: RepositoryFacts["places"],
  path: string
): Effect.fn.Return<ReadonlyArray<string>, string> {
  const here = yield* places.of(path)
  const inside = yield* places.worktreesIn(here)
  return inside.flatMap((other) => (ClaimIndex.isOnOrInside(here, other.place) ? [other.path] : []))
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

const maxLogBytes = 16 * 1024 * 1024

/**
 * The newest entry of the `HEAD` log. The time of the file is none: git rewrites it when it collects garbage.
 */
const readLog = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, adminDirectory: string) {
  const path = `${adminDirectory}/logs/HEAD`
  const what = "the HEAD log"
  const file = yield* RegularFile.read(fs, path, maxLogBytes)
  if (file._tag !== "File") {
    const signs = file._tag === "Nothing" ? [] : [Known.unknown(`${path}: ${file.why}`)]
    return { madeAt: undefined, commits: false, signs }
  }
  const { lastAt, ...log } = HeadLog.parse(file.text)
  if (lastAt === undefined) return { ...log, signs: [] }
  if (lastAt === "NoEntry") return { ...log, signs: Option.toArray(yield* fileSign(fs, path)) }
  return { ...log, signs: [Known.known({ what, at: lastAt })] }
})

const fileSign = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<Option.Option<Known.Known<SignOfWork.SignOfWork>>> =>
  fs.lstat(path).pipe(
    Effect.map(({ mtime }) =>
      Option.some(
        Option.match(mtime, {
          onNone: (): Known.Known<SignOfWork.SignOfWork> => Known.unknown(`${path} tells no time`),
          onSome: (date) => Known.known({ what: path, at: date.getTime() })
        })
      )
    ),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
    Effect.catch((cause) => Effect.succeedSome(Known.unknown(cause.message)))
  )
