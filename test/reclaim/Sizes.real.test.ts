import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Bound, DiskUsage, Reclaim } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import { execFileSync } from "node:child_process"

const du = (directory: string): number =>
  Number(execFileSync("du", ["-sk", directory], { encoding: "utf8" }).split("\t")[0]) * 1024

const fill = (file: string, kibibytes: number) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, Buffer.alloc(kibibytes * 1024, "x"))
}

const measure = (on: Stage.Stage, trees: ReadonlyArray<string>, options: Partial<Reclaim.MeasureOptions> = {}) =>
  Stage.run(on, Reclaim.measure({ trees: trees.map((path) => ({ repository: on.common, path })), ...options }))

const one = (sizes: Reclaim.Sizes, index = 0) => {
  const measured = sizes.trees[index]?.measured
  assert.strictEqual(measured?._tag, "Known")
  return measured?._tag === "Known" ? measured.value : assert.fail()
}

describe("Reclaim.measure", () => {
  it.live(
    "counts what is allocated as du does, hard links once, and nothing behind a link",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/trees/one")
        fill(`${tree}/node_modules/a/index.js`, 100)
        fill(`${tree}/dir/big`, 300)
        fs.linkSync(`${tree}/node_modules/a/index.js`, `${tree}/node_modules/b.js`)
        fs.truncateSync(`${tree}/dir/big`, 1024 ** 3)
        fill(`${on.root}/outside/file`, 500)
        fs.symlinkSync(`${on.root}/outside`, `${tree}/node_modules/link`)
        const sizes = yield* measure(on, [tree])
        assert.strictEqual(one(sizes).usage.bytes, du(tree))
        assert.strictEqual(one(sizes).regenerable.bytes, du(`${tree}/node_modules`))
        assert.strictEqual(sizes.total.bytes, du(tree))
      }),
    Stage.timeout
  )

  it.live(
    "does not count as freed what has names elsewhere, and sums a file once that two trees have",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["one", "two"].map((name) => Stage.worktree(on, `main/trees/${name}`))
        fill(`${on.root}/store/big`, 400)
        for (const tree of trees) {
          fs.mkdirSync(`${tree}/node_modules`)
          fs.linkSync(`${on.root}/store/big`, `${tree}/node_modules/big`)
        }
        const sizes = yield* measure(on, trees)
        const { regenerable } = one(sizes)
        assert.strictEqual(regenerable.bytes - DiskUsage.freed(regenerable), 400 * 1024)
        assert.strictEqual(sizes.total.bytes, one(sizes, 0).usage.bytes + one(sizes, 1).usage.bytes - 400 * 1024)
      }),
    Stage.timeout
  )

  it.live(
    "counts nothing as regenerable where git cannot say what is ignored",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/trees/one")
        fill(`${tree}/node_modules/a`, 100)
        fs.rmSync(`${tree}/.git`)
        const { usage, regenerable } = one(yield* measure(on, [tree]))
        assert.deepStrictEqual([usage.bytes, regenerable.bytes], [du(tree), 0])
      }),
    Stage.timeout
  )

  it.live(
    "counts nothing as regenerable that holds what is tracked or untracked, whoever says what is ignored",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/trees/one")
        const names = ["node_modules", "__pycache__", ".pytest_cache"]
        for (const name of names) fill(`${tree}/${name}/a`, 100)
        Repo.git(tree, "add", "-f", "__pycache__/a")
        const told = { ignored: names.map((name) => `${name}/`), untracked: [".pytest_cache/a"] }
        const sizes = yield* Stage.run(on, Reclaim.measure({ trees: [{ repository: on.common, path: tree, ...told }] }))
        assert.deepStrictEqual(
          one(sizes).directories.map(({ path }) => path),
          ["node_modules"]
        )
      }),
    Stage.timeout
  )

  it.live(
    "tells of each tree as it goes, and gives what it has when the time is up",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["one", "two"].map((name) => Stage.worktree(on, `main/trees/${name}`))
        const seen: Array<string> = []
        const sizes = yield* measure(on, trees, {
          onMeasured: ({ path }) =>
            Effect.andThen(
              Effect.sync(() => void seen.push(path)),
              path === trees[1] ? Effect.never : Effect.void
            )
        }).pipe(Effect.provideService(Bound.Sizes, Duration.seconds(3)))
        assert.deepStrictEqual(seen, trees)
        assert.deepStrictEqual(
          sizes.trees.map(({ measured }) => measured._tag),
          ["Known", "Known"]
        )
        const none = yield* measure(on, [...trees, `${on.root}/nowhere`])
        assert.strictEqual(none.trees[2]?.measured._tag, "Unknown")
      }),
    Stage.timeout
  )
})
