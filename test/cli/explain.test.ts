import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 120_000

/** The gates of an explanation, each with its mark. */
const marks = (stdout: string): ReadonlyArray<string> => stdout.match(/(?<=^ {2})[✓✗] \w+/gm) ?? []

describe("explain", () => {
  it.live.skipIf(!Isolated.allowed)(
    "gate by gate, with the ends of the sessions that are named",
    () =>
      Effect.gen(function* () {
        const { root, worktree } = yield* World.repository
        World.records(root, {
          "id-1": { tmux_name: "tm-one", workspace_path: `${root}/elsewhere` },
          "id-2": { tmux_name: "tm-two" }
        })
        const named = (owner_session_id: string) => ({ owner_session_id, created_at: "2026-01-01T00:00:00Z" })
        worktree("free", named("id-2"))
        fs.writeFileSync(`${worktree("held", named("id-1"))}/a`, "x")
        const given = { root, cwd: root, prepare: Isolated.sessions("tm-one") }

        const free = yield* Isolated.run(
          command,
          ["explain", "--quiet-for", "0h", "--settled-for", "0h", "work/free"],
          given
        )
        assert.deepStrictEqual(marks(free.stdout), [
          "✓ Claim",
          "✓ Owner",
          "✓ Occupied",
          "✓ Vantage",
          "✓ Quiet",
          "✓ Git",
          "✓ Settled"
        ])
        assert.include(free.stdout, "id-2 has ended: managed session id-2 is gone")
        assert.include(free.stdout, "Every gate permits: it may go.")
        assert.deepStrictEqual([free.stderr, free.exitCode], ["", 0])

        const held = yield* Isolated.run(command, ["explain", "work/held/"], given)
        assert.deepStrictEqual(marks(held.stdout), [
          "✓ Claim",
          "✗ Owner",
          "✓ Occupied",
          "✓ Vantage",
          "✗ Quiet",
          "✗ Git",
          "✗ Settled"
        ])
        assert.include(held.stdout, "id-1 is live: managed session id-1 counts as live: tmux lists it")
        assert.include(held.stdout, "because of the gate Owner; behind it, Quiet, Git, Settled would refuse too.")
        assert.strictEqual(held.exitCode, 1)

        const { stdout } = yield* Isolated.run(command, ["explain", "--json", "work/held"], given)
        const advised: ReadonlyArray<string> = JSON.parse(stdout).gates.flatMap(
          ({ advice }: { readonly advice: string | null }) => advice ?? []
        )
        assert.isTrue(
          advised.some((advice) => /^node \S+session-liveness\.js sessions --here$/.test(advice)),
          advised.join("\n")
        )
        assert.isTrue(
          advised.some((advice) => advice.startsWith("git -C ")),
          advised.join("\n")
        )
        for (const advice of advised) {
          const pasted = yield* Isolated.run(command, [], { ...given, line: `PATH="\${NODE%/*}:$PATH"; ${advice}` })
          assert.notInclude([2, 126, 127], pasted.exitCode, advice)
          assert.notInclude(pasted.stderr, "namespace", advice)
          assert.notInclude(pasted.stderr, "Cannot find module", advice)
        }

        const json = JSON.parse((yield* Isolated.run(command, ["explain", "--json", "work/held"], given)).stdout)
        assert.deepStrictEqual([json.verdict, json.gate, json.ends["id-1"]._tag], ["Refuse", "Owner", "Live"])
        assert.deepStrictEqual(
          json.gates.flatMap(({ gate, permits }: { gate: string; permits: boolean }) => (permits ? [] : [gate])),
          ["Owner", "Quiet", "Git", "Settled"]
        )
      }),
    timeout
  )

  it.live(
    "tmux was not observed: said at the gates that it concerns",
    () =>
      Effect.gen(function* () {
        const { root, worktree } = yield* World.repository
        const held = worktree("held")
        World.records(root, { "id-1": { tmux_name: "tm-one", workspace_path: held } })
        const { stdout, stderr, exitCode } = yield* run(command, ["explain", "--here", held], {
          root,
          env: { TMUX_TMPDIR: path.join(root, "nowhere") }
        })
        assert.include(marks(stdout), "✗ Claim")
        assert.include(
          stdout.replaceAll(/\s+/g, " "),
          "set TMUX_TMPDIR as the manager has it, or unset it (this is unknown)"
        )
        assert.include(stderr, "tmux was not observed")
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live(
    "what is no linked worktree: said, exit 1",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const inside = path.join(worktree("a"), "inside")
        fs.mkdirSync(inside)
        for (const [path, says] of [
          [main, "is the main worktree"],
          [inside, "is no worktree itself"],
          [root, "is no git repository or worktree"]
        ] as const) {
          const { stdout, stderr, exitCode } = yield* run(command, ["explain", "--here", path], { root })
          assert.include(stderr, says)
          assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 1 })
        }
        const { stdout } = yield* run(command, ["explain", "--here", "--json", main], { root })
        assert.strictEqual(JSON.parse(stdout).verdict, "Refuse")
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "what was reclaimed: said by either path, exit 1",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const one = worktree("one")
        const given = { root, cwd: main }
        yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"], given)
        for (const path of [one, "../work/one"]) {
          const { stderr, exitCode } = yield* run(command, ["explain", path], given)
          assert.match(
            stderr,
            /^session-liveness: \.\.\/work\/one: it was reclaimed; `node \S+ restore \.\.\/work\/one`/m
          )
          assert.strictEqual(exitCode, 1)
        }
        const [reclaimed = ""] = fs.readdirSync(`${main}/.git/reclaimed`).filter((name) => name.endsWith("-one"))
        const inside = yield* run(command, ["explain", `.git/reclaimed/${reclaimed}`], given)
        assert.include(inside.stderr, "it lies reclaimed; `node ")
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "--no-manager: no records are expected, and none may be there",
    () =>
      Effect.gen(function* () {
        const { root, worktree } = yield* World.repository
        const one = worktree("one")
        const args = ["--no-manager", "--quiet-for", "0h", "--settled-for", "0h", one]
        assert.strictEqual((yield* Isolated.run(command, ["explain", ...args], { root })).exitCode, 0)
        World.records(root, {})
        const { stdout, stderr, exitCode } = yield* run(command, ["explain", ...args], { root })
        assert.include(stderr, "--no-manager, but")
        assert.deepStrictEqual([stdout, exitCode], ["", 2])
      }),
    timeout
  )

  it.live(
    "wrong usage, and --help",
    () =>
      Effect.gen(function* () {
        for (const args of [[], [""], ["a", "b"], ["--nope"], ["--quiet-for", "1", "a"]]) {
          const { stdout, stderr, exitCode } = yield* run(command, ["explain", ...args])
          assert.include(stderr, "session-liveness.js explain --help`.")
          assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
        }
        assert.include((yield* run(command, ["explain", "--help"])).stdout, "session-liveness explain [flags] <path>")
      }),
    timeout
  )
})
