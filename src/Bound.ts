/**
 * How long a program may take, whatever the services below it do.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

/** The bound of one program that reads or records links: 3 seconds unless set. */
export const Links: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Links",
  {
    defaultValue: () => "3 seconds"
  }
)

/** The bound of a program that goes over the whole sidecar to mend or prune it: 60 seconds unless set. */
export const Upkeep: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Upkeep",
  {
    defaultValue: () => "60 seconds"
  }
)

/**
 * Ends within `duration` even if `self` cannot be interrupted: it runs on a fiber of its own, which is interrupted and
 * left behind when time is up. `None` means that it was. Synchronous work cannot be bounded by any program.
 */
export const within =
  (duration: Duration.Input) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDetach(Effect.interruptible(self), { startImmediately: true }), (fiber) => {
        const done = fiber.pollUnsafe()
        return done !== undefined
          ? Effect.asSome(done)
          : restore(Effect.timeoutOption(Fiber.join(fiber), duration)).pipe(
              Effect.onExit(() => Effect.sync(() => fiber.interruptUnsafe()))
            )
      })
    )

/**
 * Gives a program the error channel `never`: whatever fails, dies or outlasts `bound` becomes `fallback` of the reason,
 * which is logged once as a warning.
 */
export const failOpen =
  <B>(options: {
    readonly program: string
    readonly bound: Context.Reference<Duration.Input>
    readonly fallback: (reason: string) => B
  }) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R> =>
    Effect.gen(function* () {
      const bound = yield* options.bound
      const answer = yield* within(bound)(self)
      if (Option.isSome(answer)) return answer.value
      return yield* fold(options, `no answer within ${Duration.format(Duration.fromInputUnsafe(bound))}`)
    }).pipe(Effect.catchCause((cause) => fold(options, describe(Cause.squash(cause)))))

const fold = <B>(
  { program, fallback }: { readonly program: string; readonly fallback: (reason: string) => B },
  reason: string
): Effect.Effect<B> =>
  Effect.logWarning(`${program}: ${reason}`).pipe(Effect.annotateLogs({ program, reason }), Effect.as(fallback(reason)))

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
