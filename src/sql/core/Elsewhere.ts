/**
 * What the newest heartbeats of other hosts say of the end of a session.
 */
import type { Evidence } from "../../claims/core/SessionEnd.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * A managed session of another host that has the id asked for: as its own, as its current Claude id or in its links.
 */
export interface Sighting {
  readonly host: string
  readonly managedId: string
  /** How long ago that host observed what its newest heartbeat says, or `null` when there is none. */
  readonly heartbeatAgeMs: number | null
  /** Whether that heartbeat says that the session is gone; `null` when it does not name it. */
  readonly gone: boolean | null
}

/** For how long a heartbeat counts, in milliseconds. Every host should write one several times as often. */
const fresh = 60_000

/** Whether a heartbeat of that age counts. One of the future does not: a clock was set. */
export const isFresh = (ageMs: number | null): ageMs is number => ageMs !== null && ageMs >= 0 && ageMs <= fresh

/**
 * Each sighting speaks by itself, and the strictest wins: only a fresh heartbeat that says so is evidence for an end.
 */
export const evidenceOf = (sightings: ReadonlyArray<Sighting>): ReadonlyArray<Evidence> =>
  sightings.map((sighting) => {
    const session = `managed session ${Text.escape(sighting.managedId)} of host ${Text.escape(sighting.host)}`
    const missing = missingFor(sighting)
    return missing === undefined
      ? { says: "Ended", why: `${session} is gone, by that host's own heartbeat` }
      : { says: "Undeterminable", why: `it belongs to ${session}, ${missing}` }
  })

const missingFor = ({ heartbeatAgeMs, gone }: Sighting): string | undefined => {
  if (heartbeatAgeMs === null) return "which has never written a heartbeat"
  if (!isFresh(heartbeatAgeMs)) {
    return `which has been silent for ${Math.round(heartbeatAgeMs / 1000)} seconds`
  }
  if (gone === null) return "whose heartbeat does not name it"
  return gone ? undefined : "whose heartbeat counts it as live"
}
