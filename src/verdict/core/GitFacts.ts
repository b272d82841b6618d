/**
 * What git and its files tell of one worktree.
 */

/**
 * Who holds a worktree's lock: Claude Code in a process that runs or is proven gone, or somebody of whom that is not known.
 */
export interface Lock {
  readonly holder: "Live" | "Gone" | "Unknown"
  readonly reason: string
}

/**
 * What the list of a repository's worktrees says of one.
 */
export interface Registered {
  readonly main: boolean
  /** Whether it lies reclaimed already. */
  readonly reclaimed: boolean
  /** The commit that is checked out; `undefined` before the first one. */
  readonly head: string | undefined
  /** The branch that `HEAD` is on, in full; `undefined` when it is detached. */
  readonly branch: string | undefined
  readonly lock: Lock | undefined
}

/**
 * What is known only by asking.
 */
export interface GitFacts {
  /** Whether its branch is one that people keep: a default branch, or one named like `release/1`. */
  readonly longLived: boolean
  /** Worktrees and repositories of any kind inside it. */
  readonly nested: ReadonlyArray<string>
  /** Mount points inside it, and those elsewhere that show it or what is in it. */
  readonly mounts: ReadonlyArray<string>
  /** What keeps it from being moved, in words, or `undefined`. */
  readonly immovable: string | undefined
  /** Symbolic links of the repository's other worktrees that lead into it. */
  readonly ledTo: ReadonlyArray<string>
  /** Whether a submodule is or was initialised. */
  readonly submodules: boolean
  /** Modified and untracked paths, as `git status --porcelain` writes them, but those of `harmless`. */
  readonly dirty: ReadonlyArray<string>
  /** Untracked paths that hold nothing: symbolic links and empty files. */
  readonly harmless: ReadonlyArray<string>
  readonly flagged: ReadonlyArray<Flagged>
  /** The rebase, merge or the like that is under way. */
  readonly operation: string | undefined
  readonly indexLock: boolean
  /** Whether `HEAD` is contained in any branch, remote branch or tag. */
  readonly headContained: boolean
  /** Ignored paths, directories as one. */
  readonly ignored: ReadonlyArray<string>
  /** The ignored file that no tool makes again and that was written last. */
  readonly ignoredWrite: { readonly path: string; readonly at: number } | undefined
}

/**
 * A file of which git does not say whether it was changed.
 */
export interface Flagged {
  readonly path: string
  readonly flag: "assume-unchanged" | "skip-worktree"
}
