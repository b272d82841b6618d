/**
 * Gathers all that is known of a worktree, and judges it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as ClaimState from "../claims/core/ClaimState.ts"
import type * as GitFacts from "../verdict/core/GitFacts.ts"
import type * as GitList from "../verdict/core/GitList.ts"
import * as HarnessLock from "../verdict/core/HarnessLock.ts"
import * as LiveClaims from "../claims/core/LiveClaims.ts"
import * as Mounts from "../machine/core/Mounts.ts"
import type * as Sentinel from "../verdict/core/OwnerSentinel.ts"
import type * as Known from "../shared/core/Known.ts"
import type * as Processes from "../machine/core/Processes.ts"
import * as Regenerable from "../verdict/core/Regenerable.ts"
import * as Quiet from "../verdict/core/Quiet.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import type * as SessionEnd from "../claims/core/SessionEnd.ts"
import * as Elsewhere from "../claims/Elsewhere.ts"
import * as Text from "../shared/core/Text.ts"
import * as Verdict from "../verdict/core/Verdict.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"
import { Git, type Inspection, type Repository } from "../verdict/Git.ts"
import { OwnerSentinel } from "../verdict/OwnerSentinel.ts"
import * as PathResolver from "../claims/PathResolver.ts"
import * as GatherOccupants from "../claims/Occupants.ts"
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
  readonly processes: Known.Known<Processes.ProcessList>
  readonly occupants: Known.Known<GatherOccupants.Gathered>
  readonly lookup: PathResolver.PathResolver
  readonly now: number
}

export const look = Effect.fnUntraced(function* (
  options: ReclaimPlan.Settings
): Effect.fn.Return<World, never, Services> {
  const claims = yield* WorkspaceClaims.workspaceClaims(options)
  const lookup = PathResolver.make(yield* FileSystem.FileSystem)
  const processes = yield* GatherOccupants.listProcesses
  const occupants = yield* GatherOccupants.gather(processes, claims, lookup)
  return { claims, processes, occupants, lookup, now: yield* Clock.currentTimeMillis }
})

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
  const ends = yield* Elsewhere.endsOf(world.claims.owners, named, since)
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
      world.processes._tag === "Known" ? world.processes.value.bootedAt : null
    ]),
    occupants: yield* GatherOccupants.of(
      world.occupants,
      places,
      GatherOccupants.inside(
        worktree.path,
        (name, beside) => Regenerable.kindOf(name, "Directory", beside) !== undefined
      )
    ),
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
    inSessionWorkspace: facts.claim._tag === "ForeignNested",
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

const vantageOf = (inspection: Inspection, processes: World["processes"]): Verdict.Facts["vantage"] => {
  if (processes._tag === "Unknown" || inspection.owner === undefined || inspection.fileSystem === undefined) {
    return "Unknown"
  }
  if (inspection.owner !== processes.value.self.user) return "OtherUser"
  return Mounts.isNetwork(inspection.fileSystem) ? "Network" : "Own"
}

const gitFactsOf = (
  { commonDirectory, sharedBy }: Repository,
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
  sharedBy,
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
  return processes._tag === "Known"
    ? HarnessLock.of(locked, processes.value.processes)
    : { holder: "Unknown", reason: locked }
}
