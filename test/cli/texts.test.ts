import { assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { render } from "./Rendered.ts"

// Were the library loaded within a test, a mutation tester would take that test for the only one of every constant.
beforeAll(() => import("../../src/internal.ts"))

describe("what the library says when it refuses or fails", () => {
  // Said within a test, so that a mutation tester knows which test hears it.
  it("reads as it does in texts.txt", async () => {
    const { sections } = await import("./Said.ts")
    await expect(render(sections)).toMatchFileSnapshot("texts.txt")
  })

  it("is one line each, names what was seen, and shows every answer", async () => {
    const { endTags, sections } = await import("./Said.ts")
    const all = Object.values(sections).flatMap((texts) => Object.entries(texts))
    for (const [name, text] of all) {
      assert.notMatch(text, /undefined|\[object|\n[^ ]|[\p{Cc}]/u, name)
      assert.notStrictEqual(text, "", name)
    }
    assert.deepStrictEqual([...endTags].sort(), ["Caller", "Ended", "Live", "Undeterminable"])
  })

  it("says the way out of what a person can change", async () => {
    const { sections } = await import("./Said.ts")
    for (const section of ["tmux was not observed", "a session counts as live"]) {
      for (const [name, text] of Object.entries(sections[section] ?? {}))
        assert.include(text, "; to settle it, ", `${section}: ${name}`)
    }
    const refusals = Object.entries(sections)
      .filter(([title]) => title.startsWith("the gate ") || title.startsWith("why a worktree stays"))
      .flatMap(([title, texts]) => Object.entries(texts).map(([name, text]) => [`${title}: ${name}`, text] as const))
      .filter(([, text]) => text !== "(permits)")
    const silent = refusals.filter(([, text]) => !/; |\[(git|session-liveness) /.test(text)).map(([name]) => name)
    assert.deepStrictEqual(silent, [])
  })
})
