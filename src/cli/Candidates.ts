/**
 * Worktrees that were judged, for a person and for a program.
 */
import { type ReclaimPlan, ReclaimRecord, ReclaimStep, Refusal, Text, type Verdict } from "../internal.ts"
import * as Advice from "./Advice.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Footnotes from "./Footnotes.ts"
import * as Judging from "./Judging.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Sizes from "./Sizes.ts"
import * as Table from "./Table.ts"

export type Candidate = ReclaimPlan.Candidate

/** The branch as people name it. */
export const branchOf = (branch: string | undefined, head: string | undefined): string =>
  branch === undefined
    ? `detached ${head?.slice(0, 8) ?? "from nothing"}`
    : Text.escape(branch.replace(/^refs\/heads\//, ""))

/** Whether it is refused only because something could not be determined. */
const isUnknown = ({ verdict, gates }: Candidate): boolean =>
  verdict._tag === "Refuse" && gates.some(({ gate, unknown }) => unknown && gate === verdict.gate)

/** Whether it lies reclaimed, where it is no candidate. */
export const isReclaimed = ({ repository, path }: Candidate): boolean =>
  path.startsWith(ReclaimStep.reclaimedAt(repository, ""))

/** Whether another sweep is at work on it, or died while it was. */
export const isUnfinished = (candidate: Candidate): boolean =>
  !isReclaimed(candidate) && ReclaimRecord.looksOurs(candidate.locked ?? "")

type Word = "go" | "keep" | "keep?" | "recover"

const wordOf = (candidate: Candidate): Word => {
  if (isUnfinished(candidate)) return "recover"
  if (candidate.verdict._tag === "Permit") return "go"
  return isUnknown(candidate) ? "keep?" : "keep"
}

const order: ReadonlyArray<Word> = ["go", "recover", "keep?", "keep"]

const styles: Readonly<Record<Word, (text: string) => string>> = {
  go: Screen.green,
  recover: Screen.yellow,
  "keep?": Screen.yellow,
  keep: Screen.dim
}

const columns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (styles[word as Word] ?? Screen.dim)(word) },
  { title: "worktree", cut: "start", share: 0.35 },
  { title: "branch", cut: "start", share: 0.2, spare: true },
  { title: "size" },
  { title: "why" }
]

/** A line for each worktree, those that may go first; below them what is unknown of several alike. */
export const table = (candidates: ReadonlyArray<Candidate>, sizes: Sizes.ByPath): ReadonlyArray<string> => {
  const unknown = candidates.filter((one) => wordOf(one) === "keep?")
  const footnotes = Footnotes.of(unknown.flatMap(({ verdict }) => (verdict._tag === "Refuse" ? [verdict] : [])))
  const rows = candidates
    .map((candidate) => ({ candidate, word: wordOf(candidate) }))
    .sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word))
    .map(({ candidate, word }) => [
      word,
      Paths.shown(candidate.path),
      branchOf(candidate.branch, candidate.head),
      Sizes.text(sizes.get(candidate.path)),
      Screen.printable(briefly(candidate, footnotes))
    ])
  const below = Footnotes.lines(footnotes)
  return [...Table.lines(columns, rows, Screen.width), ...(below.length === 0 ? [] : ["", ...below])]
}

export const why = (candidate: Candidate): string => {
  if (isUnfinished(candidate)) return "another sweep is at work on it, or died while it was; then --apply recovers it"
  const { verdict } = candidate
  if (verdict._tag === "Permit") return verdict.notes.join("; ") || "every gate permits"
  return `${verdict.gate}: ${verdict.reason}${Advice.after(verdict.advice)}`
}

/** Where it may be cut: what tells the most comes first. */
const briefly = (candidate: Candidate, footnotes: Footnotes.Footnotes): string => {
  const { verdict } = candidate
  if (verdict._tag === "Permit" || isUnfinished(candidate)) return why(candidate)
  const brief = Footnotes.brief(footnotes, verdict)
  if (brief !== undefined) return brief
  if (verdict.passesAt === undefined) return why(candidate)
  const rest = verdict.reason.replace(Refusal.passing(verdict.passesAt), "")
  return `${verdict.gate} from ${Refusal.instant(verdict.passesAt)}: ${rest}`
}

/** When time alone will have settled a refusal, or the command that shows or settles it, as data. */
export const settling = ({ passesAt, advice }: Partial<Pick<Verdict.Step, "passesAt" | "advice">>) => ({
  passesAt: passesAt === undefined || Math.abs(passesAt) > 8.64e15 ? null : new Date(passesAt).toISOString(),
  advice: advice === undefined ? null : Advice.pasted(advice)
})

/** What every command says of a worktree that was judged, as data. */
export const facts = ({ path, repository, branch, head, verdict, quietForMs, ends }: Candidate) => ({
  path,
  repository,
  branch: branch ?? null,
  head: head ?? null,
  verdict: verdict._tag,
  gate: verdict._tag === "Refuse" ? verdict.gate : null,
  reason: verdict._tag === "Refuse" ? verdict.reason : null,
  ...settling(verdict._tag === "Refuse" ? verdict : {}),
  notes: verdict._tag === "Permit" ? verdict.notes : [],
  quietForMs,
  ends: Object.fromEntries(ends)
})

/** One candidate as data. */
export const json = (candidate: Candidate) => ({
  ...facts(candidate),
  unknown: isUnknown(candidate),
  unfinished: isUnfinished(candidate)
})

/** The whole in a sentence. */
export const summary = (candidates: ReadonlyArray<Candidate>, reclaimed: number): string => {
  const lying =
    reclaimed === 0 ? "" : ` ${Judging.count(reclaimed, "worktree")} ${reclaimed === 1 ? "lies" : "lie"} reclaimed.`
  if (candidates.length === 0) return `No linked worktree was found.${lying}`
  const go = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
  const unknown = candidates.filter(isUnknown).length
  const doubt =
    unknown === 0
      ? ""
      : ` ${unknown} of them ${unknown === 1 ? "stays" : "stay"} only because something is unknown (keep?).`
  return `${Judging.countOf(go, candidates.length, "worktree")} may go.${doubt}${lying}`
}

/** What is unknown comes first: whoever reads the code alone must not take it for a clean bill. */
export const exitCode = ({ candidates, unlisted }: ReclaimPlan.Plan): number => {
  if (Judging.warned() || unlisted.length > 0 || candidates.some(isUnknown)) return ExitCode.refused
  return candidates.some((candidate) => candidate.verdict._tag === "Permit" || isUnfinished(candidate))
    ? ExitCode.wouldChange
    : ExitCode.done
}
