/**
 * Which sessions of a world are live, gone or ended, by the rules as they are written down, without running the library.
 */
import * as Liveness from "../../claims/core/Liveness.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import * as SweepNames from "./SweepNames.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import * as SweepWorld from "./SweepWorld.ts"

type World = SweepWorld.SweepWorld

/**
 * The names and the servers that were heard, or `undefined` when tmux cannot be observed.
 */
export const observation = (
  world: World
): { readonly names: ReadonlySet<string>; readonly heard: ReadonlySet<number> } | undefined => {
  const { reach, servers, strays, table } = world
  if (reach !== "Here" || servers.some(({ socket }) => socket === "Stopped")) return undefined
  if (strays.some((stray) => stray !== "Dead")) return undefined
  const listening = servers.filter(({ socket }) => socket === "Listening")
  if (table === "Fails" || table === "WithoutSelf") return undefined
  if (table === "NotConsulted" && (strays.length > 0 || listening.length === 0)) return undefined
  if (table === "Listed" && servers.some(({ whose, socket }) => whose === "Ours" && socket === "Deleted"))
    return undefined
  return {
    names: new Set(listening.flatMap(({ sessions }) => sessions.map(({ name }) => name))),
    heard: new Set(listening.flatMap(({ pid, whose }) => (whose === "Below" ? [] : [pid])))
  }
}

/**
 * The record in whose tmux session the asking process runs; `undefined` when there is not exactly one, or when any
 * server that might know better did not answer.
 */
export const identified = (world: World): string | undefined => {
  if (world.store !== "Read" || world.reach !== "Here" || !isListed(world)) return undefined
  if (world.strays.some((stray) => stray !== "Dead")) return undefined
  if (world.servers.some(({ socket }) => socket === "Stopped")) return undefined
  const above = new Set([SweepProcesses.self, ...ancestors(world)])
  const shown = new Set(
    world.servers
      .filter(({ socket }) => socket === "Listening")
      .flatMap(({ sessions }) => sessions.filter(({ panes }) => panes.some((pid) => above.has(pid))))
      .map(({ name }) => name)
  )
  const records = world.records.filter(({ flaw, tmuxName }) => flaw === "None" && shown.has(tmuxName))
  return records.length === 1 ? records[0]?.key : undefined
}

/** Why a record counts as live, or that it is gone. */
export type Standing = Liveness.Because["_tag"] | "SessionGone"

/**
 * The one way to gone: the first of the conditions that fails, or `SessionGone`.
 */
export const standing = (world: World, record: SweepWorld.SessionRecord): Standing => {
  if (record.flaw !== "None") return "Undecoded"
  const seen = observation(world)
  if (seen === undefined) return "Unobserved"
  const { tmuxName } = record
  if (seen.names.has(tmuxName)) return "Listed"
  if (SweepNames.names[tmuxName]?.managed !== true) return "NotManaged"
  if (SweepNames.names[tmuxName]?.listable !== true) return "Unlistable"
  if ([...seen.names].some((name) => SweepNames.padded[name] === tmuxName)) return "Unlistable"
  if (signsOf(record).some((sign) => clock(world) - sign < Liveness.defaultGrace)) return "Young"
  const found = registry(world)
  if (found === undefined) return "SessionGone"
  const ids = idsOf(world, record.key)
  if (found.running.some(({ sessionId }) => ids.has(sessionId))) return "ProcessAlive"
  return found.unread || history(world) === "Unreadable" ? "ProcessAlive" : "SessionGone"
}

/**
 * Whether the session of that id has ended. `since`: the last sign of the work in question; `undefined`: not known.
 */
export const sessionEnd = (world: World, id: string, since: number | undefined): SessionEnd.SessionEnd["_tag"] => {
  if (world.store !== "Read") return "Undeterminable"
  if (id === world.caller) return "Caller"
  const own = world.records.find(({ key }) => key === id)
  if (own !== undefined) return byStanding(world, own)

  const found = registry(world)
  const isAfter = (started: number | undefined): boolean =>
    started !== undefined && since !== undefined && started > since + 5 * SweepTime.minute
  const evidence: Array<SessionEnd.SessionEnd["_tag"]> = []
  const current = world.records.filter(({ flaw, claudeId }) => flaw === "None" && claudeId === id)
  for (const record of current) evidence.push(record.key === world.caller ? "Caller" : byStanding(world, record))
  const links = history(world)
  if (links === "Unreadable") evidence.push("Undeterminable")
  else {
    const linked = links.filter(({ ids, name }) => ids.includes(id) && !current.some(({ key }) => key === name))
    for (const { name } of linked) {
      const record = world.records.find(({ key }) => key === name)
      if (record === undefined) evidence.push("Undeterminable")
      else if (name !== world.caller && standing(world, record) === "SessionGone") evidence.push("Ended")
      else {
        const ids = idsOf(world, name)
        const superseded =
          record.flaw === "None" &&
          record.claudeId !== undefined &&
          found !== undefined &&
          !found.incomplete &&
          found.running.every(({ sessionId, started }) => !ids.has(sessionId) || isAfter(started))
        evidence.push(superseded ? "Ended" : "Undeterminable")
      }
    }
  }
  if (evidence.length === 0) {
    const proven =
      found !== undefined &&
      !found.incomplete &&
      world.transcripts.includes(id) &&
      found.running.every(({ sessionId, started }) => sessionId !== id && isAfter(started))
    evidence.push(proven ? "Ended" : "Undeterminable")
  }
  const answer = strictest(evidence)
  if (answer === "Caller" || found === undefined) return answer
  const named = found.running.filter(({ sessionId }) => sessionId === id)
  if (named.some(({ live }) => live)) return "Live"
  return strictest([answer, named.length > 0 || found.incomplete ? "Undeterminable" : "Ended"])
}

