/**
 * Gathers all that is known of a worktree, and judges it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as ClaimIndex from "../claims/core/ClaimIndex.ts"
import * as ClaimState from "../claims/core/ClaimState.ts"
import type * as GitFacts from "../verdict/core/GitFacts.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import * as HarnessLock from "../verdict/core/HarnessLock.ts"
import * as LiveClaims from "../claims/core/LiveClaims.ts"
import * as Mounts from "../machine/core/Mounts.ts"
import type * as Sentinel from "../verdict/core/OwnerSentinel.ts"
import * as Place from "../claims/core/Place.ts"
import * as Processes from "../machine/core/Processes.ts"
import * as Quiet from "../verdict/core/Quiet.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import type * as SessionEnd from "../claims/core/SessionEnd.ts"
import * as SessionOwners from "../claims/core/SessionOwners.ts"
import * as Text from "../shared/core/Text.ts"
import * as Verdict from "../verdict/core/Verdict.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"
import { Git, type Inspection, type Repository } from "../verdict/Git.ts"
import { OwnerSentinel } from "../verdict/OwnerSentinel.ts"
import * as PlaceLookup from "../claims/PlaceLookup.ts"
import { ProcessTable, type ProcessTableError } from "../machine/ProcessTable.ts"
import * as WorkspaceClaims from "../claims/WorkspaceClaims.ts"

/**
 * What has to be there to judge a worktree.
 */
export type Services = WorkspaceClaims.Services | OwnerSentinel | Git

/**
 * What is looked at once for all candidates. The claims come first: a session that is born later is either unknown to the
 * records, or found by its processes.
 */
export interface World {
  readonly claims: LiveClaims.LiveClaims
  readonly processes:
    | { readonly _tag: "Listed"; readonly list: Processes.ProcessList }
    | { readonly _tag: "Unlisted"; readonly reason: string }
  readonly uses:
    | { readonly _tag: "Told"; readonly uses: ReadonlyArray<Placed> }
    | { readonly _tag: "Untold"; readonly reason: string }
  readonly lookup: PlaceLookup.PlaceLookup
  readonly now: number
}

interface Placed {
  readonly use: Processes.Use
  readonly place: Place.Place
}

export const look = Effect.fnUntraced(function* (
  options: ReclaimPlan.Settings
): Effect.fn.Return<World, never, Services> {
  const claims = yield* WorkspaceClaims.workspaceClaims(options)
  const lookup = PlaceLookup.make(yield* FileSystem.FileSystem)
  const processes = yield* listProcesses.pipe(
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the processes could not be listed, so every worktree stays",
      bound: Bound.Git,
      safe: (reason): World["processes"] => ({ _tag: "Unlisted", reason })
    })
  )
  const uses = yield* lookAtUses(processes, claims, lookup).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "what processes use could not be told, so every worktree stays",
      bound: Bound.Git,
      safe: (reason): World["uses"] => ({ _tag: "Untold", reason })
    })
  )
  return { claims, processes, uses, lookup, now: yield* Clock.currentTimeMillis }
})

const listProcesses = Effect.gen(function* (): Effect.fn.Return<World["processes"], ProcessTableError, ProcessTable> {
  const table = yield* ProcessTable
  const looked = yield* table.look
  if (looked._tag === "NotConsulted") return { _tag: "Unlisted", reason: "no process table is consulted" }
  return Processes.holdsSelf(looked)
    ? { _tag: "Listed", list: looked }
    : { _tag: "Unlisted", reason: "the list of processes was cut off" }
})

