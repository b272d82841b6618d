/**
 * Gathers what is known of a worktree, as far as that is needed, and judges it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Metric from "effect/Metric"
import type * as LiveClaims from "../claims/core/LiveClaims.ts"
import * as GatherOccupants from "../claims/Occupants.ts"
import * as PathResolver from "../claims/PathResolver.ts"
import * as WorkspaceClaims from "../claims/WorkspaceClaims.ts"
import type * as Processes from "../machine/core/Processes.ts"
import type * as Known from "../shared/core/Known.ts"
import * as Text from "../shared/core/Text.ts"
import type * as Candidate from "./core/Candidate.ts"
import * as GitList from "./core/GitList.ts"
import * as Quiet from "./core/Quiet.ts"
import * as SignOfWork from "./core/SignOfWork.ts"
import * as Verdict from "./core/Verdict.ts"
import type { Git, Repository } from "./Git.ts"
import type { OwnerSentinel } from "./OwnerSentinel.ts"
import type { Restorations } from "./Restorations.ts"
import * as Transcripts from "./Transcripts.ts"
import * as WorktreeFacts from "./WorktreeFacts.ts"

/**
 * What has to be there to judge a worktree.
 */
export type Services = WorkspaceClaims.Services | OwnerSentinel | Restorations | Git

/**
 * What is gathered once for all candidates. The claims come first: a session that is born later is either unknown to the
 * records, or found by its processes.
 */
export interface Observed {
  readonly claims: LiveClaims.LiveClaims
  readonly processes: Known.Known<Processes.ProcessList>
  readonly occupants: Known.Known<GatherOccupants.Gathered>
  readonly resolve: PathResolver.PathResolver
  /** Where Claude Code keeps transcripts. */
  readonly transcripts: Known.Known<ReadonlyArray<string>>
  readonly now: number
}

export const gather = Effect.fnUntraced(function* (
  settings: Candidate.Settings
): Effect.fn.Return<Observed, never, Services> {
  const claims = yield* WorkspaceClaims.workspaceClaims(settings)
  const resolve = PathResolver.make(yield* FileSystem.FileSystem)
  const processes = yield* GatherOccupants.listProcesses
  const occupants = yield* GatherOccupants.gather(processes, claims, resolve)
  const transcripts = yield* Transcripts.gather(processes)
  return { claims, processes, occupants, resolve, transcripts, now: yield* Clock.currentTimeMillis }
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

export interface Options {
  /** One that we have taken is not refused for our lock or for lying reclaimed, and the claims on its old path count. */
  readonly taken?: Taken | undefined
  /** Whether to ask every gate. Unless set, none behind the first that refuses is asked. */
  readonly everything?: boolean | undefined
}

/**
 * Judges one linked worktree.
 */
export const judge = Effect.fn("Reclaim.judge")(function* (
  observed: Observed,
  settings: Candidate.Settings,
  repository: Repository,
  worktree: GitList.Worktree,
  { taken, everything = false }: Options = {}
): Effect.fn.Return<Candidate.Candidate, never, Services> {
  const asking = yield* WorktreeFacts.asking({ observed, settings, repository, worktree, taken })
  const asked: Array<Verdict.Gate> = []
  let gathered = WorktreeFacts.nothing(asking)
  for (const { gates, gather } of WorktreeFacts.stages) {
    gathered = { ...gathered, ...(yield* gather(asking, gathered)) }
    asked.push(...gates)
    const isRefused = Verdict.explain(gathered, settings, gates).some(({ refusal }) => refusal !== undefined)
    if (isRefused && !everything) break
  }
  const verdict = Verdict.judge(gathered, settings)
  const counted = { verdict: verdict._tag, gate: verdict._tag === "Refuse" ? verdict.gate : "None" }
  yield* Metric.update(Metric.withAttributes(verdicts, counted), 1)
  yield* Effect.annotateCurrentSpan({ path: Text.escape(worktree.path), ...counted })
  const { files, git, ends, lastSign, signs } = gathered
  return {
    repository: repository.commonDirectory,
    path: worktree.path,
    branch: worktree.branch,
    head: worktree.head,
    verdict,
    gates: Verdict.explain(gathered, settings, asked),
    ends: [...ends],
    lastSign,
    signs: SignOfWork.inOrder(signs),
    quietForMs: Quiet.quietFor(observed.now, lastSign),
    restsOnSettled: Verdict.restsOnSettled(gathered),
    landed: gathered.landed,
    ignored: git._tag === "Known" ? git.value.ignored : [],
    untracked: git._tag === "Known" ? [...GitList.untracked(git.value.dirty), ...git.value.harmless] : undefined,
    harmless: git._tag === "Known" ? git.value.harmless : [],
    inSessionWorkspace: gathered.claim._tag === "ForeignNested",
    locked: worktree.locked,
    identity:
      files._tag === "Known"
        ? { directory: files.value.identity, adminDirectory: files.value.adminDirectory }
        : undefined
  }
})
