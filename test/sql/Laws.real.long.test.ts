/**
 * The laws of links over PostgreSQL, with faults on the wire. A database keeps some of them better than a file: a link is
 * there whole or not at all, and of several writers of one link at most one is told that it wrote it.
 */
import { assert, it } from "@effect/vitest"
import { Arbitrary, Duration, Effect, Exit, Layer, Logger } from "effect"
import { inspect } from "node:util"
import { Bound, SavingsLedger, SavingsTotal, SessionLinks } from "../../src/internal.ts"
import { layerLedger, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import * as LinkArbitraries from "../../src/testing/links/LinkArbitraries.ts"
import * as Gen from "../../src/testing/Gen.ts"
import * as FaultyWire from "./FaultyWire.ts"
import * as Hosts from "./Hosts.ts"

interface Link {
  readonly managedId: string
  readonly claudeId: string
}

const link = Gen.struct({
  managedId: Gen.element(["m1", "m2", "m3"]),
  claudeId: Gen.oneOf(Gen.element(["c1", "c2", "c3", "c4"]), LinkArbitraries.claudeId)
})

interface Case {
  readonly links: ReadonlyArray<Link>
  readonly jobs: ReadonlyArray<ReadonlyArray<Link>>
  readonly question: string
  readonly faults: ReadonlyArray<FaultyWire.Fault>
  readonly order: ReadonlyArray<number>
}

const cases: Arbitrary.Arbitrary<Case> = Gen.struct({
  links: Gen.array(link, { maxLength: 8 }),
  jobs: Gen.array(Gen.array(link, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  question: Gen.element(["c1", "c2", "c3"]),
  faults: Gen.array(
    Gen.struct({
      at: Gen.int(1, 14),
      kind: Gen.element<FaultyWire.Fault["kind"]>(["Cut", "AnswerLost", "Silent"])
    }),
    { maxLength: 3 }
  ),
  order: Gen.order(8)
})

/** The files that these links make, one after another. */
const filesOf = (links: ReadonlyArray<Link>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const files = new Map<string, ReadonlyArray<string>>()
  for (const { managedId, claudeId } of links) {
    files.set(managedId, [...new Set([...(files.get(managedId) ?? []), claudeId])])
  }
  return files
}

const linkedIn = (files: ReadonlyMap<string, ReadonlyArray<string>>, id: string): ReadonlyArray<string> => {
  const [only, ...others] = [...files.values()].filter((ids) => ids.includes(id))
  return only === undefined || others.length > 0 ? [] : only
}

const pair = ({ managedId, claudeId }: Link): string => JSON.stringify([managedId, claudeId])

const pairsOf = (files: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> =>
  [...files].flatMap(([managedId, ids]) => ids.map((claudeId) => pair({ managedId, claudeId }))).sort()

/** On a faulty wire a statement may hang until the bound ends it; elsewhere only a machine that stands still is waited for. */
const quiet = (bound: Duration.Input) =>
  Layer.mergeAll(Layer.succeed(Bound.Links, bound), Layer.succeed(Bound.Upkeep, bound), Logger.layer([]))

Hosts.describe("the laws over PostgreSQL", ({ cluster, database, fresh }) => {
  const on = (host: string, stream?: FaultyWire.Wire["stream"]) =>
    Layer.mergeAll(layerSidecar({ host }), layerLedger({ host }), layerSessionStore({ host })).pipe(
      Layer.provide(stream === undefined ? database : cluster().connect({ stream })),
      Layer.merge(quiet(stream === undefined ? "1 minute" : "1 second"))
    )

  const record = (links: ReadonlyArray<Link>) =>
    Effect.forEach(links, ({ managedId, claudeId }) => SessionLinks.recordLink(managedId, claudeId))

  const history = Effect.map(SessionLinks.linkHistory, (read) =>
    read._tag === "Read"
      ? [...read.links].flatMap(([claudeId, names]) => names.map((managedId) => pair({ managedId, claudeId }))).sort()
      : read._tag
  )

  const law = (title: string, holds: (given: Case) => Effect.Effect<void, unknown>) =>
    it.live(
      title,
      () =>
        Effect.map(
          Arbitrary.checkEffect(cases, (given) => Effect.as(holds(given), true), { runs: 15, seed: 12 }),
          (report) => {
            if (report._tag !== "Passed") assert.fail(inspect(report, { depth: 8 }))
          }
        ),
      60_000
    )

  law("L1, L9, L12: nothing invented, whole or nothing, and right again afterwards", ({ links, question, faults }) =>
    Effect.gen(function* () {
      const host = fresh()
      const files = filesOf(links)
      const row = { ts: "", session_id: question, technique: "", tokens_saved: 3, cost_saved_usd: 1, basis: "" }
      yield* Effect.andThen(
        record(links),
        SavingsLedger.SavingsLedger.use((ledger) => ledger.append(row))
      ).pipe(Effect.provide(on(host)))
      const wire = FaultyWire.make(`${cluster().directory}/.s.PGSQL.5432`, faults)
      const ask = Effect.all([SessionLinks.linkedClaudeIds(question), history, SavingsLedger.total([question])])
      const right = [
        linkedIn(files, question),
        pairsOf(files),
        { ...SavingsTotal.zero, tokensSaved: 3, costSavedUsd: 1, rows: 1 }
      ]
      const safe = [[], "Unreadable", SavingsTotal.zero]
      yield* Effect.gen(function* () {
        for (const [at, answer] of (yield* ask).entries()) assert.deepInclude<unknown>([right[at], safe[at]], answer)
        wire.stop()
        assert.deepStrictEqual<unknown>(yield* ask, right)
      }).pipe(Effect.provide(on(host, wire.stream)))
    })
  )

  law("L2, L3: only added, only what was asked for, and told true at most once", ({ links, jobs, faults }) =>
    Effect.gen(function* () {
      const host = fresh()
      yield* Effect.provide(record(links), on(host))
      const wire = FaultyWire.make(`${cluster().directory}/.s.PGSQL.5432`, faults)
      const told = yield* Effect.forEach(jobs, record, { concurrency: "unbounded" }).pipe(
        Effect.ensuring(Effect.sync(wire.stop)),
        Effect.provide(on(host, wire.stream))
      )
      const written = jobs
        .flat()
        .filter((_, at) => told.flat()[at])
        .map(pair)
      const before = pairsOf(filesOf(links))
      const after = yield* Effect.provide(history, on(host))
      const asked = jobs.flat().map(pair)
      assert.deepStrictEqual(new Set(written).size, written.length, "one link was told written twice")
      assert.isEmpty(written.filter((one) => before.includes(one) || !after.includes(one)))
      assert.isEmpty(before.filter((one) => !after.includes(one)))
      assert.isEmpty([...after].filter((one) => !before.includes(one) && !asked.includes(one)))
      if (wire.injected() === 0) assert.deepStrictEqual<unknown>(after, [...new Set([...before, ...asked])].sort())
    })
  )

  law("L8: every program ends, and never fails", ({ links, question, faults }) =>
    Effect.gen(function* () {
      const host = fresh()
      yield* Effect.provide(record(links), on(host))
      const wire = FaultyWire.make(`${cluster().directory}/.s.PGSQL.5432`, faults)
      yield* Effect.gen(function* () {
        const exits = [
          yield* Effect.exit(SessionLinks.recordLink("m1", question)),
          yield* Effect.exit(SessionLinks.linkedClaudeIds(question)),
          yield* Effect.exit(SessionLinks.linkHistory),
          yield* Effect.exit(SessionLinks.heal),
          yield* Effect.exit(SessionLinks.planPrune({ now: 0 })),
          yield* Effect.exit(SavingsLedger.total([question]))
        ]
        wire.stop()
        assert.isEmpty(exits.filter((exit: Exit.Exit<unknown>) => Exit.isFailure(exit)))
      }).pipe(Effect.provide(on(host, wire.stream)))
    })
  )

  law("L11: the order in which files came to be is nothing", ({ links, question, order }) =>
    Effect.gen(function* () {
      const ask = Effect.all([SessionLinks.linkedClaudeIds(question), history])
      const grouped = [...filesOf(links)].map(([managedId, ids]) => ids.map((claudeId) => ({ managedId, claudeId })))
      const answers = yield* Effect.forEach([grouped, Gen.reordered(order)(grouped)], (files) =>
        Effect.andThen(record(files.flat()), ask).pipe(Effect.provide(on(fresh())))
      )
      assert.deepStrictEqual(answers[0], answers[1])
    })
  )
})
