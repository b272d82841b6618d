/**
 * What lies in one linked worktree, as git sees it.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as AdminFiles from "./AdminFiles.ts"
import * as GitList from "./core/GitList.ts"
import type * as IgnoredTree from "./core/IgnoredTree.ts"
import type { Repository } from "./Git.ts"
import { failed, type GitCommand, GitError, NoRepository } from "./GitCommand.ts"
import type { RepositoryFacts } from "./RepositoryFacts.ts"
import * as WorktreeGit from "./WorktreeGit.ts"

export interface GitContent extends IgnoredTree.Content {
  /** Device and inode of the worktree's directory, and its admin directory. */
  readonly identity: { readonly directory: string; readonly adminDirectory: string }
  readonly isOnDeviceOfRepository: boolean
  /** The user that the directory belongs to. */
  readonly owner: number | undefined
  /** Mount points inside it, and those elsewhere that show it or what is in it. */
  readonly mounts: ReadonlyArray<string>
}

/** What lies in it beside the files of the index. */
export type Beside = Pick<IgnoredTree.Content, "ignored" | "untracked">

/**
 * `beside` is what an inspection told a moment ago, where that is enough; else git is asked.
 */
export const content = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  command: GitCommand,
  facts: RepositoryFacts,
  { commonDirectory }: Repository,
  { path }: GitList.Worktree,
  beside?: Beside | undefined
): Effect.fn.Return<GitContent, GitError> {
  const adminDirectory = yield* AdminDirectory.find(fs, path).pipe(
    Effect.flatMap((directory) => Effect.mapError(fs.realPath(directory), (cause) => cause.message)),
    Effect.mapError((detail) => new GitError({ reason: new NoRepository(), path, detail }))
  )
  if (!adminDirectory.startsWith(`${commonDirectory}/worktrees/`)) {
    return yield* failed(path, `its admin directory ${adminDirectory} is another repository's`)
  }
  yield* Effect.mapError(AdminFiles.areRegular(fs, adminDirectory), (detail) => failed(path, detail))
  const [self, repository, canonical] = yield* Effect.all([
    fs.lstat(path),
    fs.lstat(commonDirectory),
    fs.realPath(path)
  ]).pipe(Effect.mapError((cause) => failed(path, cause.message)))
  const mounts = yield* facts.mounts.pipe(
    Effect.flatMap(({ pointsIn }) => pointsIn(canonical)),
    Effect.mapError((detail) => failed(path, detail))
  )
  const git = yield* WorktreeGit.make(fs, command, facts, path, adminDirectory)
  return {
    ...(beside ?? besideOf(yield* git.status)),
    tracked: yield* git.tracked,
    identity: { directory: `${self.dev}:${Option.getOrElse(self.ino, () => "?")}`, adminDirectory },
    isOnDeviceOfRepository: self.dev === repository.dev,
    owner: Option.getOrUndefined(self.uid),
    mounts
  }
})

const besideOf = ({ ignored, dirty }: GitList.Status): Beside => ({ ignored, untracked: GitList.untracked(dirty) })
