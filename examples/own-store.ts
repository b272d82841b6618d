/**
 * A `SessionStore` over records that lie elsewhere: here in a table of SQLite.
 *
 *     node examples/own-store.ts
 */
import { Effect, Layer, Result } from "effect"
import { DatabaseSync } from "node:sqlite"
import { SessionRecord, SessionStore, WorkspaceClaims } from "session-liveness"
import { layer } from "session-liveness/node"

const { Malformed, SessionStoreError, Unreadable } = SessionStore

const path = ":memory:"
const database = new DatabaseSync(path)
database.exec(`
  CREATE TABLE sessions (id TEXT PRIMARY KEY, tmux_name TEXT, workspace_path TEXT, created_at TEXT);
  INSERT INTO sessions VALUES ('harbor', 'tm-harbor', '/w/harbor', '2026-01-01T00:00:00Z'), ('torn', NULL, '/w/torn', NULL);
`)

/** One that cannot be read fails: no records would mean that nobody holds a workspace. */
const read = Effect.try({
  try: () => database.prepare("SELECT * FROM sessions").all(),
  catch: (cause) => new SessionStoreError({ reason: new Unreadable(), path, cause })
}).pipe(
  Effect.flatMap((rows) => {
    const sessions = Object.fromEntries(rows.map((row) => [row["id"], row]))
    // The library's own decoder: what does not decode is kept apart, and still holds its workspace.
    const parsed = SessionRecord.parseStore(JSON.stringify({ sessions }))
    return Effect.fromResult(
      Result.mapError(parsed, (why) => new SessionStoreError({ reason: new Malformed({ why }), path }))
    )
  })
)

const store = Layer.succeed(SessionStore.SessionStore, SessionStore.SessionStore.of({ read }))

const program = Effect.gen(function* () {
  const { claims } = yield* WorkspaceClaims.workspaceClaims()
  for (const { session, liveness, place } of claims) console.log(session, liveness._tag, place.path)
})

await Effect.runPromise(Effect.provide(program, Layer.merge(layer(), store)))
