import { assert, describe, it } from "@effect/vitest"
import { Landed } from "../../src/internal.ts"
import { landed } from "./Commits.ts"
import { cases } from "./LandedCases.ts"

describe("Landed", () => {
  for (const [name, { is, commits, ...given }] of Object.entries(cases)) {
    it(`${is}: ${name}`, () => {
      const [answer] = landed(given)
      const tag = answer._tag === "NotLanded" && answer.isReverted ? "Reverted" : answer._tag
      assert.strictEqual(tag, is, answer._tag === "Landed" ? answer.how : answer.why)
      assert.strictEqual(answer._tag === "Landed" ? undefined : answer.commits, commits)
    })
  }
})

describe("Landed, to cost little", () => {
  const asked = (name: keyof typeof cases) => {
    const given = cases[name]
    return given === undefined ? assert.fail(name) : landed(given)[1]
  }

  it("asks only about commits that change the same files as one of its own, or as all of them together", () => {
    assert.deepStrictEqual(asked("a revert says nothing, of the merge"), ["m3"])
    assert.deepStrictEqual(asked("a revert says nothing, after another change of the same file"), ["m4", "m3"])
    assert.deepStrictEqual(asked("main went on in the same files"), ["m3"])
    assert.deepStrictEqual(asked("main has another change of the same files"), ["m2"])
    assert.deepStrictEqual(asked("it was picked, and main went on"), ["m2", "p2", "p1"])
    assert.deepStrictEqual(asked("it is one empty commit, and main has one too"), [])
    assert.deepStrictEqual(asked("it holds empty commits alone, and so does main"), [])
  })
})

describe("Landed.strictest", () => {
  const landed: Landed.Landed = { _tag: "Landed", into: "main", how: "it was merged" }
  const [not, undone] = [false, true].map((isReverted) =>
    Landed.NotLanded({ why: "so it is", commits: 1, isReverted })
  ) as [Landed.Landed, Landed.Landed]

  it("is landed in one, unless another has undone it", () => {
    assert.strictEqual(Landed.strictest([not, landed]), landed)
    assert.strictEqual(Landed.strictest([landed, not]), landed)
    assert.strictEqual(Landed.strictest([landed, undone]), undone)
    assert.strictEqual(Landed.strictest([not, undone]), undone)
    assert.strictEqual(Landed.strictest([not, { ...not }]), not)
  })

  it("is not landed where nothing was compared", () => {
    assert.strictEqual(Landed.strictest([])._tag, "NotLanded")
  })
})
