/**
 * The laws of the dangerous answers: each comes under exactly its conditions.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as LiveClaims from "../../claims/core/LiveClaims.ts"
import * as SessionOwners from "../../claims/core/SessionOwners.ts"
import * as Gen from "../Gen.ts"
import { show } from "../Law.ts"
import * as SessionArbitraries from "./SessionArbitraries.ts"
import { cases } from "./SweepCases.ts"
import { law } from "./SweepStage.ts"
import { programs } from "./SweepPrograms.ts"
import * as SessionTruth from "./SessionTruth.ts"
import * as WorktreeTruth from "./WorktreeTruth.ts"
import * as SweepTime from "./SweepTime.ts"

/** The last sign of some work, with limits to each side. */
const since: Arbitrary.Arbitrary<number | undefined> = Gen.element([
  undefined,
  SweepTime.at("overWeek"),
  SweepTime.at("almostWeek"),
  SweepTime.at("overDay"),
  SweepTime.at("almostDay")
])

export const oneWayToGone = law(
  "L4 one way to gone",
  "livenessOf is SessionGone exactly under the six conditions, and otherwise Live with the first that fails.",
  cases,
  Effect.fnUntraced(function* ({ world, path }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, observe } = programs(world, path)
    const observation = yield* run(observe)
    const seen = SessionTruth.observation(world)
    yield* must(
      observation._tag === "Answered"
        ? seen !== undefined && Equal.equals(new Set(observation.names), seen.names)
        : seen === undefined,
      () =>
        `tmux is ${show(observation)}, and ${
          seen === undefined ? "nothing in this world is an answer" : `the names are ${show([...seen.names])}`
        }`
    )
    const { owners } = (yield* run(workspaceClaims)).owners
    yield* must((owners !== null) === (world.store === "Read"), () => `the owners are ${show(owners)}`)
    if (owners === null) return
    yield* must(owners.size === world.records.length, () => `${owners.size} owners`)
    for (const record of world.records) {
      const liveness = owners.get(record.key)
      const is = liveness?._tag === "Live" ? liveness.because._tag : liveness?._tag
      const right = SessionTruth.standing(world, record)
      yield* must(is === right, () => `${record.key} is ${is} instead of ${right}`)
    }
  })
)

export const oneWayToEnd = law(
  "L4 one way to an end",
  "sessionEnd is Ended exactly on the evidence that is asked for, and so is every claim state.",
  Gen.struct({ case: cases, since }),
  Effect.fnUntraced(function* ({ case: { world, path }, since }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, locate, identifyCaller } = programs(world, path)
    const claims = yield* run(workspaceClaims)
    for (const id of SessionArbitraries.ids) {
      const end = SessionOwners.sessionEnd(claims.owners, id, since)
      const right = SessionTruth.sessionEnd(world, id, since)
      yield* must(end._tag === right, () => `the end of ${id} is ${show(end)} instead of ${right}`)
    }
    const state = LiveClaims.claimState(claims, yield* run(locate))
    const right = WorktreeTruth.claimState(world, path)
    yield* must(state._tag === right, () => `${show(path)} is ${show(state)} instead of ${right}`)
    const caller = Option.getOrUndefined(yield* run(identifyCaller))
    const rightCaller = SessionTruth.identified(world)
    yield* must(caller === rightCaller, () => `the caller is ${caller} instead of ${rightCaller}`)
  })
)

export const oneWayToPermit = law(
  "L4 one way to a permit",
  "A survey judges every linked worktree, and permits exactly those that no gate refuses; otherwise the first that does speaks.",
  cases,
  Effect.fnUntraced(function* ({ world, path }, stage, must) {
    const { run } = yield* stage(world)
    const plan = yield* run(programs(world, path).survey)
    const listed = world.worktrees.filter(({ repository }) => world.repositories[repository] === "Listed")
    yield* must(
      Equal.equals(new Set(plan.candidates.map(({ path }) => path)), new Set(listed.map(({ path }) => path))),
      () => `it judged ${show(plan.candidates.map(({ path }) => path))}`
    )
    for (const worktree of listed) {
      const verdict = plan.candidates.find(({ path }) => path === worktree.path)?.verdict
      const gate = verdict?._tag === "Refuse" ? verdict.gate : verdict?._tag
      const right = WorktreeTruth.gate(world, worktree)
      yield* must(gate === right, () => `${worktree.path} is ${show(verdict)} instead of ${right}`)
    }
  })
)
