/**
 * Every host side by side.
 */
import * as Text from "../../shared/core/Text.ts"
import * as Elsewhere from "./Elsewhere.ts"
import type { Heartbeat } from "./Heartbeat.ts"

/**
 * One host as its rows have it. A host that wrote no heartbeat yet has only records; one that no manager entered has none.
 */
export interface Host {
  readonly host: string
  readonly records: number
  /** Milliseconds since it observed what its heartbeat says, or `null` when it has never written one. */
  readonly ageMs: number | null
  readonly heartbeat: Heartbeat | null
}

/**
 * What a host says, and whether that still counts.
 */
export interface Shown extends Host {
  readonly silent: boolean
}

export interface Overview {
  /** By name. */
  readonly hosts: ReadonlyArray<Shown>
  readonly sums: {
    readonly hosts: number
    readonly silent: number
    readonly records: number
    /** Of the hosts that are not silent. */
    readonly live: number
    readonly gone: number
    readonly reclaimable: number
  }
}

/**
 * Arranges the hosts. What a silent host said last is shown and counts in no sum but that of its records.
 */
export const of = (hosts: ReadonlyArray<Host>): Overview => {
  const shown = hosts
    .map((host): Shown => ({ ...host, silent: !Elsewhere.isFresh(host.ageMs) }))
    .sort((a, b) => Text.compare(a.host, b.host))
  const heard = shown.flatMap(({ silent, heartbeat }) => (silent || heartbeat === null ? [] : [heartbeat]))
  const sessions = heard.flatMap((heartbeat) => Object.values(heartbeat.sessions))
  const gone = sessions.filter((session) => session.gone).length
  return {
    hosts: shown,
    sums: {
      hosts: shown.length,
      silent: shown.filter(({ silent }) => silent).length,
      records: shown.reduce((sum, { records }) => sum + records, 0),
      live: sessions.length - gone,
      gone,
      reclaimable: heard.reduce((sum, { reclaimable }) => sum + (reclaimable?.length ?? 0), 0)
    }
  }
}
