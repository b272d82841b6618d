/**
 * Gathers the facts of one worktree in stages, the cheap ones first. What fails is unknown, and refuses.
 */
import * as Effect from "effect/Effect"
import * as ClaimState from "../claims/core/ClaimState.ts"
import * as LiveClaims from "../claims/core/LiveClaims.ts"
import type * as SessionOwners from "../claims/core/SessionOwners.ts"
import * as Elsewhere from "../claims/Elsewhere.ts"
import * as GatherOccupants from "../claims/Occupants.ts"
import * as Mounts from "../machine/core/Mounts.ts"
import * as Bound from "../shared/Bound.ts"
import * as Known from "../shared/core/Known.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as ClaudeLock from "./core/ClaudeLock.ts"
import type * as Facts from "./core/Facts.ts"
import type * as GitFacts from "./core/GitFacts.ts"
import * as Landed from "./core/Landed.ts"
import * as Sentinel from "./core/OwnerSentinel.ts"
import * as ReclaimedDirectory from "./core/ReclaimedDirectory.ts"
import * as Regenerable from "./core/Regenerable.ts"
import * as Settled from "./core/Settled.ts"
import * as SignOfWork from "./core/SignOfWork.ts"
import type * as Verdict from "./core/Verdict.ts"
import { Git, type WorktreeFiles } from "./Git.ts"
import type { Observed, Services } from "./JudgeWorktree.ts"
import { OwnerSentinel } from "./OwnerSentinel.ts"
import { type Asking, oldPathOf } from "./AskedWorktree.ts"
import { assignment, type Shown, signsOf } from "./WorktreeSigns.ts"

export { asking } from "./AskedWorktree.ts"

/**
 * What has been gathered so far.
 */
export interface Gathered extends Facts.Facts, Shown {}

interface Stage {
  /** The gates of which every fact is there after it. */
  readonly gates: ReadonlyArray<Verdict.Gate>
  readonly gather: (asking: Asking, before: Gathered) => Effect.Effect<Partial<Gathered>, never, Services>
}

const notAsked = Known.unknown("it was not asked")

/**
 * Before anything is asked.
 */
export const nothing = (asking: Asking): Gathered => {
  const { observed, repository, worktree, places, taken } = asking
  const { observation } = observed.claims
  return {
    path: worktree.path,
    repository: repository.commonDirectory,
    now: observed.now,
    claim: places
      .map((place) => LiveClaims.claimState(observed.claims, place))
      .reduce((strictest, state) => ClaimState.stricter(strictest, state)),
    sentinel: Sentinel.Unreadable({ why: notAsked.reason }),
    ends: new Map(),
    managed: new Set(),
    occupants: notAsked,
    vantage: notAsked,
    lastSign: notAsked,
    bootedAt: bootOf(observed),
    serversStartedAt:
      observation._tag === "Answered"
        ? Known.known(observation.servers.map(({ startTime }) => startTime * 1000))
        : Known.unknown("tmux could not be observed"),
    registered: {
      main: worktree.main,
      reclaimed:
        taken === undefined && worktree.path.startsWith(`${ReclaimedDirectory.of(repository.commonDirectory)}/`),
      head: worktree.head,
      branch: worktree.branch,
      lock: lockOf(asking)
    },
    git: notAsked,
    landed: Landed.NotLanded({ why: "it was not asked whether it has landed", commits: undefined, isReverted: false }),
    files: notAsked,
    signs: []
  }
}

const bootOf = ({ processes }: Observed): Facts.Facts["bootedAt"] => {
  if (processes._tag === "Unknown") return processes
  const { bootedAt } = processes.value
  return bootedAt === null ? Known.unknown("the process table does not tell the boot") : Known.known(bootedAt)
}

const lockOf = ({ observed: { processes }, worktree: { locked }, taken }: Asking): GitFacts.Lock | undefined => {
  if (locked === undefined || locked === taken?.lock) return undefined
  return processes._tag === "Known"
    ? ClaudeLock.of(locked, processes.value.processes)
    : { holder: "Unknown", reason: locked }
}

