/**
 * What every record store promises.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { SessionStore } from "../../src/internal.ts"
import type * as Tree from "../Tree.ts"

/**
 * A place for one store. `records` makes it hold these, each in the fields of a store document and under its key; `put`
 * makes files in its place.
 */
export interface Stage {
  readonly store: Layer.Layer<SessionStore.SessionStore>
  readonly records: (records: Readonly<Record<string, unknown>>) => Effect.Effect<void>
  readonly put: (tree: Tree.Tree) => void
  readonly forbid: (path: string) => void
}

export interface Kind {
  /** Where it lies below its root. */
  readonly path: string
  /** Whether a record has a key besides its id, and can be anything. */
  readonly keyed: boolean
  /** Whether it lies in a file. */
  readonly specials: boolean
  /** Whether it refuses what permissions refuse. */
  readonly forbids: boolean
  readonly make: Effect.Effect<Stage, never, Scope.Scope>
}

const read = SessionStore.SessionStore.use((store) => store.read)

const full = {
  id: "m1",
  tmux_name: "tm-one",
  workspace_path: "/w/one",
  claude_session_id: " c1 ",
  created_at: "2026-01-02T03:04:05.678Z",
  last_activity_at: "2026-01-02T04:04:05+01:00",
  state: "deleted"
}

export const suite = (name: string, kind: Kind): void => {
  describe(`SessionStore over ${name}`, () => {
    const { path } = kind
    const test = (title: string, body: (stage: Stage) => Effect.Effect<void, SessionStore.SessionStoreError>) =>
      it.effect(title, () => Effect.flatMap(kind.make, body))

    test("no sessions", ({ records, store }) =>
      Effect.gen(function* () {
        yield* records({})
        assert.deepStrictEqual(yield* Effect.provide(read, store), { records: [], undecoded: [] })
      }))

    test("a record is decoded field by field, whatever its state says", ({ records, store }) =>
      Effect.gen(function* () {
        yield* records({ m1: full })
        const given = yield* Effect.provide(read, store)
        assert.deepStrictEqual(given.undecoded, [])
        assert.deepStrictEqual<unknown>(given.records, [
          {
            id: "m1",
            tmuxName: "tm-one",
            workspacePath: "/w/one",
            claudeId: "c1",
            createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
            lastActivityAt: Date.UTC(2026, 0, 2, 3, 4, 5)
          }
        ])
      }))

    test("null is the same as absent", ({ records, store }) =>
      Effect.gen(function* () {
        const bare = { id: "m1", tmux_name: "tm-one" }
        const nothing = { workspace_path: null, claude_session_id: null, created_at: null, last_activity_at: null }
        yield* records({ m1: { ...bare, ...nothing } })
        const given = yield* Effect.provide(read, store)
        yield* records({ m1: bare })
        assert.deepStrictEqual(yield* Effect.provide(read, store), given)
        assert.strictEqual(given.records.length, 1)
      }))

    const strange = {
      "another id than its key": { ...full, id: "m2" },
      "no id": { ...full, id: undefined },
      "an id that is none": { ...full, id: "../m1" },
      "a number for a path": { ...full, workspace_path: 7 },
      "a list": [full],
      nothing: null
    }
    for (const [what, record] of Object.entries({
      ...(kind.keyed ? strange : {}),
      "no tmux name": { ...full, tmux_name: undefined },
      "a Claude id that is none": { ...full, claude_session_id: "" },
      "a day that does not exist": { ...full, created_at: "2026-02-30T00:00:00Z" },
      "a time without a zone": { ...full, last_activity_at: "2026-01-02T04:04:05" }
    })) {
      test(`a record with ${what} does not decode, alone, and its path is kept`, ({ records, store }) =>
        Effect.gen(function* () {
          yield* records({ m1: record, m9: { ...full, id: "m9" } })
          const given = yield* Effect.provide(read, store)
          assert.deepStrictEqual<ReadonlyArray<string>>(
            given.records.map(({ id }) => id),
            ["m9"]
          )
          assert.deepStrictEqual(
            given.undecoded.map(({ key, workspacePath }) => [key, workspacePath]),
            [["m1", what === "a number for a path" || what === "a list" || what === "nothing" ? undefined : "/w/one"]]
          )
          assert.isNotEmpty(given.undecoded[0]?.why)
        }))
    }

    if (kind.specials) {
      const bad: Readonly<Record<string, { readonly tree: Tree.Tree; readonly reason: string }>> = {
        missing: { tree: {}, reason: "Missing" },
        "a FIFO": { tree: { [path]: { fifo: true } }, reason: "Unreadable" },
        "a directory": { tree: { [path]: { dir: true } }, reason: "Unreadable" },
        "a link to itself": {
          tree: { [path]: { symlink: path.slice(path.lastIndexOf("/") + 1) } },
          reason: "Unreadable"
        },
        empty: { tree: { [path]: { text: "" } }, reason: "Malformed" },
        "cut off": { tree: { [path]: { text: '{"sessions":{"m1":{"id":"m1"' } }, reason: "Malformed" },
        "a list": { tree: { [path]: { text: "[]" } }, reason: "Malformed" },
        "without sessions": { tree: { [path]: { text: "{}" } }, reason: "Malformed" },
        "with a list of sessions": {
          tree: { [path]: { text: JSON.stringify({ sessions: [full] }) } },
          reason: "Malformed"
        },
        "full of NUL": { tree: { [path]: { text: "\u0000".repeat(100) } }, reason: "Malformed" }
      }
      for (const [what, { tree, reason }] of Object.entries(bad)) {
        test(`a store that is ${what} is ${reason}, and the message names it`, ({ put, store }) =>
          Effect.gen(function* () {
            put(tree)
            const result = yield* Effect.result(Effect.provide(read, store))
            assert.strictEqual<unknown>(result._tag === "Failure" && result.failure.reason._tag, reason)
            assert.include(result._tag === "Failure" && result.failure.message, path)
          }))
      }

      test("it is read anew every time", ({ records, store }) =>
        Effect.gen(function* () {
          const counts = yield* Effect.gen(function* () {
            yield* records({ m1: full })
            const before = yield* read
            yield* records({})
            return [before.records.length, (yield* read).records.length]
          }).pipe(Effect.provide(store))
          assert.deepStrictEqual(counts, [1, 0])
        }))
    }

    if (kind.forbids) {
      test("what may not be read is unreadable", ({ records, forbid, store }) =>
        Effect.gen(function* () {
          yield* records({})
          forbid(path)
          const result = yield* Effect.result(Effect.provide(read, store))
          assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "Unreadable")
        }))
    }
  })
}
