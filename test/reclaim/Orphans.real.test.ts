import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as fs from "node:fs"
import { Git, ReclaimOrphan } from "../../src/internal.ts"
import * as Orphans from "../../src/reclaim/Orphans.ts"
import * as Repo from "../verdict/Repo.ts"
import { tempRoot } from "../TempRoot.ts"

const gather = (repositories: ReadonlyArray<string>, stores: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const git = yield* Git.Git
    const listed = yield* Effect.forEach(repositories, git.repository)
    return yield* Orphans.gather(yield* FileSystem.FileSystem, listed, stores)
  }).pipe(
    Effect.provide(
      Git.layer({ env: Repo.environment, platform: process.platform }).pipe(Layer.provideMerge(NodeServices.layer))
    )
  )

describe("Orphans.gather", () => {
  it.live("finds what no repository registers, and says what each is", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const main = Repo.create(`${root}/main`)
      const store = `${main}/.claude/worktrees`
      fs.mkdirSync(store, { recursive: true })
      Repo.link(main, `${store}/live`, "live")
      Repo.link(main, `${store}/feature/live`, "feature/live")
      Repo.link(main, `${store}/lost`, "lost")
      const admin = Repo.adminOf(`${store}/lost`)
      fs.rmSync(admin, { recursive: true })
      fs.mkdirSync(`${store}/empty`)
      fs.mkdirSync(`${store}/feature/empty`)
      Repo.write(store, { "notes/todo.txt": "do", "a-file": "", "broken/.git": "nonsense" })
      Repo.create(`${store}/clone`)
      fs.symlinkSync(`${root}/main`, `${store}/link`)
      const other = Repo.create(`${root}/other`)
      Repo.link(other, `${store}/foreign`, "foreign")

      const found = yield* gather([main])
      assert.deepStrictEqual(
        found.map(({ path, kind }) => [path.slice(store.length + 1), kind]),
        [
          ["broken", "Files"],
          ["clone", "Repository"],
          ["empty", "Empty"],
          ["feature/empty", "Empty"],
          ["lost", "Checkout"],
          ["notes", "Files"]
        ]
      )
      assert.strictEqual(found.find(({ kind }) => kind === "Checkout")?.adminDirectory, admin)
      for (const orphan of found) assert.include(ReclaimOrphan.settles(orphan), "remove")
    })
  )

  it.live(
    "looks into the stores of linked worktrees and those that a person names, and follows no link to a store",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const main = Repo.create(`${root}/main`)
        const linked = Repo.link(main, `${root}/linked`, "linked")
        for (const directory of [
          `${linked}/.claude/worktrees/a`,
          `${root}/named/b`,
          `${root}/elsewhere/c`,
          `${main}/.claude`
        ]) {
          fs.mkdirSync(directory, { recursive: true })
        }
        fs.symlinkSync(`${root}/elsewhere`, `${main}/.claude/worktrees`)
        const found = yield* gather([main], [`${root}/named`, `${root}/nowhere`])
        assert.deepStrictEqual(
          found.map(({ path }) => path.slice(root.length)),
          ["/linked/.claude/worktrees/a", "/named/b"]
        )
      })
  )
})
