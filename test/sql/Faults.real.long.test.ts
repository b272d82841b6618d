import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Bound, SavingsLedger, SavingsTotal, SessionLinks, WorkspaceClaims } from "../../src/internal.ts"
import { Elsewhere } from "../../src/claims/Elsewhere.ts"
import { Fleet, Heartbeat, layerLedger, layerSessionStore, layerSidecar, migrate } from "../../src/sql/index.ts"
import * as FaultyWire from "./FaultyWire.ts"
import * as Hosts from "./Hosts.ts"
import * as Machine from "./Machine.ts"
import * as Manager from "./Manager.ts"
import * as Postgres from "./Postgres.ts"

type Database = Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>

const links = Duration.millis(300)
const claims = Duration.millis(600)

const bounds = Layer.mergeAll(
  Layer.succeed(Bound.Links, links),
  Layer.succeed(Bound.Claims, claims),
  Layer.succeed(Bound.Observation, links),
  Logger.layer([])
)

const on = (host: string, database: Database) => {
  const me = { host }
  return Layer.mergeAll(layerSessionStore(me), layerSidecar(me), layerLedger(me), Machine.listing(), bounds).pipe(
    Layer.provideMerge(database)
  )
}

/** No other host knows it. */
const own = (host: string) => `of ${host}`

const row = (session_id: string): SavingsTotal.Row => ({
  ts: "2026-01-01T00:00:00Z",
  session_id,
  technique: "t",
  tokens_saved: 7,
  cost_saved_usd: 0.5,
  basis: "b"
})

/** What every program says, in few words. Each has to end by itself. */
const answers = (host: string) =>
  Effect.gen(function* () {
    const elsewhere = yield* Elsewhere
    const { owners, incomplete } = yield* WorkspaceClaims.workspaceClaims()
    return {
      claims: incomplete === undefined ? [...(owners.owners?.keys() ?? [])] : "refuses all",
      siblings: yield* SessionLinks.linkedClaudeIds(own(host)),
      history: (yield* SessionLinks.linkHistory)._tag,
      total: (yield* SavingsLedger.total([own(host)])).tokensSaved,
      recorded: yield* SessionLinks.recordLink("m1", "new"),
      elsewhere: (yield* elsewhere(own(host))).map(({ says }) => says),
      fleet: (yield* Fleet.overview)._tag,
      beat: yield* Heartbeat.beat({ host })
    }
  })

const safe = {
  claims: "refuses all",
  siblings: [],
  history: "Unreadable",
  total: 0,
  recorded: false,
  elsewhere: ["Undeterminable"],
  fleet: "Unknown",
  beat: false
}

const right = (host: string) => ({
  claims: ["m1"],
  siblings: [own(host)],
  history: "Read",
  total: 7,
  recorded: true,
  elsewhere: [],
  fleet: "Known",
  beat: true
})

