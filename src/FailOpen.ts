/**
 * Where a typed failure becomes the fail-open answer.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Bound from "./services/Bound.ts"

/**
 * Gives a program the error channel `never`: whatever fails, dies or outlasts `bound` becomes `fallback` of the reason,
 * which is logged once as a warning.
 */
export const orElse =
  <B>(options: {
    readonly program: string
    /** `undefined` for what must not be left half-done: it may take as long as it takes. */
    readonly bound: Context.Reference<Duration.Input> | undefined
    readonly fallback: (reason: string) => B
  }) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R> =>
    Effect.gen(function* () {
      if (options.bound === undefined) return yield* self
      const bound = yield* options.bound
      const answer = yield* Bound.within(bound)(self)
      if (Option.isSome(answer)) return answer.value
      return yield* fold(options, `no answer within ${Bound.format(bound)}`)
    }).pipe(Effect.catchCause((cause) => fold(options, describe(cause))))

const fold = <B>(
  { program, fallback }: { readonly program: string; readonly fallback: (reason: string) => B },
  reason: string
): Effect.Effect<B> =>
  Effect.logWarning(`${program}: ${reason}`).pipe(Effect.annotateLogs({ program, reason }), Effect.as(fallback(reason)))

/**
 * What went wrong, in the words of the error itself. A defect can be anything, even what throws when it is made text.
 */
export const describe = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return "an error that cannot be put into words"
  }
}
