import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "./Isolated.ts"
import { run } from "./Program.ts"
import * as World from "./World.ts"

const program = "examples/sweep.ts"
const timeout = 120_000

describe(program, () => {
  it.live.skipIf(!Isolated.allowed)(
    "a line for each linked worktree, and the exit code says whether one would be moved",
    () =>
      Effect.gen(function* () {
        const { root, main, git, worktree } = yield* World.repository
        World.records(root, {
          "id-1": { tmux_name: "tm-one", workspace_path: `${root}/work/one` },
          "id-2": { tmux_name: "tm-two", workspace_path: `${root}/work/two` }
        })
        worktree("one")
        fs.writeFileSync(`${worktree("dirty")}/a`, "")
        git("worktree", "lock", "--reason", "demo", worktree("locked"))
        worktree("agent", World.agentOf("id-1", "a-7"))
        const given = { root, cwd: main, prepare: Isolated.sessions("tm-one") }
        const kept = yield* Isolated.run(program, ["--quiet-for", "0h"], given)
        assert.match(kept.stdout, /^path +branch +verdict +gate +reason$/m)
        assert.match(kept.stdout, /work\/dirty +branch-2 +keep +Git +it holds changes/)
        assert.match(kept.stdout, /^0 of 4 linked worktrees would be moved aside\. Nothing was changed\.$/m)
        for (const line of kept.stdout.split("\n")) assert.isAtMost(line.length, 100)
        assert.strictEqual(kept.exitCode, 0)

        worktree("two")
        const moved = yield* Isolated.run(program, ["--quiet-for", "0h", "--json"], given)
        const judged = moved.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          judged.map(({ path, verdict, gate, untold }) => [path.slice(root.length), verdict, gate, untold]),
          [
            ["/work/agent", "Refuse", "Owner", false],
            ["/work/dirty", "Refuse", "Git", false],
            ["/work/locked", "Refuse", "Git", false],
            ["/work/one", "Refuse", "Claim", false],
            ["/work/two", "Permit", null, false]
          ]
        )
        assert.deepStrictEqual([moved.stderr, moved.exitCode], ["", 10])

        const young = yield* Isolated.run(program, ["--wide", main], given)
        assert.match(
          young.stdout,
          /work\/two +branch-5 +keep +Quiet +it has been quiet for 0 min, not for 24 h; wait, or ask for less$/m
        )
        assert.strictEqual(young.exitCode, 0)
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "what could not be told, exit 1",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        worktree("free")
        const given = { root, prepare: "", cwd: main }
        const unlisted = yield* Isolated.run(program, ["--quiet-for", "0h", main, "nowhere"], given)
        assert.match(unlisted.stdout, /^1 of 1 linked worktree would be moved aside/m)
        assert.include(unlisted.stderr, `${main}/nowhere could not be listed`)
        assert.strictEqual(unlisted.exitCode, 1)

        worktree("stranger", { owner_session_id: "nobody-knows", created_at: "2026-01-01T00:00:00Z" })
        const untold = yield* Isolated.run(program, ["--quiet-for", "0h"], given)
        assert.match(untold.stdout, /work\/stranger +branch-2 +keep\? +Owner +/)
        assert.include(untold.stdout, "of 1 it could not be told (keep?)")
        assert.strictEqual(untold.exitCode, 1)
      }),
    timeout
  )

  it.live(
    "no records: every worktree is kept, exit 1",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        worktree("a")
        const { stdout, stderr, exitCode } = yield* run(program, ["--here", "--json", main], { root })
        const { verdict, gate, untold } = JSON.parse(stdout)
        assert.deepStrictEqual([verdict, gate, untold], ["Refuse", "Claim", true])
        assert.include(stderr, "sessions.json is not there")
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live(
    "nothing is changed, and hostile names are escaped",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const hostile = worktree("a\u001b[2J\nb\u202e")
        const admin = World.sentinelOf(hostile).replace(/\/[^/]*$/, "")
        const signs = () => ["index", "HEAD"].map((name) => fs.statSync(`${admin}/${name}`, { bigint: true }).mtimeNs)
        const before = signs()
        for (const args of [[], ["--json"], ["--wide"]]) {
          const { stdout } = yield* run(program, ["--here", ...args, main], { root })
          assert.notMatch(stdout, /[\u001b\u202e]/u)
        }
        assert.deepStrictEqual(signs(), before)
        assert.isFalse(fs.existsSync(`${admin}/index.lock`))
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "--no-manager: no records are expected, and none may be there",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const one = worktree("one")
        const given = { root, cwd: main }
        for (const mode of [[], ["--apply", "--yes"]]) {
          const args = [...mode, "--quiet-for", "0h", "--no-manager"]
          const { stdout, stderr, exitCode } = yield* Isolated.run(program, args, given)
          assert.match(stdout, /^1 of 1 linked worktree would be moved aside/m)
          assert.deepStrictEqual([stderr, exitCode], ["", mode.length === 0 ? 10 : 0])
        }
        assert.isTrue(fs.lstatSync(one).isFile())
        World.records(root, {})
        const { stdout, stderr, exitCode } = yield* run(program, ["--no-manager"], given)
        assert.include(stderr, `--no-manager, but ${root}/session-manager/sessions.json is there`)
        assert.deepStrictEqual([stdout, exitCode], ["", 2])
      }),
    timeout
  )

  const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: string]> = [
    [["--nope"], "--nope"],
    [["--quiet-for", "soon"], "no age"],
    [["--quiet-for"], "--quiet-for"],
    [[""], "has no name"],
    [["--restore", ""], "has no name"],
    [["--list", "--expire"], "--expire and --list do not go together"],
    [["--list", "--restore", "x"], "--restore and --list do not go together"],
    [["--list", "--apply", "--yes"], "--apply goes alone or with --expire, not with --list"],
    [["--restore", "x", "--apply"], "--apply goes alone or with --expire, not with --restore"],
    [["--yes"], "--yes goes with --apply"],
    [["--expire", "--yes"], "--yes goes with --apply"],
    [["--older-than", "7d"], "--older-than goes with --expire or --list"],
    [["--expire", "--older-than", "soon"], "no age"],
    [["--list", "--quiet-for", "1h"], "--quiet-for goes with neither --list nor --restore"],
    [["--restore", "x", "--caller", "y"], "--caller goes with neither"],
    [["--apply"], "here is nobody to ask"]
  ]

  it.live(
    "names a path as a person would, wherever it stands",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stderr } = yield* run(program, [".//nowhere/./at//all/"], { root, cwd: root })
        assert.include(stderr, `sweep: ${root}/nowhere/at/all could not be listed`)
        assert.notInclude(stderr, "/./")
      }),
    timeout
  )

  it.live(
    "wrong usage, and --help",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        yield* Effect.forEach(
          wrong,
          Effect.fnUntraced(function* ([args, says]) {
            const { stdout, stderr, exitCode } = yield* run(program, args, { root })
            assert.include(stderr, says)
            assert.include(stderr, "--help")
            assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
          }),
          { concurrency: 4 }
        )
        assert.include((yield* run(program, ["--help"])).stdout, "Exit codes: 0 nothing to do, or all done; 10")
      }),
    timeout
  )
})
