import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import { SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as Child from "./Child.ts"
import * as NodeFs from "./NodeFs.ts"

const sidecar = (root: string) => `${root}/usage/session-links`

const file = (root: string, name: string) => `${sidecar(root)}/${name}`

/** A root of old link files that nobody needs: each lists its own first id. */
const withFiles = (...names: ReadonlyArray<string>) =>
  Effect.map(tempRoot, (root) => {
    fs.mkdirSync(sidecar(root), { recursive: true })
    fs.mkdirSync(`${root}/session-manager`)
    fs.writeFileSync(`${root}/session-manager/sessions.json`, '{"sessions":{}}')
    for (const name of names) {
      fs.writeFileSync(file(root, name), `${name}-first\n`)
      fs.utimesSync(file(root, name), 0, 0)
    }
    return root
  })

const plan = Effect.suspend(() => SessionLinks.planPrune({ now: Date.now() }))

const listed = (root: string, name: string): ReadonlyArray<string> =>
  fs.existsSync(file(root, name)) ? fs.readFileSync(file(root, name), "utf8").trimEnd().split("\n") : []

/** Layers under which `before` runs once, right before the kernel is handed the first call of that kind. */
type Interleaved = (
  root: string,
  call: "write" | "rename",
  before: () => void
) => Effect.Effect<Layer.Layer<Answers.Services>, never, Scope.Scope>

const { renameSync, writeSync } = fs

const once = (run: () => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    run()
  }
}

const interleaved: Readonly<Record<Answers.LayerName, Interleaved>> = {
  "node:fs": (root, call, before) => {
    const first = once(before)
    const replacement =
      call === "write"
        ? NodeFs.replace({
            writeSync: (fd: number, bytes: string | NodeJS.ArrayBufferView) => {
              assert(typeof bytes !== "string")
              first()
              return writeSync(fd, bytes)
            }
          })
        : NodeFs.replace({
            renameSync: (from, to) => {
              first()
              renameSync(from, to)
            }
          })
    return Effect.as(replacement, Answers.layers["node:fs"](root))
  },
  FileSystem: (root, call, before) => {
    const first = once(before)
    const files = Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (real) =>
        FileSystem.FileSystem.of({
          ...real,
          open: (path, options) =>
            Effect.map(real.open(path, options), (opened) => ({
              ...opened,
              stat: opened.stat,
              read: opened.read.bind(opened),
              writeAll: (bytes) => {
                if (call === "write") first()
                return opened.writeAll(bytes)
              }
            })),
          rename: (from, to) => {
            if (call === "rename") first()
            return real.rename(from, to)
          }
        })
      )
    ).pipe(Layer.provide(NodeFileSystem.layer))
    return Effect.succeed(Answers.overFileSystem(root).pipe(Layer.provide(files)))
  }
}

for (const name of Answers.layerNames) {
  describe(`a link that is recorded while its file is pruned, over ${name}`, () => {
    it.effect("stands in the sidecar when the file is moved before the write", () =>
      Effect.gen(function* () {
        const root = yield* withFiles("m1")
        const layer = yield* interleaved[name](root, "write", () => renameSync(file(root, "m1"), `${root}/aside`))
        assert.isTrue(yield* SessionLinks.recordLink("m1", "new").pipe(Effect.provide(layer)))
        assert.deepStrictEqual(listed(root, "m1"), ["new"])
      })
    )

    it.effect("stands in the sidecar when the row comes before the move", () =>
      Effect.gen(function* () {
        const root = yield* withFiles("m1", "m2")
        const layer = yield* interleaved[name](root, "rename", () => fs.appendFileSync(file(root, "m1"), "new\n"))
        yield* Effect.gen(function* () {
          const outcomes = yield* SessionLinks.applyPrune(yield* plan)
          assert.deepStrictEqual(
            outcomes.map(({ _tag, managedId }) => [_tag, managedId]),
            [
              ["Kept", "m1"],
              ["Moved", "m2"]
            ]
          )
          assert.deepStrictEqual<ReadonlyArray<string>>(yield* SessionLinks.linkedClaudeIds("new"), ["m1-first", "new"])
        }).pipe(Effect.provide(layer))
        assert.deepStrictEqual(listed(root, "m2"), [])
      })
    )

    it.effect(
      "stands in the sidecar whenever a process records while another prunes",
      () =>
        Effect.gen(function* () {
          const names = Array.from({ length: 400 }, (_, n) => `m${n}`)
          const root = yield* withFiles(...names)
          yield* Effect.gen(function* () {
            const planned = yield* plan
            assert.lengthOf(planned.moves, names.length)
            const prune = Effect.gen(function* () {
              while (!fs.existsSync(`${root}/ready`)) yield* Effect.sleep(1)
              fs.writeFileSync(`${root}/go`, "")
              return yield* SessionLinks.applyPrune(planned)
            })
            const recorder = Child.run(process.execPath, [Child.script("recorder.ts"), root, name, ...names])
            const [printed, outcomes] = yield* TestClock.withLive(
              Effect.all([recorder, prune], { concurrency: "unbounded" })
            )
            assert.isTrue(outcomes.some(({ _tag }) => _tag === "Moved"))
            const told = printed.split("\n").filter((line) => line !== "")
            assert.sameMembers(told, names)
            for (const managedId of told) assert.include(listed(root, managedId), `${managedId}-new`)
          }).pipe(Answers.on(name, root))
        }),
      { timeout: Child.patience }
    )
  })
}

it.effect("a link whose file is moved away again and again is refused", () =>
  Effect.gen(function* () {
    const root = yield* withFiles("m1")
    let moves = 0
    const away = () => renameSync(file(root, "m1"), `${root}/aside-${moves++}`)
    yield* NodeFs.replace({
      writeSync: (fd: number, bytes: string | NodeJS.ArrayBufferView) => {
        assert(typeof bytes !== "string")
        away()
        return writeSync(fd, bytes)
      }
    })
    assert.isFalse(yield* SessionLinks.recordLink("m1", "new").pipe(Answers.on("node:fs", root)))
    assert.isBelow(moves, 20)
  })
)
