import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import { run, shell } from "./Program.ts"

const program = "examples/prune.ts"

const savings = `${JSON.stringify({ session_id: "saved-1", tokens_saved: 5, cost_saved_usd: 0.1 })}\n`

const world: Tree.Tree = {
  "session-manager/sessions.json": {
    text: JSON.stringify({ sessions: { known: { id: "known", tmux_name: "tm-k" } } })
  },
  "usage/savings.jsonl": { text: savings },
  "usage/session-links/forgotten": { text: "f-1\nf-2\n" },
  "usage/session-links/known": { text: "k-1\n" },
  "usage/session-links/saved": { text: "saved-1\n" },
  "usage/session-links/torn": { text: "t-1\nt-" }
}

/** Puts `tree` under `root`, every link file last written long ago. */
const write = (root: string, tree: Tree.Tree) => {
  Tree.write(root, tree)
  for (const name of Object.keys(tree)) fs.utimesSync(path.join(root, name), 1_700_000_000, 1_700_000_000)
}

describe(program, () => {
  it.effect("prints the plan and touches nothing", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, world)
      const { stdout, stderr, exitCode } = yield* run(program, ["--root", root])
      assert.strictEqual(stderr, "")
      assert.match(stdout, /^1 link file .* 30d ago:\n\n.*\n {2}2023-11-14 {7}2 {2}forgotten\n\nNothing was moved/)
      assert.strictEqual(exitCode, 0)
      assert.deepStrictEqual(Tree.read(root), world)
    })
  )

  it.effect("--apply moves what was planned", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, world)
      const outcome = yield* run(program, ["--apply", "--json"], { root })
      assert.deepStrictEqual({ ...outcome, stdout: "" }, { stdout: "", stderr: "", exitCode: 0, signal: null })
      const { plan, outcomes } = JSON.parse(outcome.stdout)
      assert.deepStrictEqual(outcomes, [{ _tag: "Moved", managedId: "forgotten" }])
      const { "usage/session-links/forgotten": moved, ...rest } = world
      assert.deepStrictEqual(Tree.read(root), { ...rest, [`usage/${plan.quarantine}/forgotten`]: moved })
    })
  )

  it.effect("--heal closes torn tails, and then the history is whole", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, world)
      const { stdout, stderr, exitCode } = yield* run(program, ["--heal"], { root })
      assert.match(stdout, /^Closed the torn tail of 1 link file: torn\n/)
      assert.strictEqual(stderr, "")
      assert.strictEqual(exitCode, 0)
      assert.deepStrictEqual(Tree.read(root)["usage/session-links/torn"], { text: "t-1\nt-\u0018\n" })
    })
  )

  it.effect("--heal says what it cannot close", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, { ...world, "usage/session-links/pipe": { fifo: true } })
      const { stderr, exitCode } = yield* run(program, ["--heal"], { root })
      assert.include(stderr, "session-links/pipe")
      assert.strictEqual(exitCode, 1)
    })
  )

  it.effect("a plan that is refused: the reason and the way out, exit 1", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const { "session-manager/sessions.json": _, ...unmanaged } = world
      write(root, unmanaged)
      for (const args of [["--apply"], ["--apply", "--json"]]) {
        const refused = yield* run(program, args, { root })
        assert.include(refused.stderr, `${root}/session-manager/sessions.json is not there`)
        assert.include(refused.stderr, "--no-manager")
        assert.strictEqual(refused.exitCode, 1)
      }
      assert.deepStrictEqual(Tree.read(root), unmanaged)
      const { stdout, exitCode } = yield* run(program, ["--no-manager"], { root })
      assert.include(stdout, "  known\n")
      assert.strictEqual(exitCode, 0)
    })
  )

  it.effect("names are shown escaped", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, { ...world, "usage/session-links/a\u009b2J\u202eb": { text: "x-1\n" } })
      for (const args of [[], ["--json"]]) {
        const { stdout } = yield* run(program, args, { root })
        assert.notMatch(stdout, /[\u0080-\u009f\u202e]/)
      }
    })
  )

  it.effect("a reader that has gone", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      write(root, world)
      const { stdout, stderr } = yield* shell(program, `"$NODE" "$PROGRAM" | head -0; echo "\${PIPESTATUS[0]}"`, {
        root
      })
      assert.deepStrictEqual({ stdout, stderr }, { stdout: "0\n", stderr: "" })
    })
  )

  const ages: Readonly<Record<string, readonly [args: ReadonlyArray<string>, exitCode: number, planned: number]>> = {
    "an age that has passed": [["--older-than", "8w"], 0, 1],
    "an age that has not": [["--older-than", "99999d"], 0, 0],
    "no age at all": [["--older-than", "soon"], 2, 0],
    "a fraction": [["--older-than", "1.5d"], 2, 0],
    "--no-manager where one is": [["--no-manager"], 2, 0],
    "an unknown flag": [["--force"], 2, 0],
    "a stray word": [["forgotten"], 2, 0],
    "a root that is a file": [["--root", import.meta.filename], 1, 0]
  }
  for (const [name, [args, exitCode, planned]] of Object.entries(ages)) {
    it.effect(`${name}: exit ${exitCode}`, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        write(root, world)
        const outcome = yield* run(program, [...args, "--json"], { root })
        assert.strictEqual(outcome.exitCode, exitCode)
        if (exitCode === 2) {
          assert.strictEqual(outcome.stdout, "")
          assert.include(outcome.stderr, "--help")
        } else assert.lengthOf(JSON.parse(outcome.stdout).plan.moves, planned)
      })
    )
  }
})
