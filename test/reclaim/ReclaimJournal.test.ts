import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { ReclaimJournal } from "../../src/internal.ts"
import type { JournalEntry } from "../../src/reclaim/core/JournalEntry.ts"
import { tempRoot } from "../TempRoot.ts"

const repository = { inode: "1", birth: 1 }

const entry = (given: Partial<JournalEntry> = {}, name = "T-a"): JournalEntry => ({
  repository,
  commonDirectory: "/r/.git",
  tree: { inode: "2", birth: null },
  adminName: "a",
  record: {
    name,
    path: "/w/a",
    branch: undefined,
    head: "0".repeat(40),
    at: 0,
    settledOnly: false,
    priorLock: "claude"
  },
  restoringSince: undefined,
  ...given
})

const suite = (
  name: string,
  use: <A, E>(effect: Effect.Effect<A, E, ReclaimJournal.ReclaimJournal>) => Effect.Effect<A, E, Scope.Scope>
) =>
  describe(name, () => {
    it.effect("gives what was put, and an entry replaces the one with its name", () =>
      use(
        Effect.gen(function* () {
          const journal = yield* ReclaimJournal.ReclaimJournal
          assert.deepStrictEqual((yield* journal.read(repository)).entries, [])
          yield* journal.put(entry())
          yield* journal.put(entry({}, "T-b"))
          yield* journal.put(entry({ restoringSince: 5 }))
          assert.deepStrictEqual((yield* journal.read(repository)).entries, [
            entry({}, "T-b"),
            entry({ restoringSince: 5 })
          ])
        })
      )
    )

    it.effect("keeps what is written while something else is", () =>
      use(
        Effect.gen(function* () {
          const journal = yield* ReclaimJournal.ReclaimJournal
          const names = ["1-1", "2-1", "3-1"]
          const slims = names.map((name) => {
            const state = "Moving" as const
            return { repository, entry: { name, worktree: "/w/a", state, directories: [] } }
          })
          const changes = [journal.putSlims(slims.slice(0, 2)), journal.put(entry()), journal.putSlims(slims.slice(2))]
          yield* Effect.all(changes, { concurrency: "unbounded" })
          yield* Effect.all([journal.forgetSlims(slims.slice(0, 1)), journal.put(entry({}, "T-b"))], {
            concurrency: "unbounded"
          })
          const found = yield* journal.read(repository)
          assert.deepStrictEqual(found.slims.map((slim) => slim.entry.name).sort(), ["2-1", "3-1"])
          assert.deepStrictEqual(found.entries.map(({ record }) => record.name).sort(), ["T-a", "T-b"])
        })
      )
    )

    it.effect("nothing of another repository, be it only born at another time", () =>
      use(
        Effect.gen(function* () {
          const journal = yield* ReclaimJournal.ReclaimJournal
          yield* journal.put(entry())
          for (const other of [
            { inode: "3", birth: 1 },
            { inode: "1", birth: 2 },
            { inode: "1", birth: null }
          ]) {
            assert.deepStrictEqual((yield* journal.read(other)).entries, [])
          }
        })
      )
    )

    it.effect("forgets an entry, and keeps the last restoration of a tree", () =>
      use(
        Effect.gen(function* () {
          const journal = yield* ReclaimJournal.ReclaimJournal
          yield* journal.put(entry())
          yield* journal.forget(entry(), { repository, tree: entry().tree, at: 1 })
          yield* journal.forget(entry(), { repository, tree: entry().tree, at: 2 })
          yield* journal.forget(entry())
          assert.deepStrictEqual(yield* journal.read(repository), {
            entries: [],
            restorations: [{ repository, tree: entry().tree, at: 2 }],
            slims: []
          })
        })
      )
    )

    it.effect("knows the repositories of a path", () =>
      use(
        Effect.gen(function* () {
          const journal = yield* ReclaimJournal.ReclaimJournal
          yield* journal.put(entry())
          yield* journal.put(entry({ repository: { inode: "9", birth: 9 }, commonDirectory: "/s/.git" }))
          assert.deepStrictEqual([...(yield* journal.repositoriesOf("/w/a"))].sort(), ["/r/.git", "/s/.git"])
          assert.deepStrictEqual(yield* journal.repositoriesOf("/w/b"), [])
        })
      )
    )
  })

