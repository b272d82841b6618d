/**
 * What is known of every managed session and of every Claude id, so that one can be asked whether it has ended. The maps
 * are arranged when they are first asked about, so that each further id costs the same however many there are.
 */
import * as ClaudeRegistry from "./ClaudeRegistry.ts"
import * as Derived from "../../shared/core/Derived.ts"
import * as LinkHistory from "../../links/core/LinkHistory.ts"
import * as Liveness from "./Liveness.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as Text from "../../shared/core/Text.ts"

export interface SessionOwners {
  /** The liveness of each record by its id; `null`: the store was not read. */
  readonly owners: ReadonlyMap<string, Liveness.Liveness> | null
  /** The current Claude id of each record that carries one, by the record's id. */
  readonly current: ReadonlyMap<string, string>
  readonly history: LinkHistory.LinkHistory
  readonly caller: string | undefined
  /** `undefined`: not consulted. */
  readonly registry: ClaudeRegistry.ClaudeRegistry | undefined
}

/**
 * Nothing is known, because the records were not read.
 */
export const unread = (caller: string | undefined): SessionOwners => ({
  owners: null,
  current: new Map(),
  history: LinkHistory.Absent(),
  caller,
  registry: undefined
})

/**
 * Whether the session of that id, a managed or a Claude id, has ended. `since` is the last sign of the work in question,
 * in milliseconds since the epoch; a process that started after it cannot have done that work. `elsewhere` is what other
 * hosts know of the id.
 */
export const sessionEnd = (
  sessions: SessionOwners,
  id: string,
  since?: number | null | undefined,
  elsewhere: ReadonlyArray<SessionEnd.Evidence> = []
): SessionEnd.SessionEnd => {
  const { owners, caller, registry } = sessions
  if (owners === null) return SessionEnd.conclude([undeterminable("the records were not read")])
  if (id !== "" && id === caller) return SessionEnd.conclude([isCallers])
  const liveness = owners.get(id)
  if (liveness !== undefined) return SessionEnd.conclude([byLiveness(id, liveness), ...elsewhere])
  const carried = [...evidenceOf(sessions, owners, id, since), ...elsewhere]
  const evidence = carried.length > 0 ? carried : unrecorded(sessions, id, since)
  if (registry === undefined || SessionEnd.conclude(evidence)._tag === "Caller") return SessionEnd.conclude(evidence)
  return SessionEnd.conclude([...evidence, ...stricter(registry, id)])
}

/** A stepped clock moves the starts of processes: only what is later by more than this is later. */
const clockStep = 5 * 60 * 1000

const says = (tag: SessionEnd.Evidence["says"], why: string): SessionEnd.Evidence => ({ says: tag, why })

const isCallers = says("Caller", "")

const undeterminable = (why: string): SessionEnd.Evidence => says("Undeterminable", why)

const byLiveness = (session: string, liveness: Liveness.Liveness): SessionEnd.Evidence =>
  Liveness.$match(liveness, {
    SessionGone: () => says("Ended", `managed session ${Text.escape(session)} is gone`),
    Live: ({ because }) => {
      const { what, settle } = Liveness.explain(because)
      return says("Live", `managed session ${Text.escape(session)} counts as live: ${what}; to settle it, ${settle}`)
    }
  })

/**
 * What each managed session that carries the Claude id says of it.
 */
const evidenceOf = (
  sessions: SessionOwners,
  owners: ReadonlyMap<string, Liveness.Liveness>,
  id: string,
  since: number | null | undefined
): ReadonlyArray<SessionEnd.Evidence> => {
  const { current, history, caller } = sessions
  const currently = sessionsByCurrent(current).get(id) ?? []
  const evidence = currently.map((session) => {
    const liveness = owners.get(session)
    if (session === caller) return isCallers
    return liveness === undefined
      ? undeterminable(`no record tells whether managed session ${Text.escape(session)} is gone`)
      : byLiveness(session, liveness)
  })
  if (history._tag === "Unreadable") {
    return [...evidence, undeterminable(`the link history could not be read: ${history.reason}`)]
  }
  const linked: ReadonlyArray<string> =
    history._tag === "Read" ? ((history.links as ReadonlyMap<string, ReadonlyArray<string>>).get(id) ?? []) : []
  return [
    ...evidence,
    ...linked
      .filter((session) => !currently.includes(session))
      .map((session) => byLinkFile(sessions, owners, session, id, since))
  ]
}

