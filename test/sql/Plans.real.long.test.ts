import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SavingsLedger, SessionLinks, WorkspaceClaims } from "../../src/internal.ts"
import { Elsewhere } from "../../src/claims/Elsewhere.ts"
import { Heartbeat, layerLedger, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import * as Hosts from "./Hosts.ts"
import * as Machine from "./Machine.ts"
import * as Population from "./Population.ts"

Hosts.describe("a fleet of 1,000 hosts", ({ database }) => {
  const me = { host: "h500" }

  const layers = Layer.mergeAll(layerSessionStore(me), layerSidecar(me), layerLedger(me), Machine.listing()).pipe(
    Layer.provideMerge(database)
  )

  it.live(
    "nothing that is asked often reads a whole table",
    () =>
      Effect.gen(function* () {
        yield* Population.populate({ hosts: 1000, sessions: 20, links: 2, rows: 1 })
        const sql = yield* SqlClient.SqlClient
        const elsewhere = yield* Elsewhere
        const programs: Readonly<Record<string, Effect.Effect<unknown, unknown, Layer.Success<typeof layers>>>> = {
          linkedClaudeIds: Effect.map(SessionLinks.linkedClaudeIds("h500-s7-c2"), (ids) => assert.lengthOf(ids, 2)),
          linkHistory: Effect.map(SessionLinks.linkHistory, (history) =>
            assert.strictEqual(history._tag === "Read" && history.links.size, 40)
          ),
          recordLink: Effect.map(SessionLinks.recordLink("h500-s7", "new"), (written) => assert.isTrue(written)),
          total: Effect.map(SavingsLedger.total(["h500-s7-c1", "h500-s7-c2"]), ({ rows }) =>
            assert.strictEqual(rows, 2)
          ),
          claims: Effect.map(WorkspaceClaims.workspaceClaims(), ({ claims }) => assert.lengthOf(claims, 20)),
          elsewhere: Effect.map(elsewhere("h9-s7-c2"), (ends) =>
            assert.deepStrictEqual(
              ends.map(({ says }) => says),
              ["Ended"]
            )
          ),
          beat: Effect.map(Heartbeat.beat(me), (written) => assert.isTrue(written))
        }
        const scans = sql`SELECT relname, seq_scan::int FROM pg_stat_xact_user_tables WHERE seq_scan > 0 ORDER BY relname`
        for (const [name, program] of Object.entries(programs)) {
          // In one transaction, in which no counts are handed on: those of earlier ones may still be among them.
          const [before, , after] = yield* sql.withTransaction(Effect.all([scans, program, scans]))
          assert.deepStrictEqual(after, before, name)
        }
      }).pipe(Effect.provide(layers)),
    60_000
  )
})
