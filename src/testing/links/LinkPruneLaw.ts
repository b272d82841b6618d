/**
 * Pruning moves what was planned, and loses nothing.
 */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as PrunePlan from "../../links/core/PrunePlan.ts"
import * as Root from "../../shared/core/Root.ts"
import * as Gen from "../Gen.ts"
import { show } from "../Law.ts"
import * as LinkTruth from "./LinkTruth.ts"
import * as LinkWorld from "./LinkWorld.ts"
import { law, programs, cases } from "./LinkStage.ts"

/** L5. */
export const faultsOnlyRefuse = law(
  "L5 faults only refuse to prune",
  "What a prune plans under faults is a subset of what it plans without; what it applies was planned, is unchanged since, and loses no byte.",
  Gen.struct({ case: cases, faultyPlan: Gen.element([false, true]), meanwhile: Gen.element([false, false, true]) }),
  Effect.fnUntraced(function* ({ case: { world, ask, faults }, faultyPlan, meanwhile }, stage, must) {
    const staged = yield* stage(world, faults)
    const calm = yield* staged.afresh()
    const { planPrune } = programs(ask, undefined)
    const right = LinkTruth.movable(world)
    const plan = yield* calm.run(planPrune)
    yield* must(Equal.equals(namesOf(plan), right), () => `without faults it plans ${show(plan)}, not ${show(right)}`)
    if (faultyPlan) {
      const planned = namesOf(yield* staged.run(planPrune))
      return yield* must(
        planned.every((name) => right.includes(name)),
        () => `under faults it plans ${show(planned)}`
      )
    }
    const changed = meanwhile ? plan.moves[0]?.managedId : undefined
    const planned = staged.fake.snapshot()
    if (changed !== undefined) yield* calm.run(programs({ managedId: changed, claudeId: "new" }, undefined).recordLink)
    const before = staged.fake.snapshot()
    const outcomes = yield* staged.run(programs(ask, plan).applyPrune)
    const after = staged.fake.snapshot()
    const sidecar = Root.sidecar(LinkWorld.root)
    /** What is recorded for one may be written through a link to another. */
    const isAsPlanned = (name: string) => Equal.equals(planned[`${sidecar}/${name}`], before[`${sidecar}/${name}`])
    yield* must(
      Equal.equals(
        outcomes.map(({ managedId }) => managedId),
        namesOf(plan)
      ),
      () => "an outcome is missing"
    )
    for (const [path, old] of Object.entries(before)) {
      if (!("bytes" in old)) continue
      const name = path.slice(sidecar.length + 1)
      const quarantined = after[`${Root.sidecar(LinkWorld.root).replace("session-links", plan.quarantine)}/${name}`]
      const now =
        after[path] ??
        (path === `${sidecar}/${name}` && right.includes(name) && isAsPlanned(name) ? quarantined : undefined)
      yield* must(now !== undefined && "bytes" in now && Equal.equals(now.bytes, old.bytes), () => `${path} is lost`)
    }
    for (const outcome of outcomes) {
      yield* must(
        outcome._tag === "Kept" || after[`${sidecar}/${outcome.managedId}`] === undefined,
        () => `${outcome.managedId} is said to have moved`
      )
    }
    if (staged.injector.injected.length > 0) return
    for (const outcome of outcomes) {
      const entry = world.entries.find(({ name }) => name === outcome.managedId)?.entry
      const moves = entry?._tag === "LinkFile" && isAsPlanned(outcome.managedId)
      yield* must(moves === (outcome._tag === "Moved"), () => `without faults ${show(outcome)}`)
    }
  })
)

const namesOf = (plan: PrunePlan.PrunePlan): ReadonlyArray<string> => plan.moves.map(({ managedId }) => managedId)
