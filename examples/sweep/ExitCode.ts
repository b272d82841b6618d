/**
 * How a sweep ends.
 */
import type { ReclaimPlan } from "session-liveness"
import * as Report from "./Report.ts"

export const nothingToDo = 0
export const couldNotTell = 1
export const wouldMove = 10

/** What could not be told comes first: whoever reads the code alone must not take it for a clean bill. */
export const of = (plan: ReclaimPlan.Plan, warned: boolean): number => {
  if (warned || plan.unlisted.length > 0 || plan.candidates.some(Report.isUntold)) return couldNotTell
  return plan.candidates.some(({ verdict }) => verdict._tag === "Permit") ? wouldMove : nothingToDo
}
