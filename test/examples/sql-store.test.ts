import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as SqliteSessions from "../../examples/sql-store/SqliteSessions.ts"
import * as SqliteSessionStore from "../../examples/sql-store/SqliteSessionStore.ts"
import { SessionStore } from "../../src/index.ts"
import { type FakeSessionStore, Laws, SweepLaws, SweepWorld } from "../../src/testing/index.ts"
import * as Contract from "../records/SessionStoreSuite.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Isolated from "./Isolated.ts"
import { run } from "./Program.ts"
import * as Stage from "./SqliteStage.ts"

const program = "examples/sql-store.ts"

const read = (file: string) =>
  Effect.flatMap(SessionStore.SessionStore, (store) => store.read).pipe(
    Effect.provide(SqliteSessionStore.layer({ path: file }))
  )

const reasonOf = (file: string) => Effect.map(Effect.flip(read(file)), ({ reason }) => reason._tag)

const database: Effect.Effect<string, never, Scope.Scope> = Effect.map(tempRoot, (root) => path.join(root, "fleet.db"))

Contract.suite("SQLite", {
  path: "fleet/sessions.db",
  keyed: false,
  specials: true,
  forbids: process.getuid?.() !== 0,
  make: Effect.map(tempRoot, (root) => {
    const file = path.join(root, "fleet/sessions.db")
    return {
      store: SqliteSessionStore.layer({ path: file }),
      put: (tree) => Tree.write(root, tree),
      records: (sessions) => Stage.write(file, Object.values(sessions) as ReadonlyArray<Stage.Row>),
      forbid: (name) => fs.chmodSync(path.join(root, name), 0)
    }
  })
})

describe("laws of the programs that judge, on records in SQLite", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "session-liveness-"))
  const file = path.join(root, "fleet.db")
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  const subject: SweepLaws.Subject = (world, spoils) =>
    Layer.merge(
      SweepLaws.fakes(world, spoils),
      Layer.effect(
        SessionStore.SessionStore,
        Effect.map(SessionStore.SessionStore, ({ read }) => ({
          read: Effect.andThen(
            Effect.sync(() => write(SweepWorld.toStore(world()))),
            read
          )
        }))
      ).pipe(Layer.provide(SqliteSessionStore.layer({ path: file })))
    )

  const instant = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

  const write = ({ store, records, undecoded }: FakeSessionStore.FakeSessionStore): void => {
    fs.rmSync(file, { recursive: true, force: true })
    if (store === "Malformed") fs.writeFileSync(file, "no database")
    if (store === "Forbidden") fs.mkdirSync(file)
    if (store !== "Read") return
    Stage.write(file, [
      ...records.map((record) => ({
        id: record.id,
        tmux_name: record.tmuxName,
        workspace_path: record.workspacePath,
        claude_session_id: record.claudeId,
        created_at: instant(record.createdAt),
        last_activity_at: instant(record.lastActivityAt)
      })),
      ...undecoded.map(({ key, workspacePath }) => ({ id: key, tmux_name: 7, workspace_path: workspacePath ?? 7 }))
    ])
  }

  Laws.tests(it.live, { sweep: subject }, { runs: 200, seed: "sqlite" })
})

describe("a row that is not as it should be is told, and takes nothing with it", () => {
  const { full } = Stage
  const cases: Readonly<Record<string, readonly [Stage.Row, key: string, workspace: string | undefined]>> = {
    "no id": [{ ...full, id: null }, "row 1", "/w/one"],
    "an id that is a BLOB": [{ ...full, id: new Uint8Array([109]) }, "row 1", "/w/one"],
    "an id that is none": [{ ...full, id: "../m1" }, "../m1", "/w/one"],
    "no tmux name": [{ ...full, tmux_name: null }, "m1", "/w/one"],
    "nothing at all": [{}, "row 1", undefined],
    "a BLOB for a path": [{ ...full, workspace_path: Buffer.from("/w/one") }, "m1", undefined],
    "an infinite path": [{ ...full, workspace_path: Infinity }, "m1", undefined],
    "a path in another encoding": [{ ...full, workspace_path: "/w/\ufffd" }, "m1", undefined],
    "a time that no number of JavaScript holds": [{ ...full, created_at: 2n ** 62n }, "m1", "/w/one"],
    "a time in milliseconds": [{ ...full, last_activity_at: 1767323045678 }, "m1", "/w/one"]
  }
  for (const [what, [row, key, workspace]] of Object.entries(cases)) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const file = yield* database
        Stage.write(file, [row, { ...full, id: "m9" }, { ...full, id: "__proto__" }])
        const { records, undecoded } = yield* read(file)
        assert.deepStrictEqual<ReadonlyArray<string>>(
          records.map(({ id }) => id),
          ["m9", "__proto__"]
        )
        assert.deepStrictEqual(
          undecoded.map(({ key, workspacePath }) => [key, workspacePath]),
          [[key, workspace]]
        )
      })
    )
  }
})

