/**
 * The manager of a host, which writes its records.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

const columns = ["id", "tmux_name", "workspace_path", "claude_session_id", "created_at", "last_activity_at"] as const

/** Enters the host, and gives it these records and no others. */
export const write = Effect.fnUntraced(function* (
  host: string,
  records: ReadonlyArray<unknown>
): Effect.fn.Return<void, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO session_liveness_hosts VALUES (${host}) ON CONFLICT DO NOTHING`
  yield* sql`DELETE FROM session_liveness_sessions WHERE host = ${host}`
  for (const record of records as ReadonlyArray<Readonly<Record<string, unknown>>>) {
    const fields = columns.map((column) => [column, record[column] == null ? null : String(record[column])])
    yield* sql`INSERT INTO session_liveness_sessions ${sql.insert({ host, ...Object.fromEntries(fields) })}`
  }
})
