/**
 * How long nothing has happened in a worktree.
 */
import type * as Known from "../../shared/core/Known.ts"
import type * as SignOfWork from "./SignOfWork.ts"

/** A day in milliseconds. */
export const day: number = 24 * 60 * 60 * 1000

/**
 * Milliseconds since the last sign of work, or `null` where it is not known or lies ahead of `now`: neither is quiet.
 */
export const quietFor = (now: number, last: Known.Known<SignOfWork.SignOfWork>): number | null => {
  if (last._tag === "Unknown") return null
  const quiet = now - last.value.at
  return Number.isFinite(quiet) && quiet >= 0 ? quiet : null
}

/**
 * Whether it has been quiet for at least `duration` milliseconds. What is not known has not.
 */
export const atLeast = (now: number, last: Known.Known<SignOfWork.SignOfWork>, duration: number): boolean => {
  const quiet = quietFor(now, last)
  return quiet !== null && quiet >= duration
}

/**
 * The instant at which it will have been quiet for so long if nothing happens, or `undefined` where that is not known.
 */
export const until = (last: Known.Known<SignOfWork.SignOfWork>, duration: number): number | undefined => {
  if (last._tag === "Unknown") return undefined
  const at = last.value.at + duration
  return Math.abs(at) <= 8.64e15 ? at : undefined
}
