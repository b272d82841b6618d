import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const sweeper = path.join(import.meta.dirname, "sweeper.ts")

/** Runs a sweep in a process of its own and kills it so many milliseconds after it was ready. */
const killedAfter = (on: Stage.Stage, program: string, ms: number, paths: ReadonlyArray<string> = []) =>
  Effect.callback<boolean>((resume) => {
    const child = spawn(process.execPath, [sweeper, on.root, on.common, program, "0", ...paths], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), ms))
    child.once("exit", (_, signal) => resume(Effect.succeed(signal === "SIGKILL")))
  })

/** Heals as soon as no git that was left at work is there any more. */
const heal = (on: Stage.Stage): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const said = (yield* Stage.recover(on, { table: "raw" })).map(Stage.line)
    if (!said.some((line) => line.includes("another sweep is at work"))) return said
    yield* Effect.sleep("20 millis")
    return yield* heal(on)
  })

/** The tail of a child that git had started is reaped by nobody in particular; its work is done when it is gone. */
const check = (on: Stage.Stage, trees: ReadonlyArray<Tree.Tree>, touched: boolean) =>
  Effect.gen(function* () {
    const healed = yield* heal(on)
    assert.deepStrictEqual(
      healed.filter((line) => !line.startsWith("Recovered")),
      []
    )
    const where = yield* Effect.forEach(trees, (tree) => Tree.whereabouts(tree, touched))
    const kept = Stage.bookkeeping(on)
    assert.deepStrictEqual(yield* heal(on), [])
    assert.deepStrictEqual(Stage.bookkeeping(on), kept)
    return { healed: healed.length, where }
  })

/** Not the same every time, and told when it fails. */
const random = (): number => Math.random()

describe.concurrent("killed at any moment", () => {
  it.live(
    "while it moves and puts back",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["one", "two"].map((name) => Tree.make(on, `main/trees/${name}`))
        let kills = 0
        let healed = 0
        let span = 1500
        // Where the kills fall is the machine's to say, and a kill after every single step is tried elsewhere; the span
        // shrinks until one falls before the end.
        for (let round = 0; round < 4 || ((healed < 2 || kills === 0) && round < 20); round++) {
          const at = random() * span
          // What was put back in the round before is settled a week later.
          const wasKilled = yield* killedAfter(on, "applyLater", at)
          const moved = yield* check(on, trees, false)
          const lying = trees.filter((_, index) => moved.where[index] === "aside")
          const back = random() * span * 0.7
          if (lying.length > 0) {
            yield* killedAfter(
              on,
              "restore",
              back,
              lying.map((tree) => tree.path)
            )
          }
          const restored = yield* check(on, trees, false)
          for (const [index, tree] of trees.entries()) {
            if (restored.where[index] === "aside") yield* Stage.restore(on, tree.path, { table: "raw" })
            assert.strictEqual(yield* Tree.whereabouts(tree), "there", `round ${round}: ${at}, ${back}`)
            Repo.age(tree.admin)
          }
          kills += Number(wasKilled)
          healed += moved.healed + restored.healed
          // A span that is about as long as the whole of it takes, on a machine of any speed.
          span = wasKilled && moved.where.includes("there") ? span * 1.3 : span * 0.8
        }
        assert.isAbove(kills, 0)
      }),
    Stage.timeout
  )

  it.live(
    "while it removes",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = Array.from({ length: 5 }, (_, index) => Tree.make(on, `main/trees/${index}`))
        for (const tree of trees) {
          for (let index = 0; index < 3000; index++) fs.writeFileSync(path.join(tree.path, `node_modules/${index}`), "")
          Repo.age(tree.admin)
        }
        const outcomes = yield* Stage.sweep(on)
        for (const tree of trees) Stage.asideOf(outcomes, tree.path)
        let kills = 0
        // Shorter at first than a process takes to start, so that at least one is killed on any machine.
        let span = 50
        for (let round = 0; round < 16; round++) {
          kills += Number(yield* killedAfter(on, "expire", random() * span))
          const { where } = yield* check(on, trees, true)
          if (!where.includes("aside")) break
          span *= where.includes("removed") ? 1 : 1.5
        }
        assert.isAbove(kills, 0)
        yield* Stage.expire(on)
        for (const tree of trees) assert.strictEqual(yield* Tree.whereabouts(tree, true), "removed")
      }),
    Stage.timeout
  )
})
