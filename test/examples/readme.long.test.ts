import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { SweepLaws } from "../../src/testing/index.ts"
import * as Docs from "./Docs.ts"
import { shell } from "./Program.ts"

const timeout = 60_000

describe("the README of testing", () => {
  it.live(
    "its test of the laws is one",
    () =>
      Effect.gen(function* () {
        const main = yield* Docs.directory
        const few = (Docs.blocks("src/testing/README.md")[1] ?? "")
          .replace("10_000", "20")
          .replace("Laws.tests(it.live, mine)", "Laws.tests(it.live, mine, { runs: 20 })")
        assert.include(few, "{ runs: 20 }")
        fs.writeFileSync(path.join(main, "laws.test.ts"), few)
        fs.writeFileSync(
          path.join(main, "MyProbe.ts"),
          `import { FakeTmux, SweepFakes } from "session-liveness/testing"
           export const myProbe = (world, corruptions) => FakeTmux.layer(() => SweepFakes.toTmux(world()), corruptions)`
        )
        const vitest = "node_modules/vitest/vitest.mjs"
        const { stdout, stderr } = yield* shell(vitest, '"$NODE" "$PROGRAM" run --root . --no-color', { cwd: main })
        assert.match(stdout, new RegExp(`Tests +${SweepLaws.all.length + 1} passed`), stderr)
      }),
    timeout
  )
})
