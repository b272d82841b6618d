import { assert, describe, it } from "@effect/vitest"
import { Quiet } from "../../src/index.ts"

describe("Quiet", () => {
  const cases: ReadonlyArray<readonly [now: number, signs: ReadonlyArray<number | null>, quiet: number | null]> = [
    [10, [3, 7], 3],
    [10, [7, 3], 3],
    [10, [10], 0],
    [10, [11], null],
    [10, [3, null], null],
    [10, [3, Number.NaN], null],
    [10, [3, -Infinity], null],
    [10, [], null]
  ]
  for (const [now, signs, quiet] of cases) {
    it(`at ${now}, after ${JSON.stringify(signs)}`, () => assert.strictEqual(Quiet.quietFor(now, signs), quiet))
  }

  it("is at least so long, or not known to be", () => {
    assert.isTrue(Quiet.atLeast(5, 5))
    assert.isFalse(Quiet.atLeast(4, 5))
    assert.isFalse(Quiet.atLeast(null, 0))
    assert.isFalse(Quiet.atLeast(null, -1))
  })
})
