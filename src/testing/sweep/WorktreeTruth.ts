/**
 * Who claims a worktree of a world and whether it may go, by the rules as they are written down, without running the
 * library.
 */
import type * as ClaimState from "../../claims/core/ClaimState.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"
import * as SessionTruth from "./SessionTruth.ts"
import * as SweepGit from "./SweepGit.ts"
import * as SweepNames from "./SweepNames.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepTime from "./SweepTime.ts"
import * as SweepWorld from "./SweepWorld.ts"

type World = SweepWorld.SweepWorld

/**
 * What the claims say of a path.
 */
export const claimState = (world: World, candidate: string): ClaimState.ClaimState["_tag"] => {
  if (world.store !== "Read") return "Undeterminable"
  const claims = claimsOf(world)
  const live = claims.filter(({ gone, callers }) => !gone && !callers)
  const callers = claims.filter(({ callers }) => callers)
  const placeable = (path: string): boolean => SweepPlaces.places[path] !== undefined
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
  const seen = SessionTruth.observation(world)
  if (seen === undefined) return true
  const recorded = new Set(
    world.records.flatMap(({ flaw, tmuxName }) => (SweepWorld.keepsName(flaw) ? [tmuxName] : []))
  )
  const isManaged = (name: string) => SweepNames.names[name]?.managed ?? name.startsWith("tm-")
  return [...seen.names].some((name) => isManaged(name) && !recorded.has(name) && !world.dismiss.includes(name))
}

/** The gate that refuses a worktree, or that none does. */
export type Gate = Verdict.Gate | "Permit"

export const gate = (world: World, worktree: SweepWorld.Worktree): Gate => {
  const state = claimState(world, worktree.path)
  if (state === "Foreign" || state === "Undeterminable" || state === "CallerWorkspace") return "Claim"
  if (!isOwnerPast(world, worktree)) return "Owner"
  if (!SessionTruth.isListed(world) || world.uses === "Fail" || isOccupied(world, worktree.path)) return "Occupied"
  if (!SweepGit.isReadable(worktree) || worktree.owner !== "Ours" || worktree.fileSystem !== "ext4") return "Vantage"
  const quiet = quietFor(world, worktree)
  if (quiet < SweepTime.day) return "Quiet"
  if (SweepGit.inside(world, worktree).length > 0 || worktree.obstacle !== undefined || worktree.head === "Nowhere")
    return "Git"
  const reclaimed = worktree.path.startsWith(`${SweepPlaces.repositoryPaths[worktree.repository]}/.git/reclaimed/`)
  if (!isUnlocked(world, worktree) || reclaimed) return "Git"
  if (isVouchedFor(world, worktree) || quiet >= 7 * SweepTime.day) return "Permit"
  const isAnothers = state === "ForeignNested" && namesNobody(worktree)
  return worktree.head === "Landed" && !isAnothers ? "Permit" : "Settled"
}

/**
 * The world in which a workspace that a file in a moved tree kept from being placed is one that would lie in that tree.
 */
export const afterMoving = (world: World, moved: ReadonlyArray<string>): World => ({
  ...world,
  records: world.records.map((record) => {
    const { workspace = "" } = record
    const around = moved.find((path) => workspace.startsWith(`${path}/`))
    return around === undefined || SweepPlaces.places[workspace] !== undefined
      ? record
      : { ...record, workspace: around }
  })
})

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
const lastSign = (world: World, worktree: SweepWorld.Worktree): number | undefined => {
  const { active, path } = worktree
  const touching = claimsOf(world).filter(
    (claim) => isOnOrInside(claim.path, path) || SweepPlaces.places[claim.path] === undefined
  )
  const signs = [
    SweepGit.isReadable(worktree) && active !== undefined ? SweepTime.at(active) : undefined,
    ...touching.map(({ sign }) => sign)
  ]
  return signs.includes(undefined) ? undefined : Math.max(...signs.map((sign) => sign ?? Infinity))
}

