/**
 * Databases that hold what a test wants, and not what their schema would allow.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

export const columns = [
  "id",
  "tmux_name",
  "workspace_path",
  "claude_session_id",
  "created_at",
  "last_activity_at"
] as const

export type Row = Readonly<Partial<Record<(typeof columns)[number], SQLInputValue | undefined>>>

/** A whole session. */
export const full = {
  id: "m1",
  tmux_name: "tm-one",
  workspace_path: "/w/one",
  claude_session_id: "c1",
  created_at: "2026-01-02T03:04:05.678Z",
  last_activity_at: "2026-01-02T04:04:05+01:00"
}

/** Makes `file` a database with these rows and no others, in columns that take anything. */
export const write = (file: string, rows: ReadonlyArray<Row>, among: ReadonlyArray<string> = columns): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.rmSync(file, { recursive: true, force: true })
  const database = new DatabaseSync(file)
  try {
    database.exec(`PRAGMA synchronous = OFF; BEGIN; CREATE TABLE sessions (${among.join(", ")})`)
    const insert = database.prepare(`INSERT INTO sessions VALUES (${among.map(() => "?").join(", ")})`)
    const cells = new Map<Row, Readonly<Record<string, SQLInputValue | undefined>>>(rows.map((row) => [row, row]))
    for (const row of cells.values()) insert.run(...among.map((column) => row[column] ?? null))
    database.exec("COMMIT")
  } finally {
    database.close()
  }
}
