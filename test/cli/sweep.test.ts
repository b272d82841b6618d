import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 120_000

describe("sweep", () => {
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
        fs.writeFileSync(`${worktree("dirty")}/a`, "x")
        git("worktree", "lock", "--reason", "demo", worktree("locked"))
        worktree("agent", { owner_session_id: "id-1", created_at: "2026-01-01T00:00:00Z" })
        const given = { root, cwd: main, prepare: Isolated.sessions("tm-one") }
        const kept = yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h"], given)
        assert.match(kept.stdout, /^ +worktree +branch +size +why$/m)
        assert.match(kept.stdout, /^keep +\.\.\/work\/dirty +branch-2 +[\d.]+ \w+ +Git: /m)
        assert.match(kept.stdout, /^0 of 4 worktrees may go\.$/m)
        assert.match(kept.stdout, /^Nothing was changed\.$/m)
        assert.strictEqual(kept.exitCode, 0)

        worktree("two")
        const moved = yield* Isolated.run(
          command,
          ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--json"],
          given
        )
        const judged = moved.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          judged.map(({ path, verdict, gate, unknown }) => [path.slice(root.length), verdict, gate, unknown]),
          [
            ["/work/agent", "Refuse", "Owner", false],
            ["/work/dirty", "Refuse", "Git", false],
            ["/work/locked", "Refuse", "Git", false],
            ["/work/one", "Refuse", "Claim", false],
            ["/work/two", "Permit", null, false]
          ]
        )
        assert.deepStrictEqual([moved.stderr, moved.exitCode], ["", 10])

        const young = yield* Isolated.run(command, ["sweep", main], given)
        assert.match(young.stdout, /work\/two +branch-5 +[\d.]+ \w+ +Quiet from [\d: -]+ UTC: the last sign of work/m)
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
        const unlisted = yield* Isolated.run(
          command,
          ["sweep", "--quiet-for", "0h", "--settled-for", "0h", main, "nowhere"],
          given
        )
        assert.match(unlisted.stdout, /^1 of 1 worktrees may go/m)
        assert.include(unlisted.stderr, "nowhere could not be listed")
        assert.strictEqual(unlisted.exitCode, 1)

        worktree("stranger", { owner_session_id: "nobody-knows", created_at: "2026-01-01T00:00:00Z" })
        const untold = yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h"], given)
        assert.match(untold.stdout, /^keep\? +\S*work\/stranger +branch-2 +[\d.]+ \w+ +Owner: /m)
        assert.include(untold.stdout, "1 of them stays only because something is unknown (keep?).")
        assert.strictEqual(untold.exitCode, 1)
      }),
    timeout
  )

  it.live(
    "no records: every worktree is kept, exit 1, and the reason stands below them once, but in every line of --json",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const paths = ["a", "b"].map((name) => worktree(name))
        const { stdout, stderr, exitCode } = yield* run(command, ["sweep", "--here", "--json", main], { root })
        const candidates = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          candidates.map(({ path, verdict, gate, unknown }) => [path, verdict, gate, unknown]),
          paths.map((path) => [path, "Refuse", "Claim", true])
        )
        assert.include(stderr, "sessions.json is not there")
        assert.strictEqual(exitCode, 1)
        const shown = yield* run(command, ["sweep", "--here", main], { root })
        const [reason] = new Set(candidates.map(({ reason }) => String(reason)))
        assert.strictEqual(shown.stdout.split(reason ?? "").length, 2)
        assert.match(shown.stdout, /^(keep\? .* Claim: unknown \[1\]\n){2}\n\[1\] Claim: .*; see: .* explain /m)
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
        for (const args of [[], ["--json"]]) {
          const { stdout } = yield* run(command, ["sweep", "--here", ...args, main], { root })
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
          const args = [...mode, "--quiet-for", "0h", "--settled-for", "0h", "--no-manager"]
          const { stdout, stderr, exitCode } = yield* Isolated.run(command, ["sweep", ...args], given)
          assert.match(stdout, /^1 of 1 worktrees may go/m)
          assert.deepStrictEqual([stderr, exitCode], ["", mode.length === 0 ? 10 : 0])
        }
        assert.isFalse(fs.existsSync(one))
        World.records(root, {})
        const { stdout, stderr, exitCode } = yield* run(command, ["sweep", "--no-manager"], given)
        assert.include(stderr, `--no-manager, but ${root}/session-manager/sessions.json is there`)
        assert.deepStrictEqual([stdout, exitCode], ["", 2])
      }),
    timeout
  )

  const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: string]> = [
    [["--nope"], "Unrecognized flag: --nope"],
    [["--aply"], "Did you mean this?\n    --apply"],
    [["--quiet-for", "soon"], "an age, such as 0, 90m, 12h, 7d or 2w"],
    [["--quiet-for"], "--quiet-for"],
    [[""], "a path that is not empty"],
    [["--yes"], "--yes goes with --apply"],
    [["--apply"], "nobody can be asked here"]
  ]

  it.live(
    "names a path as a person would, wherever it stands",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const { stderr } = yield* run(command, ["sweep", ".//nowhere/./at//all/"], { root, cwd: root })
        assert.include(stderr, "session-liveness: nowhere/at/all could not be listed")
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
            const { stdout, stderr, exitCode } = yield* run(command, ["sweep", ...args], { root })
            assert.include(stderr, says)
            assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
          }),
          { concurrency: 4 }
        )
        assert.include((yield* run(command, ["sweep", "--help"])).stdout, "--quiet-for AGE")
      }),
    timeout
  )
})
