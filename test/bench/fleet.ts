/**
 * What a fleet of many hosts costs each of them, against one of 10 hosts: `node test/bench/fleet.ts`.
 */
import { type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { parseArgs } from "node:util"
import { Bound, SavingsLedger, SessionLinks, WorkspaceClaims } from "../../src/internal.ts"
import { Elsewhere } from "../../src/claims/Elsewhere.ts"
import { Heartbeat, layerLedger, layerSessionStore, layerSidecar, migrate } from "../../src/sql/index.ts"
import * as Machine from "../sql/Machine.ts"
import * as Population from "../sql/Population.ts"
import * as Postgres from "../sql/Postgres.ts"
import * as Scanned from "../sql/Scanned.ts"

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "1000" },
    sessions: { type: "string", default: "100" },
    links: { type: "string", default: "10" },
    rows: { type: "string", default: "1" },
    times: { type: "string", default: "200" }
  }
})

const hosts = Number(values.hosts)
const sessions = Number(values.sessions)
const links = Number(values.links)
const rows = Number(values.rows)
const times = Number(values.times)
const few = 10
const warmUp = 20

const me = { host: "h5" }
const own = Array.from({ length: links }, (_, index) => `h5-s7-c${index + 1}`)

const programs: Readonly<
  Record<
    string,
    Effect.Effect<unknown, never, Effect.Success<ReturnType<typeof fleet>> extends Context.Context<infer R> ? R : never>
  >
> = {
  "a lookup, `linkedClaudeIds`": SessionLinks.linkedClaudeIds(`h5-s7-c${links}`),
  "`linkHistory`": SessionLinks.linkHistory,
  "a link that is recorded": Effect.suspend(() => SessionLinks.recordLink("h5-s7", `new-${next++}`)),
  "a segment, `SavingsLedger.total`": SavingsLedger.total(own),
  "a claim set, `workspaceClaims`": WorkspaceClaims.workspaceClaims(),
  "a session of another host": Effect.flatMap(Effect.service(Elsewhere), (elsewhere) => elsewhere("h9-s7-c2")),
  "a heartbeat, its claim set included": Heartbeat.beat(me)
}

let next = 0

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** A fleet of so many hosts in a schema of its own. */
const fleet = Effect.fnUntraced(function* ({ connect }: Postgres.Cluster, size: number) {
  const schema = `fleet_of_${size}`
  const database = connect({ startupParameters: { search_path: schema } })
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE SCHEMA ${sql(schema)}`
    yield* migrate()
    yield* Population.populate({ hosts: size, sessions, links, rows })
  }).pipe(Effect.provide(database))
  const stores = Layer.mergeAll(layerSessionStore(me), layerSidecar(me), layerLedger(me), Machine.listing())
  return yield* Layer.build(Layer.provide(stores, database).pipe(Layer.provideMerge(database)))
})

const bench = Effect.gen(function* () {
  const cluster = yield* Postgres.cluster
  const fleets = [yield* fleet(cluster, few), yield* fleet(cluster, hosts)]
  const all = hosts * sessions * links
  console.log(
    `${hosts} hosts, ${sessions} sessions of each, ${all} links, ${all * rows} ledger rows; median of ${times}, in turn.\n`
  )
  console.log(
    `| what | at ${few} hosts | at ${hosts} | ratio | at most | tables read whole |\n| --- | ---: | ---: | ---: | ---: | --- |`
  )
  const plans: Array<readonly [name: string, scans: ReadonlyArray<string>]> = []
  for (const [name, program] of Object.entries(programs)) {
    const taken = fleets.map((): Array<number> => [])
    for (let time = -warmUp; time < times; time++) {
      for (const [at, context] of fleets.entries()) {
        const begun = performance.now()
        yield* Effect.provideContext(program, context)
        if (time >= 0) taken[at]?.push(performance.now() - begun)
      }
    }
    const [base = Number.NaN, there = Number.NaN] = taken.map(median)
    const last = fleets.at(-1)
    const scanned = last === undefined ? [] : yield* Effect.provideContext(Scanned.during(cluster, program), last)
    console.log(
      `| ${name} | ${base.toFixed(2)} ms | ${there.toFixed(2)} ms | ${(there / base).toFixed(2)} × | 2 × | ${Scanned.whole(scanned).join("; ") || "none"} |`
    )
    plans.push([name, scanned])
  }
  console.log(`\nWhat the query plans at ${hosts} hosts scan:\n`)
  for (const [name, scans] of plans) console.log(`- ${name}: ${scans.join("; ") || "nothing"}`)
}).pipe(
  Effect.scoped,
  // The figure is how long it takes, not whether it is given up.
  Effect.provideService(Bound.Links, "1 minute"),
  Effect.provideService(Bound.Claims, "1 minute")
)

await Effect.runPromise(bench)