suite("the journal in memory", (effect) => Effect.provide(effect, ReclaimJournal.layerMemory))

const layer = (root: string) =>
  ReclaimJournal.layer({ directory: path.join(root, "state/session-liveness"), user: process.geteuid?.() }).pipe(
    Layer.provide(NodeFileSystem.layer)
  )

suite("the journal in files", (effect) => Effect.flatMap(tempRoot, (root) => Effect.provide(effect, layer(root))))

describe("the journal's files", () => {
  const put = (root: string) =>
    Effect.flatMap(ReclaimJournal.ReclaimJournal, (journal) => journal.put(entry())).pipe(Effect.provide(layer(root)))
  const read = (root: string) =>
    Effect.flatMap(ReclaimJournal.ReclaimJournal, (journal) => journal.read(repository)).pipe(
      Effect.provide(layer(root))
    )

  it.effect("are the user's alone", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      yield* put(root)
      const directory = path.join(root, "state/session-liveness")
      assert.strictEqual(fs.statSync(directory).mode & 0o777, 0o700)
      const names = fs.readdirSync(directory)
      assert.deepStrictEqual(names, ["reclaimed-1-1.json"])
      assert.strictEqual(fs.statSync(path.join(directory, names[0] ?? "")).mode & 0o777, 0o600)
    })
  )

  const corruptions: Readonly<Record<string, (file: string) => void>> = {
    "cut off": (file) => fs.truncateSync(file, 20),
    "a FIFO's": (file) => {
      fs.rmSync(file)
      fs.mkdirSync(file)
    },
    "a link's": (file) => {
      fs.renameSync(file, `${file}.real`)
      fs.symlinkSync(`${file}.real`, file)
    },
    "open to others": (file) => fs.chmodSync(file, 0o666),
    "with a name that leads elsewhere": (file) =>
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"adminName":"a"', '"adminName":"../a"'))
  }
  for (const [name, corrupt] of Object.entries(corruptions)) {
    it.effect(`nothing is read, and nothing written over, where the file is ${name}`, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        yield* put(root)
        const file = path.join(root, "state/session-liveness/reclaimed-1-1.json")
        corrupt(file)
        assert.strictEqual((yield* Effect.flip(read(root))).reason._tag, "Unreadable")
        assert.strictEqual((yield* Effect.flip(put(root)))._tag, "JournalError")
      })
    )
  }

  it.effect("nothing is written through a link in the place of the directory", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      fs.mkdirSync(path.join(root, "state"))
      fs.mkdirSync(path.join(root, "elsewhere"))
      fs.symlinkSync(path.join(root, "elsewhere"), path.join(root, "state/session-liveness"))
      assert.strictEqual((yield* Effect.flip(put(root)))._tag, "JournalError")
      assert.deepStrictEqual(fs.readdirSync(path.join(root, "elsewhere")), [])
    })
  )

  it.live.skipIf(process.platform !== "linux")("ends where no directory can be made", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(put("/proc/nowhere"))
      assert.strictEqual(failed.reason._tag, "Unwritten")
      assert.include(failed.message, "ENOENT")
    })
  )

  it.effect("what another host has written stays, and counts nothing here", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      yield* put(root)
      const file = path.join(root, "state/session-liveness/reclaimed-1-1.json")
      const theirs = fs.readFileSync(file, "utf8").replace(/"host":("[^"]*"|null)/, '"host":"another"')
      fs.writeFileSync(file, theirs)
      assert.deepStrictEqual((yield* read(root)).entries, [])
      yield* put(root)
      assert.strictEqual((yield* read(root)).entries.length, 1)
      assert.include(fs.readFileSync(file, "utf8"), '"host":"another"')
    })
  )

  it("lie where XDG says, if that is absolute", () => {
    const of = (state?: string) => ReclaimJournal.defaultDirectory("/home/a", { XDG_STATE_HOME: state })
    assert.strictEqual(of("/s"), "/s/session-liveness")
    for (const state of [undefined, "", "s"]) assert.strictEqual(of(state), "/home/a/.local/state/session-liveness")
  })
})
