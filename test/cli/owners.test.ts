import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 60_000

const read = (worktree: string) => JSON.parse(fs.readFileSync(World.sentinelOf(worktree), "utf8"))

describe("adopt and release", () => {
  it.live(
    "a session, which holds the worktree until it is released",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const one = worktree("one")
        const given = { root, cwd: main }
        const adopted = yield* run(command, ["adopt", one, "--session", "s-1"], given)
        assert.deepStrictEqual([adopted.stdout, adopted.exitCode], ["../work/one: it belongs to session s-1 now\n", 0])
        assert.strictEqual(read(one).owner_session_id, "s-1")
        assert.strictEqual((yield* run(command, ["adopt", one, "--session", "s-1"], given)).exitCode, 0)
        const other = yield* run(command, ["adopt", one, "--session", "s-2"], given)
        assert.match(other.stderr, /it belongs to session s-1; `node \S+ release \.\.\/work\/one` first$/m)
        assert.strictEqual(other.exitCode, 1)

        if (Isolated.allowed) {
          const held = yield* Isolated.run(command, ["check", "--quiet-for", "0h", "--settled-for", "0h", one], given)
          assert.match(held.stdout, /^refused +\.\.\/work\/one: Owner: /)
        }
        const released = yield* run(command, ["release", one], given)
        assert.strictEqual(released.stdout, "../work/one: it belongs to session s-1 no more\n")
        assert.isFalse(fs.existsSync(World.sentinelOf(one)))
        assert.include(
          (yield* run(command, ["release", one], given)).stdout,
          "it belongs to nobody, so nothing was changed"
        )
      }),
    timeout
  )

  it.live(
    "an agent, which is marked as ended",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const one = worktree("one")
        const given = { root, cwd: main }
        const args = ["adopt", one, "--agent", "a-1", "--parent", "s-1", "--json"]
        const { stdout, exitCode } = yield* run(command, args, given)
        assert.deepStrictEqual(JSON.parse(stdout), {
          path: one,
          done: true,
          what: "it belongs to agent a-1 of s-1 now"
        })
        assert.strictEqual(exitCode, 0)
        assert.strictEqual((yield* run(command, ["release", one], given)).exitCode, 0)
        const { agent } = read(one)
        assert.deepStrictEqual([agent.agent_id, agent.parent_session_id], ["a-1", "s-1"])
        assert.isString(agent.ended_at)

        const both = ["adopt", one, "--session", "s-2", "--agent", "a-2", "--parent", "s-2"]
        assert.strictEqual((yield* run(command, both, given)).exitCode, 0, "what was released holds it no more")
        assert.strictEqual((yield* run(command, ["release", one], given)).exitCode, 0)
        const released = read(one)
        assert.deepStrictEqual([released.owner_session_id, released.agent.agent_id], [undefined, "a-2"])
        assert.isString(released.agent.ended_at)
      }),
    timeout
  )

  it.live(
    "wrong usage, and what is no worktree",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const one = worktree("one")
        for (const args of [[one], [one, "--agent", "a"], [one, "--parent", "a"], [one, "--session", ""]]) {
          const { stdout, exitCode } = yield* run(command, ["adopt", ...args], { root })
          assert.deepStrictEqual([stdout, exitCode], ["", 2])
        }
        const none = { [root]: "is no git repository", [main]: "it is the main worktree", nowhere: "nothing is there" }
        for (const [path, why] of Object.entries(none)) {
          for (const args of [
            ["adopt", path, "--session", "s"],
            ["release", path]
          ]) {
            const { stderr, exitCode } = yield* run(command, args, { root, cwd: root })
            assert.include(stderr, why)
            assert.strictEqual(exitCode, 1)
          }
        }
      }),
    timeout
  )
})
