/**
 * The records of a fleet that keeps them in a table of a SQLite database, as a `SessionStore`.
 */
import { Effect, Layer, Result, Schedule } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync, type SQLOutputValue } from "node:sqlite"
import { SessionRecord, SessionStore } from "session-liveness"

const { Malformed, Missing, SessionStoreError, Unreadable } = SessionStore

/**
 * The store in the database at `path`, opened anew for every read and never written to. One that another program has locked
 * is tried again for a second.
 */
export const layer = (options: { readonly path: string }): Layer.Layer<SessionStore.SessionStore> => {
  // Absolute, because SQLite makes something else of ":memory:" and of "file:…".
  const file = path.resolve(options.path)
  const fail = (reason: SessionStore.SessionStoreError["reason"], cause?: unknown) =>
    new SessionStoreError({ reason, path: file, ...(cause === undefined ? {} : { cause }) })
  return Layer.succeed(
    SessionStore.SessionStore,
    SessionStore.SessionStore.of({
      read: Effect.try({ try: () => readRows(file), catch: (cause) => fail(reasonOf(cause), cause) }).pipe(
        Effect.retry({ while: ({ cause }) => isLocked(cause), schedule: Schedule.spaced("50 millis"), times: 20 }),
        Effect.flatMap((rows) => Effect.fromResult(Result.mapError(parse(rows), (why) => fail(new Malformed({ why })))))
      )
    })
  )
}

type Row = Readonly<Record<string, SQLOutputValue>>

/**
 * Every row as it was at one instant.
 */
const readRows = (file: string): ReadonlyArray<Row> => {
  if (!fs.statSync(file).isFile()) throw new Error("it is no regular file")
  // No waiting in SQLite, which would hold this whole process.
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    database.exec("BEGIN")
    // A damaged page can hide rows from a SELECT that succeeds.
    const [{ quick_check: checked } = {}] = database.prepare("PRAGMA quick_check(sessions)").all()
    if (checked !== "ok") throw new Damaged(String(checked))
    const select = database.prepare(
      "SELECT id, tmux_name, workspace_path, claude_session_id, created_at, last_activity_at FROM sessions"
    )
    select.setReadBigInts(true)
    return select.all()
  } finally {
    database.close()
  }
}

class Damaged extends Error {}

/**
 * The rows through the decoder of the library, so that a record means the same wherever it is stored. What does not decode
 * is told and not left out, because it may be somebody's.
 */
const parse = (rows: ReadonlyArray<Row>): Result.Result<SessionRecord.StoredRecords, string> => {
  const sessions = new Map(
    rows.map((row, index) => {
      const record = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cell(value)]))
      return [typeof row["id"] === "string" ? row["id"] : `row ${index + 1}`, record]
    })
  )
  if (sessions.size < rows.length) return Result.fail("holds two sessions of the same id")
  return SessionRecord.parseStore(JSON.stringify({ sessions: Object.fromEntries(sessions) }))
}

/**
 * A value that the decoder takes only if it is text. SQLite puts U+FFFD for bytes that are none, and JSON `null` for an
 * infinite number: either would let a workspace go unclaimed.
 */
const cell = (value: SQLOutputValue | undefined): unknown =>
  value === null || (typeof value === "string" && !value.includes("\ufffd")) ? value : { [typeof value]: String(value) }

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined

/** SQLITE_BUSY, SQLITE_LOCKED. */
const isLocked = (error: unknown): boolean => [5, 6].includes(codeOf(error) ?? 0)

const reasonOf = (error: unknown): SessionStore.SessionStoreError["reason"] => {
  if (error instanceof Damaged) return new Malformed({ why: "is damaged" })
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Missing()
  switch (codeOf(error)) {
    case 1: // SQLITE_ERROR: a table or a column is not there.
      return new Malformed({ why: `is not as expected: ${String(error instanceof Error ? error.message : error)}` })
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return new Malformed({ why: "is no whole SQLite database" })
    default:
      return new Unreadable()
  }
}