const lookAtUses = Effect.fnUntraced(function* (
  processes: World["processes"],
  claims: LiveClaims.LiveClaims,
  lookup: PlaceLookup.PlaceLookup
): Effect.fn.Return<World["uses"], ProcessTableError, ProcessTable> {
  if (processes._tag === "Unlisted") return { _tag: "Untold", reason: processes.reason }
  const table = yield* ProcessTable
  const heard = claims.observation._tag === "Answered" ? claims.observation.servers.map(({ pid }) => pid) : []
  const uses = Processes.counted(processes.list, yield* table.uses(processes.list), new Set(heard))
  const placed = yield* Effect.forEach(
    uses,
    (use) => Effect.map(lookup(use.path), (place): Placed => ({ use, place })),
    { concurrency: 16 }
  )
  const untold = placed.find(({ place }) => place._tag === "Unplaceable" && place.untold === true)
  return untold === undefined
    ? { _tag: "Told", uses: placed.map(({ use, place }) => ({ use, place: atLeast(place) })) }
    : { _tag: "Untold", reason: `what process ${untold.use.pid} uses could not be looked up: ${untold.use.path}` }
})

/**
 * What is used at a path that cannot be placed is at least where it says.
 */
const atLeast = (place: Place.Place): Place.Place =>
  place._tag === "Placed"
    ? place
    : Place.placed(place.path, [{ segments: Place.segmentsOf(place.path) ?? [], identities: [] }])

const verdicts = Metric.counter("session_liveness_verdicts_total", {
  description: "Worktrees that were judged, by the gate that refused",
  incremental: true
})

/**
 * What is known of a worktree that is being reclaimed or lies reclaimed: where it was, and the reason of our own lock.
 */
export interface Taken {
  readonly path: string
  readonly lock: string
}

/**
 * Judges one linked worktree. One that we have `taken` is not refused for our lock or for lying reclaimed, and the claims
 * on its old path count.
 */
export const judge = Effect.fn("Reclaim.judge")(function* (
  world: World,
  options: ReclaimPlan.Settings,
  repository: Repository,
  worktree: GitList.Worktree,
  taken?: Taken
): Effect.fn.Return<ReclaimPlan.Candidate, never, Services> {
  const git = yield* Git
  const sentinels = yield* OwnerSentinel
  const inspected = yield* git.inspect(repository, worktree).pipe(
    Effect.map((inspection): Result.Result<Inspection, string> => Result.succeed(inspection)),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "a worktree could not be inspected, so it stays",
      bound: Bound.Survey,
      safe: (reason): Result.Result<Inspection, string> => Result.fail(reason)
    })
  )
  const sentinel = yield* sentinels.read(worktree.path)
  const places = yield* Effect.forEach(new Set([worktree.path, taken?.path ?? worktree.path]), world.lookup)
  const activeAt = Result.match(inspected, { onFailure: () => null, onSuccess: (inspection) => inspection.activeAt })
  // Where git cannot tell, the work may have gone on after the sentinel was made.
  const since =
    activeAt === null ? null : Math.max(activeAt, sentinel._tag === "Named" ? sentinel.createdAt : -Infinity)
  const named =
    sentinel._tag === "Named" ? [sentinel.owner, sentinel.agent?.parent].filter((id) => id !== undefined) : []
  const ends = new Map(named.map((id) => [id, SessionOwners.sessionEnd(world.claims.owners, id, since)]))
  const facts: Verdict.Facts = {
    claim: places
      .map((place) => LiveClaims.claimState(world.claims, place))
      .reduce((strictest, state) => ClaimState.stricter(strictest, state)),
    sentinel,
    ends,
    agentStoreLeaf: /\/\.claude\/worktrees\/[^/]/.test(taken?.path ?? worktree.path),
    quietForMs: Quiet.quietFor(world.now, [
      activeAt,
      ...assignedAt(sentinel, ends),
      ...places.flatMap((place) => LiveClaims.lastSigns(world.claims, place)),
      world.processes._tag === "Listed" ? world.processes.list.bootedAt : null
    ]),
    occupants: occupantsOf(world.uses, places),
    vantage: Result.match(inspected, {
      onFailure: () => "Unknown",
      onSuccess: (inspection) => vantageOf(inspection, world.processes)
    }),
    git: Result.match(inspected, {
      onFailure: (reason): GitFacts.Told => ({ _tag: "Unknown", reason }),
      onSuccess: (inspection): GitFacts.Told => ({
        _tag: "Told",
        facts: gitFactsOf(repository, inspection, world.processes, taken)
      })
    })
  }
  const verdict = Verdict.judge(facts, options)
  const counted = { verdict: verdict._tag, gate: verdict._tag === "Refuse" ? verdict.gate : "None" }
  yield* Metric.update(Metric.withAttributes(verdicts, counted), 1)
  yield* Effect.annotateCurrentSpan({ path: Text.escape(worktree.path), ...counted })
  return {
    repository: repository.commonDirectory,
    path: worktree.path,
    branch: worktree.branch,
    head: worktree.head,
    verdict,
    gates: Verdict.explain(facts, options),
    ends: [...ends],
    quietForMs: facts.quietForMs,
    restsOnSettled: Verdict.restsOnSettled(facts),
    ignored: Result.match(inspected, { onFailure: () => [], onSuccess: ({ status }) => status.ignored }),
    locked: worktree.locked,
    identity: Result.match(inspected, {
      onFailure: () => undefined,
      onSuccess: ({ identity, adminDirectory }) => ({ directory: identity, adminDirectory })
    })
  }
})

