import { assert, describe, it } from "@effect/vitest"
import { Quiet, SignOfWork } from "../../src/internal.ts"

type Sign = Parameters<typeof SignOfWork.newest>[0][number]

const at = (at: number, what = "a sign"): Sign => ({ _tag: "Known", value: { what, at } })
const unknown: Sign = { _tag: "Unknown", reason: "no log" }

describe("SignOfWork.newest", () => {
  it("is the last of all, the first by name of those at one instant", () => {
    assert.deepStrictEqual(SignOfWork.newest([at(3, "a"), at(7, "c"), at(7, "b")]), at(7, "b"))
    assert.deepStrictEqual(SignOfWork.newest([at(7, "b"), at(7, "c"), at(3, "a")]), at(7, "b"))
  })

  it("is not known where one of them is not, or none was looked for", () => {
    assert.deepStrictEqual(SignOfWork.newest([at(3), unknown]), unknown)
    for (const signs of [[], [at(Number.NaN)], [at(Infinity)], [at(3), at(-Infinity)]]) {
      assert.strictEqual(SignOfWork.newest(signs)._tag, "Unknown")
    }
    const furthest = 8.64e15
    assert.deepStrictEqual(SignOfWork.newest([at(-furthest), at(furthest)]), at(furthest))
    const late = SignOfWork.newest([at(3), at(furthest + 1, "the log")])
    assert.include(late._tag === "Unknown" ? late.reason : "", "the log")
  })
})

describe("SignOfWork.inOrder", () => {
  it("has what is not known first, whatever was found first", () => {
    const signs = [{ ...unknown, reason: "a" }, { ...unknown, reason: "b" }, at(7, "b"), at(7, "c"), at(3, "a")]
    for (const turned of [0, 1, 2, 3, 4]) {
      const found = [...signs.slice(turned), ...signs.slice(0, turned)]
      assert.deepStrictEqual(SignOfWork.inOrder(found), signs)
      assert.deepStrictEqual(SignOfWork.inOrder(found.toReversed()), signs)
    }
  })
})

describe("Quiet", () => {
  const cases: ReadonlyArray<readonly [now: number, last: Sign, quiet: number | null]> = [
    [10, at(7), 3],
    [10, at(10), 0],
    [10, at(11), null],
    [10, unknown, null]
  ]
  for (const [now, last, quiet] of cases) {
    it(`at ${now}, after ${JSON.stringify(last)}`, () => assert.strictEqual(Quiet.quietFor(now, last), quiet))
  }

  it("is at least so long, or not known to be", () => {
    assert.isTrue(Quiet.atLeast(10, at(5), 5))
    assert.isFalse(Quiet.atLeast(10, at(6), 5))
    assert.isFalse(Quiet.atLeast(10, unknown, 0))
    assert.isFalse(Quiet.atLeast(10, at(11), -1))
  })

  it("tells when it will be so", () => {
    assert.strictEqual(Quiet.until(at(5), 7), 12)
    assert.isUndefined(Quiet.until(unknown, 7))
    assert.isUndefined(Quiet.until(at(5), Infinity))
  })
})
