/**
 * What lies reclaimed, and until when.
 */
import { type Reclaim, type ReclaimOutcome } from "../index.ts"
import * as Ages from "./Ages.ts"
import * as Candidates from "./Candidates.ts"
import * as Outcomes from "./Outcomes.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Size from "./Size.ts"
import * as Table from "./Table.ts"

type Reclaimed = Reclaim.Aside

/** How long one lies there at least, in milliseconds: one that was not, and one that was only settled. */
export interface Expiry {
  readonly plain: number
  readonly settled: number
}

const expiresAt = ({ record }: Reclaimed, expiry: Expiry): number =>
  record.at + (record.settledOnly ? expiry.settled : expiry.plain)

const listColumns: ReadonlyArray<Table.Column> = [
  { title: "from", cut: "start", share: 0.4 },
  { title: "branch", cut: "start", share: 0.2 },
  { title: "size" },
  { title: "reclaimed" },
  { title: "expires" }
]

/** A line for each, with its size. */
export const list = (
  found: ReadonlyArray<readonly [reclaimed: Reclaimed, size: Size.Size]>,
  expiry: Expiry
): ReadonlyArray<string> =>
  Table.lines(
    listColumns,
    found.map(([reclaimed, size]) => [
      Paths.shown(reclaimed.record.path),
      Candidates.branchOf(reclaimed.record.branch, reclaimed.record.head),
      Size.text(size),
      Ages.instant(reclaimed.record.at),
      Ages.instant(expiresAt(reclaimed, expiry))
    ]),
    Screen.width
  )

/** One as data, with what else is known of it. */
export const json = (reclaimed: Reclaimed, expiry: Expiry, more: object) => {
  const { repository, worktree, record } = reclaimed
  return {
    path: record.path,
    lies: worktree.path,
    repository,
    branch: record.branch ?? null,
    head: record.head,
    reclaimedAt: new Date(record.at).toISOString(),
    expiresAt: new Date(expiresAt(reclaimed, expiry)).toISOString(),
    settledOnly: record.settledOnly,
    ...more
  }
}

/** What an expiry makes of one. */
export interface Judged {
  readonly reclaimed: Reclaimed
  readonly removes: boolean
  readonly why: string
}

const expiryColumns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (word === "remove" ? Screen.green : Screen.dim)(word) },
  { title: "from", cut: "start", share: 0.35 },
  { title: "branch", cut: "start", share: 0.2 },
  { title: "why" }
]

/** A line for each, with what an expiry makes of it. */
export const expiry = (judged: ReadonlyArray<Judged>): ReadonlyArray<string> =>
  Table.lines(
    expiryColumns,
    judged.map(({ reclaimed: { record }, removes, why }) => [
      removes ? "remove" : "keep",
      Paths.shown(record.path),
      Candidates.branchOf(record.branch, record.head),
      Screen.printable(why)
    ]),
    Screen.width
  )

/** What the outcomes of an expiry say of one. */
export const judged =
  (outcomes: ReadonlyArray<ReclaimOutcome.ReclaimOutcome>) =>
  (reclaimed: Reclaimed): Judged => {
    const lies = reclaimed.worktree.path
    const removed = outcomes.find((outcome) => outcome._tag === "Removed" && outcome.from === lies)
    if (removed !== undefined) return { reclaimed, removes: true, why: "every gate permits" }
    const kept = outcomes.find(({ path }) => path === lies)
    const why = kept === undefined ? "it lies there no more" : Outcomes.say(kept).what
    return { reclaimed, removes: false, why }
  }
