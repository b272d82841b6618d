import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { run, shell } from "./Program.ts"
import * as World from "./World.ts"

const programs = ["examples/record-end.ts", "dist/bin/record-end.js"]
const timeout = 60_000

const event = (fields: object) => JSON.stringify({ hook_event_name: "SubagentStop", session_id: "c-1", ...fields })

const read = (worktree: string) => fs.readFileSync(World.sentinelOf(worktree), "utf8")

const clean = { stdout: "", stderr: "", exitCode: 0, signal: null }

for (const program of programs) {
  describe(program, () => {
    it.live(
      "finds the sentinel that names the agent, and marks it once",
      () =>
        Effect.gen(function* () {
          const { main, worktree } = yield* World.repository
          const theirs = worktree("a", World.agentOf("c-1", "a-7"))
          const other = worktree("b", World.agentOf("c-1", "a-70"))
          const unmarked = read(other)
          worktree("c")
          const stdin = event({ agent_id: "a-7", cwd: main })
          assert.deepStrictEqual(yield* run(program, [], { stdin }), clean)
          const marked = read(theirs)
          const { agent, ...rest } = JSON.parse(marked)
          assert.deepStrictEqual(rest, { created_at: "2026-01-01T00:00:00.000Z" })
          assert.match(agent.ended_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
          assert.deepStrictEqual(yield* run(program, [], { stdin }), clean)
          assert.deepStrictEqual([read(theirs), read(other)], [marked, unmarked])
        }),
      timeout
    )

    it.live(
      "--worktree names it outright",
      () =>
        Effect.gen(function* () {
          const { root, worktree } = yield* World.repository
          const theirs = worktree("a", World.agentOf("c-1", "a-7"))
          const outcome = yield* run(program, ["--worktree", "work/a"], {
            stdin: event({ agent_id: "a-7" }),
            cwd: root
          })
          assert.deepStrictEqual(outcome, clean)
          assert.isString(JSON.parse(read(theirs)).agent.ended_at)
        }),
      timeout
    )

    it.live(
      "whatever is wrong: exit 0, the reason on stderr, nothing written",
      () =>
        Effect.gen(function* () {
          const { root, main, worktree } = yield* World.repository
          const other = worktree("a", World.agentOf("c-1", "a-7"))
          const before = read(other)
          const refusals: ReadonlyArray<readonly [stdin: string, args: ReadonlyArray<string>, says: string]> = [
            ["", [], "JSON on stdin"],
            ["{", [], "JSON on stdin"],
            ["3", [], "no object"],
            ["{}", [], "agent_id"],
            [event({ agent_id: 7 }), [], "agent_id"],
            [event({ agent_id: "a-8", cwd: main }), [], "names agent a-8"],
            [event({ agent_id: "a\u001b[2J", cwd: main }), [], "\\u{1b}[2J"],
            [event({ agent_id: "a-7", cwd: root }), [], "no git repository"],
            [event({ agent_id: "a-7", cwd: path.join(root, "nowhere") }), [], "nowhere"],
            [event({ agent_id: "a-8" }), ["--worktree", other], "names another agent"],
            [event({ agent_id: "a-7" }), ["--worktree", root], ".git"],
            [event({ agent_id: "a-7", cwd: main }), ["--nope"], "--nope"],
            [event({ agent_id: "a-7", cwd: main }), ["--worktree"], "--worktree"]
          ]
          for (const [stdin, args, says] of refusals) {
            const outcome = yield* run(program, args, { stdin, cwd: root })
            assert.deepStrictEqual({ ...outcome, stderr: "" }, clean)
            assert.include(outcome.stderr, says)
            assert.notMatch(outcome.stderr, /[^\P{Cc}\n]/u)
            assert.strictEqual(read(other), before)
          }
        }),
      timeout
    )

    it.live(
      "takes no root, which it would not look at",
      () =>
        Effect.gen(function* () {
          const { stdout, stderr, exitCode } = yield* run(program, ["--root", "/tmp"])
          assert.match(stderr, /--root.*\nTry --help\.\n$/)
          assert.deepStrictEqual({ stdout, exitCode }, { stdout: "", exitCode: 0 })
        }),
      timeout
    )

    it.live(
      "closed streams, and --help",
      () =>
        Effect.gen(function* () {
          const closed = yield* shell(program, `"$NODE" "$PROGRAM" <&- >&- 2>&-`)
          assert.strictEqual(closed.exitCode, 0)
          assert.include((yield* run(program, ["--help"])).stdout, "Usage: record-end")
        }),
      timeout
    )
  })
}
