import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"

// Elsewhere it cannot be told which processes use a worktree, and every one of them stays.
it.live.skipIf(process.platform !== "linux")(
  "200 worktrees of 10 repositories in one call",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const repositories = Array.from({ length: 10 }, (_, index) => Repo.create(path.join(root, `repository-${index}`)))
      const worktrees = repositories.flatMap((repository, of) =>
        Array.from({ length: 20 }, (_, index) => {
          const worktree = Repo.link(repository, path.join(root, "w", `${of}-${index}`), `work-${index}`)
          if (index % 4 === 0) Repo.write(worktree, { "new.txt": "new" })
          Repo.age(Repo.adminOf(worktree))
          return worktree
        })
      )
      const told: Array<readonly [done: number, all: number]> = []
      const plan = yield* Survey.survey(repositories, {
        root,
        settings: { onJudged: (done, all) => Effect.sync(() => void told.push([done, all])) }
      })
      assert.deepStrictEqual(plan.unlisted, [])
      assert.deepStrictEqual(
        Object.fromEntries(plan.candidates.map((candidate) => [candidate.path, candidate.verdict._tag])),
        Object.fromEntries(worktrees.map((at) => [at, /-(0|4|8|12|16)$/.test(at) ? "Refuse" : "Permit"]))
      )
      assert.deepStrictEqual(
        told,
        worktrees.map((_, index) => [index + 1, worktrees.length] as const)
      )
    }),
  120_000
)
