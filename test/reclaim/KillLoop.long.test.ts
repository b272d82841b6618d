/**
 * Thirty sweeps, restorations and expiries (as many as SESSION_LIVENESS_KILLS says, if it is set), each killed at a random
 * moment: whatever had been done by then, nothing is lost, and the next one goes on. Between the kills people and their
 * tools go on too.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const sweeper = path.join(import.meta.dirname, "sweeper.ts")

const kills = Number(process.env["SESSION_LIVENESS_KILLS"] ?? 30)

/** Runs a program in a process of its own and kills it so many milliseconds after it was ready; gives whether it was. */
const killedAfter = (on: Stage.Stage, program: string, ms: number, paths: ReadonlyArray<string>) =>
  Effect.callback<boolean>((resume) => {
    const child = spawn(process.execPath, [sweeper, on.root, on.common, program, "0", ...paths], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), ms))
    child.once("exit", (_, signal) => resume(Effect.succeed(signal === "SIGKILL")))
  })

/** Recovers as soon as no git is there any more that was left at work. */
const recover = (on: Stage.Stage): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const said = (yield* Stage.recover(on, { table: "raw" })).map(Stage.line)
    if (!said.some((line) => line.includes("another sweep is at work"))) return said
    yield* Effect.sleep("20 millis")
    return yield* recover(on)
  })

/** What may happen in a repository at any time. */
const meanwhile: ReadonlyArray<(on: Stage.Stage) => void> = [
  () => {},
  (on) => void Repo.git(on.common, "gc", "-q", "--prune=now"),
  (on) => void Repo.git(on.main, "fetch", "-q", "--prune", "origin"),
  (on) => void Repo.git(on.main, "worktree", "prune"),
  (on) => {
    const other = path.join(on.root, "beside/other")
    Repo.git(on.main, "worktree", "add", "-q", "--detach", other)
    Repo.git(on.main, "worktree", "move", other, `${other}-moved`)
    Repo.git(on.main, "worktree", "remove", "--force", `${other}-moved`)
  }
]

/** The repository is moved, swept there, and moved back. What lies in it is told where it is each time. */
const moved = (on: Stage.Stage): Effect.Effect<unknown> => {
  const main = `${on.main}-moved`
  fs.renameSync(on.main, main)
  return Effect.andThen(recover({ ...on, main, common: path.join(main, ".git") }), () => {
    fs.renameSync(main, on.main)
    return recover(on)
  })
}

it.live(
  `nothing is lost by ${kills} kills of apply, restore and expire`,
  () =>
    Effect.gen(function* () {
      const on = yield* Stage.stage()
      // The logs are made to look a month old, which is when git's own gc takes them for expired.
      Repo.git(on.main, "config", "gc.reflogExpireUnreachable", "never")
      Repo.git(on.root, "clone", "-q", "--bare", on.main, path.join(on.root, "origin.git"))
      Repo.git(on.main, "remote", "add", "origin", path.join(on.root, "origin.git"))
      const seed = Date.now()
      let state = seed >>> 0
      const random = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state / 2 ** 32
      }
      let made = 0
      const tree = () => Tree.make(on, `main/trees/t${made++}`)
      let trees = [tree(), tree()]
      const gone: Array<Tree.Tree> = []
      // What an expiry has begun to remove gets its files back, made anew, and so does a `.git` in a repository that was moved.
      const begun = new Set<Tree.Tree>()
      const whereabouts = (each: Tree.Tree) => Tree.whereabouts(each, begun.has(each))
      const spans = { applyLater: 1500, restore: 1000, expireLater: 1500 }
      let done = 0
      for (let round = 0; done < kills && round < kills * 4; round++) {
        const where = yield* Effect.forEach(trees, whereabouts)
        const lying = trees.filter((_, index) => where[index] === "aside")
        const program =
          lying.length < trees.length ? "applyLater" : random() < 0.6 ? ("restore" as const) : ("expireLater" as const)
        for (const each of trees.filter((_, index) => where[index] === "there")) Repo.age(each.admin)
        if (program === "expireLater") for (const each of lying) begun.add(each)
        const span = spans[program]
        const wasKilled = yield* killedAfter(
          on,
          program,
          random() * span,
          lying.slice(0, 1).map((each) => each.path)
        )
        if (wasKilled) done++
        // A span that is about as long as the whole of it takes, on a machine of any speed.
        spans[program] = wasKilled ? Math.min(span * 1.1, 8000) : span * 0.9
        const choice = Math.floor(random() * (meanwhile.length + 1))
        if (meanwhile[choice] === undefined) {
          yield* moved(on)
          for (const each of trees) begun.add(each)
        } else meanwhile[choice](on)
        // What no move has kept yet, an expired log loses with or without us.
        if (program !== "applyLater" && random() < 0.3) {
          Repo.git(on.common, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
          Repo.git(on.common, "gc", "-q", "--prune=now")
        }
        const said = yield* recover(on)
        assert.deepStrictEqual(
          said.filter((line) => !line.startsWith("Recovered")),
          [],
          `seed ${seed}, round ${round}`
        )
        assert.deepStrictEqual(yield* recover(on), [], `seed ${seed}, round ${round}`)
        const after = yield* Effect.forEach(trees, whereabouts)
        gone.push(...trees.filter((_, index) => after[index] === "removed"))
        trees = trees.map((each, index) => (after[index] === "removed" ? tree() : each))
        for (const each of gone) assert.deepStrictEqual(Stage.lost(on, each.commits), [], `seed ${seed}`)
        assert.isFalse(fs.existsSync(path.join(on.common, "reclaimed/.sweep")))
      }
      assert.isAtLeast(done, kills)
      for (const each of trees) if (fs.existsSync(each.path)) Repo.age(each.admin)
      yield* Stage.sweep(on, { table: "raw", ahead: 8 * Repo.day })
      yield* Stage.expire(on, { table: "raw", ahead: 23 * Repo.day })
      for (const each of trees) assert.strictEqual(yield* whereabouts(each), "removed")
    }),
  600_000 + kills * 60_000
)
