/**
 * What lies aside, and until when.
 */
import { type Reclaim, type ReclaimOutcome, Text } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Table from "../Table.ts"
import type { Flags } from "./Flags.ts"
import * as Outcome from "./Outcome.ts"
import * as Size from "./Size.ts"

type Aside = Reclaim.Aside

/** When it may be removed, in milliseconds since the epoch. */
export const expiresAt = ({ record }: Aside, { olderThan }: Flags): number =>
  record.at + (record.settledOnly ? olderThan.settled : olderThan.plain)

const branchOf = ({ record: { branch, head } }: Aside): string =>
  branch === undefined ? `detached ${head.slice(0, 8)}` : branch.replace(/^refs\/heads\//, "")

/** To the minute, in UTC. */
const instant = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ")

const listColumns: ReadonlyArray<Table.Column> = [
  { title: "moved (UTC)" },
  { title: "expires (UTC)" },
  { title: "size" },
  { title: "branch", cut: "start", share: 0.2 },
  { title: "from", cut: "start" }
]

/** A line for each, with its size. */
export const list = (
  asides: ReadonlyArray<readonly [aside: Aside, size: Size.Size]>,
  flags: Flags
): ReadonlyArray<string> =>
  Table.lines(
    listColumns,
    asides.map(([aside, size]) => [
      instant(aside.record.at),
      instant(expiresAt(aside, flags)),
      Size.text(size),
      Text.escape(branchOf(aside)),
      Text.escape(aside.record.path)
    ]),
    flags.wide ? undefined : Table.terminal()
  )

/** One that lies aside as one line of JSON, with what else is known of it. */
export const line = (aside: Aside, flags: Flags, more: object): string => {
  const { repository, worktree, record } = aside
  return Cli.json({
    repository,
    path: record.path,
    lies: worktree.path,
    branch: record.branch ?? null,
    head: record.head,
    movedAt: new Date(record.at).toISOString(),
    expiresAt: new Date(expiresAt(aside, flags)).toISOString(),
    settledOnly: record.settledOnly,
    ...more
  })
}

/** What an expiry makes of one. */
export interface Judged {
  readonly aside: Aside
  readonly removes: boolean
  readonly why: string
}

const expiryColumns: ReadonlyArray<Table.Column> = [
  { title: "from", cut: "start", share: 0.3 },
  { title: "branch", cut: "start", share: 0.2 },
  { title: "verdict" },
  { title: "reason" }
]

/** A line for each, with what an expiry makes of it. */
export const expiry = (judged: ReadonlyArray<Judged>, { wide }: Flags): ReadonlyArray<string> =>
  Table.lines(
    expiryColumns,
    judged.map(({ aside, removes, why }) => [
      Text.escape(aside.record.path),
      Text.escape(branchOf(aside)),
      removes ? "remove" : "keep",
      why
    ]),
    wide ? undefined : Table.terminal()
  )

/** What the outcomes of an expiry say of one that lies aside. */
export const judged =
  (outcomes: ReadonlyArray<ReclaimOutcome.ReclaimOutcome>) =>
  (aside: Aside): Judged => {
    const lies = aside.worktree.path
    const removed = outcomes.find((outcome) => outcome._tag === "Removed" && outcome.from === lies)
    if (removed !== undefined) return { aside, removes: true, why: "every gate permits it" }
    const kept = outcomes.find(({ path }) => path === lies)
    return { aside, removes: false, why: kept === undefined ? "it lies there no more" : Outcome.what(kept) }
  }
