/**
 * What is written down before regenerable directories of one worktree are removed, so that a kill loses nothing: until
 * `Removing` they go back, from then on they go away.
 */
import * as Schema from "effect/Schema"

/**
 * A directory that is moved out of a worktree.
 */
const Moved = Schema.Struct({
  /** Where it was, relative to the worktree. */
  path: Schema.NonEmptyString,
  /** What it is called in the place that it is moved to. */
  name: Schema.String.check(Schema.makeFilter((name) => /^[0-9]+-[0-9]+$/.test(name))),
  inode: Schema.NonEmptyString,
  /** When the directory around it was last written, in milliseconds since the epoch. */
  parentWrittenAt: Schema.Finite
})

export type Moved = typeof Moved.Type

export const SlimEntry = Schema.Struct({
  /** That of its first directory. */
  name: Schema.NonEmptyString,
  /** Where the worktree was. */
  worktree: Schema.String.check(Schema.makeFilter((path) => path.startsWith("/"))),
  state: Schema.Literals(["Moving", "Removing"]),
  directories: Schema.Array(Moved)
})

export type SlimEntry = typeof SlimEntry.Type

/**
 * The name is that of no other: an inode is one directory's at a time.
 */
export const nameOf = (inode: string, now: number): string => `${inode}-${now}`
