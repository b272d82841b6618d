/**
 * The links of one host, in a table, as the link files of a sidecar.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as LinkFile from "../links/core/LinkFile.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import type { Content } from "../links/AppendOnlyFiles.ts"
import { LinkWriteError, LinkWriter, Reason as WriteReason } from "../links/LinkWriter.ts"
import { Listing, Reason, SidecarError, SidecarReader } from "../links/SidecarReader.ts"
import * as ClaudeId from "../shared/core/ClaudeId.ts"
import type { Host } from "./Host.ts"

/**
 * The sidecar of `host`. A link is one row that is inserted and never changed: there is no torn tail to heal and no damage,
 * of several writers of one link exactly one has written it, and nothing is moved into a quarantine, because a lookup costs
 * the same however many links there are.
 */
export const layer = (options: Host): Layer.Layer<SidecarReader | LinkWriter, never, SqlClient> =>
  Layer.merge(
    Layer.effect(
      SidecarReader,
      Effect.map(SqlClient, (sql) => reader(sql, options))
    ),
    Layer.effect(
      LinkWriter,
      Effect.map(SqlClient, (sql) => writer(sql, options))
    )
  )

interface Row {
  readonly managed_id: string
  readonly claude_id: string
  readonly linked_at: Date
}

/** How many link files one statement asks for. */
const batch = 1000

const pathOf = ({ host }: Host, name?: string): string =>
  `session_liveness_links of host ${JSON.stringify(host)}${name === undefined ? "" : `, ${JSON.stringify(name)}`}`

const reader = (sql: SqlClient, options: Host): SidecarReader["Service"] => {
  const { host } = options
  const fail = (reason: Reason, name?: string, cause?: unknown) =>
    new SidecarError({ reason, path: pathOf(options, name), cause })
  const unreadable = (name?: string) => (cause: unknown) => fail(Reason.Unreadable(), name, cause)
  const read = (names: ReadonlyArray<string>) =>
    Effect.map(
      sql<Row>`SELECT managed_id, claude_id, linked_at FROM session_liveness_links
        WHERE host = ${host} AND ${sql.in("managed_id", names)} ORDER BY ordinal`,
      filesOf
    )
  return SidecarReader.of({
    list: sql<Row>`SELECT DISTINCT managed_id FROM session_liveness_links WHERE host = ${host}`.pipe(
      Effect.mapBoth({
        onSuccess: (rows) => Listing.Listed({ names: rows.map((row) => row.managed_id) }),
        onFailure: unreadable()
      })
    ),
    read: (name) =>
      read([name]).pipe(
        Effect.mapError(unreadable(name)),
        Effect.flatMap((files) => Effect.fromNullishOr(files.get(name))),
        Effect.catchTag("NoSuchElementError", () => Effect.fail(fail(Reason.Vanished(), name)))
      ),
    readEach: (names, visit) =>
      Effect.forEach(
        batches(names),
        (some) =>
          Effect.map(Effect.result(read(some)), (files) => {
            for (const name of some) {
              const content = Result.map(files, (found) => found.get(name))
              visit(
                name,
                Result.isFailure(content)
                  ? Result.fail(unreadable(name)(content.failure))
                  : content.success === undefined
                    ? Result.fail(fail(Reason.Vanished(), name))
                    : Result.succeed(content.success)
              )
            }
          }),
        { discard: true }
      ),
    find: (claudeId) =>
      sql<Row>`SELECT managed_id, claude_id, linked_at FROM session_liveness_links
        WHERE host = ${host} AND managed_id IN (
          SELECT managed_id FROM session_liveness_links WHERE claude_id = ${claudeId} AND host = ${host}
        ) ORDER BY ordinal`.pipe(
        Effect.mapBoth({
          onSuccess: (rows) => ({
            files: Array.from(filesOf(rows)).flatMap(([managedId, { bytes }]) =>
              ManagedId.is(managedId) ? [{ managedId, file: LinkFile.parse(bytes) }] : []
            ),
            faults: []
          }),
          onFailure: unreadable()
        })
      )
  })
}

const writer = (sql: SqlClient, options: Host): LinkWriter["Service"] => {
  const fail = (name: string, reason: WriteReason, cause?: unknown) =>
    new LinkWriteError({ reason, path: pathOf(options, name), cause })
  return LinkWriter.of({
    append: (managedId, claudeId) =>
      sql`INSERT INTO session_liveness_links (host, managed_id, claude_id)
        VALUES (${options.host}, ${managedId}, ${claudeId}) ON CONFLICT DO NOTHING RETURNING ordinal`.pipe(
        Effect.mapBoth({
          onSuccess: (rows) => rows.length === 1,
          onFailure: (cause) => fail(managedId, WriteReason.Failed(), cause)
        })
      ),
    closeTail: () => Effect.succeed(false),
    quarantine: (managedId) => Effect.fail(fail(managedId, WriteReason.Immovable()))
  })
}

/**
 * Rows in the order in which they were inserted, as the files that they would be. An id that no writer of ours has written
 * is damage there too, whatever it holds.
 */
const filesOf = (rows: ReadonlyArray<Row>): ReadonlyMap<string, Content> => {
  const files = new Map<string, { lines: string; modifiedAt: number }>()
  for (const { managed_id, claude_id, linked_at } of rows) {
    const file = files.get(managed_id) ?? { lines: "", modifiedAt: 0 }
    file.lines += `${ClaudeId.is(claude_id) ? claude_id : damage}\n`
    file.modifiedAt = Math.max(file.modifiedAt, linked_at.getTime())
    files.set(managed_id, file)
  }
  return new Map(
    Array.from(files, ([name, { lines, modifiedAt }]) => [name, { bytes: encoder.encode(lines), modifiedAt }])
  )
}

const damage = "\ufffd"

const encoder = new TextEncoder()

const batches = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(names.length / batch) }, (_, index) => names.slice(index * batch, (index + 1) * batch))
