import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Bound from "../../src/shared/Bound.ts"
import * as FailOpen from "../../src/shared/FailOpen.ts"

it.effect("what runs side by side is told in one order, whichever ends first", () =>
  Effect.gen(function* () {
    const failing = (name: string, after: number) =>
      Effect.fail(name).pipe(
        Effect.delay(after),
        FailOpen.foldsTo({ program: "Reclaim.list", answer: name, bound: Bound.Links, safe: () => name }),
        FailOpen.holding
      )
    for (const [one, other] of [
      [1, 2],
      [2, 1]
    ] as const) {
      const said: Array<unknown> = []
      const running = yield* Effect.all([failing("one", one), failing("other", other)], { concurrency: 2 }).pipe(
        Effect.tap(() => Effect.sync(() => assert.deepStrictEqual(said, []))),
        Effect.flatMap((answers) => Effect.all(answers)),
        Effect.provide(Logger.layer([Logger.make(({ message }) => said.push(String(message)))])),
        Effect.forkChild
      )
      yield* TestClock.adjust(2)
      assert.deepStrictEqual(yield* Fiber.join(running), ["one", "other"])
      assert.deepStrictEqual(said, ["one: one", "other: other"])
    }
  })
)
