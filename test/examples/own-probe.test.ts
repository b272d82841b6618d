import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "./Program.ts"

describe("examples/own-probe.ts", () => {
  it.live(
    "keeps the laws, and shows what a mistake would cost",
    () =>
      Effect.gen(function* () {
        const { exitCode, stdout } = yield* run("examples/own-probe.ts", ["--runs", "100"])
        assert.strictEqual(exitCode, 0, stdout)
        const [right = "", wrong = ""] = stdout.split("\n\n")
        assert.notInclude(right, "broken")
        assert.include(right, "  L12 recovery: holds in 100 cases")
        assert.match(wrong, /\nL4 one way to gone: broken\n/)
        assert.match(wrong, /\n {2}in this world \(case \d+, made smaller \d+ times\):\n {4}record 1: /)
      }),
    120_000
  )
})
