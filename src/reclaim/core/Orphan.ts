/**
 * Directories in the stores of agents that git no longer knows.
 */
import * as Known from "../../shared/core/Known.ts"
import * as Shell from "../../shared/core/Shell.ts"
import * as Facts from "../../verdict/core/Facts.ts"
import * as Quiet from "../../verdict/core/Quiet.ts"
import * as Refusal from "../../verdict/core/Refusal.ts"
import * as ReclaimOutcome from "./ReclaimOutcome.ts"

/**
 * What a directory looks like that no repository registers.
 */
export type Kind =
  /** Nothing is in it. */
  | "Empty"
  /** The checkout of a worktree whose registration is gone. */
  | "Checkout"
  /** A repository of its own. */
  | "Repository"
  /** Whatever else. */
  | "Files"

export interface Orphan {
  readonly path: string
  readonly store: string
  readonly kind: Kind
  /** The admin directory that a checkout names and that is gone. */
  readonly adminDirectory: string | undefined
  /** When the directory itself was last written, in milliseconds since the epoch; `undefined` where that is not known. */
  readonly writtenAt: number | undefined
  readonly owner: number | undefined
  /** Device and inode. */
  readonly identity: string
}

/**
 * Why an empty one stays, by what it is itself: it must belong to `user`, and have been quiet as long as a worktree.
 */
export const keeps = (
  { path, owner, writtenAt }: Orphan,
  user: number | undefined,
  now: number,
  settings: Facts.Settings
): ReclaimOutcome.ReclaimOutcome | undefined => {
  if (owner === undefined || owner !== user) {
    return ReclaimOutcome.Kept({
      path,
      gate: "Vantage",
      reason: "it does not belong to this user, or its owner is not known"
    })
  }
  const wanted = Facts.quietFor(settings)
  const last = Known.known({ what: "the directory", at: writtenAt ?? Number.NaN })
  if (Quiet.atLeast(now, last, wanted)) return undefined
  const passesAt = Quiet.until(last, wanted)
  const reason =
    passesAt === undefined
      ? "it is not known when it was written"
      : `it was written lately; it passes on ${Refusal.instant(passesAt)}`
  return ReclaimOutcome.Kept({ path, gate: "Quiet", reason })
}

/**
 * What a person can do about one.
 */
export const settles = ({ kind, path, adminDirectory }: Orphan): string => {
  switch (kind) {
    case "Empty":
      return `it is empty: \`${Shell.command("rmdir", path)}\` removes it, and so does --apply once it has been quiet for a day`
    case "Checkout":
      return `its registration ${adminDirectory ?? ""} is gone; if the repository was moved, run \`${Shell.command("git", "worktree", "repair", path)}\` in it; else look through it, and remove it by hand`
    case "Repository":
      return `it is a repository of its own: look whether its commits are elsewhere (\`${Shell.command("git", "-C", path, "status")}\`), and remove it by hand`
    case "Files":
      return "no repository knows it: look through it, and remove it by hand"
  }
}

/**
 * Which of the paths in a store need a look: those that are no registered worktree. What only leads to one, as
 * `feature` leads to `feature/login`, is looked into instead.
 */
export const relation = (path: string, registered: ReadonlySet<string>): "Registered" | "LeadsTo" | "Unknown" => {
  if (registered.has(path)) return "Registered"
  for (const each of registered) if (each.startsWith(`${path}/`)) return "LeadsTo"
  return "Unknown"
}

/** Where agents keep the worktrees of a checkout. */
export const storeOf = (checkout: string): string => `${checkout}/.claude/worktrees`
