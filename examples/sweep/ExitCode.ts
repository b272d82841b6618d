/**
 * How a sweep ends.
 */
import type { ReclaimOutcome, ReclaimPlan } from "session-liveness"
import * as Report from "./Report.ts"

export const done = 0
export const notDone = 1
export const wouldChange = 10

/** What could not be told comes first: whoever reads the code alone must not take it for a clean bill. */
export const ofPlan = ({ candidates, unlisted }: ReclaimPlan.Plan, warned: boolean): number => {
  if (warned || unlisted.length > 0 || candidates.some(Report.isUntold)) return notDone
  return candidates.some((candidate) => candidate.verdict._tag === "Permit" || Report.isUnfinished(candidate))
    ? wouldChange
    : done
}

/** `planned`: the paths of which the plan had said that they would be changed. */
export const ofOutcomes = (
  outcomes: ReadonlyArray<ReclaimOutcome.ReclaimOutcome>,
  planned: ReadonlySet<string>
): number =>
  outcomes.some(({ _tag, path }) => _tag === "Failed" || (_tag === "Kept" && planned.has(path))) ? notDone : done
