/**
 * What a host says of itself.
 */
import * as Schema from "effect/Schema"
import type * as LiveClaims from "../../claims/core/LiveClaims.ts"
import * as Liveness from "../../claims/core/Liveness.ts"
import type * as ReclaimPlan from "../../reclaim/core/ReclaimPlan.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * One recorded session of the host, and why it counts as live or gone.
 */
const Session = Schema.Struct({ gone: Schema.Boolean, why: Schema.String })

/**
 * A worktree that may go, and how many bytes it takes where that was measured.
 */
const Reclaimable = Schema.Struct({ path: Schema.String, bytes: Schema.NullOr(Schema.Finite) })

export type Reclaimable = typeof Reclaimable.Type

/**
 * The last heartbeat of a host as it lies in the database. `reclaimable` is `null` where no survey was made.
 */
export const Heartbeat = Schema.Struct({
  observed: Schema.Boolean,
  /** Why the host could not tell all that it should. */
  incomplete: Schema.NullOr(Schema.String),
  sessions: Schema.Record(Schema.String, Session),
  reclaimable: Schema.NullOr(Schema.Array(Reclaimable))
})

export type Heartbeat = typeof Heartbeat.Type

/**
 * What `claims` and, where one was made, a survey say; `bytesOf` tells how large a worktree is.
 */
export const of = (
  claims: LiveClaims.LiveClaims,
  plan?: ReclaimPlan.Plan | undefined,
  bytesOf: (path: string) => number | null = () => null
): Heartbeat => ({
  observed: claims.observation._tag === "Answered",
  incomplete: claims.incomplete === undefined ? null : Text.escape(claims.incomplete),
  sessions: Object.fromEntries(
    // What has no managed id did not decode, and a key of any text may be more than a database can hold.
    Array.from(claims.owners.owners ?? []).flatMap(([id, liveness]) =>
      ManagedId.is(id) ? [[id, sessionOf(liveness)] as const] : []
    )
  ),
  reclaimable:
    plan?.candidates.flatMap(({ path, verdict }) =>
      verdict._tag === "Permit" ? [{ path, bytes: bytesOf(path) }] : []
    ) ?? null
})

const sessionOf = (liveness: Liveness.Liveness): typeof Session.Type =>
  Liveness.$match(liveness, {
    SessionGone: () => ({ gone: true, why: "tmux does not list it, and nothing carries it on" }),
    Live: ({ because }) => ({ gone: false, why: Text.escape(Liveness.explain(because).what) })
  })
