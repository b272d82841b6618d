import { assert, describe, it } from "@effect/vitest"
import * as Derived from "../../src/shared/core/Derived.ts"

/** What stands in `name`, and how often that was asked. */
const counting = () => {
  const asked: Array<string | undefined> = []
  const nameOf = Derived.once((facts: { name: string | undefined }) => {
    asked.push(facts.name)
    return facts.name
  })
  return { asked, nameOf }
}

describe("Derived.once", () => {
  for (const name of ["a", undefined]) {
    it(`derives ${name ?? "nothing"} once, however often it is asked`, () => {
      const { asked, nameOf } = counting()
      const facts = { name }
      assert.deepStrictEqual([nameOf(facts), nameOf(facts), nameOf(facts)], [name, name, name])
      assert.deepStrictEqual(asked, [name])
    })
  }

  it("derives for each object by itself, even for equal ones", () => {
    const { asked, nameOf } = counting()
    assert.deepStrictEqual(
      ["a", "a", "b"].map((name) => nameOf({ name })),
      ["a", "a", "b"]
    )
    assert.deepStrictEqual(asked, ["a", "a", "b"])
  })

  it("goes on giving what it gave of facts that change", () => {
    const { nameOf } = counting()
    const facts = { name: "a" }
    nameOf(facts)
    facts.name = "b"
    assert.strictEqual(nameOf(facts), "a")
  })
})
