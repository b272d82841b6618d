/**
 * A `SessionStore` over records that lie elsewhere: here in a table of CSV.
 *
 *     node examples/own-store.ts
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Result } from "effect"
import { SessionRecord, SessionStore, WorkspaceClaims } from "session-liveness"
import { layer } from "session-liveness/node"

const { Malformed, SessionStoreError, Unreadable } = SessionStore

/** One that cannot be read fails: no records would mean that nobody holds a workspace. */
const read = (fs: FileSystem.FileSystem, path: string) =>
  fs.readFileString(path).pipe(
    Effect.mapError((cause) => new SessionStoreError({ reason: new Unreadable(), path, cause })),
    Effect.flatMap((text) => {
      const [head = [], ...rows] = text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(","))
      const records = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] || null])))
      // The library's own decoder: what does not decode is kept apart, and still holds its workspace.
      const sessions = Object.fromEntries(records.map((record) => [record["id"], record]))
      return Effect.fromResult(
        Result.mapError(
          SessionRecord.parseStore(JSON.stringify({ sessions })),
          (why) => new SessionStoreError({ reason: new Malformed({ why }), path })
        )
      )
    })
  )

const table = `id,tmux_name,workspace_path,created_at
harbor,tm-harbor,/w/harbor,2026-01-01T00:00:00Z
torn,,/w/torn,
`

const store = Layer.effect(
  SessionStore.SessionStore,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* fs.makeTempFileScoped()
    yield* fs.writeFileString(path, table)
    return SessionStore.SessionStore.of({ read: read(fs, path) })
  })
).pipe(Layer.provide(NodeFileSystem.layer))

const program = Effect.gen(function* () {
  const { claims } = yield* WorkspaceClaims.workspaceClaims()
  for (const { session, liveness, place } of claims) console.log(session, liveness._tag, place.path)
})

await Effect.runPromise(Effect.provide(program, Layer.merge(layer(), store)))
