/**
 * What lies reclaimed, and until when.
 */
import { type ExpiryPlan, type Reclaim, Refusal } from "../internal.ts"
import * as Candidates from "./Candidates.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Sizes from "./Sizes.ts"
import * as Table from "./Table.ts"

type Reclaimed = Reclaim.Reclaimed

/** How long one lies there at least, in milliseconds: one that was not, and one that was only settled. */
export interface Expiry {
  readonly plain: number
  readonly settled: number
}

const expiresAt = ({ at, settledOnly }: ExpiryPlan.Item["record"], expiry: Expiry): number =>
  at + (settledOnly ? expiry.settled : expiry.plain)

const listColumns: ReadonlyArray<Table.Column> = [
  { title: "from", cut: "start", share: 0.4 },
  { title: "branch", cut: "start", share: 0.2, spare: true },
  { title: "size" },
  { title: "reclaimed, UTC" },
  { title: "expires, UTC" }
]

/** Without the zone, which the title of the column says. */
const short = (instant: string): string => instant.replace(/ UTC$/, "")

/** A line for each, with its size. */
export const list = (found: ReadonlyArray<Reclaimed>, sizes: Sizes.ByPath, expiry: Expiry): ReadonlyArray<string> =>
  Table.lines(
    listColumns,
    found.map(({ path, record, obstacle }) => [
      Paths.shown(record?.path ?? path),
      record === undefined ? "" : Candidates.branchOf(record.branch, record.head),
      Sizes.text(sizes.get(path)),
      record === undefined ? "unknown" : short(Refusal.past(record.at)),
      record === undefined || obstacle !== undefined
        ? `never: ${Screen.printable(obstacle ?? "")}`
        : short(Refusal.instant(expiresAt(record, expiry)))
    ]),
    Screen.width
  )

/** One as data, with what else is known of it. */
export const json = ({ repository, path, record }: Reclaimed, expiry: Expiry, more: object) => ({
  path: record?.path ?? null,
  lies: path,
  repository,
  branch: record?.branch ?? null,
  head: record?.head ?? null,
  reclaimedAt: record === undefined ? null : new Date(record.at).toISOString(),
  expiresAt: record === undefined ? null : new Date(expiresAt(record, expiry)).toISOString(),
  settledOnly: record?.settledOnly ?? null,
  ...more
})

/** Why an expiry keeps one, or removes it. */
export const why = ({ decision }: ExpiryPlan.Item): string => {
  if (decision._tag === "Remove") return "every gate permits"
  return decision.gate === "Plan" ? decision.reason : `${decision.gate}: ${decision.reason}`
}

const expiryColumns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (word === "remove" ? Screen.green : Screen.dim)(word) },
  { title: "from", cut: "start", share: 0.35 },
  { title: "branch", cut: "start", share: 0.2, spare: true },
  { title: "why" }
]

/** A line for each, with what an expiry makes of it. */
export const expiry = (items: ReadonlyArray<ExpiryPlan.Item>): ReadonlyArray<string> =>
  Table.lines(
    expiryColumns,
    items.map((item) => [
      item.decision._tag === "Remove" ? "remove" : "keep",
      Paths.shown(item.record.path),
      Candidates.branchOf(item.record.branch, item.record.head),
      Screen.printable(why(item))
    ]),
    Screen.width
  )
