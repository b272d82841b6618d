import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import { run, shell } from "./Program.ts"

const program = "examples/tour.ts"

describe(program, () => {
  it.effect("plays the evening in a root that it removes", () =>
    Effect.gen(function* () {
      const TMPDIR = yield* tempRoot
      const { stdout, stderr, exitCode } = yield* run(program, [], { env: { TMPDIR } })
      assert.strictEqual(stderr, "")
      assert.strictEqual(exitCode, 0)
      const shown = stdout.split("\n").flatMap((line) => / shows (.*?): /.exec(line)?.[1] ?? [])
      assert.deepStrictEqual(shown, [
        "💸~$0.36",
        "nothing",
        "💸~$0.36",
        "💸~$0.57",
        "nothing",
        "💸~$0.57",
        "💸~$0.72",
        "💸~$1.10",
        "💸~$0.72",
        "💸~$0.40"
      ])
      assert.isAtMost(stdout.split("\n").length, 60)
      assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
    })
  )

  it.effect("an interrupt removes the root too", () =>
    Effect.gen(function* () {
      const TMPDIR = yield* tempRoot
      yield* shell(program, `exec "$NODE" "$PROGRAM" > >(read -r _; kill -INT $$; cat >/dev/null)`, { env: { TMPDIR } })
      assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
    })
  )

  it.effect("--root keeps the files, and has to be empty", () =>
    Effect.gen(function* () {
      const root = path.join(yield* tempRoot, "kept")
      const played = yield* run(program, ["--root", root])
      assert.include(played.stdout, root)
      assert.deepStrictEqual(fs.readdirSync(path.join(root, "usage", "session-links")).sort(), ["harbor", "orchard"])
      const again = yield* run(program, ["--root", root])
      assert.include(again.stderr, `${root} is not empty`)
      assert.strictEqual(again.stdout, "")
      assert.strictEqual(again.exitCode, 1)
    })
  )

  it.effect("a wrong flag", () =>
    Effect.gen(function* () {
      const { stdout, stderr, exitCode } = yield* run(program, ["--fast"])
      assert.include(stderr, "--fast")
      assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
    })
  )
})
