import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as fs from "node:fs"
import { SavingsLedger, SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as NodeFs from "./NodeFs.ts"

const linkFile = "usage/session-links/session"

const umask = (mask: number) =>
  Effect.acquireRelease(
    Effect.sync(() => process.umask(mask)),
    (old) => Effect.sync(() => process.umask(old))
  )

const modes = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name): readonly [string, string] => [name, (fs.statSync(`${root}/${name}`).mode & 0o7777).toString(8)])
  )

describe("what is made", () => {
  for (const layer of Answers.layerNames) {
    for (const mask of [0o000, 0o022, 0o077]) {
      it.effect(`belongs to its owner alone under umask ${mask.toString(8)}, over ${layer}`, () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          yield* umask(mask)
          yield* Effect.gen(function* () {
            const ledger = yield* SavingsLedger.SavingsLedger
            assert.isTrue(yield* SessionLinks.recordLink("session", "a"))
            yield* ledger.append(Answers.row("b"))
            fs.mkdirSync(`${root}/session-manager`)
            fs.writeFileSync(`${root}/session-manager/sessions.json`, '{"sessions":{}}')
            const plan = yield* SessionLinks.planPrune({ now: Date.now() + 1000, olderThan: 0 })
            assert.strictEqual((yield* SessionLinks.applyPrune(plan))[0]?._tag, "Moved")
            assert.deepInclude(modes(root), {
              usage: "700",
              "usage/session-links": "700",
              "usage/savings.jsonl": "600",
              [`usage/${plan.quarantine}`]: "700",
              [`usage/${plan.quarantine}/session`]: "600"
            })
          }).pipe(Answers.on(layer, root))
        })
      )
    }
  }

  it.effect("leaves the mode of what was there alone", () =>
    Effect.gen(function* () {
      for (const layer of Answers.layerNames) {
        const root = yield* tempRoot
        fs.mkdirSync(`${root}/usage/session-links`, { recursive: true, mode: 0o755 })
        fs.writeFileSync(`${root}/${linkFile}`, "", { mode: 0o640 })
        const before = modes(root)
        assert.isTrue(yield* SessionLinks.recordLink("session", "a").pipe(Answers.on(layer, root)))
        assert.deepStrictEqual(modes(root), before)
      }
    })
  )
})

/** The text of every write, and the name of whatever else could change a file. */
type Changes = Array<string>

const watchNodeFs = (changes: Changes) => {
  const { writeSync } = fs
  const note = (name: string) => () => void changes.push(name)
  return NodeFs.replace({
    writeSync: (fd: number, bytes: string | NodeJS.ArrayBufferView) => {
      assert(bytes instanceof Uint8Array)
      changes.push(Buffer.from(bytes).toString())
      return writeSync(fd, bytes)
    },
    appendFileSync: note("appendFileSync"),
    ftruncateSync: note("ftruncateSync"),
    rmSync: note("rmSync"),
    truncateSync: note("truncateSync"),
    unlinkSync: note("unlinkSync"),
    writeFileSync: note("writeFileSync")
  })
}

const watchFile = (file: FileSystem.File, changes: Changes): FileSystem.File =>
  new Proxy(file, {
    get: (target, name) => {
      if (name === "writeAll") {
        return (bytes: Uint8Array) => {
          changes.push(Buffer.from(bytes).toString())
          return target.writeAll(bytes)
        }
      }
      if (name === "write" || name === "truncate") changes.push(name)
      const member: unknown = Reflect.get(target, name)
      return typeof member === "function" ? member.bind(target) : member
    }
  })

const watchedFileSystem = (changes: Changes) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (real) => {
      const note = (name: string) => () => Effect.sync(() => void changes.push(name))
      return FileSystem.FileSystem.of({
        ...real,
        open: (path, options) => Effect.map(real.open(path, options), (file) => watchFile(file, changes)),
        remove: note("remove"),
        truncate: note("truncate"),
        writeFile: note("writeFile"),
        writeFileString: note("writeFileString")
      })
    })
  ).pipe(Layer.provide(NodeFileSystem.layer))

describe("every append is one write and nothing else", () => {
  const torn = Effect.map(tempRoot, (root) => {
    fs.mkdirSync(`${root}/usage/session-links`, { recursive: true })
    fs.writeFileSync(`${root}/${linkFile}`, "frag")
    fs.writeFileSync(`${root}/usage/session-links/unfinished`, "ment")
    fs.writeFileSync(`${root}/usage/savings.jsonl`, "{")
    return root
  })

  const program = Effect.gen(function* () {
    const ledger = yield* SavingsLedger.SavingsLedger
    for (const id of ["first", "second", "second", "no\u0000id"]) yield* SessionLinks.recordLink("session", id)
    yield* ledger.append(Answers.row("first"))
    yield* ledger.append(Answers.row("second"))
    yield* SessionLinks.heal
  })

  const row = (id: string) => `${JSON.stringify(Answers.row(id))}\n`
  const writes = ["\u0018\nfirst\n", "second\n", `\u0018\n${row("first")}`, row("second"), "\u0018\n"]

  it.effect("over node:fs", () =>
    Effect.gen(function* () {
      const root = yield* torn
      const changes: Changes = []
      yield* Effect.scoped(Effect.andThen(watchNodeFs(changes), program.pipe(Answers.on("node:fs", root))))
      assert.deepStrictEqual(changes, writes)
    })
  )

  it.effect("over FileSystem", () =>
    Effect.gen(function* () {
      const root = yield* torn
      const changes: Changes = []
      yield* program.pipe(Effect.provide(Answers.overFileSystem(root).pipe(Layer.provide(watchedFileSystem(changes)))))
      assert.deepStrictEqual(changes, writes)
    })
  )
})
