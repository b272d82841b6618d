import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { GitChanges, ProcessTable, Reclaim } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const sweeper = path.join(import.meta.dirname, "sweeper.ts")

/** A sweep in a process of its own, which `within` starts if anything. */
const sweepAt = (on: Stage.Stage, start: number, ...within: ReadonlyArray<string>) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const child = spawn(
      "env",
      [...within, process.execPath, sweeper, on.root, on.common, "applyLater", String(start)],
      {
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    let text = ""
    child.stdout.on("data", (chunk) => (text += String(chunk)))
    child.once("close", () => resume(Effect.succeed(JSON.parse(text.split("\n").at(-2) ?? "[]"))))
  })

/** Starts a program as the first process of a container. */
const container: ReadonlyArray<string> = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]

const mayContain = spawnSync("env", [...container, "true"]).status === 0

const guardOf = (on: Stage.Stage): string => path.join(on.common, "reclaimed/.sweep")

const guard = (pid: number, start: string | null, more: object = {}): string =>
  JSON.stringify({ ...Stage.guardOf({ pid, start }), ...more })

const ticksOf = (pid: number): string => {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

/** A process that runs until the scope closes. */
const running = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn("sh", ["-c", "sleep 100; :", ...args], { stdio: "ignore", detached: true })),
    ({ pid }) => Effect.sync(() => process.kill(-(pid ?? NaN)))
  ).pipe(Effect.map(({ pid }) => pid ?? NaN))

const table: Stage.Options = { table: "raw" }

/** The clock is a week ahead: what was put back a moment ago is settled again. */
const later: Stage.Options = { ...table, ahead: 8 * Repo.day }

describe.concurrent("two sweeps at once", () => {
  for (const stale of [false, true]) {
    it.live(
      stale ? "after one that was killed" : "from nothing",
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const trees = ["one", "two"].map((name) => Tree.make(on, `main/trees/${name}`))
          for (let round = 0; round < 2; round++) {
            fs.mkdirSync(path.dirname(guardOf(on)), { recursive: true })
            if (stale) Stage.leaveGuard(on)
            const start = Date.now() + 3000
            const said = yield* Effect.all([sweepAt(on, start), sweepAt(on, start), sweepAt(on, start)], {
              concurrency: 3
            })
            const lines = said.flat()
            assert.strictEqual(lines.length, 6, lines.join("\n"))
            // The git of one sweep, while it looks, is to another a process that uses the tree.
            const expected =
              /^(Moved|Kept Plan: (.*another sweep is at work|it is no worktree of the repository)|Kept Quiet|Kept Occupied: )/
            assert.deepStrictEqual(
              lines.filter((line) => !expected.test(line)),
              []
            )
            assert.deepStrictEqual(
              fs.readdirSync(path.dirname(guardOf(on))).filter((name) => name.startsWith(".")),
              []
            )
            const places = yield* Effect.forEach(trees, (tree) => Tree.whereabouts(tree))
            assert.strictEqual(
              lines.filter((line) => line === "Moved").length,
              places.filter((place) => place === "aside").length
            )
            // Whatever was kept for that reason goes as soon as it is calm.
            yield* Stage.sweep(on, later)
            for (const tree of trees) {
              assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
              assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
              Repo.age(tree.admin)
            }
          }
        }),
      Stage.timeout
    )
  }
})

