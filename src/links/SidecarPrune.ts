import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { LinkWriter } from "./LinkWriter.ts"
import { SavingsLedger } from "./SavingsLedger.ts"
import { SidecarReader } from "./SidecarReader.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import * as PrunePlan from "./core/PrunePlan.ts"
import { SessionStore } from "../records/SessionStore.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"
import * as Period from "../shared/core/Period.ts"

/**
 * Plans which link files to move to the quarantine: those that no stored record names, whose ids have no ledger row, and that were
 * last written longer ago than `olderThan` (30 days unless given). `now` is in milliseconds since the epoch. When the
 * records or the ledger could not be read, the plan is empty and says why. Ends within `Bound.Upkeep`.
 */
export const planPrune = (options: {
  readonly now: number
  readonly olderThan?: Duration.Input | undefined
}): Effect.Effect<PrunePlan.PrunePlan, never, SidecarReader | SessionStore | SavingsLedger> => {
  const when = {
    now: options.now,
    olderThan: Period.milliseconds(options.olderThan, PrunePlan.defaultOlderThan)
  }
  return Effect.gen(function* () {
    const recorded = yield* recordedIds
    const reader = yield* SidecarReader
    const listing = yield* reader.list
    const names = listing._tag === "Listed" ? listing.names.filter(ManagedId.is) : []
    const seen = (yield* Effect.forEach(names, look, { concurrency: 16 })).flatMap(Option.toArray)
    const ledger = yield* SavingsLedger
    const mentioned = yield* ledger.mentioned(seen.flatMap(({ file }) => file.ids))
    return PrunePlan.plan(when, seen, { recorded, mentioned })
  }).pipe(
    FailOpen.foldsTo({
      program: "SessionLinks.planPrune",
      bound: Bound.Upkeep,
      safe: (reason) => PrunePlan.refuse(when, reason)
    }),
    Effect.tap(({ moves }) => Effect.annotateCurrentSpan("moves", moves.length)),
    Effect.withSpan("SessionLinks.planPrune")
  )
}

/**
 * Moves the files of a plan into its quarantine beside the sidecar, after looking at records and ledger again and at each
 * file once more. Nothing is deleted and nothing is overwritten. Gives an outcome for every planned move. Each step ends
 * within `Bound.Upkeep`.
 */
export const applyPrune = (
  plan: PrunePlan.PrunePlan
): Effect.Effect<ReadonlyArray<PrunePlan.Outcome>, never, SidecarReader | LinkWriter | SessionStore | SavingsLedger> =>
  Effect.gen(function* () {
    const recorded = yield* recordedIds
    const ledger = yield* SavingsLedger
    const mentioned = yield* ledger.mentioned(plan.moves.flatMap(({ claudeIds }) => claudeIds))
    return { recorded, mentioned }
  }).pipe(
    FailOpen.foldsTo({ program: "SessionLinks.applyPrune", bound: Bound.Upkeep, safe: (because) => ({ because }) }),
    Effect.flatMap((known) =>
      Effect.forEach(plan.moves, ({ managedId }) =>
        "because" in known ? Effect.succeed(kept(managedId, known.because)) : move(plan, managedId, known)
      )
    ),
    Effect.tap((outcomes) =>
      Effect.annotateCurrentSpan("moved", outcomes.filter(({ _tag }) => _tag === "Moved").length)
    ),
    Effect.withSpan("SessionLinks.applyPrune", { attributes: { moves: plan.moves.length } })
  )

const recordedIds = Effect.gen(function* () {
  const store = yield* SessionStore
  const { records, undecoded } = yield* store.read
  return new Set([...records.map(({ id }): string => id), ...undecoded.map(({ key }) => key)])
})

const look = (managedId: ManagedId.ManagedId) =>
  Effect.flatMap(SidecarReader, (reader) => reader.read(managedId)).pipe(
    Effect.map(({ bytes, modifiedAt }): PrunePlan.Seen => ({ managedId, file: LinkFile.parse(bytes), modifiedAt })),
    Effect.option
  )

const move = (plan: PrunePlan.PrunePlan, managedId: ManagedId.ManagedId, known: PrunePlan.Known) =>
  Effect.gen(function* () {
    const seen = yield* look(managedId)
    if (Option.isNone(seen))
      return kept(managedId, "it could not be read once more; see whether it is still there and may be read")
    if (!sameIds(plan, seen.value) || !PrunePlan.isMovable(plan, seen.value, known)) {
      return kept(managedId, "it is in use again, or was written since; nothing is to be done")
    }
    const writer = yield* LinkWriter
    const moved = yield* writer.quarantine(managedId, plan.quarantine)
    if (isAsSeen(moved, seen.value.file)) return { _tag: "Moved", managedId } satisfies PrunePlan.Outcome
    // Somebody recorded a link in it between the two looks, and was told that it is recorded.
    yield* Effect.forEach(moved.ids, (id) => writer.append(managedId, id), { discard: true })
    return kept(
      managedId,
      "a link was recorded in it while it was moved; its links are back, a copy is in the quarantine"
    )
  }).pipe(
    FailOpen.foldsTo({
      program: "SessionLinks.applyPrune",
      bound: Bound.Upkeep,
      safe: (because) => kept(managedId, because)
    })
  )

const isAsSeen = (moved: LinkFile.LinkFile, seen: LinkFile.LinkFile): boolean =>
  !moved.torn && moved.ids.length === seen.ids.length

const sameIds = (plan: PrunePlan.PrunePlan, seen: PrunePlan.Seen): boolean =>
  plan.moves.some(
    ({ managedId, claudeIds }) =>
      managedId === seen.managedId &&
      claudeIds.length === seen.file.ids.length &&
      seen.file.ids.every((id, index) => id === claudeIds[index])
  )

const kept = (managedId: ManagedId.ManagedId, because: string): PrunePlan.Outcome => ({
  _tag: "Kept",
  managedId,
  because
})
