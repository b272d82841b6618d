/**
 * What git tells of one worktree.
 */

/**
 * Who holds a worktree's lock: a harness whose process runs or is proven gone, or somebody of whom that cannot be told.
 */
export interface Lock {
  readonly holder: "Live" | "Gone" | "Unknown"
  readonly reason: string
}

export interface GitFacts {
  readonly main: boolean
  /** Whether it lies reclaimed already. */
  readonly aside: boolean
  /** Worktrees and directories that hold `.git`, inside it. */
  readonly nested: ReadonlyArray<string>
  /** Mount points inside it, and those elsewhere that show it or what is in it. */
  readonly mounts: ReadonlyArray<string>
  /** Whether a submodule is or was initialised. */
  readonly submodules: boolean
  /** Modified and untracked paths, as `git status --porcelain` writes them. */
  readonly dirty: ReadonlyArray<string>
  /** Files flagged assume-unchanged or skip-worktree. */
  readonly flagged: ReadonlyArray<string>
  /** The rebase, merge or the like that is under way. */
  readonly operation: string | null
  readonly indexLock: boolean
  /** Whether `HEAD` is contained in any branch, remote branch or tag. */
  readonly headContained: boolean
  /** Whether it is contained in one other than its own branch. */
  readonly headElsewhere: boolean
  /** A setting by which git shares the refs that keep what is reclaimed with a remote, if any. */
  readonly sharedBy?: string | undefined
  readonly lock: Lock | null
  /** Ignored paths, directories as one. */
  readonly ignored: ReadonlyArray<string>
}

/**
 * The facts, or why git could not tell them.
 */
export type Told =
  | { readonly _tag: "Told"; readonly facts: GitFacts }
  | { readonly _tag: "Unknown"; readonly reason: string }
