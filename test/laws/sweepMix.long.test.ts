import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { ClaimState, LiveClaims, SessionOwners } from "../../src/internal.ts"
import { SessionArbitraries, SweepLaws, SweepTime } from "../../src/testing/index.ts"

/** Outcomes by what they are outcomes of, so that each has its own population. */
type Counts = Map<string, Map<string, number>>

const count = (counts: Counts, of: string, outcome: string): void => {
  const known = counts.get(of) ?? new Map<string, number>()
  counts.set(of, known.set(outcome, (known.get(outcome) ?? 0) + 1))
}

/** What the programs say of one world. */
const outcomes = Effect.fnUntraced(function* (counts: Counts, { world, path }: SweepLaws.Case) {
  const { run } = yield* SweepLaws.stage("mix", SweepLaws.fakes, world)
  const { workspaceClaims, survey, locate, identifyCaller } = SweepLaws.programs(world, path)
  const claims = yield* run(workspaceClaims)
  const { observation } = claims
  if (claims.owners.owners !== null) {
    count(counts, "observation", observation._tag === "Answered" ? "Answered" : observation.reason._tag)
  }
  for (const liveness of claims.owners.owners?.values() ?? []) {
    count(counts, "liveness", liveness._tag === "Live" ? liveness.because._tag : liveness._tag)
  }
  count(counts, "claim state of a path", LiveClaims.claimState(claims, yield* run(locate))._tag)
  for (const id of SessionArbitraries.ids) {
    const end = SessionOwners.sessionEnd(claims.owners, id, SweepTime.at("overDay"))
    count(counts, SessionArbitraries.managedIds.includes(id) ? "end of a managed id" : "end of a Claude id", end._tag)
  }
  for (const { verdict, ends, gates } of (yield* run(survey)).candidates) {
    count(counts, "verdict", verdict._tag === "Permit" ? "Permit" : verdict.gate)
    for (const [, end] of ends) count(counts, "end of an owner", end._tag)
    const refusals = gates.filter(({ refusal }) => refusal !== undefined)
    for (const { gate } of refusals) count(counts, "gate", gate)
    count(counts, "gates that refuse", refusals.length === 1 ? "one" : refusals.length === 0 ? "none" : "several")
  }
  count(counts, "caller", (yield* run(identifyCaller))._tag)
})

/** Whether anything strikes when a world is surveyed. */
const strikes = Effect.fnUntraced(function* (counts: Counts, { world, path, trouble }: SweepLaws.Case) {
  const { run, injector } = yield* SweepLaws.stage("mix", SweepLaws.fakes, world, trouble)
  yield* run(SweepLaws.programs(world, path).survey)
  count(counts, "faults", injector.injected.length > 0 ? "injected" : "spared")
  for (const { kind } of injector.injected) count(counts, "kind", kind._tag)
})

const rare = 0.005

describe("the mix of worlds", () => {
  it.live(
    "no outcome is rare",
    () =>
      Effect.gen(function* () {
        const counts: Counts = new Map()
        const cases = yield* Arbitrary.sampleEffect(SweepLaws.cases, { count: 1500, seed: "mix" })
        for (const given of cases) {
          for (const measure of [outcomes, strikes]) {
            yield* measure(counts, given).pipe(
              Effect.scoped,
              Effect.provide(Layer.merge(TestClock.layer(), Logger.layer([])))
            )
          }
        }
        for (const [of, wanted] of Object.entries(expected)) {
          const seen = counts.get(of) ?? new Map<string, number>()
          const all = [...seen.values()].reduce((sum, times) => sum + times, 0)
          const shares = [...seen].sort().map(([outcome, times]) => `${outcome} ${((100 * times) / all).toFixed(1)} %`)
          console.log(`${of} (${all}): ${shares.join(", ")}`)
          for (const outcome of wanted) {
            assert.isAtLeast((seen.get(outcome) ?? 0) / all, rare, `${of}: ${outcome} is rare`)
          }
        }
      }),
    120_000
  )
})

const states: ReadonlyArray<ClaimState.ClaimState["_tag"]> = [
  "Foreign",
  "Undeterminable",
  "CallerWorkspace",
  "ForeignNested",
  "CallerNested",
  "DeadClaimsDiscarded",
  "Unclaimed"
]

const gates = ["Claim", "Owner", "Occupied", "Vantage", "Quiet", "Git", "Settled"]

const expected: Readonly<Record<string, ReadonlyArray<string>>> = {
  observation: [
    "Answered",
    "ServerAbsent",
    "ConnectFailed",
    "VersionMismatch",
    "Malformed",
    "Failed",
    "TimedOut",
    "UnheardServer",
    "ProcessTable",
    "ForeignVantage",
    "SocketDirMissing"
  ],
  liveness: ["Unobserved", "Listed", "NotManaged", "Unlistable", "Young", "ProcessAlive", "Undecoded", "SessionGone"],
  "claim state of a path": states,
  "end of a managed id": ["Ended", "Live", "Caller", "Undeterminable"],
  "end of a Claude id": ["Ended", "Live", "Caller", "Undeterminable"],
  "end of an owner": ["Ended", "Live", "Caller", "Undeterminable"],
  verdict: ["Permit", ...gates],
  gate: gates,
  "gates that refuse": ["none", "one", "several"],
  caller: ["None", "Some"],
  faults: ["injected", "spared"],
  kind: ["Fails", "Dies", "Throws", "Hangs", "HangsForGood", "Interrupts", "CutOff", "Delayed"]
}
