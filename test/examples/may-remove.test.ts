import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "./Isolated.ts"
import { run } from "./Program.ts"
import * as World from "./World.ts"

const program = "examples/may-remove.ts"
const timeout = 60_000

const answers = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe(program, () => {
  it.live.skipIf(!Isolated.allowed)(
    "each path with its claim state, its claimant and the reason",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, {
          "id-1": { tmux_name: "tm-one", workspace_path: `${root}/one` },
          "id-2": { tmux_name: "tm-two", workspace_path: `${root}/two` },
          "id-3": { tmux_name: "tm-three", workspace_path: `${root}/three` }
        })
        fs.mkdirSync(path.join(root, "one"))
        const given = { root, prepare: Isolated.sessions("tm-one", "tm-three"), cwd: root }
        const paths = ["one", "two", `${root}/one/inside`, `${root}/none`, "three", "three/../one", "."]
        const judged = yield* Isolated.run(program, ["--json", "--caller", "id-3", ...paths], given)
        assert.deepStrictEqual(
          answers(judged.stdout).map(({ state, permits, claimants }) => [state, permits, claimants]),
          [
            ["Foreign", false, ["id-1"]],
            ["DeadClaimsDiscarded", true, ["id-2"]],
            ["ForeignNested", true, ["id-1"]],
            ["Unclaimed", true, []],
            ["CallerWorkspace", false, ["id-3"]],
            ["Foreign", false, ["id-1"]],
            ["Foreign", false, ["id-1"]]
          ]
        )
        assert.strictEqual(judged.exitCode, 1)
        const permitted = yield* Isolated.run(program, ["two", "none"], given)
        assert.match(permitted.stdout, /^tmux: 1 server heard/)
        assert.include(
          permitted.stdout,
          `✓ ${root}/two (nothing is there)\n  the claim gate permits it: DeadClaimsDiscarded\n`
        )
        assert.include(
          permitted.stdout,
          "This is the claim gate alone; `node examples/explain.ts PATH` gives the whole verdict"
        )
        assert.deepStrictEqual([permitted.stderr, permitted.exitCode], ["", 0])
        const dismissed = yield* Isolated.run(program, ["--dismiss", "id-1", "one"], given)
        assert.deepStrictEqual([dismissed.stderr, dismissed.exitCode], ["", 0])
        const mistyped = yield* Isolated.run(program, ["--dismiss", "id-l", "--caller", "id-9", "one"], given)
        assert.strictEqual(
          mistyped.stderr,
          "may-remove: no record has the id id-9\nmay-remove: no record has the id id-l\n"
        )
        assert.strictEqual(mistyped.exitCode, 1)
      }),
    timeout
  )

  it.live(
    "tmux was not observed: every claim stands",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, { "id-1": { tmux_name: "tm-one", workspace_path: `${root}/one` } })
        const outcome = yield* run(program, ["--here", `${root}/one`], {
          root,
          env: { TMUX_TMPDIR: path.join(root, "nowhere") }
        })
        assert.include(
          outcome.stdout,
          `✗ ${root}/one (nothing is there)\n  the claim gate refuses it: Foreign\n  claimed by id-1\n`
        )
        assert.include(outcome.stdout, "set TMUX_TMPDIR")
        assert.strictEqual(outcome.exitCode, 1)
      }),
    timeout
  )

  it.live(
    "no records: every path is refused",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, exitCode } = yield* run(program, ["--here", "--json", "/w/a\u202eb"], { root })
        assert.notInclude(stdout, "\u202e")
        assert.deepStrictEqual(
          answers(stdout).map(({ state, path }) => [state, path]),
          [["Undeterminable", "/w/a\u202eb"]]
        )
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "--no-manager: no records are expected, and none may be there",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, exitCode } = yield* Isolated.run(program, ["--no-manager", "--json", `${root}/one`], { root })
        assert.deepStrictEqual(
          answers(stdout).map(({ state, permits }) => [state, permits]),
          [["Unclaimed", true]]
        )
        assert.strictEqual(exitCode, 0)
        World.records(root, {})
        const refused = yield* run(program, ["--no-manager", "one"], { root })
        assert.include(refused.stderr, "--no-manager, but")
        assert.deepStrictEqual([refused.stdout, refused.exitCode], ["", 2])
      }),
    timeout
  )

  it.live(
    "wrong usage, and --help",
    () =>
      Effect.gen(function* () {
        for (const args of [[], [""], ["--nope"]]) {
          const { stdout, stderr, exitCode } = yield* run(program, args)
          assert.include(stderr, "--help")
          assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
        }
        assert.include((yield* run(program, ["--help"])).stdout, "the claim gate alone")
      }),
    timeout
  )
})
