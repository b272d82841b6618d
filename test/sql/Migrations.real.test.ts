import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../src/sql/index.ts"
import * as Postgres from "./Postgres.ts"

class Cluster extends Context.Service<Cluster, Postgres.Cluster>()("test/Cluster") {}

const title = `migrations${Postgres.skipped === undefined ? "" : `: ${Postgres.skipped}`}`

describe.skipIf(Postgres.skipped !== undefined)(title, () => {
  layer(Layer.effect(Cluster, Postgres.cluster), { timeout: "30 seconds", excludeTestServices: true })((it) => {
    it.effect("migrating again, and side by side, changes nothing", () =>
      Effect.gen(function* () {
        const { connect } = yield* Cluster
        yield* Effect.gen(function* () {
          yield* Effect.all([migrate(), migrate(), migrate()], { concurrency: "unbounded" })
          yield* migrate()
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM session_liveness_migrations`
          assert.strictEqual(row?.n, 1)
        }).pipe(Effect.provide(connect()))
      })
    )

    it.effect("the role may insert links and ledger rows, and neither change nor delete them", () =>
      Effect.gen(function* () {
        const { connect } = yield* Cluster
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE ROLE "a ""role" LOGIN`
          yield* migrate({ role: 'a "role' })
        }).pipe(Effect.provide(connect()))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO session_liveness_links (host, managed_id, claude_id) VALUES ('h', 'm1', 'c1')`
          const refused = {
            update: sql`UPDATE session_liveness_links SET claude_id = 'c2'`,
            delete: sql`DELETE FROM session_liveness_links`,
            truncate: sql`TRUNCATE session_liveness_links`,
            updateLedger: sql`UPDATE session_liveness_savings SET tokens_saved = 1`,
            deleteLedger: sql`DELETE FROM session_liveness_savings`,
            session: sql`DELETE FROM session_liveness_sessions`,
            host: sql`INSERT INTO session_liveness_hosts VALUES ('h')`,
            drop: sql`DROP TABLE session_liveness_links`
          }
          for (const [what, statement] of Object.entries(refused)) {
            assert.strictEqual(
              yield* Effect.match(statement, { onSuccess: () => "done", onFailure: ({ reason }) => reason._tag }),
              "AuthorizationError",
              what
            )
          }
        }).pipe(Effect.provide(connect({ username: 'a "role' })))
      })
    )
  })
})
