import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as SlimDirectories from "../../src/reclaim/SlimDirectories.ts"
import { tempRoot } from "../TempRoot.ts"

const write = (root: string, ...names: ReadonlyArray<string>) => {
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), name)
  }
}

/** A worktree with a regenerable directory in it, last written long ago, and our place. */
const stage = Effect.gen(function* () {
  const root = yield* tempRoot
  const [tree, place] = [`${root}/tree`, `${root}/place`]
  fs.mkdirSync(place)
  write(tree, "app/node_modules/a/index.js", "app/package.json")
  const writtenAt = new Date("2026-01-02T03:04:05.678Z")
  fs.utimesSync(`${tree}/app`, (writtenAt.getTime() + 0.5) / 1000, (writtenAt.getTime() + 0.5) / 1000)
  return { root, tree, place, writtenAt, system: yield* FileSystem.FileSystem }
})

const test = <A>(name: string, body: Effect.Effect<A, string, FileSystem.FileSystem | import("effect").Scope.Scope>) =>
  it.live(name, () => Effect.provide(body, NodeServices.layer))

const refusal = <A>(effect: Effect.Effect<A, string>) =>
  Effect.flip(effect).pipe(Effect.mapError(() => "it did not fail"))

describe("SlimDirectories", () => {
  test(
    "moves a directory out and removes it, and leaves the time of the directory around it",
    Effect.gen(function* () {
      const { tree, place, writtenAt, system } = yield* stage
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      yield* SlimDirectories.moveOut(system, place, tree, moved)
      assert.deepStrictEqual(fs.readdirSync(`${tree}/app`), ["package.json"])
      assert.deepStrictEqual(fs.readdirSync(`${place}/${moved.name}`), ["a"])
      assert.strictEqual(fs.statSync(`${tree}/app`).mtime.getTime(), writtenAt.getTime())
      yield* SlimDirectories.remove(system, place, moved)
      yield* SlimDirectories.remove(system, place, moved)
      assert.deepStrictEqual(fs.readdirSync(place), [])
    })
  )

  test(
    "moves it back as it was, also when it is asked twice",
    Effect.gen(function* () {
      const { tree, place, writtenAt, system } = yield* stage
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      yield* SlimDirectories.moveBack(system, place, tree, moved)
      yield* SlimDirectories.moveOut(system, place, tree, moved)
      yield* SlimDirectories.moveBack(system, place, tree, moved)
      yield* SlimDirectories.moveBack(system, place, tree, moved)
      assert.strictEqual(fs.readFileSync(`${tree}/app/node_modules/a/index.js`, "utf8"), "app/node_modules/a/index.js")
      assert.strictEqual(fs.statSync(`${tree}/app`).mtime.getTime(), writtenAt.getTime())
    })
  )

  test(
    "overwrites nothing that has come to stand where it was, and says where it lies",
    Effect.gen(function* () {
      const { tree, place, system } = yield* stage
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      yield* SlimDirectories.moveOut(system, place, tree, moved)
      fs.mkdirSync(`${tree}/app/node_modules`)
      assert.include(yield* refusal(SlimDirectories.moveBack(system, place, tree, moved)), `${place}/${moved.name}`)
      assert.deepStrictEqual(fs.readdirSync(`${place}/${moved.name}`), ["a"])
    })
  )

  test(
    "takes nothing for it that has taken its name, neither before it moves nor in our place",
    Effect.gen(function* () {
      const { tree, place, system } = yield* stage
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      fs.renameSync(`${tree}/app/node_modules`, `${tree}/app/mine`)
      write(tree, "app/node_modules/other")
      yield* refusal(SlimDirectories.moveOut(system, place, tree, moved))
      assert.isTrue(fs.existsSync(`${tree}/app/node_modules/other`))
      write(place, `${moved.name}/somebody's`)
      yield* SlimDirectories.remove(system, place, moved)
      yield* SlimDirectories.moveBack(system, place, tree, moved)
      yield* refusal(SlimDirectories.moveOut(system, place, tree, moved))
      assert.deepStrictEqual(fs.readdirSync(`${place}/${moved.name}`), ["somebody's"])
    })
  )

  test(
    "neither reaches a directory through a link nor removes what a link in it leads to",
    Effect.gen(function* () {
      const { root, tree, place, system } = yield* stage
      write(root, "outside/node_modules/x")
      fs.symlinkSync(`${root}/outside`, `${tree}/link`)
      assert.include(yield* refusal(SlimDirectories.describe(system, tree, "link/node_modules", 1)), "through a link")
      fs.symlinkSync(`${root}/outside/node_modules`, `${tree}/node_modules`)
      assert.include(yield* refusal(SlimDirectories.describe(system, tree, "node_modules", 1)), "no directory")
      fs.symlinkSync(`${root}/outside`, `${tree}/app/node_modules/out`)
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      yield* SlimDirectories.moveOut(system, place, tree, moved)
      yield* SlimDirectories.remove(system, place, moved)
      assert.deepStrictEqual(fs.readdirSync(place), [])
      assert.isTrue(fs.existsSync(`${root}/outside/node_modules/x`))
    })
  )

  test(
    "removes directories that a tool has made read-only",
    Effect.gen(function* () {
      const { tree, place, system } = yield* stage
      for (const name of ["app/node_modules/a", "app/node_modules"]) fs.chmodSync(`${tree}/${name}`, 0o555)
      const moved = yield* SlimDirectories.describe(system, tree, "app/node_modules", 1)
      yield* SlimDirectories.moveOut(system, place, tree, moved)
      yield* SlimDirectories.remove(system, place, moved)
      assert.deepStrictEqual(fs.readdirSync(place), [])
    })
  )
})
