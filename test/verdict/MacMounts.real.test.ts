import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { Git } from "../../src/internal.ts"
import * as World from "../examples/World.ts"
import * as MacTools from "../machine/MacTools.ts"

describe("a repository on a Mac", () => {
  it.live("has its mounts read once for all of its worktrees, and anew when it is looked at anew", () =>
    Effect.gen(function* () {
      const { main, root, worktree } = yield* World.repository
      for (const name of ["a", "b", "c"]) worktree(name)
      const prints = "/dev/disk3s1s1 on / (apfs, local)"
      const tools = MacTools.write(`${root}/bin`, {
        mount: { runs: `echo >> '${root}/calls'; echo '${prints}'` }
      })
      const calls = () => fs.readFileSync(`${root}/calls`, "utf8").length
      const look = Git.Git.use((git) =>
        Effect.gen(function* () {
          const repository = yield* git.repository(main)
          for (const tree of repository.worktrees.slice(1)) {
            const files = yield* git.files(repository, tree, {})
            yield* git.content(repository, tree)
            assert.strictEqual(files.fileSystem, "apfs")
          }
        })
      )
      yield* Effect.gen(function* () {
        yield* look
        assert.strictEqual(calls(), 1)
        yield* look
        assert.strictEqual(calls(), 2)
      }).pipe(
        Effect.provide(
          Git.layer({ env: process.env, platform: "darwin", tools }).pipe(Layer.provide(NodeServices.layer))
        )
      )
    }).pipe(Effect.scoped)
  )
})
