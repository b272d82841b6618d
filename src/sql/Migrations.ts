/**
 * The tables, and what a role may do with them.
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Makes the tables, or what they lack, in the first schema of the search path, and grants `role` what the layers need:
 * links and ledger rows it may read and insert, never change or delete; hosts and sessions, which their manager writes,
 * it may only read. It has to run as the owner of the tables.
 */
export const migrate = Effect.fn("Migrations.migrate")(function* (
  options: { readonly role?: string | undefined } = {}
): Effect.fn.Return<void, Migrator.MigrationError | SqlError, SqlClient> {
  const sql = yield* SqlClient
  yield* Migrator.make({})({ loader, table: "session_liveness_migrations" })
  if (options.role === undefined) return
  const role = sql(options.role)
  yield* sql`GRANT SELECT ON session_liveness_hosts, session_liveness_sessions TO ${role}`
  yield* sql`GRANT SELECT, INSERT ON session_liveness_links, session_liveness_savings TO ${role}`
  yield* sql`GRANT SELECT, INSERT, UPDATE ON session_liveness_heartbeats TO ${role}`
})

/**
 * Text is compared exactly, whatever the database sorts by. What a row says is checked where it enters, so that no row has
 * to be passed over when it is read.
 */
const stores = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE session_liveness_hosts (host text PRIMARY KEY CHECK (host <> ''))`
  yield* sql`CREATE TABLE session_liveness_sessions (
    host text NOT NULL REFERENCES session_liveness_hosts,
    id text NOT NULL,
    tmux_name text,
    workspace_path text,
    claude_session_id text,
    created_at text,
    last_activity_at text,
    PRIMARY KEY (host, id)
  )`
  yield* sql`CREATE INDEX session_liveness_sessions_id ON session_liveness_sessions (id)`
  yield* sql`CREATE INDEX session_liveness_sessions_claude ON session_liveness_sessions (claude_session_id)`
  yield* sql`CREATE TABLE session_liveness_links (
    host text NOT NULL CHECK (host <> ''),
    managed_id text NOT NULL,
    claude_id text NOT NULL,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    linked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (host, managed_id, claude_id)
  )`
  yield* sql`CREATE INDEX session_liveness_links_claude ON session_liveness_links (claude_id, host)`
  yield* sql`CREATE TABLE session_liveness_savings (
    host text NOT NULL CHECK (host <> ''),
    session_id text NOT NULL CHECK (session_id <> ''),
    ts text NOT NULL,
    technique text NOT NULL,
    tokens_saved double precision NOT NULL CHECK (tokens_saved > 0 AND tokens_saved = floor(tokens_saved)),
    cost_saved_usd double precision NOT NULL CHECK (cost_saved_usd > 0),
    basis text NOT NULL,
    CHECK (tokens_saved < 'Infinity' AND cost_saved_usd < 'Infinity')
  )`
  yield* sql`CREATE INDEX session_liveness_savings_session ON session_liveness_savings (session_id, host)`
  yield* sql`CREATE TABLE session_liveness_heartbeats (
    host text PRIMARY KEY CHECK (host <> ''),
    at timestamptz NOT NULL DEFAULT now(),
    told jsonb NOT NULL
  )`
})

const loader = Migrator.fromRecord({ "0001_stores": stores })
