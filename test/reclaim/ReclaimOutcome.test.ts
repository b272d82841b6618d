import { assert, describe, it } from "@effect/vitest"
import { ReclaimOutcome } from "../../src/internal.ts"

const { Obstacle, explain } = ReclaimOutcome

describe("ReclaimOutcome.explain", () => {
  const named: ReadonlyArray<readonly [paths: ReadonlyArray<string>, named: string]> = [
    [["a"], "a"],
    [["a", "b", "c"], "a, b, c"],
    [["a", "b", "c", "d"], "a, b, c and 1 more"],
    [["a", "b", "c", "d", "e"], "a, b, c and 2 more"],
    [["a\u001b[2J", "b\nc"], "a\\u{1b}[2J, b\\u{a}c"]
  ]
  for (const [paths, names] of named) {
    it(`names at most three ignored files, fit to be printed: ${names}`, () =>
      assert.include(explain(Obstacle.Precious({ paths })), ` again: ${names}; `))
  }

  it("says the instant until which it lies reclaimed", () =>
    assert.include(explain(Obstacle.NotDue({ until: Date.UTC(2026, 0, 5, 12) })), " until 2026-01-05 12:00 UTC;"))

  it("names the directory that no admin directory names, fit to be printed", () =>
    assert.match(explain(Obstacle.NoAdminDirectory({ path: "/w/a\u001b" })), /^\/w\/a\\u\{1b\} has no /))
})