export const clock = (world: World): number => SweepTime.now + world.clock

const strictest = (evidence: ReadonlyArray<SessionEnd.SessionEnd["_tag"]>): SessionEnd.SessionEnd["_tag"] =>
  (["Live", "Undeterminable", "Caller"] as const).find((tag) => evidence.includes(tag)) ?? "Ended"

const byStanding = (world: World, record: SweepWorld.SessionRecord): "Live" | "Ended" =>
  standing(world, record) === "SessionGone" ? "Ended" : "Live"

/** A list without the process that asks was cut off. */
export const isListed = ({ table }: World): boolean => table === "Listed"

export const signsOf = ({ created, active }: SweepWorld.SessionRecord): ReadonlyArray<number> =>
  [created, active].flatMap((age) => (age === undefined ? [] : [SweepTime.at(age)]))

const ancestors = (world: World): ReadonlyArray<number> => [
  ...world.processes.filter(({ role }) => role === "Ancestor").map(({ pid }) => pid),
  ...(world.hostedBy === undefined ? [] : [world.hostedBy])
]

interface Running {
  readonly sessionId: string
  readonly live: boolean
  readonly started: number | undefined
}

interface Registry {
  readonly running: ReadonlyArray<Running>
  readonly unread: boolean
  readonly incomplete: boolean
}

export const registry = (world: World): Registry | undefined => {
  if (world.registry === "NotConsulted") return undefined
  if (world.registry === "Fails" || !isListed(world)) return { running: [], unread: true, incomplete: true }
  const whole = world.entries.filter(({ state }) => state === "Whole")
  const running = whole.flatMap(({ pid, sessionId, start }) => {
    const process = processAt(world, pid, start)
    return process.is === "Gone" ? [] : [{ pid, sessionId, live: process.is === "Live", started: process.started }]
  })
  const broken = world.entries.filter(({ state }) => state !== "Whole")
  const unread = broken.some(({ pid }) => processAt(world, pid, "None").is !== "Gone")
  const claudes = world.processes.filter(({ looks }) => ["Claude", "ClaudeScript", "ClaudeDeleted"].includes(looks))
  return {
    running,
    unread,
    incomplete: unread || claudes.some((claude) => !running.some(({ pid }) => pid === claude.pid))
  }
}

/** What became of the process that was registered with such a start. */
export const processAt = (
  world: World,
  pid: number,
  start: SweepWorld.Entry["start"]
): { readonly is: "Live" | "Gone" | "Unknown"; readonly started: number | undefined } => {
  const below = [
    ...world.processes.flatMap(({ inner }) => inner),
    ...world.servers.flatMap(({ whose }) => (whose === "Below" ? [SweepProcesses.innerPid - 1] : []))
  ]
  if (below.includes(pid)) return { is: "Unknown", started: undefined }
  const process = world.processes.find((candidate) => candidate.pid === pid)
  const plain = pid === SweepProcesses.self || world.servers.some((server) => server.pid === pid)
  const gone = { is: "Gone", started: undefined } as const
  if (process === undefined && !plain) return gone
  if (process !== undefined && process.looks.startsWith("Zombie")) return gone
  const started = process === undefined ? SweepTime.at("overWeek") : SweepProcesses.startedAt(process)
  switch (start) {
    case "Ticks":
    case "Ctime":
      return { is: "Live", started }
    case "OtherTicks":
    case "CtimeDay":
      return gone
    case "None":
    case "CtimeHour":
      return { is: "Unknown", started }
  }
}

export const history = (world: World): "Unreadable" | ReadonlyArray<SweepWorld.LinkFile> => {
  if (world.sidecar !== "Listed") return []
  return world.linkFiles.every(({ flaw }) => flaw === "None") ? world.linkFiles : "Unreadable"
}

const idsOf = (world: World, session: string): ReadonlySet<string> => {
  const links = history(world)
  const linked = links === "Unreadable" ? [] : links.filter(({ name }) => name === session).flatMap(({ ids }) => ids)
  const current = world.records
    .filter(({ key, flaw }) => key === session && flaw === "None")
    .flatMap(({ claudeId }) => (claudeId === undefined ? [] : [claudeId]))
  return new Set([...linked, ...current])
}
