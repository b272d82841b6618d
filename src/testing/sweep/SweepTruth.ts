/**
 * The right answers about a world, told from what is true of it by the rules as they are written down, without running
 * the library.
 */
import type * as ClaimState from "../../claims/core/ClaimState.ts"
import type * as Liveness from "../../claims/core/Liveness.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"
import * as SweepWorld from "./SweepWorld.ts"

type World = SweepWorld.SweepWorld

const minute = 60_000
const day = 24 * 60 * minute

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
  const above = new Set([SweepWorld.self, ...ancestors(world)])
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
  if (SweepWorld.names[tmuxName]?.managed !== true) return "NotManaged"
  if (SweepWorld.names[tmuxName]?.listable !== true) return "Unlistable"
  if ([...seen.names].some((name) => SweepWorld.padded[name] === tmuxName)) return "Unlistable"
  if (signsOf(record).some((sign) => clock(world) - sign < minute)) return "Young"
  const found = registry(world)
  if (found === undefined) return "SessionGone"
  const ids = idsOf(world, record.key)
  if (found.running.some(({ sessionId }) => ids.has(sessionId))) return "ProcessAlive"
  return found.unread || history(world) === "Unreadable" ? "ProcessAlive" : "SessionGone"
}

/**
 * What the claims say of a path.
 */
export const claimState = (world: World, candidate: string): ClaimState.ClaimState["_tag"] => {
  if (world.store !== "Read") return "Undeterminable"
  const claims = claimsOf(world)
  const live = claims.filter(({ gone, callers }) => !gone && !callers)
  const callers = claims.filter(({ callers }) => callers)
  const placeable = (path: string): boolean => SweepWorld.places[path] !== undefined
  const onOrInside = ({ path }: Claim): boolean => isOnOrInside(path, candidate)
  const around = ({ path }: Claim): boolean => isOnOrInside(candidate, path)
  if (live.some(onOrInside)) return "Foreign"
  const lost = world.records.some(
    (record) => record.flaw !== "None" && workspaceOf(record) === undefined && !isDismissed(world, record.key)
  )
  if (lost || hasStrangers(world) || !placeable(candidate)) return "Undeterminable"
  if ([...live, ...callers].some(({ path }) => !placeable(path))) return "Undeterminable"
  if (callers.some(onOrInside)) return "CallerWorkspace"
  if (live.some(around)) return "ForeignNested"
  if (callers.some(around)) return "CallerNested"
  return claims.some((claim) => onOrInside(claim) || around(claim)) ? "DeadClaimsDiscarded" : "Unclaimed"
}

