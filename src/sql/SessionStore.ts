/**
 * The records of one host, in a table.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SessionRecord from "../records/core/SessionRecord.ts"
import { Malformed, Missing, SessionStore, SessionStoreError, Unreadable } from "../records/SessionStore.ts"
import * as Elsewhere from "./Elsewhere.ts"
import type { Host } from "./Host.ts"

/**
 * The records of `host`. A host that was never entered in `session_liveness_hosts` is a missing store and not an empty
 * one, so that a mistake in its name refuses instead of finding nobody. The records of other hosts claim nothing here; the
 * ends of their sessions are told by their heartbeats, in the same layer.
 */
export const layer = ({ host }: Host): Layer.Layer<SessionStore, never, SqlClient> =>
  Layer.merge(
    Layer.effect(
      SessionStore,
      Effect.map(SqlClient, (sql) => {
        const path = `the table session_liveness_sessions of host ${JSON.stringify(host)}`
        const fail = (reason: SessionStoreError["reason"], cause?: unknown) =>
          new SessionStoreError({ reason, path, ...(cause === undefined ? {} : { cause }) })
        return SessionStore.of({
          // One statement, so that the rows are those of one instant.
          read: sql<Row>`
            SELECT entered.host, id, tmux_name, workspace_path, claude_session_id, created_at, last_activity_at
            FROM session_liveness_hosts entered LEFT JOIN session_liveness_sessions USING (host)
            WHERE entered.host = ${host}`.pipe(
            Effect.mapError((cause) => fail(reasonOf(cause), cause)),
            Effect.filterOrFail(
              (rows) => rows.length > 0,
              () => fail(new Missing())
            ),
            Effect.flatMap((rows) =>
              Effect.fromResult(Result.mapError(parse(rows), (why) => fail(new Malformed({ why }))))
            )
          )
        })
      })
    ),
    Elsewhere.layer({ host })
  )

type Row = Readonly<Record<string, string | null>>

/** Through the decoder of the file, so that a record means the same wherever it is stored. */
const parse = (rows: ReadonlyArray<Row>): Result.Result<SessionRecord.StoredRecords, string> =>
  SessionRecord.parseStore(
    JSON.stringify({
      sessions: Object.fromEntries(rows.flatMap((row) => (row["id"] == null ? [] : [[row["id"], row]])))
    })
  )

const reasonOf = ({ reason }: SqlError): SessionStoreError["reason"] =>
  reason._tag === "SqlSyntaxError"
    ? new Malformed({ why: "is not what this version expects; run migrate" })
    : new Unreadable()
