/**
 * What speaks for work in a worktree, and when it was done.
 */
import * as Known from "../../shared/core/Known.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * One sign, named as a person would look it up: a directory, the `HEAD` log, a transcript, a record.
 */
export interface SignOfWork {
  readonly what: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * The newest of all signs. One of which the time is not known may be newer than all others, so that nothing is known then.
 */
export const newest = (signs: ReadonlyArray<Known.Known<SignOfWork>>): Known.Known<SignOfWork> =>
  inOrder(signs)[0] ?? Known.unknown("no sign of work was looked for")

/** What could not be told first, then the newest; in whichever order they were found. */
export const inOrder = (signs: ReadonlyArray<Known.Known<SignOfWork>>): ReadonlyArray<Known.Known<SignOfWork>> =>
  signs.map(told).sort(untoldFirst)

/** A time that no date can have is none. */
const told = (sign: Known.Known<SignOfWork>): Known.Known<SignOfWork> =>
  sign._tag === "Known" && !(Math.abs(sign.value.at) <= 8.64e15)
    ? Known.unknown(`${sign.value.what} tells no time`)
    : sign

const untoldFirst = (one: Known.Known<SignOfWork>, other: Known.Known<SignOfWork>): number => {
  if (one._tag === "Unknown") return other._tag === "Unknown" ? Text.compare(one.reason, other.reason) : -1
  return other._tag === "Unknown" ? 1 : newestFirst(one.value, other.value)
}

/** Of several at one instant the first by name. */
const newestFirst = (a: SignOfWork, b: SignOfWork): number => b.at - a.at || Text.compare(a.what, b.what)
