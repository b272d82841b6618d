import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SessionStore } from "../../src/index.ts"
import { suite } from "./SessionStoreSuite.ts"
import { kinds } from "./Stage.ts"

const path = "session-manager/sessions.json"

for (const { name, specials, forbids, make } of kinds) {
  suite(name, {
    path,
    keyed: true,
    specials,
    forbids,
    make: Effect.map(make, ({ put, store, forbid }) => ({
      store,
      put,
      forbid,
      records: (sessions) => put({ [path]: { text: JSON.stringify({ sessions, version: 3 }) } })
    }))
  })
}

it.effect("where no manager is, there are no records", () =>
  Effect.gen(function* () {
    const { read } = yield* SessionStore.SessionStore
    assert.deepStrictEqual(yield* read, { records: [], undecoded: [] })
  }).pipe(Effect.provide(Layer.fresh(SessionStore.layerNone)))
)
