/**
 * What a survey found, for a person and for a program.
 */
import { type ReclaimPlan, Text } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Table from "../Table.ts"

type Candidate = ReclaimPlan.Candidate

/** The branch as people name it. */
export const branchOf = ({ branch, head }: Candidate): string =>
  branch === undefined ? `detached ${head?.slice(0, 8) ?? "from nothing"}` : branch.replace(/^refs\/heads\//, "")

/** Whether it is refused only because something could not be told. */
export const isUntold = ({ verdict, gates }: Candidate): boolean =>
  verdict._tag === "Refuse" && gates.some(({ gate, untold }) => untold && gate === verdict.gate)

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
  return [
    Text.escape(path),
    Text.escape(branchOf(candidate)),
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
    quietForMs,
    ends: Object.fromEntries(ends)
  })
}

/** The whole in a sentence. */
export const summary = ({ candidates }: ReclaimPlan.Plan): string => {
  if (candidates.length === 0) return "No linked worktree was found."
  const moved = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
  const untold = candidates.filter(isUntold).length
  return [
    `${moved} of ${candidates.length} linked ${candidates.length === 1 ? "worktree" : "worktrees"} would be moved aside`,
    ...(untold === 0 ? [] : [`of ${untold} it could not be told (keep?)`])
  ].join("; ")
}