describe.concurrent("the guard", () => {
  it.live(
    "is kept while its holder may be at work, and taken over when that is proven gone",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const holder = yield* running()
        const guards: Readonly<Record<string, readonly [text: string, expected: RegExp]>> = {
          "a running process": [guard(holder, ticksOf(holder)), /another sweep is at work \(pid/],
          "a running process whose start is not told": [guard(holder, null), /another sweep is at work/],
          "this process": [guard(process.pid, ticksOf(process.pid)), /another sweep is at work/],
          nobody: ["", /names no sweep/],
          "half of it": ['{"pid":', /names no sweep/],
          "a process that has ended, in another pid namespace": [
            guard(Stage.endedPid, "1", { pidNamespace: "pid:[1]" }),
            /another pid namespace \(pid/
          ],
          "a process that has ended, in a pid namespace that could not be told": [
            guard(Stage.endedPid, "1", { pidNamespace: null }),
            /another pid namespace \(pid/
          ],
          "a pid used again": [guard(holder, "1"), /^Moved$/],
          "a process that has ended": [guard(Stage.endedPid, "1"), /^Moved$/]
        }
        const plan = yield* Stage.survey(on, later)
        fs.mkdirSync(path.dirname(guardOf(on)), { recursive: true })
        for (const [name, [text, expected]] of Object.entries(guards)) {
          fs.writeFileSync(guardOf(on), text)
          const [outcome] = yield* Stage.apply(on, plan, later)
          if (outcome === undefined) assert.fail(name)
          assert.match(Stage.line(outcome), expected, name)
          if (outcome._tag === "Moved") {
            assert.isFalse(fs.existsSync(guardOf(on)))
            assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path, table)), "Restored")
            Repo.age(tree.admin)
          } else {
            assert.strictEqual(fs.readFileSync(guardOf(on), "utf8"), text)
            fs.rmSync(guardOf(on))
          }
          assert.strictEqual(yield* Tree.whereabouts(tree), "there", name)
        }
        assert.deepStrictEqual(fs.readdirSync(path.dirname(guardOf(on))), [])
      }),
    Stage.timeout
  )

  it.live(
    "is kept while a git that a killed sweep has left is at work",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const plan = yield* Stage.survey(on, table)
        fs.mkdirSync(path.dirname(guardOf(on)), { recursive: true })
        Stage.leaveGuard(on)
        yield* running(`--git-dir=${on.common}`, "worktree", "move")
        const [outcome] = yield* Stage.apply(on, plan, table)
        assert.match(outcome === undefined ? "" : Stage.line(outcome), /another sweep is at work/)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
      }),
    Stage.timeout
  )

  it.live.skipIf(!mayContain)(
    "is kept by a sweep in a container, which does not see the process that holds it outside",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const plan = yield* Stage.survey(on, table)
        const said: Array<string> = []
        const outcomes = yield* Stage.apply(on, plan, {
          ...table,
          changes: (real) =>
            GitChanges.GitChanges.of({
              ...real,
              carryOut: (repository, step) =>
                Effect.gen(function* () {
                  if (step._tag === "Move") said.push(...(yield* sweepAt(on, 0, ...container)))
                  return yield* real.carryOut(repository, step)
                })
            })
        })
        assert.deepStrictEqual(outcomes.map(Stage.line), ["Moved"])
        assert.strictEqual(said.length, 1, said.join("\n"))
        assert.include(said[0], `another machine or in another pid namespace (pid ${process.pid} there)`)
        assert.include(said[0], `remove ${guardOf(on)} if it has ended`)
        assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
      }),
    Stage.timeout
  )

  it.live(
    "is left alone when it is another's by now",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        Tree.make(on, "main/trees/one")
        const plan = yield* Stage.survey(on, table)
        const other = guard(1, "1")
        const outcomes = yield* Stage.apply(on, plan, {
          ...table,
          changes: (real) =>
            GitChanges.GitChanges.of({
              ...real,
              carryOut: (repository, step) =>
                Effect.tap(real.carryOut(repository, step), () =>
                  Effect.sync(() => fs.writeFileSync(guardOf(on), other))
                )
            })
        })
        assert.deepStrictEqual(outcomes.map(Stage.line), ["Moved"])
        assert.strictEqual(fs.readFileSync(guardOf(on), "utf8"), other)
      }),
    Stage.timeout
  )

  it.live(
    "is another's when its holder started just now",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        Tree.make(on, "main/trees/one")
        const plan = yield* Stage.survey(on, table)
        fs.mkdirSync(path.dirname(guardOf(on)), { recursive: true })
        // Whoever lists the processes before the guard is read, does not see its holder.
        const late = Layer.effect(
          ProcessTable.ProcessTable,
          Effect.map(ProcessTable.ProcessTable, (real) =>
            ProcessTable.ProcessTable.of({
              ...real,
              snapshot: Effect.tap(real.snapshot, () =>
                Effect.sync(() => {
                  if (fs.existsSync(guardOf(on))) return
                  const { pid = NaN } = spawn("sleep", ["20"], { stdio: "ignore" })
                  fs.writeFileSync(guardOf(on), guard(pid, ticksOf(pid)))
                })
              )
            })
          )
        )
        const [outcome] = yield* Stage.run(
          on,
          Reclaim.apply(plan).pipe(Effect.provide(Layer.provide(late, Stage.layer(on, table)))),
          table
        )
        assert.match(outcome === undefined ? "" : Stage.line(outcome), /another sweep is at work/)
      }),
    Stage.timeout
  )
})
