import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command, run, shell } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 60_000

const pair = (root: string) => ({
  "id-1": { tmux_name: "tm-one", workspace_path: `${root}/work/one` },
  "id-2": { tmux_name: "tm-two", workspace_path: `${root}/work/two` }
})

/** An environment in which tmux cannot be observed, whatever else runs on the machine. */
const blind = (root: string) => ({ TMUX_TMPDIR: path.join(root, "nowhere") })

const rows = (stdout: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("sessions", () => {
  it.live.skipIf(!Isolated.allowed)(
    "one runs in a pane, without an agent in it; the other is gone",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const given = { root, cwd: root, env: { HOME: root }, prepare: Isolated.sessions("tm-one") }
        const shown = yield* Isolated.run(command, ["sessions"], given)
        assert.match(shown.stdout, /^ +session +tmux +agent +workspace +why$/m)
        assert.match(shown.stdout, /^live +id-1 +tm-one %0 +none +work\/one +tmux lists it$/m)
        assert.match(shown.stdout, /^gone +id-2 +tm-two +none +work\/two +no tmux server lists it$/m)
        assert.match(shown.stdout, /^1 tmux server heard \(pid \d+\)\.$/m)
        assert.deepStrictEqual([shown.stderr, shown.exitCode], ["", 0])
        const { stdout } = yield* Isolated.run(command, ["sessions", "--json", "--caller", "id-2"], given)
        assert.deepStrictEqual(
          rows(stdout).map(({ session, liveness, because, caller, panes }) => [
            session,
            liveness,
            because,
            caller,
            panes
          ]),
          [
            ["id-1", "Live", "Listed", false, ["%0"]],
            ["id-2", "SessionGone", null, true, []]
          ]
        )
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "of another manager, by its prefix",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, { "id-1": { tmux_name: "gt-one" } })
        const given = { root, prepare: Isolated.sessions("tm-one") }
        const foreign = yield* Isolated.run(command, ["sessions", "--json"], given)
        assert.deepStrictEqual(
          rows(foreign.stdout).map(({ because }) => because),
          ["NotManaged"]
        )
        const own = yield* Isolated.run(command, ["sessions", "--json", "--prefix", "gt-"], given)
        assert.deepStrictEqual(
          rows(own.stdout).map(({ liveness }) => liveness),
          ["SessionGone"]
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
        const pane = `'$NODE' '$PROGRAM' sessions --here --json > '${root}/out' 2> '${root}/err'; tmux wait-for -S done`
        const line = `"$NODE" -e 0; tmux -f /dev/null new-session -d -s tm-one "${pane}; sleep 600" && tmux wait-for done`
        yield* Isolated.run(command, ["sessions"], { root, prepare: line })
        const { stdout } = yield* shell(command, `cat '${root}/out' '${root}/err'`)
        assert.deepStrictEqual(
          rows(stdout).map(({ caller }) => caller),
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
        const { stdout, exitCode } = yield* run(command, ["sessions", "--here"], { root, env: blind(root) })
        assert.match(
          stdout,
          /^tmux was not observed, .*: the directory of tmux sockets is not there .* To settle it, /m
        )
        assert.lengthOf(stdout.match(/^live .*tmux was not observed$/gm) ?? [], 2)
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live(
    "no records: the reason, exit 1",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stdout, stderr, exitCode } = yield* run(command, ["sessions", "--here"], { root })
        assert.match(stdout, /^Every removal is refused: .*sessions\.json is not there; /m)
        assert.deepStrictEqual([stderr, exitCode], ["", 1])
      }),
    timeout
  )

  it.live(
    "--watch ends with its reader",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        World.records(root, pair(root))
        const line = `"$NODE" "$PROGRAM" sessions --here --watch --json 2>/dev/null | head -n 4`
        const { stdout } = yield* shell(command, line, { root, env: blind(root) })
        assert.deepStrictEqual(
          rows(stdout).map(({ session }) => session),
          ["id-1", "id-2", "id-1", "id-2"]
        )
      }),
    timeout
  )
})
