/**
 * The table of a manager that keeps its sessions in SQLite, as that manager writes it.
 */
import { DatabaseSync } from "node:sqlite"

/** Any table with these columns can be read. The constraints keep mistakes out early. */
export const schema = `CREATE TABLE IF NOT EXISTS sessions (
  id TEXT NOT NULL PRIMARY KEY,
  tmux_name TEXT NOT NULL,
  workspace_path TEXT,
  claude_session_id TEXT,
  created_at TEXT,
  last_activity_at TEXT
) STRICT`

/** One session. Times are RFC 3339. */
export interface Row {
  readonly id: string
  readonly tmux_name: string
  readonly workspace_path?: string | null
  readonly claude_session_id?: string | null
  readonly created_at?: string | null
  readonly last_activity_at?: string | null
}

/**
 * Stores all of the rows or, if it throws, none of them. Another writer is waited for as long as `wait`, in milliseconds.
 */
export const save = (file: string, rows: ReadonlyArray<Row>, wait = 5000): void => {
  const database = new DatabaseSync(file, { timeout: wait })
  try {
    database.exec(schema)
    database.exec("BEGIN IMMEDIATE")
    const insert = database.prepare("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)")
    for (const row of rows) {
      const { workspace_path = null, claude_session_id = null, created_at = null, last_activity_at = null } = row
      insert.run(row.id, row.tmux_name, workspace_path, claude_session_id, created_at, last_activity_at)
    }
    database.exec("COMMIT")
  } finally {
    // What was not committed is rolled back.
    database.close()
  }
}