describe("no part of the records passes for all of them", () => {
  const { full } = Stage
  const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ ...full, id: `m${index}` }))

  it.effect("two rows of one id", () =>
    Effect.gen(function* () {
      const file = yield* database
      Stage.write(file, [full, { ...full, workspace_path: "/w/two" }])
      assert.strictEqual(yield* reasonOf(file), "Malformed")
    })
  )

  for (const column of Stage.columns) {
    it.effect(`no column ${column}`, () =>
      Effect.gen(function* () {
        const file = yield* database
        Stage.write(
          file,
          [full],
          Stage.columns.filter((name) => name !== column)
        )
        const error = yield* Effect.flip(read(file))
        assert.strictEqual(error.reason._tag, "Malformed")
        assert.include(error.message, `no such column: ${column}`)
      })
    )
  }

  it.effect("a path that means something else to SQLite", () =>
    Effect.gen(function* () {
      for (const file of [":memory:", "file:nowhere?mode=memory"]) {
        const { reason, path: named } = yield* Effect.flip(read(file))
        assert.deepStrictEqual([reason._tag, named], ["Missing", path.resolve(file)])
      }
    })
  )

  it.effect("no table", () =>
    Effect.gen(function* () {
      const file = yield* database
      new DatabaseSync(file).exec("CREATE TABLE other (id)")
      assert.strictEqual(yield* reasonOf(file), "Malformed")
    })
  )

  it.effect("a damaged page that hides rows", () =>
    Effect.gen(function* () {
      const file = yield* database
      SqliteSessions.save(file, ids(300))
      const whole = fs.readFileSync(file)
      const select = new DatabaseSync(file, { readOnly: true }).prepare("SELECT count(tmux_name) AS rows FROM sessions")
      let hidden = 0
      for (let page = 4096; page < whole.length; page += 4096) {
        const cells = whole.readUInt16BE(page + 3)
        if (cells === 0) continue
        const bytes = Buffer.from(whole)
        bytes.writeUInt16BE(cells - 1, page + 3)
        fs.writeFileSync(file, bytes)
        if (Number(select.get()?.["rows"]) < 300) hidden++
        assert.strictEqual(yield* reasonOf(file), "Malformed")
      }
      assert.isAbove(hidden, 0)
    })
  )

  it.effect("a database that is cut off", () =>
    Effect.gen(function* () {
      const file = yield* database
      SqliteSessions.save(file, ids(300))
      fs.truncateSync(file, 8192)
      assert.strictEqual(yield* reasonOf(file), "Malformed")
    })
  )
})

