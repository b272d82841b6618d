import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Reclaim } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"

const lost = (on: Stage.Stage, repository = on.common) => Stage.run(on, Reclaim.lost({ repositories: [repository] }))

describe("Reclaim.lost", () => {
  it.live(
    "lists a registration whose directory is gone, which is no candidate and no failure, and touches nothing",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const names = ["plain", "locked", "initializing", "stands"]
        const trees = names.map((name) => Stage.worktree(on, `main/trees/${name}`))
        Repo.git(on.main, "worktree", "lock", "--reason", "claude agent x (pid 31337)", trees[1] ?? "")
        Repo.git(on.main, "worktree", "lock", "--reason", "initializing", trees[2] ?? "")
        for (const tree of trees.slice(0, 3)) fs.rmSync(tree, { recursive: true })
        const plan = yield* Stage.survey(on)
        assert.deepStrictEqual(
          plan.candidates.map((candidate) => path.basename(candidate.path)),
          ["stands"]
        )
        assert.deepStrictEqual(plan.unlisted, [])
        const { gone } = yield* lost(on)
        assert.deepStrictEqual(gone.map((each) => path.basename(each.path)).sort(), ["initializing", "locked", "plain"])
        yield* Stage.apply(on, plan)
        assert.isTrue(fs.existsSync(path.join(on.common, "worktrees/plain/index")))
      }),
    Stage.timeout
  )

  it.live(
    "lists a tree that is only elsewhere, and leaves its registration and index as they were",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/.claude/worktrees/a")
        Repo.write(tree, { "staged.txt": "staged" })
        Repo.git(tree, "add", "staged.txt")
        const moved = path.join(on.root, "main2")
        fs.renameSync(on.main, moved)
        const common = path.join(moved, ".git")
        const admin = path.join(common, "worktrees/a")
        const before = fs.readdirSync(admin).map((name) => [name, fs.statSync(path.join(admin, name)).mtimeMs])
        const index = fs.readFileSync(path.join(admin, "index"))
        const plan = yield* Stage.run(on, Reclaim.survey({ repositories: [common] }))
        assert.deepStrictEqual(plan.candidates, [])
        yield* Stage.apply(on, plan)
        const { gone, orphans } = yield* lost(on, common)
        assert.deepStrictEqual([gone.map((each) => each.path), orphans.map(({ kind }) => kind)], [[tree], ["Checkout"]])
        assert.deepStrictEqual(
          fs.readdirSync(admin).map((name) => [name, fs.statSync(path.join(admin, name)).mtimeMs]),
          before
        )
        assert.isTrue(fs.readFileSync(path.join(admin, "index")).equals(index))
      }),
    Stage.timeout
  )
})
