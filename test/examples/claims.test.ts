import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "./Isolated.ts"
import { run, shell } from "./Program.ts"
import * as World from "./World.ts"

const program = "examples/claims.ts"
const timeout = 60_000

const pair = (root: string) => ({
  "id-1": { tmux_name: "tm-one", workspace_path: `${root}/work/one` },
  "id-2": { tmux_name: "tm-two", workspace_path: `${root}/work/two` }
})

/** An environment in which tmux cannot be observed, whatever else runs on the machine. */
const blind = (root: string) => ({ TMUX_TMPDIR: path.join(root, "nowhere") })

describe(program, () => {
  it.live.skipIf(!Isolated.allowed)(
    "one session runs, the other is gone",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const prepare = Isolated.sessions("tm-one")
        const shown = yield* Isolated.run(program, [], { root, prepare })
        assert.strictEqual(shown.stderr, "")
        assert.match(shown.stdout, /^tmux: 1 server heard \(pid \d+\), 1 socket asked, \d+ ms\n\nsession +tmux name /)
        assert.match(shown.stdout, /^id-1 +tm-one +\S+work\/one +live +tmux lists it$/m)
        assert.match(shown.stdout, /^id-2 +tm-two +\S+work\/two +gone +no tmux server lists it$/m)
        assert.strictEqual(shown.exitCode, 0)
        const { stdout } = yield* Isolated.run(program, ["--json", "--caller", "id-2"], { root, prepare })
        const { observation, sessions } = JSON.parse(stdout)
        assert.deepStrictEqual([observation.answered, observation.names], [true, ["tm-one"]])
        assert.deepStrictEqual(
          sessions.map((row: Readonly<Record<string, unknown>>) => [
            row["session"],
            row["liveness"],
            row["because"],
            row["caller"]
          ]),
          [
            ["id-1", "Live", "Listed", false],
            ["id-2", "SessionGone", null, true]
          ]
        )
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "names the caller by its pane",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const pane = `'$NODE' '$PROGRAM' --here --json > '${root}/out' 2> '${root}/err'; tmux wait-for -S done`
        const line = `"$NODE" -e 0; tmux -f /dev/null new-session -d -s tm-one "${pane}; sleep 600" && tmux wait-for done`
        yield* Isolated.run(program, ["--json"], { root, prepare: line })
        const { stdout } = yield* shell(program, `cat '${root}/out' '${root}/err'`)
        const { sessions } = JSON.parse(stdout)
        assert.deepStrictEqual(
          sessions.map((row: Readonly<Record<string, unknown>>) => row["caller"]),
          [true, false]
        )
      }),
    timeout
  )

  it.live(
    "tmux was not observed: all live, the reason and the way out, exit 1",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const { stdout, exitCode } = yield* run(program, ["--here"], { root, env: blind(root) })
        assert.match(stdout, /^tmux was not observed .*: the directory of tmux sockets is not there .*\nTo settle it, /)
        assert.lengthOf(stdout.match(/ live +tmux was not observed$/gm) ?? [], 2)
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live(
    "no records: the reason, exit 1",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, stderr, exitCode } = yield* run(program, ["--here"], { root })
        assert.match(stdout, /^Every removal is refused: .*sessions\.json is not there; /m)
        // The reason is said once.
        assert.deepStrictEqual([stderr, exitCode], ["", 1])
      }),
    timeout
  )

  it.live(
    "names are shown escaped, and the table fits the width",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, {
          "a\u009b2J\u202eb": { tmux_name: "tm-\u001b[2J", workspace_path: `/w/\u2028${"long/".repeat(40)}` },
          ["\u5bbf".repeat(60)]: { tmux_name: 7, workspace_path: "/w/x" }
        })
        for (const args of [[], ["--json"], ["--wide"]]) {
          const { stdout } = yield* run(program, ["--here", ...args], { root, env: blind(root) })
          assert.notMatch(stdout, /[^\P{C}\n]|[\u2028\u202e]/u)
          const [, ...table] = stdout.split("\n\n")
          if (args.length === 0) for (const line of table.join("").split("\n")) assert.isAtMost(line.length, 100)
        }
      }),
    timeout
  )

  it.live(
    "--watch ends with its reader",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const { stdout } = yield* shell(program, `"$NODE" "$PROGRAM" --here --watch --json | head -n 2`, {
          root,
          env: blind(root)
        })
        const looks = stdout.trimEnd().split("\n")
        assert.lengthOf(looks, 2)
        for (const look of looks) assert.lengthOf(JSON.parse(look).sessions, 2)
      }),
    timeout
  )

  it.live(
    "--no-manager: no records are expected, and none may be there",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout } = yield* run(program, ["--no-manager"], { root, env: blind(root) })
        assert.match(stdout, /\n\nNo session is recorded\.\n$/)
        World.records(root, pair(root))
        const refused = yield* run(program, ["--no-manager"], { root })
        assert.include(refused.stderr, "--no-manager, but")
        assert.deepStrictEqual([refused.stdout, refused.exitCode], ["", 2])
      }),
    timeout
  )

  it.live(
    "wrong usage, and --help",
    () =>
      Effect.gen(function* () {
        for (const args of [["--nope"], ["--caller"], ["stray"]]) {
          const { stdout, stderr, exitCode } = yield* run(program, args)
          assert.include(stderr, args[0] ?? "")
          assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
        }
        const help = yield* run(program, ["-h"])
        assert.include(help.stdout, "Usage: node examples/claims.ts")
        assert.strictEqual(help.exitCode, 0)
      }),
    timeout
  )
})
