/**
 * How a program ends under the test clock.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"

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