/** The end of a session that a sentinel names. */
const endOf = (world: World, worktree: SweepWorld.Worktree, id: string): SessionEnd.SessionEnd["_tag"] => {
  const last = lastSign(world, worktree)
  const { sentinel } = worktree
  const since =
    last === undefined || sentinel._tag !== "Names" ? undefined : Math.max(last, SweepTime.at(sentinel.created))
  return SessionTruth.sessionEnd(world, id, since)
}

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
      const signs = record.flaw === "None" ? SessionTruth.signsOf(record) : []
      return path === undefined
        ? []
        : [
            {
              path,
              gone: SessionTruth.standing(world, record) === "SessionGone",
              callers: record.key === world.caller,
              sign: signs.length === 0 ? undefined : Math.max(...signs)
            }
          ]
    })

/** Whether one path may be another, or lies inside it, by any two of the places that they may be taken for. */
export const isOnOrInside = (path: string, around: string): boolean =>
  (SweepPlaces.places[path] ?? []).some((inner) =>
    (SweepPlaces.places[around] ?? []).some((outer) => `${inner}/`.startsWith(`${outer}/`))
  )

/** How long nothing has happened; what cannot be told, or lies ahead, is no time at all. */
const quietFor = (world: World, worktree: SweepWorld.Worktree): number => {
  const last = lastSignOfAll(world, worktree)
  return last === undefined ? -1 : SessionTruth.clock(world) - last
}

/** The last sign of work, or when an agent was given the worktree that may still be at work in it. */
const lastSignOfAll = (world: World, worktree: SweepWorld.Worktree): number | undefined => {
  const last = lastSign(world, worktree)
  const { sentinel } = worktree
  if (last === undefined || sentinel._tag !== "Names" || sentinel.parent === undefined || sentinel.agentEnded)
    return last
  return endOf(world, worktree, sentinel.parent) === "Ended" ? last : Math.max(last, SweepTime.at(sentinel.created))
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
  const mark = SweepTime.at("almostWeek")
  return (
    agentEnded &&
    endOf(world, worktree, parent) === "Caller" &&
    last !== undefined &&
    last - mark <= 5 * SweepTime.minute
  )
}

const isInterrupted = (world: World, worktree: SweepWorld.Worktree, id: string): boolean => {
  const last = lastSignOfAll(world, worktree)
  if (last === undefined || !SessionTruth.isListed(world) || world.booted === undefined) return true
  if (SweepTime.at(world.booted) > last) return true
  const links = SessionTruth.history(world)
  const isManaged =
    world.records.some(({ key, flaw, claudeId }) => key === id || (flaw === "None" && claudeId === id)) ||
    links === "Unreadable" ||
    links.some(({ ids }) => ids.includes(id))
  const heard = world.servers.filter(({ socket }) => socket === "Listening")
  return isManaged && !heard.some(({ started }) => SweepTime.at(started) < last)
}

const isUnlocked = (world: World, { lock }: SweepWorld.Worktree): boolean =>
  lock === undefined ||
  (lock._tag === "Harness" &&
    SessionTruth.isListed(world) &&
    SessionTruth.processAt(world, lock.pid, lock.start).is === "Gone")

const namesNobody = ({ sentinel }: SweepWorld.Worktree): boolean =>
  sentinel._tag === "Nothing" || sentinel._tag === "OldMark"

const isOwnerPast = (world: World, worktree: SweepWorld.Worktree): boolean => {
  const { sentinel } = worktree
  if (namesNobody(worktree)) return true
  if (sentinel._tag !== "Names" || (sentinel.owner === undefined && sentinel.parent === undefined)) return false
  return sentinel.owner === undefined || ["Ended", "Caller"].includes(endOf(world, worktree, sentinel.owner))
}

const isOccupied = (world: World, path: string): boolean => {
  if (SessionTruth.registry(world)?.unread === true) return true
  const own = new Set<number>(world.processes.filter(({ role }) => role === "Descendant").map(({ pid }) => pid))
  const heard = SessionTruth.observation(world)?.heard ?? new Set<number>()
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
  SweepPlaces.places[used] === undefined
    ? (SweepPlaces.places[path] ?? []).some((outer) => used.startsWith(`${outer}/`))
    : isOnOrInside(used, path)
