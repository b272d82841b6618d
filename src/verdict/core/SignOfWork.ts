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
export const newest = (signs: ReadonlyArray<Known.Known<SignOfWork>>): Known.Known<SignOfWork> => {
  const unknown = signs
    .flatMap((sign) => (sign._tag === "Unknown" ? [sign.reason] : isInstant(sign.value) ? [] : [noInstant(sign.value)]))
    .sort(Text.compare)[0]
  if (unknown !== undefined) return Known.unknown(unknown)
  const [last] = signs.flatMap((sign) => (sign._tag === "Known" ? [sign.value] : [])).sort(newestFirst)
  return last === undefined ? Known.unknown("no sign of work was looked for") : Known.known(last)
}

/** Of several at one instant the first by name, so that their order changes nothing. */
const newestFirst = (a: SignOfWork, b: SignOfWork): number => b.at - a.at || Text.compare(a.what, b.what)

/** What a date can tell. */
const isInstant = ({ at }: SignOfWork): boolean => Number.isFinite(at) && Math.abs(at) <= 8.64e15

const noInstant = ({ what }: SignOfWork): string => `${what} tells no time`
