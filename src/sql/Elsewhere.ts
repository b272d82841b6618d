/**
 * What other hosts say of a session's end, by their heartbeats.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Claims from "../claims/Elsewhere.ts"
import type { Evidence } from "../claims/core/SessionEnd.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Elsewhere from "./core/Elsewhere.ts"
import type { Host } from "./Host.ts"

/**
 * Asks the rows of every host but `host` for the id. What cannot be asked within `Bound.Claims` leaves the end open.
 */
export const layer = ({ host }: Host): Layer.Layer<never, never, SqlClient> =>
  Layer.effect(
    Claims.Elsewhere,
    Effect.map(
      SqlClient,
      (sql) => (id: string) =>
        sql<Elsewhere.Sighting>`
          SELECT seen.host, seen.managed_id AS "managedId",
            extract(epoch FROM clock_timestamp() - at)::float8 * 1000 AS "heartbeatAgeMs",
            told -> 'observed' = 'true' AND told -> 'sessions' -> seen.managed_id -> 'gone' = 'true' AS gone
          FROM (
            SELECT host, id AS managed_id FROM session_liveness_sessions WHERE id = ${id}
            UNION SELECT host, id FROM session_liveness_sessions WHERE claude_session_id = ${id}
            UNION SELECT host, managed_id FROM session_liveness_links WHERE claude_id = ${id}
          ) seen LEFT JOIN session_liveness_heartbeats heartbeat ON heartbeat.host = seen.host
          WHERE seen.host <> ${host}`.pipe(
          Effect.map(Elsewhere.evidenceOf),
          FailOpen.foldsTo({
            program: "Elsewhere",
            bound: Bound.Claims,
            safe: (why): ReadonlyArray<Evidence> => [
              { says: "Undeterminable", why: `other hosts could not be asked about it: ${why}` }
            ]
          })
        )
    )
  )
