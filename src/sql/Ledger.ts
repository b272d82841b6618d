/**
 * The ledger rows of one host, in a table.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as SavingsTotal from "../links/core/SavingsTotal.ts"
import { LedgerError, Reason, SavingsLedger } from "../links/SavingsLedger.ts"
import * as Text from "../shared/core/Text.ts"
import type { Host } from "./Host.ts"

/**
 * The ledger of `host`. A row that could not be counted is refused when it is appended, so that none is skipped later.
 */
export const layer = ({ host }: Host): Layer.Layer<SavingsLedger, never, SqlClient> =>
  Layer.effect(
    SavingsLedger,
    Effect.map(SqlClient, (sql) => {
      const fail = (reason: Reason) => (cause: unknown) =>
        new LedgerError({ reason, path: `session_liveness_savings of host ${JSON.stringify(host)}`, cause })
      const unreadable = fail(Reason.Unreadable())
      return SavingsLedger.of({
        total: (ids) =>
          Effect.suspend(() => {
            const asked = storable(ids)
            const fold = SavingsTotal.begin(asked)
            if (asked.length === 0) return Effect.succeed(fold.end())
            const rows = sql<object>`SELECT session_id, tokens_saved, cost_saved_usd FROM session_liveness_savings
              WHERE host = ${host} AND ${sql.in("session_id", asked)}`.stream
            return rows.pipe(
              Stream.runForEach((row) => Effect.sync(() => fold.push(`${JSON.stringify(row)}\n`))),
              Effect.mapBoth({ onSuccess: fold.end, onFailure: unreadable })
            )
          }),
        mentioned: (ids) =>
          Effect.suspend(() => {
            const asked = storable(ids)
            if (asked.length === 0) return Effect.succeed(new Set<string>())
            return sql<{ session_id: string }>`SELECT DISTINCT session_id FROM session_liveness_savings
              WHERE host = ${host} AND ${sql.in("session_id", asked)}`.pipe(
              Effect.mapBoth({
                onSuccess: (rows) => new Set(rows.map((row) => row.session_id)),
                onFailure: unreadable
              })
            )
          }),
        append: ({ ts, session_id, technique, tokens_saved, cost_saved_usd, basis }) =>
          sql`INSERT INTO session_liveness_savings
            (host, session_id, ts, technique, tokens_saved, cost_saved_usd, basis)
            VALUES (${host}, ${Text.trim(session_id)}, ${ts}, ${technique}, ${tokens_saved}, ${cost_saved_usd}, ${basis})`.pipe(
            Effect.asVoid,
            Effect.mapError(fail(Reason.Unwritten()))
          )
      })
    })
  )

/** What may stand in a row at all: text of PostgreSQL holds no NUL. */
const storable = (ids: Iterable<string>): ReadonlyArray<string> =>
  Array.from(new Set(ids), Text.trim).filter((id) => id !== "" && id.isWellFormed() && !id.includes("\u0000"))
