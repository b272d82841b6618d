import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SavingsLedger, SessionLinks, WorkspaceClaims } from "../../src/internal.ts"
import { Elsewhere } from "../../src/claims/Elsewhere.ts"
import { Heartbeat, layerLedger, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import * as Hosts from "./Hosts.ts"
import * as Machine from "./Machine.ts"
import * as Population from "./Population.ts"
import * as Scanned from "./Scanned.ts"

Hosts.describe("a fleet of 1,000 hosts", ({ cluster, database }) => {
  const me = { host: "h500" }

  const layers = Layer.mergeAll(layerSessionStore(me), layerSidecar(me), layerLedger(me), Machine.listing()).pipe(
    Layer.provideMerge(database)
  )

  it.live(
    "nothing that is asked often reads a whole table",
    () =>
      Effect.gen(function* () {
        yield* Population.populate({ hosts: 1000, sessions: 20, links: 2, rows: 1 })
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
        for (const [name, program] of Object.entries(programs)) {
          const scans = yield* Scanned.during(cluster(), program)
          // One that only inserts scans nothing.
          if (name !== "recordLink") assert.isNotEmpty(scans, name)
          assert.deepStrictEqual(Scanned.whole(scans), [], name)
        }
      }).pipe(Effect.provide(layers)),
    60_000
  )
})
