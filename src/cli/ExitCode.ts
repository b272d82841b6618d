/**
 * How the command ends, which a script can rely on.
 */
import { Cause, Data, Effect, Exit } from "effect"
import { CliError } from "effect/cli"
import * as Screen from "./Screen.ts"

/** It is done, or permitted, or there is nothing to do. */
export const done = 0
/** Something is refused, failed, or could not be determined. */
export const refused = 1
const usage = 2
/** Something would change, if it were asked for. */
export const wouldChange = 10
const interrupted = 130

/** A command that ends with another code than 0. Everything has been said already. */
export class Ended extends Data.TaggedError("Ended")<{ readonly code: number }> {}

/** The end of a command that gives its code. */
export const end = <E, R>(command: Effect.Effect<number, E, R>): Effect.Effect<void, E | Ended, R> =>
  Effect.flatMap(command, (code) => (code === done ? Effect.void : Effect.fail(new Ended({ code }))))

/** Wrong usage that no flag can see by itself. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {}

export const wrong = (message: string): Effect.Effect<never, WrongUsage> => Effect.fail(new WrongUsage({ message }))

/** The code of the process. What nobody has said yet is said now. */
export const of = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return done
  if (Cause.hasInterruptsOnly(exit.cause)) return interrupted
  const error = Cause.squash(exit.cause)
  if (error instanceof Ended) return error.code
  if (CliError.isCliError(error)) return usage
  Screen.err(`session-liveness: ${Screen.reasonOf(error)}`)
  return error instanceof WrongUsage ? usage : refused
}
