/**
 * A fleet of many hosts, as if it had run for long.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export interface Size {
  readonly hosts: number
  /** Of each host. */
  readonly sessions: number
  /** Of each session. */
  readonly links: number
  /** Of each link, in the ledger. */
  readonly rows: number
}

/** Fills an empty database. Host `h1` has session `h1-s1` with links `h1-s1-c1` and so on, and a fresh heartbeat. */
export const populate = Effect.fnUntraced(function* ({
  hosts,
  sessions,
  links,
  rows
}: Size): Effect.fn.Return<void, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE session_liveness_hosts, session_liveness_sessions, session_liveness_links,
    session_liveness_savings, session_liveness_heartbeats`
  yield* sql`INSERT INTO session_liveness_hosts SELECT 'h' || h FROM generate_series(1, ${hosts}::int) h`
  yield* sql`INSERT INTO session_liveness_sessions
    SELECT 'h' || h, 'h' || h || '-s' || s, 'tm-h' || h || '-s' || s, '/w/' || s, 'h' || h || '-s' || s || '-c1', '2020-01-01T00:00:00Z', NULL
    FROM generate_series(1, ${hosts}::int) h, generate_series(1, ${sessions}::int) s`
  yield* sql`INSERT INTO session_liveness_links (host, managed_id, claude_id)
    SELECT host, id, id || '-c' || c FROM session_liveness_sessions, generate_series(1, ${links}::int) c`
  yield* sql`INSERT INTO session_liveness_savings
    SELECT host, claude_id, '', '', 1, 1, '' FROM session_liveness_links, generate_series(1, ${rows}::int)`
  yield* sql`INSERT INTO session_liveness_heartbeats (host, told)
    SELECT host, jsonb_build_object('observed', true, 'incomplete', NULL, 'reclaimable', NULL, 'sessions',
      jsonb_object_agg(id, jsonb_build_object('gone', true, 'why', 'tmux does not list it, and nothing carries it on')))
    FROM session_liveness_sessions GROUP BY host`
  yield* sql`ANALYZE`
})
