/**
 * Every host of the fleet, as their heartbeats have it.
 *
 * @example
 * ```ts
 * import { PgClient } from "@effect/sql-pg"
 * import { Effect, Redacted } from "effect"
 * import { Fleet } from "session-liveness/sql"
 *
 * const database = PgClient.layer({ url: Redacted.make("postgres://fleet@db/fleet") })
 * const overview = Fleet.overview.pipe(Effect.provide(database))
 * ```
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Known from "../shared/core/Known.ts"
import * as Fleet from "./core/Fleet.ts"
import * as FleetError from "./FleetError.ts"

export { bytesOf, type Host, type Overview } from "./core/Fleet.ts"

/**
 * The hosts that have records or a heartbeat, at one instant. Ends within `Bound.Claims`.
 */
export const overview: Effect.Effect<Known.Known<Fleet.Overview>, never, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<Fleet.Row>`
    SELECT host, coalesce(records, 0) AS records,
      extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS "ageMs", told
    FROM (SELECT host FROM session_liveness_hosts UNION SELECT host FROM session_liveness_heartbeats) hosts
    LEFT JOIN (SELECT host, count(*)::int AS records FROM session_liveness_sessions GROUP BY host) recorded USING (host)
    LEFT JOIN session_liveness_heartbeats USING (host)`
  return Known.known(Fleet.of(rows))
}).pipe(
  Effect.mapError(FleetError.of),
  FailOpen.foldsTo({ program: "Fleet.overview", bound: Bound.Claims, safe: Known.unknown }),
  Effect.withSpan("Fleet.overview")
)
