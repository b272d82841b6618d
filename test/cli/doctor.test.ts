import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 60_000

const checksOf = (stdout: string): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ check, known }) => [check, known])
  )

describe("doctor", () => {
  it.live.skipIf(!Isolated.allowed)(
    "says of a machine that tells everything that it does",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, { "id-1": { tmux_name: "tm-one" } })
        const given = { root, cwd: root, env: { HOME: root }, prepare: Isolated.sessions("tm-one") }
        const { stdout, exitCode } = yield* Isolated.run(command, ["doctor", "--json"], given)
        assert.deepStrictEqual(checksOf(stdout), {
          processes: true,
          "what they use": true,
          "file system": true,
          git: true,
          tmux: true,
          "sessions of Claude Code": true,
          "records of a manager": true
        })
        assert.strictEqual(exitCode, 0)
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "finds nothing amiss where nobody has a manager",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const given = { root, cwd: root, env: { HOME: root, TRUSTY_MPM_ROOT: "" } }
        const { stdout, exitCode } = yield* Isolated.run(command, ["doctor"], given)
        assert.match(stdout, /^ok +records of a manager: .*nothing speaks for a session manager/m)
        assert.strictEqual(exitCode, 0)
      }),
    timeout
  )

  it.live(
    "says what it costs that tmux cannot be observed",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, exitCode } = yield* run(command, ["doctor", "--here"], {
          root,
          env: { TMUX_TMPDIR: path.join(root, "nowhere") }
        })
        assert.match(stdout, /^no +tmux: .*\n +so every recorded session counts as live/m)
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )
})
