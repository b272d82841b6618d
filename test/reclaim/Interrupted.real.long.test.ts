import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Git, GitChanges } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

describe.concurrent("interrupted", () => {
  it.live(
    "at any moment, no worktree is left half-way",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["one", "two"].map((name) => Tree.make(on, `main/trees/${name}`))
        const plan = yield* Stage.survey(on)
        const began = Date.now()
        yield* Stage.apply(on, plan)
        const span = (Date.now() - began) * 1.1
        for (let round = 0; round < 10; round++) {
          for (const tree of trees) {
            if ((yield* Tree.whereabouts(tree)) === "aside") {
              assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
            }
            Repo.age(tree.admin)
          }
          const fiber = yield* Effect.forkChild(Stage.apply(on, plan))
          yield* Effect.sleep((span * round) / 10)
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
        }
        for (const tree of trees) yield* Tree.whereabouts(tree)
      }),
    Stage.timeout
  )

  it.live(
    "in the last look, the lock is given back at once",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const plan = yield* Stage.survey(on)
        const looking = yield* Deferred.make<void>()
        let isLocked = false
        const fiber = yield* Effect.forkChild(
          Stage.apply(on, plan, {
            changes: (real) =>
              GitChanges.GitChanges.of({
                ...real,
                carryOut: (repository, step) =>
                  Effect.tap(real.carryOut(repository, step), () =>
                    Effect.sync(() => (isLocked ||= step._tag === "KeepCommits"))
                  )
              }),
            git: (real) =>
              Git.Git.of({
                ...real,
                inspect: (...args) =>
                  isLocked ? Effect.andThen(Deferred.succeed(looking, undefined), Effect.never) : real.inspect(...args)
              })
          })
        )
        yield* Deferred.await(looking)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
      }),
    Stage.timeout
  )
})
