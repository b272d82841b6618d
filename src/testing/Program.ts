/**
 * Programs that are asked in laws, and how they end under the test clock.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import { Broken } from "./Law.ts"

/** A program with the time it may take. */
export interface Program<A, R> {
  readonly name: string
  readonly bound: Duration.Duration
  readonly effect: Effect.Effect<A, never, R>
}

export type Ending<A> = { readonly _tag: "Late" } | { readonly _tag: "Ended"; readonly exit: Exit.Exit<A> }

/**
 * Runs on a fiber of its own, so that what cannot be interrupted is left behind, under a clock that goes on by `bound`
 * and no further. What needs no time is let end before the clock moves.
 */
export const within =
  (bound: Duration.Duration) =>
  <A>(program: Effect.Effect<A>): Effect.Effect<Ending<A>> =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(program, { startImmediately: true })
      for (let turns = 0; turns < quickTurns && fiber.pollUnsafe() === undefined; turns++) yield* Effect.yieldNow
      if (fiber.pollUnsafe() === undefined) yield* TestClock.adjust(bound)
      for (let turns = 0; turns < lastTurns && fiber.pollUnsafe() === undefined; turns++) yield* Effect.yieldNow
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return { _tag: "Ended", exit }
      fiber.interruptUnsafe()
      return { _tag: "Late" }
    })

const quickTurns = 20
const lastTurns = 100

/** The answer of a program that has ended so. The law is broken when it did not end in time, failed or died. */
export const answer = <A>(
  law: string,
  { name, bound }: Pick<Program<A, never>, "name" | "bound">,
  ending: Ending<A>
): Effect.Effect<A, Broken> => {
  const broken = (why: string) => Effect.fail(new Broken({ law, why: `${name} ${why}` }))
  return ending._tag === "Late"
    ? broken(`did not end within ${Duration.format(bound)}`)
    : Exit.match(ending.exit, { onSuccess: Effect.succeed, onFailure: (cause) => broken(Cause.pretty(cause)) })
}

/** Lets what a program left behind come to its end. */
export const aftermath = TestClock.adjust("1 hour")
