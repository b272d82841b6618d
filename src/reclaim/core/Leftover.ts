/**
 * What lies in `reclaimed/` or is on its way there or back, and how a sweep that died among it is recovered.
 */
import * as Data from "effect/Data"
import * as ReclaimedDirectory from "../../verdict/core/ReclaimedDirectory.ts"
import type { JournalEntry } from "./JournalEntry.ts"
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import * as ReclaimStep from "./ReclaimStep.ts"

/**
 * What the files say about one entry of the journal. A directory is the entry's only if its identity is.
 */
export interface Found {
  readonly entry: JournalEntry
  readonly adminDirectory: string
  /** Whether there is an admin directory of that name. */
  readonly registered: boolean
  /** The lock that is on: ours, none, or somebody else's. `Suspended`: ours is off while the tree is being removed. */
  readonly lock: "Ours" | "Suspended" | "None" | "Other"
  /** Whether the tree lies reclaimed under its name. */
  readonly lies: boolean
  /** Where it lies instead, out of reach, while it is being removed. */
  readonly withdrawn: string | undefined
  /** Whether something else does, or the tree when its links lead to another admin directory. */
  readonly taken: string | undefined
  /** Where else the tree stands: where it was, or where somebody has moved it. */
  readonly stands: string | undefined
  /** Whether the tree and its admin directory name each other, as git needs it. */
  readonly linked: boolean
  /** The commit that its `HEAD` is detached at. */
  readonly head: string | undefined
}

export type Leftover = Data.TaggedEnum<{
  Journalled: { readonly found: Found }
  /** In no entry that counts. `adminDirectory`: that of this repository which names it and is named by it. */
  Stranger: { readonly path: string; readonly adminDirectory: string | undefined }
}>

export const { Journalled, Stranger, $is, $match } = Data.taggedEnum<Leftover>()

/**
 * Why an entry does not count, so that its tree is neither put back where it was nor removed; `undefined` when it counts.
 */
export const obstacle = ({
  entry,
  lies,
  withdrawn,
  taken,
  registered,
  linked,
  lock,
  head
}: Found): string | undefined => {
  if (withdrawn !== undefined) {
    const why = taken ?? (registered ? "its removal did not finish, and the next sweep puts it back" : unregistered)
    return `${why}; it lies at ${withdrawn}`
  }
  if (!lies) return taken ?? "it does not lie there any more"
  if (!registered) return unregistered
  if (taken !== undefined) return taken
  if (!linked) return "it and its registration do not name each other; see `git worktree repair`"
  if (lock === "Other") return "somebody else has locked it; see `git worktree list`"
  if (head !== entry.record.head) return "something else has been checked out in it since it was reclaimed"
  return undefined
}

/**
 * The same of any worktree of a repository: what lies in `reclaimed/` in no entry that counts may be anybody's.
 */
export const strangeness = (commonDirectory: string, path: string, found: Found | undefined): string | undefined => {
  if (found !== undefined) return obstacle(found)
  return path.startsWith(`${ReclaimedDirectory.of(commonDirectory)}/`)
    ? "it lies reclaimed in no entry of this user's journal"
    : undefined
}

const unregistered = "git no longer knows this directory as a worktree; its commits are kept under refs/reclaimed"

/**
 * What is to be done.
 */
export type Recovery = Data.TaggedEnum<{
  /** It is whole. */
  Nothing: {}
  /** The entry has no object any more. */
  Forget: {}
  /** `forget`: with the steps the entry is done. */
  Steps: {
    readonly path: string
    readonly what: string
    readonly steps: ReadonlyArray<ReclaimStep.ReclaimStep>
    readonly forget: boolean
  }
  /** Only a person can tell. */
  Report: { readonly path: string; readonly reason: string }
}>

const Recovery = Data.taggedEnum<Recovery>()

/**
 * A tree that stands is undone whole, as far as it is still as our steps left it; one that lies reclaimed gets back what
 * a removal that did not finish took.
 */
export const recovery = (commonDirectory: string, found: Found): Recovery => {
  const { entry, adminDirectory, lock, lies, withdrawn, registered, stands, taken } = found
  const { record } = entry
  const path = ReclaimStep.reclaimedAt(commonDirectory, record.name)
  const links = (worktree: string): ReadonlyArray<ReclaimStep.ReclaimStep> =>
    found.linked ? [] : [{ _tag: "RepairLinks", adminDirectory, worktree }]
  const whole = (...steps: ReadonlyArray<ReclaimStep.ReclaimStep>): Recovery =>
    Recovery.Steps({
      path,
      what: "its removal did not finish; it is whole again",
      steps: [...steps, { _tag: "ResumeLock", adminDirectory, worktree: path }],
      forget: false
    })
  if (withdrawn !== undefined) {
    if (!registered || taken !== undefined) return Recovery.Report({ path, reason: obstacle(found) ?? "" })
    return whole(...links(withdrawn), { _tag: "Move", from: withdrawn, to: path })
  }
  if (lies) {
    if (!registered || taken !== undefined) return Recovery.Nothing()
    if (lock === "Suspended") return whole(...links(path))
    return found.linked || lock !== "Ours"
      ? Recovery.Nothing()
      : Recovery.Steps({
          path: record.path,
          what: `it lies at ${path}, which git did not know`,
          steps: links(path),
          forget: false
        })
  }
  if (stands !== undefined) {
    if (taken !== undefined) return Recovery.Nothing()
    if (!registered || (lock === "Other" && found.linked)) return Recovery.Forget()
    if (lock === "Other") return Recovery.Report({ path: stands, reason: lost(record, path) })
    return Recovery.Steps({
      path: stands,
      what: entry.restoringSince === undefined ? "a move did not finish; it stands where it was" : "it stands again",
      steps:
        lock === "Ours"
          ? [...links(stands), ...ReclaimStep.undo(record, adminDirectory, stands)]
          : [{ _tag: "ForgetCommits", name: record.name }, ReclaimStep.release(record, adminDirectory)],
      forget: true
    })
  }
  if (taken !== undefined) return Recovery.Nothing()
  if (!registered) return Recovery.Forget()
  if (lock === "Suspended") {
    return Recovery.Steps({
      path: record.path,
      what: "its removal is finished",
      steps: [ReclaimStep.withdrawnAt(commonDirectory, record.name), path].map((path) => ({ _tag: "Remove", path })),
      forget: true
    })
  }
  return lock === "Ours" ? Recovery.Report({ path: record.path, reason: lost(record, path) }) : Recovery.Forget()
}

const lost = ({ name }: ReclaimRecord, path: string): string =>
  `it lies neither at ${path} nor where it was; its commits are kept under refs/reclaimed/${name}; look for it, and \`git worktree repair\` it where it is`
