import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SessionStore } from "../../src/internal.ts"
import { layerLedger, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import * as SavingsLedgerSuite from "../links/SavingsLedgerSuite.ts"
import * as SidecarSuite from "../links/SidecarSuite.ts"
import * as SessionStoreSuite from "../records/SessionStoreSuite.ts"
import * as Hosts from "./Hosts.ts"
import * as Manager from "./Manager.ts"

Hosts.describe("PostgreSQL", ({ host, fresh, database }) => {
  SidecarSuite.suite("PostgreSQL", host(layerSidecar))
  SavingsLedgerSuite.suite("PostgreSQL", host(layerLedger))
  SessionStoreSuite.suite("PostgreSQL", {
    path: "session_liveness_sessions",
    keyed: false,
    specials: false,
    forbids: false,
    make: Effect.sync(() => {
      const name = fresh()
      return {
        store: Layer.provide(layerSessionStore({ host: name }), Layer.orDie(database)),
        records: (records) => Effect.orDie(Effect.provide(Manager.write(name, Object.values(records)), database)),
        put: () => {},
        forbid: () => {}
      }
    })
  })

  it.effect("a host that no manager entered is missing, and not without sessions", () =>
    Effect.gen(function* () {
      yield* Manager.write("another", [])
      const error = yield* Effect.flip(SessionStore.SessionStore.use(({ read }) => read))
      assert.strictEqual(error.reason._tag, "Missing")
    }).pipe(Effect.provide(Layer.provideMerge(layerSessionStore({ host: fresh() }), database)))
  )
})
