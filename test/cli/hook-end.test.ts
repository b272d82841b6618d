import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const hook = "dist/bin/session-liveness-hook.js"
const timeout = 60_000

const event = (fields: object) => JSON.stringify({ hook_event_name: "SubagentStop", session_id: "c-1", ...fields })

const read = (worktree: string) => fs.readFileSync(World.sentinelOf(worktree), "utf8")

const clean = { stdout: "", stderr: "", exitCode: 0, signal: null }

/** Has a program of Node never hear that a file was renamed. */
const deafToRename = `data:text/javascript,import%20fs%20from%20'node:fs';import%20{syncBuiltinESMExports}%20from%20'node:module';fs.rename=(a,b)=>fs.renameSync(a,b);syncBuiltinESMExports()`

const endOf = (worktree: string): unknown => JSON.parse(read(worktree)).agent.ended_at

describe("the hook on a SubagentStop", () => {
  it.live(
    "marks the agent as ended, in the worktree that names it alone",
    () =>
      Effect.gen(function* () {
        const { main, worktree } = yield* World.repository
        const theirs = worktree("a", World.agentOf("c-1", "a-7"))
        const other = worktree("b", World.agentOf("c-1", "a-70"))
        const unmarked = read(other)
        worktree("c")
        for (const cwd of [main, theirs]) {
          assert.deepStrictEqual(
            yield* run(hook, ["--within", "30000"], { stdin: event({ agent_id: "a-7", cwd }) }),
            clean
          )
          assert.match(String(endOf(theirs)), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
          assert.strictEqual(read(other), unmarked)
        }
      }),
    timeout
  )

  it.live(
    "whose cwd has gone: looks around CLAUDE_PROJECT_DIR",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const theirs = worktree("a", World.agentOf("c-1", "a-7"))
        const stdin = event({ agent_id: "a-7", cwd: path.join(root, "nowhere") })
        const env = { CLAUDE_PROJECT_DIR: main }
        assert.deepStrictEqual(yield* run(hook, ["--within", "30000"], { cwd: root, stdin, env }), clean)
        assert.isString(endOf(theirs))
      }),
    timeout
  )

  it.live(
    "and does not say that nothing was done where it is done, but nobody has heard of it in time",
    () =>
      Effect.gen(function* () {
        const { main, worktree } = yield* World.repository
        const theirs = worktree("a", World.agentOf("c-1", "a-7"))
        const NODE_OPTIONS = `--import=${deafToRename}`
        const given = { stdin: event({ agent_id: "a-7", cwd: main }), env: { NODE_OPTIONS } }
        const outcome = yield* run(hook, ["--within", "4000"], given)
        assert.isString(endOf(theirs))
        assert.include(outcome.stderr, "there was no time left; the agent is marked as ended, or not")
      }),
    timeout
  )

  it.live(
    "says nothing of an agent without a worktree, and why of an event that is none",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const other = worktree("a", World.agentOf("c-1", "a-7"))
        const before = read(other)
        for (const cwd of [main, root]) {
          const stdin = event({ agent_id: "a-8", cwd })
          assert.deepStrictEqual(yield* run(hook, ["--within", "30000"], { cwd: root, stdin }), clean)
        }
        for (const stdin of [event({}), event({ agent_id: 7 })]) {
          const outcome = yield* run(hook, ["--within", "30000"], { cwd: root, stdin })
          assert.deepStrictEqual({ ...outcome, stderr: "" }, clean)
          assert.include(outcome.stderr, "agent_id")
        }
        assert.strictEqual(read(other), before)
      }),
    timeout
  )
})
