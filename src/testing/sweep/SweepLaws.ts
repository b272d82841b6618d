/**
 * The laws of the programs that decide what is live and what may go, to be checked on any layers of their services over
 * random worlds and random faults.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as ClaimState from "../../claims/core/ClaimState.ts"
import * as LiveClaims from "../../claims/core/LiveClaims.ts"
import * as SessionOwners from "../../claims/core/SessionOwners.ts"
import * as WorkspaceClaim from "../../claims/core/WorkspaceClaim.ts"
import * as KillLaw from "./KillLaw.ts"
import * as ReclaimLaws from "./ReclaimLaws.ts"
import * as SlimLaws from "./SlimLaws.ts"
import { added, besideWorktrees } from "./Evidence.ts"
import { oneWayToEnd, oneWayToGone, oneWayToPermit } from "./OneWayLaws.ts"
import { evidenceOnlyRefuses, faultsOnlyRefuse, noAnswerFromPart } from "./RefusalLaws.ts"
import * as Gen from "../Gen.ts"
import type * as Law from "../Law.ts"
import { notNeedlessly } from "./NeedlessLaw.ts"
import { type Broken, show } from "../Law.ts"
import * as SessionArbitraries from "./SessionArbitraries.ts"
import { aftermath } from "../Program.ts"
import { cases, close } from "./SweepCases.ts"
import { law, type Stage } from "./SweepStage.ts"
import { permitted, programNames, programs } from "./SweepPrograms.ts"
import type { Subject, World } from "./SweepSubject.ts"
import * as WorktreeTruth from "./WorktreeTruth.ts"
import * as SweepTime from "./SweepTime.ts"

export { cases } from "./SweepCases.ts"
export type { Case, TornRead, Trouble } from "./SweepCases.ts"
export { programNames, programs } from "./SweepPrograms.ts"
export type { Program, ProgramName } from "./SweepPrograms.ts"
export { stage } from "./SweepStage.ts"
export type { Stage } from "./SweepStage.ts"
export { fakes, replacing } from "./SweepSubject.ts"
export type { Services, Subject } from "./SweepSubject.ts"

const bounded = law(
  "L7 bounded",
  "Every program ends within its bound under the test clock, whatever the fakes do, hanging and ignoring interruption included.",
  Gen.struct({ case: cases, program: Gen.element(programNames) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program }, stage, must) {
    const { attempt } = yield* stage(world, trouble)
    const given = programs(world, path)[program]
    const ending = yield* attempt<unknown>(given)
    yield* must(ending._tag === "Ended", () => `${program} did not end within ${Duration.format(given.bound)}`)
  })
)

const total = law(
  "L8 total",
  "Fail-open programs never fail and never die, even when a fake throws.",
  Gen.struct({ case: cases, program: Gen.element(programNames) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program }, stage, must) {
    const { attempt } = yield* stage(world, trouble)
    const ending = yield* attempt<unknown>(programs(world, path)[program])
    if (ending._tag === "Late") return
    yield* must(Exit.isSuccess(ending.exit), () => `${program} ended in ${show(ending.exit)}`)
  })
)

const callerKeepsGround = law(
  "L10 the caller keeps its ground",
  "A caller's own workspace, or a directory containing it, is never permitted.",
  Gen.map(
    Gen.struct({ case: close, dismissed: Gen.element([false, true]) }),
    ({ case: { world, ...rest }, dismissed }) => {
      const caller = world.records[0]?.key ?? world.caller
      const dismiss = dismissed && caller !== undefined ? [...world.dismiss, caller] : world.dismiss
      return { world: { ...world, caller, dismiss }, ...rest }
    }
  ),
  Effect.fnUntraced(function* ({ world, path, trouble }, stage, must) {
    for (const troubled of [undefined, trouble]) {
      const { run } = yield* stage(world, troubled)
      for (const permit of permitted(yield* run(programs(world, path).survey))) {
        yield* must(!WorktreeTruth.isCallersGround(world, permit), () => `${permit} is the caller's, and permitted`)
      }
    }
  })
)

const orderIsNothing = law(
  "L11 order is nothing",
  "Permuting records, claims, sockets, processes, entries, files and worktrees changes no answer, its wording included.",
  Gen.struct({ case: cases, order: Gen.order(6) }),
  Effect.fnUntraced(function* ({ case: { world, path }, order }, stage, must) {
    const one = yield* answers(yield* stage(world), world, path)
    const other = yield* answers(yield* stage(permuted(world, order)), world, path)
    for (const [name, answer] of Object.entries(one)) {
      const again = other[name]
      yield* must(Equal.equals(answer, again), () => `${name} is ${show(answer)}, in another order ${show(again)}`)
    }
  })
)

/** Every answer about a world, with its wording. */
const answers = Effect.fnUntraced(function* (
  { run }: Stage,
  world: World,
  path: string
): Effect.fn.Return<Readonly<Record<string, unknown>>, Broken> {
  const { observe, workspaceClaims, survey, identifyCaller, locate } = programs(world, path)
  const { claims, owners, ...rest } = yield* run(workspaceClaims)
  const state = LiveClaims.claimState({ claims, owners, ...rest }, yield* run(locate))
  return {
    observation: yield* run(observe),
    claims: [...claims].sort(WorkspaceClaim.compare),
    owners: owners.owners,
    incomplete: rest.incomplete,
    dismissed: rest.dismissed,
    history: owners.history,
    state,
    explanation: ClaimState.explain(state),
    ends: SessionArbitraries.ids.map((id) => SessionOwners.sessionEnd(owners, id, SweepTime.at("overDay"))),
    caller: yield* run(identifyCaller),
    plan: yield* run(survey)
  }
})

