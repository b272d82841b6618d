/**
 * What became of one candidate.
 */
import * as Data from "effect/Data"
import type * as Verdict from "./Verdict.ts"

export type ReclaimOutcome = Data.TaggedEnum<{
  /** It lies aside now. */
  Moved: { readonly path: string; readonly to: string; readonly notes: ReadonlyArray<string> }
  /** It stands where it stood: a gate refuses, now or already in the plan. */
  Kept: { readonly path: string; readonly gate: Verdict.Gate | "Plan"; readonly reason: string }
  /** It stands again where it was. */
  Restored: { readonly path: string; readonly from: string; readonly notes: ReadonlyArray<string> }
  /** It is gone; its commits are kept. */
  Removed: { readonly path: string; readonly from: string }
  /** What a sweep that died had left was mended. */
  Healed: { readonly path: string; readonly what: string }
  /** A step failed. What is there tells the next sweep how to go on. */
  Failed: { readonly path: string; readonly step: string; readonly reason: string }
}>

export const { Moved, Kept, Restored, Removed, Healed, Failed, $is, $match } = Data.taggedEnum<ReclaimOutcome>()
