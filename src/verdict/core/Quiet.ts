/**
 * How long nothing has happened in a worktree.
 */

/** A day in milliseconds. */
export const day: number = 24 * 60 * 60 * 1000

/**
 * Milliseconds since the newest of `signs`, or `null` when any of them is not known or lies ahead of `now`: what cannot
 * be told is not quiet.
 */
export const quietFor = (now: number, signs: ReadonlyArray<number | null>): number | null => {
  let newest = -Infinity
  for (const sign of signs) {
    if (sign === null || !Number.isFinite(sign)) return null
    newest = Math.max(newest, sign)
  }
  const quiet = now - newest
  return Number.isFinite(quiet) && quiet >= 0 ? quiet : null
}

/**
 * Whether it has been quiet for at least `duration`. What is not known has not.
 */
export const atLeast = (quietForMs: number | null, duration: number): boolean =>
  quietForMs !== null && quietForMs >= duration
