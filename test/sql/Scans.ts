/**
 * Which tables a program reads as a whole, row by row, instead of by an index.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** By their names, with how often. */
export const during = Effect.fnUntraced(function* <A, E, R>(
  program: Effect.Effect<A, E, R>
): Effect.fn.Return<ReadonlyArray<string>, E | SqlError.SqlError, R | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const scans = sql<{ readonly table: string; readonly times: number }>`
    SELECT relname AS table, seq_scan::int AS times FROM pg_stat_xact_user_tables`
  // In one transaction, in which no counts are handed on: those of earlier ones may still be among them.
  const [before, , after] = yield* sql.withTransaction(Effect.all([scans, program, scans]))
  const earlier = new Map(before.map(({ table, times }) => [table, times]))
  return after.flatMap(({ table, times }) => {
    const more = times - (earlier.get(table) ?? 0)
    return more > 0 ? [`${table}, ${more} ×`] : []
  })
})
