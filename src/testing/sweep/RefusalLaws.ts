/**
 * The laws that faults and evidence only refuse.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LiveClaims from "../../claims/core/LiveClaims.ts"
import * as SessionOwners from "../../claims/core/SessionOwners.ts"
import { added, evidence, refuted } from "./Evidence.ts"
import * as Gen from "../Gen.ts"
import { type Broken, type Must, show } from "../Law.ts"
import * as SessionArbitraries from "./SessionArbitraries.ts"
import { calm, cases, close, corruption } from "./SweepCases.ts"
import { law, type Stage } from "./SweepStage.ts"
import { permitted, programs } from "./SweepPrograms.ts"
import type { World } from "./SweepSubject.ts"
import * as SweepTime from "./SweepTime.ts"

export const faultsOnlyRefuse = law(
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
    ...SessionArbitraries.ids.flatMap((id) =>
      SessionOwners.sessionEnd(claims.owners, id, SweepTime.at("overDay"))._tag === "Ended" ? [`${id} has ended`] : []
    ),
    ...(state._tag === "Unclaimed" || state._tag === "DeadClaimsDiscarded" ? [`nobody live claims ${show(path)}`] : []),
    ...Option.toArray(caller).map((id) => `${id} asks`)
  ])
})

const onlyRefuses = (before: ReadonlySet<string>, after: ReadonlySet<string>, must: Must, when: string) =>
  Effect.forEach(after, (positive) => must(before.has(positive), () => `${positive} ${when}, and not without`), {
    discard: true
  })

export const noAnswerFromPart = law(
  "L5 no answer from a part",
  "What tmux prints is no answer when any of it is missing, altered or too much.",
  Gen.struct({ case: cases, corruption: corruption }),
  Effect.fnUntraced(function* ({ case: { world, path }, corruption }, stage, must) {
    if (!world.servers.some(({ socket }) => socket === "Listening")) return
    const { run } = yield* stage(world, { ...calm, corruptions: [{ ...corruption, at: 1, lasting: true }] })
    const observation = yield* run(programs(world, path).observe)
    yield* must(observation._tag === "Unobserved", () => `tmux is ${show(observation)}`)
  })
)

export const evidenceOnlyRefuses = law(
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
