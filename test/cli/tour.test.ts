import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { tempRoot } from "../TempRoot.ts"
import { command, run, shell } from "../examples/Program.ts"

const timeout = 60_000

describe("tour", () => {
  it.live(
    "is one screen, shows what goes, what stays and the way back, and leaves nothing behind",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, stderr, exitCode } = yield* run(command, ["tour"], { cwd: root, env: { TMPDIR: root } })
        assert.deepStrictEqual([stderr, exitCode], ["", 0])
        assert.isAtMost(stdout.trimEnd().split("\n").length, 26)
        assert.match(stdout, /^go +work\/search/m)
        assert.match(stdout, /^keep +work\/notes +.*plan\.md/m)
        assert.match(stdout, /^keep +work\/harbor +/m)
        assert.match(stdout, /^ {2}work\/search lies at app\/\.git\/reclaimed\/\S+$/m)
        assert.match(stdout, /^ {2}work\/\S+ stands there now/m)
        assert.match(stdout, /8d40b7a1 +💸~\$0\.57/)
        assert.notInclude(stdout, root)
        assert.deepStrictEqual(fs.readdirSync(root), [])
      }),
    timeout
  )

  it.live(
    "--all has the rest",
    () =>
      Effect.gen(function* () {
        const { stdout, exitCode } = yield* run(command, ["tour", "--all"], { env: { TMPDIR: yield* tempRoot } })
        assert.strictEqual(exitCode, 0)
        assert.match(stdout, /history +unreadable/)
        assert.match(stdout, /history +read whole, 3 ids/)
        assert.match(stdout, /f2096c3e +💸~\$0\.72 +three ids, one session/)
        assert.match(stdout, /is silent +stays: /)
      }),
    timeout
  )

  it.live(
    "without git it says so, and an interrupt leaves nothing behind",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const env = { TMPDIR: root }
        const without = yield* run(command, ["tour"], { env: { ...env, PATH: "/nowhere" } })
        assert.include(without.stderr, "git is needed")
        assert.strictEqual(without.exitCode, 1)
        const line = `"$NODE" "$PROGRAM" tour & pid=$!; until [ -n "$(ls -A '${root}')" ]; do sleep 0.02; done; kill -INT $pid; wait $pid`
        const struck = yield* shell(command, line, { env })
        assert.strictEqual(struck.exitCode, 130)
        assert.deepStrictEqual(fs.readdirSync(root), [])
      }),
    timeout
  )
})
