import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as FailOpen from "../shared/FailOpen.ts"
import type { Repository } from "../verdict/Git.ts"
import type { JournalEntry } from "./core/JournalEntry.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import * as ReclaimStep from "./core/ReclaimStep.ts"
import { carryOut, type Failure, guarded, put, recoverAfter } from "./Guarded.ts"
import { judgeAnew, type JudgedAnew } from "./JudgeAnew.ts"
import { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { ReclaimJournal } from "./ReclaimJournal.ts"
import { annotateOutcomes, bounded, kept, type Outcome, type Outcomes, type Services } from "./Services.ts"

const { Obstacle } = ReclaimOutcome

/**
 * Moves the permitted candidates of a plan out of the way, one after another: each is observed and judged again, must still
 * be the same directory, is written to the journal, and is looked at once more when its lock is taken. Nothing is deleted.
 * Gives an outcome for every candidate, and for what a sweep that died had left.
 */
export const apply = (plan: ReclaimPlan.Plan): Effect.Effect<Outcomes, never, Services> =>
  Effect.forEach(
    Map.groupBy(plan.candidates, ({ repository }) => repository),
    ([repository, candidates]) =>
      guarded(
        "Reclaim.apply",
        repository,
        candidates.map(({ path }) => path),
        () => Effect.forEach(candidates, (candidate) => moveAway(plan.settings, repository, candidate))
      )
  ).pipe(
    Effect.map((outcomes) => outcomes.flat()),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.apply", { attributes: { candidates: plan.candidates.length } })
  )

const moveAway = (
  settings: ReclaimPlan.Settings,
  commonDirectory: string,
  candidate: ReclaimPlan.Candidate
): Effect.Effect<Outcome, never, Services> => {
  const { path } = candidate
  if (candidate.verdict._tag === "Refuse") return Effect.succeed(ReclaimOutcome.Kept({ path, ...candidate.verdict }))
  return Effect.gen(function* () {
    const now = yield* judgeAnew(settings, commonDirectory, path)
    if (now === undefined) return kept(path, Obstacle.Unlisted())
    const { judged, repository, worktree } = now
    if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
    const { identity } = judged
    if (identity === undefined || worktree.head === undefined || !isSame(identity, candidate.identity)) {
      return kept(path, Obstacle.Replaced())
    }
    const at = yield* Clock.currentTimeMillis
    const trees = yield* ReclaimedTrees
    const journal = yield* ReclaimJournal
    const entry: JournalEntry = {
      ...(yield* bounded("the look at the worktree")(trees.identify(repository, path))),
      commonDirectory: repository.commonDirectory,
      adminName: identity.adminDirectory.slice(identity.adminDirectory.lastIndexOf("/") + 1),
      record: {
        name: ReclaimRecord.nameOf(identity.adminDirectory, at),
        path,
        branch: worktree.branch,
        head: worktree.head,
        at,
        settledOnly: judged.restsOnSettled,
        priorLock: worktree.locked
      },
      restoringSince: undefined
    }
    // An entry in its place would be lost, and with it the way back of another worktree.
    const { entries } = yield* bounded("the journal")(journal.read(entry.repository))
    if (entries.some(({ record }) => record.name === entry.record.name)) {
      const reason = `something is kept as ${entry.record.name} already; see \`git for-each-ref refs/reclaimed\``
      return ReclaimOutcome.Failed({ path, step: "move", reason })
    }
    return yield* carryOutMove(settings, repository, entry, identity)
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.apply",
      bound: undefined,
      safe: (reason): Outcome => ReclaimOutcome.Kept({ path, gate: "Plan", reason })
    })
  )
}

type Identity = NonNullable<ReclaimPlan.Candidate["identity"]>

const isSame = (identity: Identity, other: Identity | undefined): boolean =>
  identity.directory === other?.directory && identity.adminDirectory === other.adminDirectory

/**
 * From the first change to the last. The last look falls between the lock and the move; it alone may be interrupted, and
 * then the lock is released. What fails is recovered.
 */
const carryOutMove = (
  settings: ReclaimPlan.Settings,
  repository: Repository,
  entry: JournalEntry,
  identity: Identity
): Effect.Effect<Outcome, Failure, Services> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { record } = entry
      const { path } = record
      const { adminDirectory } = identity
      const to = ReclaimStep.reclaimedAt(repository.commonDirectory, record.name)
      yield* put(entry)
      const moved = yield* carryOut(repository, ReclaimStep.prepare(record, adminDirectory)).pipe(
        Effect.andThen(restore(judgeAnew(settings, repository.commonDirectory, path, record))),
        Effect.map((last) => refusalOf(last, record, identity)),
        Effect.tap((refusal) =>
          refusal === undefined ? carryOut(repository, ReclaimStep.move(record, adminDirectory, to)) : Effect.void
        ),
        Effect.onExit((exit) =>
          Exit.isSuccess(exit) && exit.value === undefined ? Effect.void : recoverAfter(repository, entry)
        ),
        Effect.result
      )
      if (Result.isFailure(moved)) {
        return ReclaimOutcome.Failed({ path, step: "move", reason: moved.failure.message })
      }
      return moved.success ?? ReclaimOutcome.Moved({ path, to, notes: [] })
    })
  )

/**
 * Why a worktree that is locked by us stays after all.
 */
const refusalOf = (
  last: JudgedAnew | undefined,
  record: ReclaimRecord.ReclaimRecord,
  identity: Identity
): Outcome | undefined => {
  const { path } = record
  if (last === undefined) return kept(path, Obstacle.Unlisted())
  const { judged, worktree } = last
  if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
  if (judged.identity === undefined || !isSame(judged.identity, identity)) return kept(path, Obstacle.Replaced())
  return worktree.head === record.head && worktree.branch === record.branch
    ? undefined
    : kept(path, Obstacle.SwitchedBranch())
}