const permuted = (world: World, order: ReadonlyArray<number>): World => {
  const by = Gen.reordered(order)
  return {
    ...world,
    records: by(world.records),
    linkFiles: by(world.linkFiles),
    servers: by(world.servers).map((server) => ({ ...server, sessions: by(server.sessions), uses: by(server.uses) })),
    strays: by(world.strays),
    processes: by(world.processes).map((process) => ({ ...process, uses: by(process.uses) })),
    entries: by(world.entries),
    transcripts: by(world.transcripts),
    worktrees: by(world.worktrees)
  }
}

const recovery = law(
  "L12 recovery",
  "After faults end and the world has changed, the next call gives the fault-free answer: nothing is cached or sticky.",
  Gen.struct({
    case: cases,
    program: Gen.element(programNames),
    evidence: besideWorktrees,
    grows: Gen.element([true, false])
  }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program, evidence, grows }, stage, must) {
    const [before, next] = grows ? [world, added(world, evidence)] : [added(world, evidence), world]
    const staged = yield* stage(before, { ...trouble, corruptions: [] })
    yield* staged.attempt<unknown>(programs(before, path)[program])
    staged.become(next)
    yield* aftermath
    const after = yield* answers(staged, next, path)
    const right = yield* answers(yield* stage(next), next, path)
    for (const [name, answer] of Object.entries(right)) {
      const again = after[name]
      yield* must(Equal.equals(answer, again), () => `${name} is ${show(again)} instead of ${show(answer)}`)
    }
  })
)

/** Every law of the programs that judge and of those that act on it. */
export const all: ReadonlyArray<Law.Law<Subject>> = [
  oneWayToGone,
  oneWayToEnd,
  oneWayToPermit,
  faultsOnlyRefuse,
  noAnswerFromPart,
  evidenceOnlyRefuses,
  bounded,
  total,
  callerKeepsGround,
  orderIsNothing,
  recovery,
  notNeedlessly,
  ...ReclaimLaws.all,
  ...KillLaw.all,
  ...SlimLaws.all
]