const byLinkFile = (
  sessions: SessionOwners,
  owners: ReadonlyMap<string, Liveness.Liveness>,
  session: string,
  id: string,
  since: number | null | undefined
): SessionEnd.Evidence => {
  const liveness = owners.get(session)
  const name = Text.escape(session)
  if (liveness === undefined) {
    return undeterminable(`it is linked to managed session ${name}, which no record names any more`)
  }
  if (Liveness.$is("SessionGone")(liveness) && session !== sessions.caller) return byLiveness(session, liveness)
  const superseded = `it was superseded in managed session ${name}, which is live`
  if (!sessions.current.has(session)) {
    return undeterminable(`${superseded}, but the record carries no other id`)
  }
  if (sessions.registry === undefined) return undeterminable(`${superseded}, and the Claude registry was not consulted`)
  // What is missing is told beside this.
  if (sessions.registry.incomplete !== undefined) {
    return undeterminable(superseded)
  }
  const ids = idsOf(sessions, session).add(id)
  const older = ClaudeRegistry.running(sessions.registry).find(
    ({ sessionId, liveness }) => ids.has(sessionId) && !startedAfter(liveness, since)
  )
  return older === undefined
    ? says("Ended", superseded)
    : undeterminable(`${superseded}, but process ${older.pid}${by(older.path)} may have done its work and still runs`)
}

/**
 * What the registry alone tells of an id that no record and no link names.
 */
const unrecorded = (
  { registry }: SessionOwners,
  id: string,
  since: number | null | undefined
): ReadonlyArray<SessionEnd.Evidence> => {
  const nobody = `no record and no link names ${JSON.stringify(Text.escape(id))}`
  if (registry === undefined) return [undeterminable(`${nobody}, and the Claude registry was not consulted`)]
  if (registry.incomplete !== undefined) {
    return [undeterminable(nobody)]
  }
  if (!registry.transcripts.has(id)) {
    return [undeterminable(`${nobody}, and no consulted config directory holds its transcript`)]
  }
  const older = ClaudeRegistry.running(registry).find(({ liveness }) => !startedAfter(liveness, since))
  return [
    older === undefined
      ? says("Ended", `its transcript is here and no Claude process that could have done its work runs`)
      : undeterminable(
          `${nobody}, and Claude process ${older.pid}${by(older.path)} may have done its work and still runs`
        )
  ]
}

/**
 * What the registry says of the id itself, which can only make an answer stricter.
 */
const stricter = (registry: ClaudeRegistry.ClaudeRegistry, id: string): ReadonlyArray<SessionEnd.Evidence> => [
  ...ClaudeRegistry.runningOf(registry, id).map(({ pid, path, liveness }) =>
    liveness._tag === "Live"
      ? says("Live", `Claude process ${pid}${by(path)} runs it`)
      : undeterminable(
          `Claude process ${pid} may run it, which its registry entry${named(path)} does not settle; end that process, or remove the entry if it is another program`
        )
  ),
  ...(registry.incomplete === undefined
    ? []
    : [undeterminable(`the Claude registry is not complete: ${registry.incomplete}`)])
]

/** The file that says so. */
const by = (path: string | undefined): string => (path === undefined ? "" : `, by its entry${named(path)},`)

const named = (path: string | undefined): string => (path === undefined ? "" : ` ${Text.escape(path)}`)

/** What is not known is `NaN`, and nothing is after it. */
const startedAfter = (liveness: ClaudeRegistry.Running["liveness"], since: number | null | undefined): boolean =>
  (liveness.startedAt ?? Number.NaN) - (since ?? Number.NaN) > clockStep

/**
 * Every Claude id that the record or its link file carries.
 */
export const idsOf = (
  { current, history }: Pick<SessionOwners, "current" | "history">,
  session: string
): Set<string> => {
  const ids = new Set<string>()
  const now = current.get(session)
  if (now !== undefined) ids.add(now)
  if (history._tag === "Read") for (const id of idsBySession(history.links).get(session) ?? []) ids.add(id)
  return ids
}

const sessionsByCurrent: (current: ReadonlyMap<string, string>) => ReadonlyMap<string, ReadonlyArray<string>> =
  Derived.once((current) => {
    const sessions = new Map<string, Array<string>>()
    for (const [session, id] of current) append(sessions, id, session)
    return sessions
  })

const idsBySession: (links: ReadonlyMap<string, ReadonlyArray<string>>) => ReadonlyMap<string, ReadonlyArray<string>> =
  Derived.once((links) => {
    const ids = new Map<string, Array<string>>()
    for (const [id, sessions] of links) for (const session of sessions) append(ids, session, id)
    return ids
  })

const append = (lists: Map<string, Array<string>>, key: string, value: string): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
