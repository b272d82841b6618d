/**
 * What a survey found, for a person and for a program.
 */
import { Option } from "effect"
import { type ReclaimPlan, ReclaimRecord, ReclaimStep, Text } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Table from "../Table.ts"

type Candidate = ReclaimPlan.Candidate

/** The branch as people name it. */
export const branchOf = ({ branch, head }: Candidate): string =>
  branch === undefined ? `detached ${head?.slice(0, 8) ?? "from nothing"}` : branch.replace(/^refs\/heads\//, "")

/** Whether it is refused only because something could not be told. */
export const isUntold = ({ verdict, gates }: Candidate): boolean =>
  verdict._tag === "Refuse" && gates.some(({ gate, untold }) => untold && gate === verdict.gate)

/** Whether it lies aside, or was on its way there or out. */
const isInside = ({ repository, path }: Candidate): boolean => path.startsWith(ReclaimStep.asideOf(repository, ""))

const isLockedByUs = ({ locked = "" }: Candidate): boolean => Option.isSome(ReclaimRecord.parseLock(locked))

/** Whether it lies aside, where it is no candidate. */
export const liesAside = (candidate: Candidate): boolean => isInside(candidate) && isLockedByUs(candidate)

/** Whether another sweep is at work on it, or died while it was. */
export const isUnfinished = (candidate: Candidate): boolean => isInside(candidate) !== isLockedByUs(candidate)

const columns: ReadonlyArray<Table.Column> = [
  { title: "path", cut: "start", share: 0.3 },
  { title: "branch", cut: "start", share: 0.2 },
  { title: "verdict" },
  { title: "gate" },
  { title: "reason" }
]

/** One line for each worktree, for a terminal that is `width` wide; `undefined` cuts nothing. */
export const table = (candidates: ReadonlyArray<Candidate>, width: number | undefined): ReadonlyArray<string> =>
  Table.lines(columns, candidates.map(cells), width)

const cells = (candidate: Candidate): ReadonlyArray<string> => {
  const { path, verdict } = candidate
  const name = [Text.escape(path), Text.escape(branchOf(candidate))]
  if (isUnfinished(candidate)) {
    return [...name, "mend", "-", "another sweep is at work on it, or died while it was; then --apply mends it"]
  }
  return [
    ...name,
    verdict._tag === "Permit" ? "move" : isUntold(candidate) ? "keep?" : "keep",
    verdict._tag === "Permit" ? "-" : verdict.gate,
    Cli.printable(verdict._tag === "Permit" ? verdict.notes.join("; ") || "every gate permits it" : verdict.reason)
  ]
}

/** One candidate as one line of JSON. */
export const line = (candidate: Candidate): string => {
  const { repository, path, branch, head, verdict, quietForMs, ends } = candidate
  return Cli.json({
    repository,
    path,
    branch: branch ?? null,
    head: head ?? null,
    verdict: verdict._tag,
    gate: verdict._tag === "Refuse" ? verdict.gate : null,
    reason: verdict._tag === "Refuse" ? verdict.reason : null,
    notes: verdict._tag === "Permit" ? verdict.notes : [],
    untold: isUntold(candidate),
    unfinished: isUnfinished(candidate),
    quietForMs,
    ends: Object.fromEntries(ends)
  })
}

/** The whole in a sentence; `aside` is how many lie aside. */
export const summary = ({ candidates }: ReclaimPlan.Plan, aside: number): string => {
  const lying = aside === 0 ? [] : [`${aside} ${aside === 1 ? "lies" : "lie"} aside (--list)`]
  if (candidates.length === 0) return ["No linked worktree was found", ...lying].join("; ")
  const moved = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
  const untold = candidates.filter(isUntold).length
  return [
    `${moved} of ${candidates.length} linked ${candidates.length === 1 ? "worktree" : "worktrees"} would be moved aside`,
    ...(untold === 0 ? [] : [`of ${untold} it could not be told (keep?)`]),
    ...lying
  ].join("; ")
}
