import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import { project, run, shell } from "./Program.ts"
import * as World from "./World.ts"

const timeout = 60_000

const examples = fs.readdirSync(path.join(project, "examples")).filter((name) => name.endsWith(".ts"))

/** A home in which nothing of this machine's own is found. */
const given = Effect.map(tempRoot, (root) => ({ root, cwd: root, env: { HOME: root, TMUX_TMPDIR: root } }))

describe("examples", () => {
  it("are short, and each is in the README", () => {
    const readme = fs.readFileSync(path.join(project, "examples/README.md"), "utf8")
    const rows = [...readme.matchAll(/^\| `([a-z-]+\.ts)\b/gm)].map(([, name = ""]) => name)
    assert.deepStrictEqual([...rows].sort(), [...examples].sort())
    for (const name of examples) {
      assert.isAtMost(fs.readFileSync(path.join(project, "examples", name), "utf8").split("\n").length - 1, 60, name)
    }
  })

  it.live(
    "record-link and status-line: one figure over two ids",
    () =>
      Effect.gen(function* () {
        const options = yield* given
        const claude = (session_id: string) => ({ ...options, stdin: JSON.stringify({ session_id }) })
        for (const [id, says] of [
          ["c-1", "linked\n"],
          ["c-2", "linked\n"],
          ["c-2", "was linked already\n"]
        ] as const) {
          assert.strictEqual((yield* run("examples/record-link.ts", ["harbor"], claude(id))).stdout, says)
        }
        const rows = ["c-1", "c-2"].map((session_id) => ({ session_id, tokens_saved: 9, cost_saved_usd: 0.2 }))
        const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("")
        fs.writeFileSync(path.join(options.root, "usage/savings.jsonl"), text)
        assert.strictEqual((yield* run("examples/status-line.ts", [], claude("c-1"))).stdout, "💸~$0.40\n")
      }),
    timeout
  )

  it.live(
    "sessions, sweep and guard-a-delete: whatever is unknown stays",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const one = worktree("one")
        World.records(root, { "id-1": { tmux_name: "tm-one", workspace_path: one } })
        const options = { root, cwd: main, env: { HOME: root, TMUX_TMPDIR: path.join(root, "nowhere") } }
        assert.include((yield* run("examples/sessions.ts", [], options)).stdout, `id-1 ${one} live: `)
        assert.include((yield* run("examples/sweep.ts", [], options)).stdout, `stays   ${one} Claim: `)
        const guard = yield* run("examples/guard-a-delete.ts", [one], options)
        assert.match(guard.stdout, /^Claim: /m)
        assert.strictEqual(guard.exitCode, 1)
      }),
    timeout
  )

  it.live(
    "own-probe: the laws tell the mistaken one",
    () =>
      Effect.gen(function* () {
        const { stdout, exitCode } = yield* run("examples/own-probe.ts", [])
        assert.match(stdout, /^careful: keeps every law$/m)
        assert.match(stdout, /^mistaken: .*L[45]/m)
        assert.strictEqual(exitCode, 0)
      }),
    timeout
  )

  it.live(
    "own-store: a row that does not decode still holds its workspace",
    () =>
      Effect.gen(function* () {
        const { stdout } = yield* run("examples/own-store.ts", [], yield* given)
        assert.match(stdout, /^harbor \w+ \/w\/harbor$/m)
        assert.match(stdout, /^torn Live \/w\/torn$/m)
      }),
    timeout
  )

  it.live(
    "service: logs what it sees, until it is interrupted",
    () =>
      Effect.gen(function* () {
        const { main, root } = yield* World.repository
        const line = `"$NODE" "$PROGRAM" '${main}' > "$HOME/out" & pid=$!
          until grep -q surveyed "$HOME/out"; do sleep 0.1; done; kill -INT $pid; wait $pid; cat "$HOME/out"`
        const { stdout } = yield* shell("examples/service.ts", line, { root, env: { HOME: root, TMUX_TMPDIR: root } })
        assert.match(stdout, /"surveyed"/)
      }),
    timeout
  )

  it.live(
    "tour: the command's own",
    () =>
      Effect.gen(function* () {
        const { stdout, exitCode } = yield* run("examples/tour.ts", [])
        assert.match(stdout, /^go +work\/search/m)
        assert.strictEqual(exitCode, 0)
      }),
    timeout
  )

  it("run on Node as they stand", () => {
    for (const name of examples) {
      execFileSync(process.execPath, ["--check", path.join(project, "examples", name)])
    }
  })
})
