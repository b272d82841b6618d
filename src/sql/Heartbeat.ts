/**
 * What this host tells the others.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as WorkspaceClaims from "../claims/WorkspaceClaims.ts"
import type * as ReclaimPlan from "../reclaim/core/ReclaimPlan.ts"
import type { Sizes } from "../reclaim/Sizes.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Heartbeat from "./core/Heartbeat.ts"
import * as FleetError from "./FleetError.ts"
import type { Host } from "./Host.ts"

export interface Options extends Host, WorkspaceClaims.Options {
  /** A survey that was made lately: what it permits is told as reclaimable. */
  readonly plan?: ReclaimPlan.Plan | undefined
  /** How large its worktrees are, by `Reclaim.measure`. */
  readonly sizes?: Sizes | undefined
}

/**
 * Gathers the claims of this host and writes its heartbeat over an older one. `false` when it was not written. A heartbeat
 * is as old as what it is made of, by the clock of the database, so that the clocks of the hosts may differ. Ends within
 * `Bound.Claims` and `Bound.Links`; call it several times a minute.
 */
export const beat = Effect.fn("Heartbeat.beat")(function* ({
  host,
  plan,
  sizes,
  ...options
}: Options): Effect.fn.Return<boolean, never, SqlClient | WorkspaceClaims.Services> {
  const begun = yield* Clock.monotonicTimeNanos
  const told = Heartbeat.of(yield* WorkspaceClaims.workspaceClaims(options), plan, bytesIn(sizes))
  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient
    const age = Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9
    const rows = yield* sql`
      INSERT INTO session_liveness_heartbeats (host, at, told)
      VALUES (${host}, now() - ${age}::float8 * interval '1 second', ${JSON.stringify(told)}::text::jsonb)
      ON CONFLICT (host) DO UPDATE SET at = excluded.at, told = excluded.told
      WHERE session_liveness_heartbeats.at < excluded.at RETURNING host`
    return rows.length === 1
  }).pipe(
    Effect.mapError(FleetError.of),
    FailOpen.foldsTo({ program: "Heartbeat.beat", bound: Bound.Links, safe: () => false })
  )
})

const bytesIn = (sizes: Sizes | undefined) => {
  const measured = new Map(sizes?.trees.map((tree) => [tree.path, tree.measured]))
  return (path: string): number | null => {
    const size = measured.get(path)
    return size?._tag === "Known" ? size.value.usage.bytes : null
  }
}
