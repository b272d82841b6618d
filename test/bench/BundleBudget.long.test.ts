import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { project, run } from "../examples/Program.ts"
import { tempRoot } from "../TempRoot.ts"

const script = ".ci/bundle-budget.js"
const timeout = 60_000

interface Budget {
  readonly [entry: string]: { readonly own: number; readonly inlined: number }
}

const budget: Budget = JSON.parse(fs.readFileSync(path.join(project, ".ci/bundle-budget.json"), "utf8"))

const against = Effect.fnUntraced(function* (budget: Budget) {
  const file = path.join(yield* tempRoot, "budget.json")
  fs.writeFileSync(file, JSON.stringify(budget))
  return yield* run(script, ["--budget", file])
})

describe("bundle-budget", () => {
  it.live(
    "fails when one entry is over its budget, and names it alone",
    () =>
      Effect.gen(function* () {
        const node = budget["./node"] ?? { own: 0, inlined: 0 }
        const over = yield* against({ ...budget, "./node": { ...node, inlined: 1 } })
        assert.strictEqual(over.exitCode, 1)
        assert.match(over.stderr, /^bundle-budget: \.\/node, inlined: \d{5,} bytes are over the budget of 1\n$/)
        assert.match(over.stdout, /^\.\/node {2,}\d+ modules +\d{4,} B of +\d+ +\d+ modules +\d{5,} B of +1$/m)
      }),
    timeout
  )

  it.live(
    "fails when an entry has no budget",
    () =>
      Effect.gen(function* () {
        const { "./testing": _left, ...rest } = budget
        const { exitCode, stderr } = yield* against(rest)
        assert.strictEqual(exitCode, 1)
        assert.match(stderr, /^bundle-budget: \.\/testing, own: \d+ bytes have no budget\n/)
      }),
    timeout
  )
})