const owners: Stage["gather"] = Effect.fnUntraced(function* (asking) {
  const { observed, settings, worktree, places } = asking
  const sentinels = yield* OwnerSentinel
  const sentinel = yield* sentinels.read(worktree.path).pipe(
    Effect.map(Sentinel.whole),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "a sentinel could not be read, so its worktree stays",
      bound: Bound.Git,
      safe: (why): Sentinel.Sentinel => Sentinel.Unreadable({ why })
    })
  )
  const occupants = yield* GatherOccupants.of(
    observed.occupants,
    places,
    GatherOccupants.inside(
      worktree.path,
      (name, beside) => Regenerable.kindOf(name, "Directory", beside, settings) !== undefined
    )
  )
  if (sentinel._tag !== "Named") return { sentinel, occupants }
  const named = [sentinel.owner, sentinel.agent?.parent].filter((id) => id !== undefined)
  const shown = yield* signsOf(asking)
  // Where no time is known, the work may have gone on after the sentinel was made.
  const since = shown.lastSign._tag === "Known" ? Math.max(shown.lastSign.value.at, sentinel.createdAt) : null
  const ends = yield* Elsewhere.endsOf(observed.claims.owners, named, since)
  const managed = new Set(named.filter((id) => isManaged(observed.claims.owners, id)))
  const signs = [...shown.signs, ...assignment(sentinel, ends)]
  return { ...shown, signs, lastSign: SignOfWork.newest(signs), sentinel, occupants, ends, managed }
})

/** Whether a manager keeps the session in tmux. Where the links are not known, it may. */
const isManaged = ({ owners, current, history }: SessionOwners.SessionOwners, id: string): boolean =>
  owners?.has(id) === true ||
  [...current.values()].includes(id) ||
  history._tag === "Unreadable" ||
  (history._tag === "Read" && (history.links as ReadonlyMap<string, unknown>).has(id))

const work: Stage["gather"] = Effect.fnUntraced(function* (asking, before) {
  const shown = before.files === notAsked ? yield* signsOf(asking) : before
  return { ...shown, vantage: vantageOf(shown.files, asking.observed.processes) }
})

const vantageOf = (files: Known.Known<WorktreeFiles>, processes: Observed["processes"]): Facts.Facts["vantage"] => {
  if (files._tag === "Unknown") return files
  if (processes._tag === "Unknown") return processes
  const { owner, fileSystem } = files.value
  if (owner === undefined) return Known.unknown("its owner is not known")
  if (owner !== processes.value.self.user) return Known.known("OtherUser")
  if (fileSystem === undefined) return Known.unknown("its file system is not known here")
  return Known.known(Mounts.isNetwork(fileSystem) ? "Network" : "Own")
}

const inspection: Stage["gather"] = Effect.fnUntraced(function* ({ settings, repository, worktree }, { files }) {
  if (files._tag === "Unknown") return { git: files }
  const git = yield* Git
  return {
    git: yield* git.inspect(repository, worktree, files.value, settings).pipe(
      Effect.map((facts): Known.Known<GitFacts.GitFacts> => Known.known(facts)),
      FailOpen.foldsTo({
        program: "Reclaim.survey",
        answer: "a worktree could not be inspected, so it stays",
        bound: Bound.Survey,
        safe: (reason): Known.Known<GitFacts.GitFacts> => Known.unknown(reason)
      })
    )
  }
})

const landing: Stage["gather"] = Effect.fnUntraced(function* (asking, before) {
  const { settings, repository, worktree } = asking
  const { files } = before
  if (files._tag === "Unknown" || worktree.head === undefined) return {}
  const git = yield* Git
  const done = {
    head: worktree.head,
    madeAt: files.value.headLog.madeAt,
    committed: files.value.headLog.commits,
    agentStore: /\/\.claude\/worktrees\/[^/]/.test(oldPathOf(asking))
  }
  // Where it goes anyway, the note need not say more than that it was not merged.
  const thorough = Settled.unvouched(before) !== undefined && !Settled.isSettled(before, settings)
  return {
    landed: yield* git.landed(repository, done, { ...settings, thorough }).pipe(
      FailOpen.foldsTo({
        program: "Reclaim.survey",
        answer: "it is not known whether a worktree has landed, so it stays until it is settled",
        bound: Bound.Survey,
        safe: (reason): Landed.Landed =>
          Landed.NotLanded({
            why: `git could not tell whether it has landed: ${reason}`,
            commits: undefined,
            isReverted: false
          })
      })
    )
  }
})

export const stages: ReadonlyArray<Stage> = [
  { gates: ["Claim"], gather: () => Effect.succeed({}) },
  { gates: ["Owner", "Occupied"], gather: owners },
  { gates: ["Vantage", "Quiet"], gather: work },
  { gates: ["Git"], gather: inspection },
  { gates: ["Settled"], gather: landing }
]
