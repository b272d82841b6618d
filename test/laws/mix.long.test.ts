import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Logger, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { ClaudeId, ManagedId, SavingsLedger, SavingsTotal, SessionLinks } from "../../src/internal.ts"
import { type Law, LinkLaws, LinkWorld } from "../../src/testing/index.ts"

/** What one case comes to without its faults, in words. */
const outcomes = Effect.fnUntraced(function* ({ world, ask, faults }: LinkLaws.Case) {
  const calm = yield* LinkLaws.stage("mix", LinkLaws.layers, world)
  const run = <A>(effect: Effect.Effect<A, never, LinkLaws.Services>) =>
    calm.run({ ...LinkLaws.programs(ask, undefined).heal, effect })
  const failed = ({ _tag, reason }: { readonly _tag: string; readonly reason: { readonly _tag: string } }) =>
    Effect.succeed({ _tag: `${_tag}.${reason._tag}` })
  const siblings = yield* run(Effect.catch(SessionLinks.siblings(ask.claudeId), failed))
  const history = yield* run(SessionLinks.linkHistory)
  const plan = yield* run(SessionLinks.planPrune({ now: LinkWorld.now }))
  const total = yield* run(Effect.option(SavingsLedger.SavingsLedger.use((ledger) => ledger.total([ask.claudeId]))))
  const sum = Option.getOrElse(total, () => SavingsTotal.zero)
  const healed = yield* run(SessionLinks.heal)
  const recorded = yield* run(Effect.catch(SessionLinks.record(ask.managedId, ask.claudeId), failed))
  return [
    `managed id: ${Option.isSome(ManagedId.parse(ask.managedId)) ? "valid" : "refused"}`,
    `Claude id: ${Option.isSome(ClaudeId.parse(ask.claudeId)) ? "valid" : "refused"}`,
    `siblings: ${siblings._tag}`,
    `record: ${recorded._tag}`,
    `history: ${history._tag === "Read" ? (history.links.size > 0 ? "Read" : "Read nothing") : history._tag}`,
    `plan: ${plan.refused === undefined ? (plan.moves.length > 0 ? "some" : "none") : "refused"}`,
    `heal: ${healed.length > 0 ? "some" : "none"}`,
    `total: ${Option.isNone(total) ? "failed" : sum.rows > 0 ? "some" : "zero"}`,
    `skipped: ${sum.skipped > 0 ? "some" : "none"}`,
    `segment: ${SavingsTotal.segment(sum).replaceAll(/[0-9.]+/g, "n")}`,
    `directory: ${world.directory}`,
    `faults: ${faults.length === 0 ? "none" : "some"}`,
    ...new Set(faults.map(({ kind }) => `kind: ${kind._tag}`))
  ]
})

/** How often faults strike when the programs of a case run under them, and what answer then comes. */
const underFaults = Effect.fnUntraced(function* (name: LinkLaws.ProgramName, { world, ask, faults }: LinkLaws.Case) {
  const stage = yield* LinkLaws.stage("mix", LinkLaws.layers, world, faults)
  yield* stage.run<unknown>(LinkLaws.programs(ask, undefined)[name])
  const { injected } = stage.injector
  return [`${name}: ${injected.length > 0 ? "injected" : "spared"}`]
})

const shares = <A>(
  cases: ReadonlyArray<A>,
  classify: (given: A) => Effect.Effect<ReadonlyArray<string>, Law.Broken, Scope.Scope>
) =>
  Effect.gen(function* () {
    const counts = new Map<string, number>()
    for (const given of cases) {
      const seen = classify(given).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
      for (const outcome of yield* seen) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
    return new Map([...counts].map(([outcome, count]) => [outcome, count / cases.length] as const))
  }).pipe(Effect.provide(Logger.layer([])))

const sample = (cases: Arbitrary.Arbitrary<LinkLaws.Case>) =>
  Arbitrary.sampleEffect(cases, { count: 1000, seed: "mix" })

const atLeast = (share: number, seen: ReadonlyMap<string, number>, expected: ReadonlyArray<string>) => {
  for (const outcome of expected) {
    assert.isAtLeast(seen.get(outcome) ?? 0, share, `${outcome} is rare: ${JSON.stringify([...seen].sort())}`)
  }
}

describe("the mix of cases", () => {
  it.live(
    "no outcome is rare",
    () =>
      Effect.gen(function* () {
        const seen = yield* shares(yield* sample(LinkLaws.cases), outcomes)
        atLeast(0.015, seen, [
          "managed id: refused",
          "Claude id: refused",
          "siblings: NotLinked",
          "siblings: Linked",
          "siblings: Ambiguous",
          "siblings: SidecarError.NotRegular",
          "siblings: SidecarError.Unreadable",
          "record: Written",
          "record: AlreadyListed",
          "record: Refused",
          "record: LinkWriteError.NotRegular",
          "record: LinkWriteError.Failed",
          "history: Read",
          "history: Read nothing",
          "history: Unreadable",
          "plan: some",
          "plan: none",
          "plan: refused",
          "heal: some",
          "total: some",
          "total: zero",
          "total: failed",
          "skipped: some",
          "segment: 💸~$n",
          "segment: 💸~n tok",
          "segment: 💸~nk tok",
          "directory: Absent",
          "directory: Dangling",
          "directory: Forbidden",
          "directory: NoDirectory",
          "faults: none",
          "kind: CutOff",
          "kind: Delayed",
          "kind: Dies",
          "kind: Fails",
          "kind: Hangs",
          "kind: HangsForGood",
          "kind: Interrupts",
          "kind: Short",
          "kind: Throws"
        ])
      }),
    60_000
  )

  it.live(
    "faults strike often",
    () =>
      Effect.gen(function* () {
        const recording = yield* shares(yield* sample(LinkLaws.recording), (given) => underFaults("recordLink", given))
        const reading = yield* shares(yield* sample(LinkLaws.reading), (given) => underFaults("linkHistory", given))
        atLeast(0.3, new Map([...recording, ...reading]), [
          "recordLink: injected",
          "recordLink: spared",
          "linkHistory: injected",
          "linkHistory: spared"
        ])
      }),
    60_000
  )
})
