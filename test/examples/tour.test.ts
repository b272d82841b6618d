import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Server from "../claims/Server.ts"
import { run, shell } from "./Program.ts"

const program = "examples/tour.ts"
const timeout = 120_000

const hasTmux = spawnSync("tmux", ["-V"]).status === 0

const commandLines = (): ReadonlyArray<string> =>
  execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" }).split("\n")

describe(program, () => {
  it.live(
    "plays the evening in a root that it removes",
    () =>
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
        assert.isAtMost(stdout.split("\n").length, 130)
        assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
      }),
    timeout
  )

  it.live.skipIf(!hasTmux || process.platform !== "linux")(
    "what the claims say while tmux comes and goes, and what the gates say of each worktree",
    () =>
      Effect.gen(function* () {
        const { stdout } = yield* run(program, [], { env: { TMPDIR: yield* tempRoot } })
        const claims = [...stdout.matchAll(/^ {3}claims +(\w+) (is live|is gone|counts as live)/gm)]
        assert.deepStrictEqual(
          claims.map(([, session, says]) => `${session} ${says}`),
          [
            "harbor is live",
            "orchard is live",
            "harbor is live",
            "orchard is gone",
            "harbor counts as live",
            "orchard counts as live",
            "harbor counts as live",
            "orchard counts as live",
            "harbor is live",
            "orchard is gone"
          ]
        )
        assert.match(stdout, /not observed: tmux did not answer in time/)
        assert.match(stdout, /not observed: a tmux server \(pid \d+\) answered on none of the sockets/)
        const verdicts = [...stdout.matchAll(/^ {3}([✓✗]) {2}(\S+): .*\n {6}(\w+)/gm)]
        assert.deepStrictEqual(
          verdicts.map(([, mark, path, gate]) => `${mark} ${path} ${gate}`),
          [
            "✓ work/merged every",
            "✓ work/orchard every",
            "✗ work/harbor Claim",
            "✓ work/harbor/.claude/worktrees/tests every",
            "✗ work/agent Owner",
            "✗ work/dirty Git",
            "✗ work/locked Git",
            "✗ work/stranger Owner"
          ]
        )
        const moved = stdout.slice(stdout.indexOf("13. "))
        assert.match(moved, /^ {3}moved +lies at app\/\.git\/reclaimed\/\S+-merged$/m)
        assert.match(moved, /^ {3}the old path +holds a file: A git worktree stood here\./m)
        assert.match(moved, /^ {3}git +checks its branch out at work\/elsewhere/m)
        assert.match(moved, /^ {3}a late agent +writes work\/merged\/notes\.md: ENOTDIR/m)
        assert.match(moved, /^ {3}restored +stands there again/m)
        assert.include(moved, "Every file, the index, its branch and git's list are as before.")
      }),
    timeout
  )

  it.live(
    "goes on without tmux and git",
    () =>
      Effect.gen(function* () {
        const TMPDIR = yield* tempRoot
        const { stdout, stderr, exitCode } = yield* run(program, [], { env: { TMPDIR, PATH: "/nowhere" } })
        assert.deepStrictEqual([stderr, exitCode], ["", 0])
        assert.include(stdout, "tmux is not to be had")
        assert.match(stdout, /git +is not to be had/)
      }),
    timeout
  )

  it.live(
    "an interrupt removes the root too, and ends its tmux server",
    () =>
      Effect.gen(function* () {
        for (const moment of ["1[.]", "SIGSTOP", "12[.]"]) {
          const TMPDIR = yield* tempRoot
          const reader = `while read -r line; do [[ $line =~ ${moment} ]] && kill -INT $$; done`
          yield* shell(program, `exec "$NODE" "$PROGRAM" > >(${reader})`, { env: { TMPDIR } })
          assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
          yield* Server.until(() => !commandLines().some((line) => line.includes(TMPDIR) && line.startsWith("tmux")))
        }
      }),
    timeout
  )

  it.live(
    "--root keeps the files, and has to be empty",
    () =>
      Effect.gen(function* () {
        const root = path.join(yield* tempRoot, "kept")
        const played = yield* run(program, ["--root", root])
        assert.include(played.stdout, root)
        assert.deepStrictEqual(fs.readdirSync(path.join(root, "usage", "session-links")).sort(), ["harbor", "orchard"])
        const again = yield* run(program, ["--root", root])
        assert.include(again.stderr, `${root} is not empty`)
        assert.strictEqual(again.stdout, "")
        assert.strictEqual(again.exitCode, 1)
      }),
    timeout
  )

  it.live("a wrong flag", () =>
    Effect.gen(function* () {
      const { stdout, stderr, exitCode } = yield* run(program, ["--fast"])
      assert.include(stderr, "--fast")
      assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 2 })
    })
  )
})
