import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SessionStore } from "../../src/internal.ts"
import { suite } from "./SessionStoreSuite.ts"
import { kinds } from "../links/Stage.ts"

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
      records: (sessions) => Effect.sync(() => put({ [path]: { text: JSON.stringify({ sessions, version: 3 }) } }))
    }))
  })
}

for (const { name, make } of kinds.filter(({ specials }) => specials)) {
  it.effect(`over ${name}, a byte-order mark before the document is nothing`, () =>
    Effect.gen(function* () {
      const { put, store } = yield* make
      put({ [path]: { text: '\ufeff{"sessions":{"a":{"id":"a","tmux_name":"tm-a"}}}' } })
      const { records } = yield* SessionStore.SessionStore.use(({ read }) => read).pipe(Effect.provide(store))
      assert.deepStrictEqual<ReadonlyArray<string>>(
        records.map(({ id }) => id),
        ["a"]
      )
    })
  )

  it.effect(`over ${name}, a document in another encoding than UTF-8 is none, because its paths are others`, () =>
    Effect.gen(function* () {
      const { put, store } = yield* make
      const latin1 = Buffer.from('{"sessions":{"a":{"id":"a","workspace_path":"/w/\u00e9"}}}', "latin1")
      put({ [path]: { base64: latin1.toString("base64") } })
      const { reason } = yield* Effect.flip(
        SessionStore.SessionStore.use(({ read }) => read).pipe(Effect.provide(store))
      )
      assert.deepStrictEqual(reason, new SessionStore.Malformed({ why: "is not UTF-8" }))
    })
  )
}

it.effect("where no manager is, there are no records", () =>
  Effect.gen(function* () {
    const { read } = yield* SessionStore.SessionStore
    assert.deepStrictEqual(yield* read, { records: [], undecoded: [] })
  }).pipe(Effect.provide(Layer.fresh(SessionStore.layerNone)))
)
