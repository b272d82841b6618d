import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import { command, run } from "../examples/Program.ts"

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

/** Puts `tree` under a root, every link file last written long ago. */
const rootOf = (tree: Tree.Tree) =>
  Effect.map(tempRoot, (root) => {
    Tree.write(root, tree)
    for (const name of Object.keys(tree)) fs.utimesSync(path.join(root, name), 1_700_000_000, 1_700_000_000)
    return root
  })

const links = (root: string, ...args: ReadonlyArray<string>) => run(command, ["links", ...args], { root })

describe("links show", () => {
  it.effect("by any Claude id, or by the managed session", () =>
    Effect.gen(function* () {
      const root = yield* rootOf(world)
      for (const id of ["f-1", "f-2", "forgotten"]) {
        const { stdout, exitCode } = yield* links(root, "show", id)
        assert.strictEqual(stdout, "forgotten, 2 ids, oldest first:\n  f-1\n  f-2\n")
        assert.strictEqual(exitCode, 0)
      }
      const unknown = yield* links(root, "show", "nobody")
      assert.deepStrictEqual([unknown.stdout, unknown.exitCode], ["nobody is linked to no managed session.\n", 1])
    })
  )

  it.effect("an id of two sessions is nobody's", () =>
    Effect.gen(function* () {
      const root = yield* rootOf({ ...world, "usage/session-links/other": { text: "f-1\n" } })
      const { stdout, exitCode } = yield* links(root, "show", "f-1", "--json")
      assert.deepStrictEqual(JSON.parse(stdout), { id: "f-1", managedIds: ["forgotten", "other"], claudeIds: [] })
      assert.strictEqual(exitCode, 1)
    })
  )
})

describe("links prune", () => {
  it.effect("shows the plan and touches nothing", () =>
    Effect.gen(function* () {
      const root = yield* rootOf(world)
      const { stdout, stderr, exitCode } = yield* links(root, "prune")
      assert.match(
        stdout,
        /^managed session +ids +last written\nforgotten +2 +2023-11-1\d \d\d:\d\d UTC\n\nNothing was changed/
      )
      assert.deepStrictEqual([stderr, exitCode], ["", 10])
      assert.deepStrictEqual(Tree.read(root), world)
      const young = yield* links(root, "prune", "--older-than", "99999d")
      assert.match(young.stdout, /^No link file that is older than /)
      assert.strictEqual(young.exitCode, 0)
    })
  )

  it.effect("--apply moves what was planned", () =>
    Effect.gen(function* () {
      const root = yield* rootOf(world)
      const { stdout, stderr, exitCode } = yield* links(root, "prune", "--apply", "--yes", "--json")
      const [planned, moved] = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(planned, {
        managedId: "forgotten",
        claudeIds: ["f-1", "f-2"],
        modifiedAt: 1_700_000_000_000
      })
      assert.deepStrictEqual(moved, { outcome: "Moved", managedId: "forgotten" })
      assert.deepStrictEqual([stderr, exitCode], ["", 0])
      const after = Tree.read(root)
      assert.isUndefined(after["usage/session-links/forgotten"])
      assert.deepInclude(Object.values(after), world["usage/session-links/forgotten"])
    })
  )

  it.effect("a plan that is refused: the reason, exit 1", () =>
    Effect.gen(function* () {
      const { "session-manager/sessions.json": _, ...unmanaged } = world
      const root = yield* rootOf(unmanaged)
      const refused = yield* links(root, "prune", "--apply", "--yes")
      assert.include(refused.stderr, `${root}/session-manager/sessions.json is not there`)
      assert.deepStrictEqual([refused.stdout, refused.exitCode], ["", 1])
      assert.deepStrictEqual(Tree.read(root), unmanaged)
      assert.include((yield* links(root, "prune", "--no-manager")).stdout, "\nknown ")
    })
  )
})

describe("links heal", () => {
  it.effect("closes torn tails, and then the history is whole", () =>
    Effect.gen(function* () {
      const root = yield* rootOf(world)
      assert.strictEqual((yield* links(root, "heal")).stdout, "Closed the torn tail of torn.\n")
      assert.deepStrictEqual(Tree.read(root)["usage/session-links/torn"], { text: "t-1\nt-\u0018\n" })
      const again = yield* links(root, "heal")
      assert.deepStrictEqual([again.stderr, again.exitCode], ["", 0])
    })
  )

  it.effect("says what it cannot close", () =>
    Effect.gen(function* () {
      const root = yield* rootOf({ ...world, "usage/session-links/pipe": { fifo: true } })
      const { stderr, exitCode } = yield* links(root, "heal")
      assert.include(stderr, "session-links/pipe")
      assert.strictEqual(exitCode, 1)
    })
  )
})
