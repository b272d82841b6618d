import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { Reclaim, type SessionRecord, SessionStore } from "../../src/internal.ts"
import * as Stage from "./Stage.ts"

const day = 24 * 60 * 60 * 1000

const removeEmpty = (
  on: Stage.Stage,
  options: Stage.Options = {},
  spawner: Layer.Layer<ChildProcessSpawner.ChildProcessSpawner> = NodeServices.layer
) => Stage.run(on, Effect.provide(Reclaim.removeEmpty({ repositories: [on.common] }), spawner), options)

const staged = Effect.gen(function* () {
  const on = yield* Stage.stage()
  const store = `${on.main}/.claude/worktrees`
  const make = (name: string, ms: number) => {
    fs.mkdirSync(`${store}/${name}`, { recursive: true })
    const then = new Date(Date.now() - ms)
    fs.utimesSync(`${store}/${name}`, then, then)
  }
  return { on, store, make }
})

describe("Reclaim.removeEmpty", () => {
  it.live(
    "removes what is empty and quiet, and nothing else",
    () =>
      Effect.gen(function* () {
        const { on, store, make } = yield* staged
        make("old", 2 * day)
        make("young", day / 2)
        make("full", 0)
        fs.writeFileSync(`${store}/full/notes.txt`, "notes")
        fs.utimesSync(`${store}/full`, 0, 0)
        fs.symlinkSync(`${store}/old`, `${store}/link`)
        const outcomes = yield* removeEmpty(on)
        assert.deepStrictEqual(
          outcomes.map((outcome) => [outcome.path.slice(store.length + 1), Stage.line(outcome).split(";")[0]]),
          [
            ["old", "RemovedEmpty"],
            ["young", "Kept Quiet: it was written lately"]
          ]
        )
        assert.deepStrictEqual(fs.readdirSync(store).sort(), ["full", "link", "young"])
      }),
    Stage.timeout
  )

  it.live(
    "keeps one in which a process stands",
    () =>
      Effect.gen(function* () {
        const { on, store, make } = yield* staged
        make("held", 2 * day)
        // Not a child of ours, which would not count.
        const pid = yield* Effect.acquireRelease(
          Effect.sync(() =>
            Number(execFileSync("sh", ["-c", "sleep 60 >/dev/null 2>&1 & echo $!"], { cwd: `${store}/held` }))
          ),
          (pid) => Effect.sync(() => process.kill(pid, "SIGKILL"))
        )
        const [outcome] = yield* removeEmpty(on, { own: [], table: "raw" })
        assert.match(
          outcome === undefined ? "" : Stage.line(outcome),
          new RegExp(`^Kept Occupied: sleep \\(process ${pid}\\)`)
        )
        assert.isTrue(fs.existsSync(`${store}/held`))
      }).pipe(Effect.scoped),
    Stage.timeout
  )

  it.live(
    "keeps one that a session claims",
    () =>
      Effect.gen(function* () {
        const { on, store, make } = yield* staged
        make("claimed", 2 * day)
        const record = { id: "m1", tmuxName: "tm-m1", workspacePath: `${store}/claimed`, createdAt: Date.now() }
        const stored: SessionRecord.StoredRecords = JSON.parse(JSON.stringify({ records: [record], undecoded: [] }))
        const [outcome] = yield* removeEmpty(on, { store: SessionStore.layerMemory(stored) })
        assert.match(outcome === undefined ? "" : Stage.line(outcome), /^Kept Claim: /)
        assert.isTrue(fs.existsSync(`${store}/claimed`))
      }),
    Stage.timeout
  )

  it.live(
    "what is filled after the last look is not removed",
    () =>
      Effect.gen(function* () {
        const { on, store, make } = yield* staged
        make("late", 2 * day)
        const filling = Layer.effect(
          ChildProcessSpawner.ChildProcessSpawner,
          Effect.map(ChildProcessSpawner.ChildProcessSpawner, (real) => ({
            ...real,
            spawn: (command: Parameters<typeof real.spawn>[0]) =>
              Effect.andThen(
                Effect.sync(() => fs.writeFileSync(`${store}/late/work`, "work")),
                real.spawn(command)
              )
          }))
        ).pipe(Layer.provide(NodeServices.layer))
        const [outcome] = yield* removeEmpty(on, {}, filling)
        assert.match(outcome === undefined ? "" : Stage.line(outcome), /^Failed RemoveEmpty: .*not empty/)
        assert.strictEqual(fs.readFileSync(`${store}/late/work`, "utf8"), "work")
      }),
    Stage.timeout
  )

  it.live(
    "says which repository could not be listed",
    () =>
      Effect.gen(function* () {
        const { on } = yield* staged
        const [outcome] = yield* Stage.run(
          on,
          Effect.provide(Reclaim.removeEmpty({ repositories: [`${on.root}/nowhere`] }), NodeServices.layer)
        )
        assert.match(outcome === undefined ? "" : Stage.line(outcome), /^Kept Plan: .*nowhere is no git repository/)
      }),
    Stage.timeout
  )
})
