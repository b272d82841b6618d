/**
 * Why a gate refuses, and what will change it: time alone, or a command.
 */
import * as Shell from "../../shared/core/Shell.ts"

export interface Refusal {
  readonly reason: string
  /** When the gate will pass if nothing happens, in milliseconds since the epoch. */
  readonly passesAt: number | undefined
  /** A command that shows or settles it; where time does, none is needed. */
  readonly advice: string | undefined
  /** Whether it refuses only because its facts are not known. */
  readonly unknown: boolean
}

/**
 * A refusal that time settles.
 */
export const until = (passesAt: number, reason: string): Refusal => ({
  reason: `${reason}${passing(passesAt)}`,
  passesAt,
  advice: undefined,
  unknown: false
})

/** What the reason of one that time settles ends with. */
export const passing = (passesAt: number): string => `; it passes on ${instant(passesAt)}`

/**
 * A refusal that somebody has to settle.
 */
export const because = (reason: string, advice: string): Refusal => ({
  reason,
  passesAt: undefined,
  advice,
  unknown: false
})

/**
 * A refusal for want of facts.
 */
export const unknown = (reason: string, advice: string): Refusal => ({ ...because(reason, advice), unknown: true })

/** The program that tells everything of a path. */
export const explain = (path: string): string => Shell.command("session-liveness", "explain", path)

/** What git says of a worktree. */
export const git = (path: string, ...args: ReadonlyArray<string>): string => Shell.command("git", "-C", path, ...args)

/** When something was, to the minute. */
export const past = (ms: number): string => text(Math.floor(ms / minute) * minute)

/** When something will be, to the minute, rounded up, so that it has passed by then. */
export const instant = (ms: number): string => text(Math.ceil(ms / minute) * minute)

const minute = 60_000

const text = (ms: number): string => {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? "no date" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`
}
