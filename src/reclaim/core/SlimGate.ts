/**
 * Whether the regenerable directories of a worktree may be removed while the worktree itself stays.
 */
import * as Quiet from "../../verdict/core/Quiet.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"
import type { Candidate } from "./ReclaimPlan.ts"

export interface Refusal {
  readonly gate: Verdict.Gate | "Plan"
  readonly reason: string
}

/** The gates that say whether somebody works in it. What git says of its own files does not matter here. */
const gates: ReadonlyArray<Verdict.Gate> = ["Claim", "Owner", "Occupied", "Vantage", "Quiet"]

/**
 * What keeps it as it is, or `undefined`. `reclaimedFor`: it has lain reclaimed under our own lock for that long, in
 * milliseconds.
 */
export const refusal = (candidate: Candidate, reclaimedFor: number | undefined): Refusal | undefined => {
  for (const gate of gates) {
    const step = candidate.gates.find((each) => each.gate === gate)
    if (step === undefined) return refusalOf(candidate)
    const isQuietSince = gate === "Quiet" && isQuiet(candidate, reclaimedFor)
    if (step.refusal !== undefined && !isQuietSince) return { gate, reason: step.refusal }
  }
  if (candidate.identity === undefined) return refusalOf(candidate)
  if (reclaimedFor === undefined && candidate.locked !== undefined) {
    return { gate: "Git", reason: "it is locked; `git worktree unlock` it if nobody needs it" }
  }
  if (candidate.inSessionWorkspace && (candidate.quietForMs ?? 0) < 7 * Quiet.day) {
    return { gate: "Claim", reason: "it lies in another session's workspace and has not been quiet for seven days" }
  }
  return undefined
}

/** It was quiet when it was reclaimed, and reclaiming it is the last that happened. */
const isQuiet = ({ quietForMs }: Candidate, reclaimedFor = Number.NaN): boolean =>
  reclaimedFor - (quietForMs ?? Number.NaN) <= reclaimingTakes

const reclaimingTakes = 5 * 60 * 1000

const refusalOf = ({ verdict }: Candidate): Refusal =>
  verdict._tag === "Refuse"
    ? { gate: verdict.gate, reason: verdict.reason }
    : { gate: "Plan", reason: "not every gate was asked; sweep again" }
