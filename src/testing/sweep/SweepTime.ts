/**
 * When things happened in a world: so far from the limits of the rules that no delay of a few minutes crosses one.
 */
import * as Liveness from "../../claims/core/Liveness.ts"

export const second = 1000

export const minute = 60 * second

export const hour = 60 * minute

export const day = 24 * hour

/** When a world is looked at whose `clock` is 0, in milliseconds since the epoch. */
export const now = 400 * day

/**
 * How long ago something was, in milliseconds. All lie so far from the limits of the rules that no delay of a few minutes
 * crosses one.
 */
export const ages = {
  overMonth: 31 * day,
  overWeek: 7 * day + hour,
  almostWeek: 7 * day - hour,
  overDay: day + hour,
  almostDay: day - hour,
  moment: 5 * second,
  ahead: -2 * day
}

export type Age = keyof typeof ages

/** The instant that lies so long ago. */
export const at = (age: Age): number => now - ages[age]

/** When what happened a moment ago is not young any more. */
const graceEnds = Liveness.defaultGrace - ages.moment

/**
 * By how much the clock may be ahead of `now`, in milliseconds: to each side of the limits. A look may take some seconds
 * before it comes to how long a worktree has been quiet.
 */
export const clocks: ReadonlyArray<number> = [0, graceEnds - 1, graceEnds, hour - minute, hour]