Hosts.describe("a database that does not answer", ({ cluster, database, fresh }) => {
  const roles = `CREATE ROLE app LOGIN; CREATE ROLE blind LOGIN`

  /** A host with a record, a link and a ledger row. */
  const filled = Effect.gen(function* () {
    const host = fresh()
    yield* Manager.write(host, [{ id: "m1", tmux_name: "tm-m1" }])
    yield* SessionLinks.recordLink("m1", own(host)).pipe(Effect.provide(layerSidecar({ host })))
    yield* SavingsLedger.SavingsLedger.use((ledger) => ledger.append(row(own(host)))).pipe(
      Effect.provide(layerLedger({ host }))
    )
    return host
  })

  const prepared = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const exists = yield* sql`SELECT 1 FROM pg_roles WHERE rolname = 'app'`
    if (exists.length > 0) return
    for (const statement of roles.split("; ")) yield* sql.unsafe(statement)
    yield* migrate({ role: "app" })
    yield* sql`CREATE SCHEMA elsewhere`
    yield* sql`CREATE TABLE elsewhere.session_liveness_links (host text, claude_id int)`
    yield* sql`GRANT USAGE ON SCHEMA elsewhere TO app`
    yield* sql`GRANT INSERT ON session_liveness_links, session_liveness_savings TO blind`
  })

  /** A fault: what the layers are given, for as long as the scope lasts. */
  type Fault = Effect.Effect<Database, SqlError.SqlError, SqlClient.SqlClient | Scope.Scope>

  const app = (options: Parameters<Postgres.Cluster["connect"]>[0] = {}) =>
    Effect.sync(() => cluster().connect({ username: "app", ...options }))

  /** Another connection that holds on to something. */
  const held = (statement: string): Effect.Effect<void, SqlError.SqlError, Scope.Scope> =>
    Effect.gen(function* () {
      const sql = yield* Effect.map(Layer.build(cluster().connect({ maxConnections: 1 })), (context) =>
        Effect.provideContext(SqlClient.SqlClient, context)
      )
      const connection = yield* (yield* sql).reserve
      yield* connection.executeUnprepared("BEGIN", [], undefined)
      yield* connection.executeUnprepared(statement, [], undefined)
    })

  const faults: Readonly<Record<string, Fault>> = {
    "nobody listens on": Effect.sync(() => cluster().connect({ username: "app", port: 1 })),
    "has a lock held on every table": Effect.andThen(
      held(
        "LOCK session_liveness_hosts, session_liveness_sessions, session_liveness_links, session_liveness_savings, session_liveness_heartbeats"
      ),
      app()
    ),
    "is out of connections": Effect.gen(function* () {
      const others = yield* Layer.build(
        cluster().connect({ username: "app", maxConnections: 2 * Postgres.connections })
      )
      const sql = yield* Effect.provideContext(SqlClient.SqlClient, others)
      while ((yield* Effect.result(sql.reserve))._tag === "Success");
      return yield* app()
    }),
    "holds another schema": app({ startupParameters: { search_path: "elsewhere" } }),
    "refuses the role": Effect.sync(() => cluster().connect({ username: "blind" }))
  }

  for (const [what, fault] of Object.entries(faults)) {
    it.live(
      `one that ${what} gives every safe answer, changes nothing, and the right ones afterwards`,
      () =>
        Effect.gen(function* () {
          yield* prepared
          const host = yield* filled
          yield* Effect.gen(function* () {
            const faulty = yield* fault
            assert.deepStrictEqual<unknown>(yield* answers(host).pipe(Effect.provide(on(host, faulty))), safe)
          }).pipe(Effect.scoped)
          const calm = on(host, yield* app())
          assert.deepStrictEqual<unknown>(yield* answers(host).pipe(Effect.provide(calm)), right(host))
        }).pipe(Effect.provide(database)),
      30_000
    )
  }

  it.live(
    "of two hosts the one that is cut off claims all and records nothing, ends nothing elsewhere, and is whole again afterwards",
    () =>
      Effect.gen(function* () {
        const [here, there] = [yield* filled, yield* filled]
        const sql = yield* SqlClient.SqlClient
        const wire = FaultyWire.make(`${cluster().directory}/.s.PGSQL.5432`, [])
        const apart = on(there, cluster().connect({ stream: wire.stream }))
        const beside = on(here, cluster().connect())
        /** Of the other host's session, and of the other host, as they are seen from the one that is not cut off. */
        const seen = Effect.gen(function* () {
          const told = yield* (yield* Elsewhere)(own(there))
          const fleet = yield* Fleet.overview
          const host = fleet._tag === "Known" ? fleet.value.hosts.find(({ host }) => host === there) : undefined
          return [told.map(({ says }) => says), host?.silent]
        }).pipe(Effect.provide(beside))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual<unknown>(yield* answers(there), right(there))
          assert.deepStrictEqual<unknown>(yield* seen, [["Ended"], false])
          wire.cut()
          assert.deepStrictEqual<unknown>(yield* answers(there), safe)
          // What it said last holds for a minute.
          assert.deepStrictEqual<unknown>(yield* seen, [["Ended"], false])
          yield* sql`UPDATE session_liveness_heartbeats SET at = at - interval '61 seconds' WHERE host = ${there}`
          assert.deepStrictEqual<unknown>(yield* seen, [["Undeterminable"], true])
          assert.deepStrictEqual<unknown>(yield* answers(there), safe)
          assert.deepStrictEqual<unknown>(yield* Effect.provide(answers(here), beside), right(here))
          wire.mend()
          // What was recorded before the cut is there, and need not be recorded again.
          const whole = { ...right(there), siblings: [own(there), "new"], recorded: false }
          assert.deepStrictEqual<unknown>(yield* answers(there), whole)
          assert.deepStrictEqual<unknown>(yield* seen, [["Ended"], false])
        }).pipe(Effect.provide(apart))
      }).pipe(Effect.provide(database)),
    60_000
  )

  it.live(
    "one layer answers rightly again once the lock is gone, and what was given up was not written later",
    () =>
      Effect.gen(function* () {
        yield* prepared
        const host = yield* filled
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
          yield* Effect.gen(function* () {
            yield* held("LOCK session_liveness_links")
            assert.isFalse(yield* SessionLinks.recordLink("m1", "late"))
            while ((yield* waiting).length > 0) yield* Effect.sleep("10 millis")
          }).pipe(Effect.scoped)
          assert.deepStrictEqual<unknown>(yield* SessionLinks.linkedClaudeIds(own(host)), [own(host)])
          assert.isTrue(yield* SessionLinks.recordLink("m1", "late"))
        }).pipe(Effect.provide(on(host, yield* app())))
      }).pipe(Effect.provide(database)),
    30_000
  )

  it.live(
    "a server that is killed while writers are at work keeps every link and every row that was answered for",
    () =>
      Effect.gen(function* () {
        const host = fresh()
        const { kill, start, connect } = cluster()
        const told: Array<string> = []
        let rows = 0
        yield* Effect.gen(function* () {
          const ledger = yield* SavingsLedger.SavingsLedger
          const ids = Array.from({ length: 4000 }, (_, index) => `c${index}`)
          const writing = yield* Effect.forkChild(
            Effect.forEach(
              ids,
              Effect.fnUntraced(function* (id) {
                if (yield* SessionLinks.recordLink("m1", id)) told.push(id)
                if ((yield* Effect.exit(ledger.append(row("a session"))))._tag === "Success") rows++
              }),
              { concurrency: 4 }
            )
          )
          while (told.length < 50) yield* Effect.sleep("5 millis")
          yield* kill
          const before = told.length
          yield* start
          while (told.length < before + 20) yield* Effect.sleep("5 millis")
          writing.interruptUnsafe()
          const kept = yield* SavingsLedger.total(["a session"])
          assert.isAtLeast(kept.rows, rows)
          assert.isAbove(rows, 50)
          const read = yield* SessionLinks.linkHistory
          assert.strictEqual(read._tag, "Read")
          const there = new Set<string>(read._tag === "Read" ? read.links.keys() : [])
          assert.deepStrictEqual(
            told.filter((id) => !there.has(id)),
            []
          )
          assert.deepStrictEqual(
            [...there].filter((id) => !ids.includes(id)),
            []
          )
        }).pipe(
          Effect.provide(
            Layer.mergeAll(layerSidecar({ host }), layerLedger({ host }), bounds).pipe(Layer.provide(connect()))
          )
        )
      }),
    30_000
  )
})
