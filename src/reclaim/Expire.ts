import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as FailOpen from "../shared/FailOpen.ts"
import type { Repository } from "../verdict/Git.ts"
import type * as ExpiryPlan from "./core/ExpiryPlan.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type { ReclaimRecord } from "./core/ReclaimRecord.ts"
import * as ReclaimStep from "./core/ReclaimStep.ts"
import { carryOut, type Failure, forget, foundIn, guarded, lookAt, recoverAfter } from "./Guarded.ts"
import type { JudgedAnew } from "./JudgeAnew.ts"
import { examined } from "./PlanExpiry.ts"
import { annotateOutcomes, kept, type Outcome, type Outcomes, type Reading, type Services } from "./Services.ts"

const { Obstacle } = ReclaimOutcome

/**
 * Removes what a plan says, by `git worktree remove` and never by force: each is judged once more. Branches, and the refs
 * that keep its commits, stay.
 */
export const expire = (plan: ExpiryPlan.ExpiryPlan): Effect.Effect<Outcomes, never, Services> =>
  Effect.forEach(plan.repositories, (repository) => {
    const items = plan.items.filter((item) => item.repository === repository)
    // Without the guard nothing is known to be recovered, which is for a person to hear too.
    const paths = items.length === 0 ? [repository] : items.map(({ path }) => path)
    return guarded("Reclaim.expire", repository, paths, (known) =>
      Effect.forEach(items, (item) => removeOne(plan, known, item))
    )
  }).pipe(
    Effect.map((outcomes) => outcomes.flat()),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.expire", { attributes: { items: plan.items.length } })
  )

const removeOne = (
  { settings }: ExpiryPlan.ExpiryPlan,
  repository: Repository,
  { path, record, due, decision }: ExpiryPlan.Item
): Effect.Effect<Outcome, never, Services> => {
  if (decision._tag === "Keep") {
    const { gate, reason } = decision
    return Effect.succeed(ReclaimOutcome.Kept({ path, gate, reason }))
  }
  return Effect.gen(function* () {
    const found = yield* foundOf(repository, record)
    if (found === undefined) return kept(path, Obstacle.NotReclaimed())
    const now = yield* Clock.currentTimeMillis
    const examine = (found: Leftover.Found, at: string) =>
      examined(settings, repository.commonDirectory, found, at, due, now)
    const judged = yield* examine(found, path)
    if (!("judged" in judged)) return judged
    return yield* carryOutRemoval(judged.repository, found, decision.leftovers, examine)
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.expire",
      bound: undefined,
      safe: (reason): Outcome => ReclaimOutcome.Kept({ path, gate: "Plan", reason })
    })
  )
}

const foundOf = (repository: Repository, { name }: ReclaimRecord) =>
  Effect.map(lookAt(repository), (leftovers) => foundIn(leftovers).find(({ entry }) => entry.record.name === name))

/**
 * Takes it out of everybody's reach and looks once more: what is in it then is what is removed. That look alone may be
 * interrupted. What fails is recovered.
 */
const carryOutRemoval = (
  repository: Repository,
  { entry, adminDirectory }: Leftover.Found,
  leftovers: ReadonlyArray<string>,
  examine: (found: Leftover.Found, at: string) => Effect.Effect<Outcome | JudgedAnew, Failure, Reading>
): Effect.Effect<Outcome, never, Services> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { record } = entry
      const withdrawal = ReclaimStep.withdraw(repository.commonDirectory, record.name)
      const { from: path, to } = withdrawal
      const look = Effect.gen(function* () {
        const found = yield* foundOf(repository, record)
        if (found?.withdrawn !== to) return kept(path, Obstacle.NotReclaimed())
        const judged = yield* examine({ ...found, lies: true, withdrawn: undefined }, to)
        if ("judged" in judged) return undefined
        // It is back by the time that this is read.
        return judged._tag === "Kept" ? { ...judged, path, reason: judged.reason.replaceAll(to, path) } : judged
      })
      const removed = yield* carryOut(repository, [withdrawal]).pipe(
        Effect.andThen(restore(look)),
        Effect.tap((refusal) =>
          refusal === undefined
            ? Effect.andThen(
                carryOut(repository, ReclaimStep.expire(record, adminDirectory, to, leftovers)),
                forget(entry)
              )
            : Effect.void
        ),
        Effect.onExit((exit) =>
          Exit.isSuccess(exit) && exit.value === undefined ? Effect.void : recoverAfter(repository, entry)
        ),
        Effect.result
      )
      if (Result.isFailure(removed)) {
        return ReclaimOutcome.Failed({ path, step: "remove", reason: removed.failure.message })
      }
      return removed.success ?? ReclaimOutcome.Removed({ path: record.path, from: path })
    })
  )
