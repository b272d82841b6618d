/**
 * What git's facts say against moving a worktree away.
 */
import * as Shell from "../../shared/core/Shell.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Branches from "./Branches.ts"
import { type Facts, quietFor, type Settings } from "./Facts.ts"
import type * as GitFacts from "./GitFacts.ts"
import * as Refusal from "./Refusal.ts"

type Of = Omit<Facts, "git"> & { readonly git: GitFacts.GitFacts }

type Check = (facts: Of, settings: Settings) => Refusal.Refusal | undefined

export const refusal = (facts: Facts, settings: Settings): Refusal.Refusal | undefined => {
  const { git, path } = facts
  if (git._tag === "Unknown") {
    return (
      ofRegistration(facts) ??
      Refusal.unknown(`git could not tell: ${Text.escape(git.reason)}`, Refusal.git(path, "status"))
    )
  }
  const of = { ...facts, git: git.value }
  return ofRegistration(facts) ?? checks.map((check) => check(of, settings)).find((refusal) => refusal !== undefined)
}

/** What needs no other word of git. */
const ofRegistration = ({ registered, path }: Facts): Refusal.Refusal | undefined => {
  if (registered.main) {
    return Refusal.because("it is the main worktree, which is never reclaimed", Refusal.git(path, "worktree", "list"))
  }
  return registered.reclaimed
    ? Refusal.because(
        "it lies reclaimed already; restore it, or let it expire",
        Shell.command("session-liveness", "restore", path)
      )
    : undefined
}

/** What it is, and where. */
const ofPlace: Check = ({ git, registered, path, repository }) => {
  const byHand = Shell.command("git", `--git-dir=${repository}`, "worktree", "remove", path)
  if (git.longLived) {
    const branch = Text.escape(Branches.shortName(registered.branch ?? ""))
    return Refusal.because(
      `the long-lived branch ${branch} is checked out in it; remove it by hand if nobody needs it`,
      byHand
    )
  }
  if (git.nested.length > 0) {
    return Refusal.because(
      `another repository or worktree lies inside: ${list(git.nested)}; move it out, or remove it by hand`,
      Refusal.explain(path)
    )
  }
  if (git.mounts.length > 0) {
    return Refusal.because(
      `a mount point lies inside, or shows what is in it elsewhere: ${list(git.mounts)}; unmount it`,
      Refusal.explain(path)
    )
  }
  if (git.immovable !== undefined) {
    return Refusal.because(
      `it cannot be moved: ${Text.escape(git.immovable)}; remove it by hand if nobody needs it`,
      byHand
    )
  }
  return git.ledTo.length === 0
    ? undefined
    : Refusal.because(
        `a symbolic link of another worktree leads into it: ${list(git.ledTo)}; remove the link`,
        Refusal.explain(path)
      )
}

/** What is in it that no branch holds. */
const ofContents: Check = ({ git, path }) => {
  if (git.submodules) {
    return Refusal.because(
      "a submodule is or was initialised in it, which git does not move; remove the worktree by hand if nobody needs it",
      Refusal.git(path, "submodule", "status")
    )
  }
  if (git.dirty.length > 0) {
    return Refusal.because(
      `it holds changes: ${list(git.dirty)}; commit or remove them`,
      Refusal.git(path, "status", "--untracked-files=all")
    )
  }
  const [first] = git.flagged
  if (first === undefined) return undefined
  const alike = git.flagged.filter(({ flag }) => flag === first.flag).map(({ path }) => path)
  return Refusal.because(
    `files are flagged ${first.flag}, which hides their changes: ${list(alike)}; clear the flags`,
    Refusal.git(path, "update-index", `--no-${first.flag}`, "--", ...alike)
  )
}

/** What is under way in it. */
const ofState: Check = ({ git, registered, path }) => {
  if (git.operation !== undefined) {
    return Refusal.because(`a ${git.operation} is under way; finish or abort it`, Refusal.git(path, "status"))
  }
  if (git.indexLock) {
    return Refusal.because(
      "index.lock exists: git is at work in it, or died there; wait, or remove the lock if no git runs",
      Refusal.git(path, "rev-parse", "--git-path", "index.lock")
    )
  }
  return git.headContained
    ? undefined
    : Refusal.because(
        "its HEAD is contained in no branch, remote branch or tag; make a branch of it",
        Refusal.git(path, "branch", `kept-${registered.head?.slice(0, 12) ?? "work"}`, "HEAD")
      )
}

const ofIgnored: Check = ({ git: { ignoredWrite }, now }, settings) => {
  if (ignoredWrite === undefined) return undefined
  const until = ignoredWrite.at + quietFor(settings)
  return now >= until
    ? undefined
    : Refusal.until(
        until,
        `the ignored file "${Text.escape(ignoredWrite.path)}", which no tool makes again, was written at ${Refusal.past(ignoredWrite.at)}`
      )
}

const ofLock: Check = ({ registered: { lock }, path, repository }) => {
  if (lock === undefined || lock.holder === "Gone") return undefined
  const reason = lock.reason === "" ? "" : ` (${Text.escape(lock.reason)})`
  return lock.holder === "Live"
    ? Refusal.because(
        `it is locked by Claude Code, which still runs${reason}; end that session first`,
        Shell.command("session-liveness", "sessions")
      )
    : Refusal.because(
        `it is locked${reason}; unlock it if nobody needs it`,
        Shell.command("git", `--git-dir=${repository}`, "worktree", "unlock", path)
      )
}

const checks: ReadonlyArray<Check> = [ofPlace, ofContents, ofState, ofIgnored, ofLock]

const shown = 5

/**
 * The first few of many paths, and how many more.
 */
export const list = (paths: ReadonlyArray<string>): string => {
  const more = paths.length - shown
  const first = paths.slice(0, shown).map((path) => `"${Text.escape(path)}"`)
  return more > 0 ? `${first.join(", ")} and ${more} more` : first.join(", ")
}
