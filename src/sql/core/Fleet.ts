/**
 * Every host side by side.
 */
import * as Schema from "effect/Schema"
import * as Known from "../../shared/core/Known.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Elsewhere from "./Elsewhere.ts"
import * as Heartbeat from "./Heartbeat.ts"

/**
 * One host as its rows have it. A host that wrote no heartbeat yet has only records; one that no manager entered has none.
 */
export interface Row {
  readonly host: string
  readonly records: number
  /** Milliseconds since it observed what its heartbeat says, or `null` when it has never written one. */
  readonly ageMs: number | null
  readonly told: unknown
}

/**
 * What a host says, and whether that still counts.
 */
export interface Host {
  readonly host: string
  /** In the database; a host that keeps them in files has as many as its heartbeat names. */
  readonly records: number
  readonly ageMs: number | null
  readonly silent: boolean
  readonly heartbeat: Known.Known<Heartbeat.Heartbeat>
}

export interface Overview {
  /** By name. */
  readonly hosts: ReadonlyArray<Host>
  readonly sums: {
    readonly hosts: number
    readonly silent: number
    readonly records: number
    /** Of the hosts that are not silent. */
    readonly live: number
    readonly gone: number
    readonly reclaimable: number
    /** What those take that were measured. */
    readonly reclaimableBytes: number
  }
}

/**
 * Arranges the hosts. What a silent host said last is shown and counts in no sum but that of its records.
 */
export const of = (rows: ReadonlyArray<Row>): Overview => {
  const hosts = rows.map(hostOf).sort((a, b) => Text.compare(a.host, b.host))
  const heard = hosts.flatMap(({ silent, heartbeat }) =>
    silent || heartbeat._tag === "Unknown" ? [] : [heartbeat.value]
  )
  const sessions = heard.flatMap((heartbeat) => Object.values(heartbeat.sessions))
  const gone = sessions.filter((session) => session.gone).length
  const reclaimable = heard.flatMap((heartbeat) => heartbeat.reclaimable ?? [])
  return {
    hosts,
    sums: {
      hosts: hosts.length,
      silent: hosts.filter(({ silent }) => silent).length,
      records: hosts.reduce((sum, { records }) => sum + records, 0),
      live: sessions.length - gone,
      gone,
      reclaimable: reclaimable.length,
      reclaimableBytes: bytesOf(reclaimable)
    }
  }
}

/** What worktrees take together, but for those that were not measured. */
export const bytesOf = (worktrees: ReadonlyArray<Heartbeat.Reclaimable>): number =>
  worktrees.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

const hostOf = ({ told, ...row }: Row): Host => {
  const decoded = decode(told)
  const heartbeat =
    row.ageMs === null
      ? Known.unknown("it has never written a heartbeat")
      : decoded._tag === "None"
        ? Known.unknown("its heartbeat is that of another version")
        : Known.known(decoded.value)
  const named = heartbeat._tag === "Known" ? Object.keys(heartbeat.value.sessions).length : 0
  const records = Math.max(row.records, named)
  return { ...row, records, heartbeat, silent: heartbeat._tag === "Unknown" || !Elsewhere.isFresh(row.ageMs) }
}

const decode = Schema.decodeUnknownOption(Heartbeat.Heartbeat)
