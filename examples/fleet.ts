/**
 * Two hosts that keep their records in one PostgreSQL, and what each knows of the other.
 *
 *     DATABASE_URL=postgres://postgres@localhost/postgres node examples/fleet.ts
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ClaudeSessions, ProcessTable, WorkspaceClaims } from "session-liveness"
import { layer } from "session-liveness/node"
import { Fleet, Heartbeat, layerSessionStore, layerSidecar, migrate } from "session-liveness/sql"
import { FakeTmux } from "session-liveness/testing"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  console.log("This needs a PostgreSQL: docker run --rm -p 5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres")
  console.log("Then: DATABASE_URL=postgres://postgres@localhost/postgres node examples/fleet.ts")
  process.exit()
}

/** What the manager of a host writes. */
const record = Effect.fnUntraced(function* (host: string, id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO session_liveness_hosts VALUES (${host}) ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO session_liveness_sessions (host, id, tmux_name, workspace_path)
    VALUES (${host}, ${id}, ${`tm-${id}`}, ${`/w/${id}`}) ON CONFLICT DO NOTHING`
})

/** A host whose tmux lists these names. On a real one `layer()` of session-liveness/node asks its own tmux. */
const machine = (host: string, ...names: ReadonlyArray<string>) => {
  const sessions = names.map((name) => ({ name, panes: [] }))
  return Layer.mergeAll(
    layer(),
    layerSessionStore({ host }),
    layerSidecar({ host }),
    FakeTmux.layer({ reach: "Here", sockets: [{ path: "/s", answers: { pid: 1, startTime: 1, sessions } }] }),
    ProcessTable.layerNone,
    ClaudeSessions.layerNone
  )
}

const program = Effect.gen(function* () {
  yield* migrate()
  yield* Effect.all([record("harbor", "ship"), record("orchard", "apple"), record("orchard", "pear")])
  yield* Heartbeat.beat({ host: "harbor" }).pipe(Effect.provide(machine("harbor", "tm-ship")))
  yield* Heartbeat.beat({ host: "orchard" }).pipe(Effect.provide(machine("orchard", "tm-apple")))
  const { claims } = yield* WorkspaceClaims.workspaceClaims().pipe(Effect.provide(machine("harbor", "tm-ship")))
  console.log("claims on harbor:", claims.map(({ session }) => session).join(", "))
  console.dir(yield* Fleet.overview, { depth: 8 })
})

await Effect.runPromise(program.pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) }))))
