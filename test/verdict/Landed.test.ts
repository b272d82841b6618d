import { assert, describe, it } from "@effect/vitest"
import { Landed } from "../../src/internal.ts"
import { landed } from "./Commits.ts"
import { cases } from "./LandedCases.ts"

describe("Landed", () => {
  for (const [name, { is, commits, ...given }] of Object.entries(cases)) {
    it(`${is}: ${name}`, () => {
      const answer = landed(given)
      const tag = answer._tag === "NotLanded" && answer.isReverted ? "Reverted" : answer._tag
      assert.strictEqual(tag, is, answer._tag === "Landed" ? answer.how : answer.why)
      assert.strictEqual(answer._tag === "Landed" ? undefined : answer.commits, commits)
    })
  }
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
