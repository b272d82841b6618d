/**
 * Every host of the fleet, as their heartbeats have it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Known from "../shared/core/Known.ts"
import * as Fleet from "./core/Fleet.ts"
import { Heartbeat } from "./core/Heartbeat.ts"

/**
 * The hosts that have records or a heartbeat, at one instant. Ends within `Bound.Claims`.
 */
export const overview: Effect.Effect<Known.Known<Fleet.Overview>, never, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`
    SELECT host, coalesce(records, 0) AS records,
      extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS "ageMs", told AS heartbeat
    FROM (SELECT host FROM session_liveness_hosts UNION SELECT host FROM session_liveness_heartbeats) hosts
    LEFT JOIN (SELECT host, count(*)::int AS records FROM session_liveness_sessions GROUP BY host) recorded USING (host)
    LEFT JOIN session_liveness_heartbeats USING (host)`
  return Known.known(Fleet.of(yield* decode(rows)))
}).pipe(
  FailOpen.foldsTo({ program: "Fleet.overview", bound: Bound.Claims, safe: Known.unknown }),
  Effect.withSpan("Fleet.overview")
)

const decode = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      host: Schema.String,
      records: Schema.Finite,
      ageMs: Schema.NullOr(Schema.Finite),
      heartbeat: Schema.NullOr(Heartbeat)
    })
  )
)
