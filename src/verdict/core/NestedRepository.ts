/**
 * Repositories of any kind, told by the names in a directory.
 */
import * as Regenerable from "./Regenerable.ts"

const marks: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".jj",
  ".svn",
  ".bzr",
  ".sl",
  ".pijul",
  "_darcs",
  ".fslckout",
  "_fossil_"
])

/** What a bare repository of git holds. */
const bare = ["HEAD", "objects", "refs"]

/**
 * Whether a directory that holds these names is a repository, or the worktree of one.
 */
export const isMarkedBy = (names: ReadonlyArray<string>): boolean =>
  names.some((name) => marks.has(Regenerable.fold(name))) || bare.every((name) => names.includes(name))
