import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { inspect } from "node:util"
import * as Period from "../../src/shared/core/Period.ts"

describe("Period.milliseconds", () => {
  const cases: ReadonlyArray<readonly [asked: unknown, ms: number]> = [
    [undefined, 7],
    [0, 0],
    [1500, 1500],
    ["2 hours", 7_200_000],
    [Duration.days(1), 86_400_000],
    [{ minutes: 1, seconds: 1 }, 61_000],
    [[1, 500_000_000], 1500],
    ["Infinity", Infinity],
    [NaN, Infinity],
    [{ days: 1, hours: NaN }, Infinity],
    [[NaN, 0], Infinity],
    ["soon", Infinity]
  ]
  for (const [asked, ms] of cases) {
    it(`${inspect(asked)} is ${ms}`, () =>
      assert.strictEqual(Period.milliseconds(asked as Duration.Input | undefined, 7), ms))
  }
})