/**
 * A worktree that was given to an agent a moment ago is not settled by how long nothing had happened in it before.
 */
const assignedAt = (
  sentinel: Sentinel.OwnerSentinel,
  ends: ReadonlyMap<string, SessionEnd.SessionEnd>
): ReadonlyArray<number> =>
  sentinel._tag === "Named" &&
  sentinel.agent !== undefined &&
  sentinel.agent.endedAt === undefined &&
  ends.get(sentinel.agent.parent)?._tag !== "Ended"
    ? [sentinel.createdAt]
    : []

const occupantsOf = (uses: World["uses"], places: ReadonlyArray<Place.Place>): Verdict.Facts["occupants"] => {
  if (uses._tag === "Untold") return { _tag: "Unknown", reason: uses.reason }
  const occupants = uses.uses
    .filter(({ place: used }) => places.some((place) => ClaimIndex.isOnOrInside(used, place)))
    .map(({ use }) => use)
    .sort(byWeight)
    .map(({ pid, kind, path }): Verdict.Occupant => ({ pid, how: `${kind} ${path}` }))
  return { _tag: "Known", occupants }
}

/** Whatever may be at work in it comes before what only has it mounted. */
const byWeight = (a: Processes.Use, b: Processes.Use): number =>
  Number(a.kind === "mount") - Number(b.kind === "mount") ||
  a.pid - b.pid ||
  Text.compare(a.kind, b.kind) ||
  Text.compare(a.path, b.path)

const vantageOf = (inspection: Inspection, processes: World["processes"]): Verdict.Facts["vantage"] => {
  if (processes._tag === "Unlisted" || inspection.owner === undefined || inspection.fileSystem === undefined) {
    return "Unknown"
  }
  if (inspection.owner !== processes.list.self.user) return "OtherUser"
  return Mounts.isNetwork(inspection.fileSystem) ? "Network" : "Own"
}

const gitFactsOf = (
  { commonDirectory }: Repository,
  { worktree, status, ...inspection }: Inspection,
  processes: World["processes"],
  taken: Taken | undefined
): GitFacts.GitFacts => ({
  main: worktree.main,
  aside: taken === undefined && worktree.path.startsWith(`${ReclaimedDirectory.of(commonDirectory)}/`),
  nested: inspection.nested,
  mounts: inspection.mounts,
  submodules: inspection.submodules,
  dirty: status.dirty,
  flagged: inspection.flagged,
  operation: inspection.operation,
  indexLock: inspection.indexLock,
  headContained: inspection.headContained,
  headElsewhere: inspection.headElsewhere,
  lock: lockOf(worktree.locked, processes, taken),
  ignored: status.ignored
})

const lockOf = (
  locked: string | undefined,
  processes: World["processes"],
  taken: Taken | undefined
): GitFacts.Lock | null => {
  if (locked === undefined) return null
  if (locked === taken?.lock) return null
  return processes._tag === "Listed"
    ? HarnessLock.of(locked, processes.list.processes)
    : { holder: "Unknown", reason: locked }
}