describe("writers", { timeout: 60_000 }, () => {
  const { full } = Stage

  it.effect("a transaction that is under way is not seen, and one that is rolled back never", () =>
    Effect.gen(function* () {
      const file = yield* database
      SqliteSessions.save(file, [full])
      const writer = new DatabaseSync(file)
      writer.exec("BEGIN IMMEDIATE; DELETE FROM sessions")
      assert.lengthOf((yield* read(file)).records, 1)
      writer.close()
      assert.lengthOf((yield* read(file)).records, 1)
      assert.throws(() =>
        SqliteSessions.save(file, [
          { ...full, id: "m2" },
          { ...full, tmux_name: null as never }
        ])
      )
      assert.lengthOf((yield* read(file)).records, 1)
    })
  )

  it.live("a writer that was killed half-way leaves no half to be read", () =>
    Effect.gen(function* () {
      const file = yield* database
      const rows = Array.from({ length: 500 }, (_, index) => ({ ...full, id: `m${index}` }))
      SqliteSessions.save(file, rows)
      const script = `
        const database = new (require("node:sqlite").DatabaseSync)(process.argv[1])
        database.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM sessions WHERE id > 'm2'")
        process.kill(process.pid, "SIGKILL")`
      spawnSync(process.execPath, ["--eval", script, file])
      assert.isAbove(fs.statSync(`${file}-journal`).size, 0)
      assert.strictEqual(yield* reasonOf(file), "Unreadable")
      SqliteSessions.save(file, [])
      assert.lengthOf((yield* read(file)).records, 500)
    })
  )

  it.effect("a lock is waited for, and not for ever", () =>
    Effect.gen(function* () {
      const file = yield* database
      SqliteSessions.save(file, [full])
      const writer = new DatabaseSync(file)
      writer.exec("BEGIN EXCLUSIVE")
      const waits = yield* Effect.forkChild(read(file))
      yield* TestClock.adjust("200 millis")
      writer.exec("COMMIT")
      yield* TestClock.adjust("200 millis")
      assert.lengthOf((yield* Fiber.join(waits)).records, 1)
      writer.exec("BEGIN EXCLUSIVE")
      const gives = yield* Effect.forkChild(reasonOf(file))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(gives), "Unreadable")
    })
  )

  for (const mode of ["DELETE", "WAL"]) {
    it.live(`two at once in mode ${mode}: every read is whole, and in the end all is there`, () =>
      Effect.gen(function* () {
        const file = yield* database
        SqliteSessions.save(file, [])
        new DatabaseSync(file).exec(`PRAGMA journal_mode = ${mode}`)
        const writing = yield* Effect.forkChild(
          Effect.forEach(["a", "b"], (name) => run("test/examples/sqliteWriter.ts", [file, name]), { concurrency: 2 })
        )
        let looks = 0
        while (writing.pollUnsafe() === undefined) {
          // A writer that holds its lock for long is told, too.
          const seen = yield* Effect.result(read(file))
          if (Result.isSuccess(seen)) {
            assert.strictEqual(seen.success.records.length % 5, 0)
            looks++
          } else {
            assert.strictEqual(seen.failure.reason._tag, "Unreadable")
          }
          yield* Effect.sleep("5 millis")
        }
        for (const { exitCode, stderr } of yield* Fiber.join(writing)) assert.strictEqual(exitCode, 0, stderr)
        assert.isAbove(looks, 0)
        assert.lengthOf((yield* read(file)).records, 200)
      })
    )
  }

  it.effect("reading leaves the database as it was", () =>
    Effect.gen(function* () {
      const file = yield* database
      SqliteSessions.save(file, [full])
      const before = Tree.read(path.dirname(file))
      yield* read(file)
      assert.deepStrictEqual(Tree.read(path.dirname(file)), before)
    })
  )
})

describe(program, { timeout: 60_000 }, () => {
  it.live.skipIf(!Isolated.allowed)("shows the claims of its own database and of another", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const given = { root, prepare: Isolated.sessions("tm-harbor") }
      const demo = yield* Isolated.run(program, ["demo"], given)
      assert.match(demo.stdout, /^harbor is live; claims \/.*\/harbor; tmux lists it$/m)
      assert.match(demo.stdout, /^orchard is gone; claims \/.*\/orchard; no tmux server lists it$/m)
      assert.match(demo.stdout, /^quarry is live; claims \/.*\/quarry; its record does not decode /m)
      assert.deepStrictEqual([demo.stderr, demo.exitCode], ["", 0])
      const file = path.join(root, "fleet.db")
      Stage.write(file, [{ ...Stage.full, workspace_path: 7 }])
      const lost = yield* Isolated.run(program, [file], given)
      assert.include(lost.stdout, "Every removal is refused: ")
      assert.strictEqual(lost.exitCode, 1)
    })
  )

  it.live("no database, and wrong usage", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const none = yield* run(program, [path.join(root, "none.db")], { root })
      assert.include(none.stdout, "none.db is not there")
      assert.strictEqual(none.exitCode, 1)
      for (const args of [[], ["a", "b"], ["--nope"]]) {
        assert.strictEqual((yield* run(program, args, { root })).exitCode, 2)
      }
    })
  )
})
