/**
 * The laws of the programs that decide what is live and what may go, to be checked on any layers of their services over
 * random worlds and random faults.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ClaimState from "../../claims/core/ClaimState.ts"
import * as LiveClaims from "../../claims/core/LiveClaims.ts"
import * as SessionOwners from "../../claims/core/SessionOwners.ts"
import * as WorkspaceClaim from "../../claims/core/WorkspaceClaim.ts"
import * as ReclaimLaws from "./ReclaimLaws.ts"
import * as SlimLaws from "./SlimLaws.ts"
import { added, besideWorktrees, evidence, refuted } from "./Evidence.ts"
import * as Gen from "../Gen.ts"
import type * as Law from "../Law.ts"
import { notNeedlessly } from "./NeedlessLaw.ts"
import { type Broken, type Must, show } from "../Law.ts"
import * as SweepArbitraries from "./SweepArbitraries.ts"
import {
  aftermath,
  calm,
  cases,
  close,
  law,
  permitted,
  programNames,
  programs,
  type Stage,
  type Subject,
  type World
} from "./SweepStage.ts"
import * as SweepTruth from "./SweepTruth.ts"
import * as SweepWorld from "./SweepWorld.ts"

export { cases, fakes, programNames, programs, replacing, stage } from "./SweepStage.ts"
export type { Case, Program, ProgramName, Services, Stage, Subject, TornRead, Trouble } from "./SweepStage.ts"

/** The last sign of some work, with limits to each side. */
const since: Arbitrary.Arbitrary<number | undefined> = Gen.element([
  undefined,
  SweepWorld.at("overWeek"),
  SweepWorld.at("almostWeek"),
  SweepWorld.at("overDay"),
  SweepWorld.at("almostDay")
])

const oneWayToGone = law(
  "L4 one way to gone",
  "livenessOf is SessionGone exactly under the six conditions, and otherwise Live with the first that fails.",
  cases,
  Effect.fnUntraced(function* ({ world, path }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, observe } = programs(world, path)
    const observation = yield* run(observe)
    const seen = SweepTruth.observation(world)
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
      const right = SweepTruth.standing(world, record)
      yield* must(is === right, () => `${record.key} is ${is} instead of ${right}`)
    }
  })
)

const oneWayToEnd = law(
  "L4 one way to an end",
  "sessionEnd is Ended exactly on the evidence that is asked for, and so is every claim state.",
  Gen.struct({ case: cases, since }),
  Effect.fnUntraced(function* ({ case: { world, path }, since }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, locate, identifyCaller } = programs(world, path)
    const claims = yield* run(workspaceClaims)
    for (const id of SweepArbitraries.ids) {
      const end = SessionOwners.sessionEnd(claims.owners, id, since)
      const right = SweepTruth.sessionEnd(world, id, since)
      yield* must(end._tag === right, () => `the end of ${id} is ${show(end)} instead of ${right}`)
    }
    const state = LiveClaims.claimState(claims, yield* run(locate))
    const right = SweepTruth.claimState(world, path)
    yield* must(state._tag === right, () => `${show(path)} is ${show(state)} instead of ${right}`)
    const caller = Option.getOrUndefined(yield* run(identifyCaller))
    const rightCaller = SweepTruth.identified(world)
    yield* must(caller === rightCaller, () => `the caller is ${caller} instead of ${rightCaller}`)
  })
)

const oneWayToPermit = law(
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
      const right = SweepTruth.gate(world, worktree)
      yield* must(gate === right, () => `${worktree.path} is ${show(verdict)} instead of ${right}`)
    }
  })
)

const faultsOnlyRefuse = law(
  "L5 faults only refuse",
  "For any set of faults in what is observed, what is permitted, gone, ended or named as the caller under the faults is so without them.",
  close,
  Effect.fnUntraced(function* ({ world, path, trouble }, stage, must) {
    const without = yield* positives(yield* stage(world), world, path)
    const under = yield* positives(yield* stage(world, trouble), world, path)
    yield* onlyRefuses(without, under, must, "under the faults")
  })
)

/** All that may be acted upon in a world, in words. */
const positives = Effect.fnUntraced(function* (
  { run }: Stage,
  world: World,
  path: string
): Effect.fn.Return<ReadonlySet<string>, Broken> {
  const { workspaceClaims, survey, identifyCaller, locate } = programs(world, path)
  const plan = yield* run(survey)
  const claims = yield* run(workspaceClaims)
  const caller = yield* run(identifyCaller)
  const state = LiveClaims.claimState(claims, yield* run(locate))
  return new Set([
    ...permitted(plan).map((path) => `${path} is permitted`),
    ...plan.candidates.flatMap(({ ends }) =>
      ends.flatMap(([id, end]) => (end._tag === "Ended" ? [`${id} ended`] : []))
    ),
    ...[...(claims.owners.owners ?? [])].flatMap(([id, { _tag }]) => (_tag === "SessionGone" ? [`${id} is gone`] : [])),
    ...SweepArbitraries.ids.flatMap((id) =>
      SessionOwners.sessionEnd(claims.owners, id, SweepWorld.at("overDay"))._tag === "Ended" ? [`${id} has ended`] : []
    ),
    ...(state._tag === "Unclaimed" || state._tag === "DeadClaimsDiscarded" ? [`nobody live claims ${show(path)}`] : []),
    ...Option.toArray(caller).map((id) => `${id} asks`)
  ])
})

const onlyRefuses = (before: ReadonlySet<string>, after: ReadonlySet<string>, must: Must, when: string) =>
  Effect.forEach(after, (positive) => must(before.has(positive), () => `${positive} ${when}, and not without`), {
    discard: true
  })

const noAnswerFromPart = law(
  "L5 no answer from a part",
  "What tmux prints is no answer when any of it is missing, altered or too much.",
  Gen.struct({ case: cases, corruption: SweepArbitraries.corruption }),
  Effect.fnUntraced(function* ({ case: { world, path }, corruption }, stage, must) {
    if (!world.servers.some(({ socket }) => socket === "Listening")) return
    const { run } = yield* stage(world, { ...calm, corruptions: [{ ...corruption, at: 1, lasting: true }] })
    const observation = yield* run(programs(world, path).observe)
    yield* must(observation._tag === "Unobserved", () => `tmux is ${show(observation)}`)
  })
)

const evidenceOnlyRefuses = law(
  "L6 evidence only refuses",
  "Turning a gone record live, adding a claim, a live registry entry for an id, a process in the candidate or a sign of work where nobody is named never permits more.",
  Gen.struct({ case: close, evidence }),
  Effect.fnUntraced(function* ({ case: { world, path }, evidence }, stage, must) {
    const before = yield* stage(world)
    const more = added(world, evidence)
    const after = yield* stage(more)
    const without = yield* positives(before, world, path)
    const under = yield* positives(after, more, path)
    yield* onlyRefuses(without, under, must, "with more against it")
    for (const positive of refuted(world, evidence)) {
      yield* must(!under.has(positive), () => `${positive}, with the evidence against it`)
    }
  })
)

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
        yield* must(!SweepTruth.isCallersGround(world, permit), () => `${permit} is the caller's, and permitted`)
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
    ends: SweepArbitraries.ids.map((id) => SessionOwners.sessionEnd(owners, id, SweepWorld.at("overDay"))),
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
  ...SlimLaws.all
]