/** Whether tmux lists a managed session that no record names, or cannot tell: another manager may own it. */
const hasStrangers = (world: World): boolean => {
  const seen = observation(world)
  if (seen === undefined) return true
  const recorded = new Set(
    world.records.flatMap(({ flaw, tmuxName }) => (SweepWorld.keepsName(flaw) ? [tmuxName] : []))
  )
  const isManaged = (name: string) => SweepWorld.names[name]?.managed ?? name.startsWith("tm-")
  return [...seen.names].some((name) => isManaged(name) && !recorded.has(name) && !world.dismiss.includes(name))
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
    started !== undefined && since !== undefined && started > since + 5 * minute
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

/** The gate that refuses a worktree, or that none does. */
export type Gate = Verdict.Gate | "Permit"

export const gate = (world: World, worktree: SweepWorld.Worktree): Gate => {
  const state = claimState(world, worktree.path)
  if (state === "Foreign" || state === "Undeterminable" || state === "CallerWorkspace") return "Claim"
  if (!isOwnerPast(world, worktree)) return "Owner"
  if (!isListed(world) || world.uses === "Fail" || isOccupied(world, worktree.path)) return "Occupied"
  if (!SweepWorld.isReadable(worktree) || worktree.owner !== "Ours" || worktree.fileSystem !== "ext4") return "Vantage"
  const quiet = quietFor(world, worktree)
  if (quiet < day) return "Quiet"
  if (SweepWorld.inside(world, worktree).length > 0 || worktree.obstacle !== undefined || worktree.head === "Nowhere")
    return "Git"
  const reclaimed = worktree.path.startsWith(`${SweepWorld.repositoryPaths[worktree.repository]}/.git/reclaimed/`)
  if (!isUnlocked(world, worktree) || reclaimed) return "Git"
  if (isVouchedFor(world, worktree) || quiet >= 7 * day) return "Permit"
  const isAnothers = state === "ForeignNested" && namesNobody(worktree)
  return worktree.head === "Landed" && !isAnothers ? "Permit" : "Settled"
}

/**
 * Whether the worktree is a workspace of the caller's, or holds one.
 */
export const isCallersGround = (world: World, path: string): boolean =>
  world.records.some((record) => {
    const workspace = workspaceOf(record)
    return record.key === world.caller && workspace !== undefined && isOnOrInside(workspace, path)
  })

/**
 * The last sign of work in a worktree, where all signs tell a time.
 */
export const lastSign = (world: World, worktree: SweepWorld.Worktree): number | undefined => {
  const { active, path } = worktree
  const touching = claimsOf(world).filter(
    (claim) => isOnOrInside(claim.path, path) || SweepWorld.places[claim.path] === undefined
  )
  const signs = [
    SweepWorld.isReadable(worktree) && active !== undefined ? SweepWorld.at(active) : undefined,
    ...touching.map(({ sign }) => sign)
  ]
  return signs.includes(undefined) ? undefined : Math.max(...signs.map((sign) => sign ?? Infinity))
}

/** The end of a session that a sentinel names. */
const endOf = (world: World, worktree: SweepWorld.Worktree, id: string): SessionEnd.SessionEnd["_tag"] => {
  const last = lastSign(world, worktree)
  const { sentinel } = worktree
  const since =
    last === undefined || sentinel._tag !== "Names" ? undefined : Math.max(last, SweepWorld.at(sentinel.created))
  return sessionEnd(world, id, since)
}

const clock = (world: World): number => SweepWorld.now + world.clock

const strictest = (evidence: ReadonlyArray<SessionEnd.SessionEnd["_tag"]>): SessionEnd.SessionEnd["_tag"] =>
  (["Live", "Undeterminable", "Caller"] as const).find((tag) => evidence.includes(tag)) ?? "Ended"

const byStanding = (world: World, record: SweepWorld.SessionRecord): "Live" | "Ended" =>
  standing(world, record) === "SessionGone" ? "Ended" : "Live"

/** A list without the process that asks was cut off. */
const isListed = ({ table }: World): boolean => table === "Listed"

const signsOf = ({ created, active }: SweepWorld.SessionRecord): ReadonlyArray<number> =>
  [created, active].flatMap((age) => (age === undefined ? [] : [SweepWorld.at(age)]))

const workspaceOf = ({ flaw, workspace }: SweepWorld.SessionRecord): string | undefined =>
  SweepWorld.keepsWorkspace(flaw) ? workspace : undefined

const isDismissed = ({ dismiss, caller }: World, key: string): boolean => key !== caller && dismiss.includes(key)

interface Claim {
  readonly path: string
  readonly gone: boolean
  readonly callers: boolean
  readonly sign: number | undefined
}

const claimsOf = (world: World): ReadonlyArray<Claim> =>
  world.records
    .filter(({ key }) => !isDismissed(world, key))
    .flatMap((record) => {
      const path = workspaceOf(record)
      const signs = record.flaw === "None" ? signsOf(record) : []
      return path === undefined
        ? []
        : [
            {
              path,
              gone: standing(world, record) === "SessionGone",
              callers: record.key === world.caller,
              sign: signs.length === 0 ? undefined : Math.max(...signs)
            }
          ]
    })

/** Whether one path may be another, or lies inside it, by any two of the places that they may be taken for. */
export const isOnOrInside = (path: string, around: string): boolean =>
  (SweepWorld.places[path] ?? []).some((inner) =>
    (SweepWorld.places[around] ?? []).some((outer) => `${inner}/`.startsWith(`${outer}/`))
  )

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

const registry = (world: World): Registry | undefined => {
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
const processAt = (
  world: World,
  pid: number,
  start: SweepWorld.Entry["start"]
): { readonly is: "Live" | "Gone" | "Unknown"; readonly started: number | undefined } => {
  const below = [
    ...world.processes.flatMap(({ inner }) => inner),
    ...world.servers.flatMap(({ whose }) => (whose === "Below" ? [SweepWorld.innerPid - 1] : []))
  ]
  if (below.includes(pid)) return { is: "Unknown", started: undefined }
  const process = world.processes.find((candidate) => candidate.pid === pid)
  const plain = pid === SweepWorld.self || world.servers.some((server) => server.pid === pid)
  const gone = { is: "Gone", started: undefined } as const
  if (process === undefined && !plain) return gone
  if (process !== undefined && process.looks.startsWith("Zombie")) return gone
  const started = process === undefined ? SweepWorld.at("overWeek") : SweepWorld.startedAt(process)
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

const history = (world: World): "Unreadable" | ReadonlyArray<SweepWorld.LinkFile> => {
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

/** How long nothing has happened; what cannot be told, or lies ahead, is no time at all. */
const quietFor = (world: World, worktree: SweepWorld.Worktree): number => {
  const last = lastSignOfAll(world, worktree)
  return last === undefined ? -1 : clock(world) - last
}

/** The last sign of work, or when an agent was given the worktree that may still be at work in it. */
const lastSignOfAll = (world: World, worktree: SweepWorld.Worktree): number | undefined => {
  const last = lastSign(world, worktree)
  const { sentinel } = worktree
  if (last === undefined || sentinel._tag !== "Names" || sentinel.parent === undefined || sentinel.agentEnded)
    return last
  return endOf(world, worktree, sentinel.parent) === "Ended" ? last : Math.max(last, SweepWorld.at(sentinel.created))
}

/** Whether everyone who is named has ended, and not because machine or tmux server did. */
const isVouchedFor = (world: World, worktree: SweepWorld.Worktree): boolean => {
  const { sentinel } = worktree
  if (sentinel._tag !== "Names") return false
  const { owner, parent, agentEnded } = sentinel
  const ended = (id: string) => endOf(world, worktree, id) === "Ended" && !isInterrupted(world, worktree, id)
  if (owner !== undefined && endOf(world, worktree, owner) !== "Caller" && !ended(owner)) return false
  if (parent === undefined || ended(parent)) return true
  const last = lastSignOfAll(world, worktree)
  const mark = SweepWorld.at("overDay")
  return agentEnded && endOf(world, worktree, parent) === "Caller" && last !== undefined && last - mark <= 5 * minute
}

const isInterrupted = (world: World, worktree: SweepWorld.Worktree, id: string): boolean => {
  const last = lastSignOfAll(world, worktree)
  if (last === undefined || !isListed(world) || world.booted === undefined) return true
  if (SweepWorld.at(world.booted) > last) return true
  const links = history(world)
  const isManaged =
    world.records.some(({ key, flaw, claudeId }) => key === id || (flaw === "None" && claudeId === id)) ||
    links === "Unreadable" ||
    links.some(({ ids }) => ids.includes(id))
  const heard = world.servers.filter(({ socket }) => socket === "Listening")
  return isManaged && !heard.some(({ started }) => SweepWorld.at(started) < last)
}

const isUnlocked = (world: World, { lock }: SweepWorld.Worktree): boolean =>
  lock === undefined ||
  (lock._tag === "Harness" && isListed(world) && processAt(world, lock.pid, lock.start).is === "Gone")

const namesNobody = ({ sentinel }: SweepWorld.Worktree): boolean =>
  sentinel._tag === "Nothing" || sentinel._tag === "OldMark"

const isOwnerPast = (world: World, worktree: SweepWorld.Worktree): boolean => {
  const { sentinel } = worktree
  if (namesNobody(worktree)) return true
  if (sentinel._tag !== "Names" || (sentinel.owner === undefined && sentinel.parent === undefined)) return false
  return sentinel.owner === undefined || ["Ended", "Caller"].includes(endOf(world, worktree, sentinel.owner))
}

const isOccupied = (world: World, path: string): boolean => {
  if (registry(world)?.unread === true) return true
  const own = new Set<number>(world.processes.filter(({ role }) => role === "Descendant").map(({ pid }) => pid))
  const heard = observation(world)?.heard ?? new Set<number>()
  const uses = [...world.servers, ...world.processes].flatMap(({ pid, uses }) => uses.map((use) => ({ pid, ...use })))
  return uses.some(
    ({ pid, kind, path: used }) =>
      !own.has(pid) &&
      !(kind === "command line" && (leadingUp(world).has(pid) || heard.has(pid))) &&
      !(kind === "working directory" && heard.has(pid)) &&
      isUsedIn(used, path)
  )
}

/** The shells and runtimes through which the question was asked, up to the first other program. */
const leadingUp = (world: World): ReadonlySet<number> => {
  const above = world.processes.filter(({ role }) => role === "Ancestor")
  const firstOther = above.findIndex(({ looks }) => looks !== "Shell" && looks !== "ClaudeScript")
  return new Set((firstOther === -1 ? above : above.slice(0, firstOther)).map(({ pid }) => pid))
}

/** What cannot be placed is where its spelling says. */
const isUsedIn = (used: string, path: string): boolean =>
  SweepWorld.places[used] === undefined
    ? (SweepWorld.places[path] ?? []).some((outer) => used.startsWith(`${outer}/`))
    : isOnOrInside(used, path)
