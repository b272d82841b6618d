/**
 * What every sidecar promises, whatever it lies in: told by what its writers wrote alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Option, Result, type Scope } from "effect"
import {
  ClaudeId,
  LinkFile,
  LinkHistory,
  LinkWriter,
  ManagedId,
  SessionLinks,
  SidecarReader
} from "../../src/internal.ts"

type Services = SidecarReader.SidecarReader | LinkWriter.LinkWriter

const managed = (text: string) => Option.getOrThrow(ManagedId.parse(text))

const append = (managedId: string, claudeId: string) =>
  LinkWriter.LinkWriter.use((writer) => writer.append(managed(managedId), Option.getOrThrow(ClaudeId.parse(claudeId))))

const list = SidecarReader.SidecarReader.use((reader) => reader.list)

const ids = (name: string) =>
  SidecarReader.SidecarReader.use((reader) => reader.read(name)).pipe(
    Effect.map(({ bytes }): ReadonlyArray<string> => LinkFile.parse(bytes).ids)
  )

const find = (claudeId: string) =>
  SidecarReader.SidecarReader.use((reader) => reader.find(Option.getOrThrow(ClaudeId.parse(claudeId)))).pipe(
    Effect.map(({ files, faults }) => ({
      files: files
        .map(({ managedId, file }) => ({ managedId, ids: file.ids }))
        .sort((a, b) => (a.managedId < b.managedId ? -1 : 1)),
      faults
    }))
  )

/** Ids that mean something to a shell, a pattern, a path, a query or a table. */
export const hostile: ReadonlyArray<string> = [
  "'; DROP TABLE session_liveness_links; --",
  '"',
  "%",
  "_",
  "$1",
  "\\",
  "NULL",
  "__proto__",
  "é",
  "e\u0301",
  "\u{1f480}",
  "a b",
  "A",
  "a",
  "x".repeat(255)
]

/** `make` gives an empty sidecar. */
export const suite = (name: string, make: Effect.Effect<Layer.Layer<Services, unknown>, never, Scope.Scope>): void => {
  describe(`a sidecar over ${name}`, () => {
    const test = (title: string, body: Effect.Effect<void, unknown, Services>) =>
      it.effect(title, () => Effect.flatMap(make, (layer) => Effect.provide(body, layer)))

    test(
      "an empty one lists nothing, finds nothing and is whole",
      Effect.gen(function* () {
        const listing = yield* list
        assert.isTrue(listing._tag === "Absent" || (listing._tag === "Listed" && listing.names.length === 0))
        assert.deepStrictEqual<unknown>(yield* find("c1"), { files: [], faults: [] })
        assert.deepStrictEqual(yield* SessionLinks.linkHistory, LinkHistory.fromEntries([]))
      })
    )

    test(
      "what was appended is read back, in the order in which it was linked",
      Effect.gen(function* () {
        for (const id of ["c2", "c1", "c3"]) assert.isTrue(yield* append("m1", id))
        yield* append("m2", "c4")
        assert.deepStrictEqual(yield* ids("m1"), ["c2", "c1", "c3"])
        assert.deepStrictEqual<unknown>(yield* find("c1"), {
          files: [{ managedId: "m1", ids: ["c2", "c1", "c3"] }],
          faults: []
        })
        const listing = yield* list
        assert.deepStrictEqual(listing._tag === "Listed" && [...listing.names].sort(), ["m1", "m2"])
        assert.deepStrictEqual<unknown>(yield* SessionLinks.linkedClaudeIds("c3"), ["c2", "c1", "c3"])
      })
    )

    test(
      "appending what is listed writes nothing and says so",
      Effect.gen(function* () {
        assert.deepStrictEqual([yield* append("m1", "c1"), yield* append("m1", "c1")], [true, false])
        assert.deepStrictEqual(yield* ids("m1"), ["c1"])
      })
    )

    test(
      "an id of two sessions is found in both",
      Effect.gen(function* () {
        yield* append("m2", "c1")
        yield* append("m1", "c1")
        const { files } = yield* find("c1")
        assert.deepStrictEqual(
          files.map(({ managedId }): string => managedId),
          ["m1", "m2"]
        )
        assert.deepStrictEqual<unknown>(yield* SessionLinks.linkedClaudeIds("c1"), [])
      })
    )

    test(
      "what is not there has vanished, alone and among others",
      Effect.gen(function* () {
        yield* append("m1", "c1")
        assert.strictEqual(
          (yield* Effect.flip(SidecarReader.SidecarReader.use(({ read }) => read("m2")))).reason._tag,
          "Vanished"
        )
        const seen = new Map<string, string>()
        yield* SidecarReader.SidecarReader.use(({ readEach }) =>
          readEach(["m2", "m1"], (name, content) => {
            seen.set(name, Result.isSuccess(content) ? "read" : content.failure.reason._tag)
          })
        )
        assert.deepStrictEqual(Object.fromEntries(seen), { m1: "read", m2: "Vanished" })
      })
    )

    test(
      "ids are text and nothing else",
      Effect.gen(function* () {
        for (const id of hostile) assert.isTrue(yield* append("m1", id))
        assert.deepStrictEqual(yield* ids("m1"), hostile)
        const names = hostile.filter(ManagedId.is).filter((id) => id.toLowerCase() !== "a")
        for (const [at, id] of names.entries()) assert.isTrue(yield* append(id, `c${at}`))
        for (const at of names.keys())
          assert.deepStrictEqual<unknown>(yield* SessionLinks.linkedClaudeIds(`c${at}`), [`c${at}`])
        const history = yield* SessionLinks.linkHistory
        assert.strictEqual(history._tag === "Read" && history.links.size, hostile.length + names.length)
      })
    )

    test(
      "writers side by side lose nothing",
      Effect.gen(function* () {
        const others = Array.from({ length: 20 }, (_, index) => `c${index}`)
        yield* Effect.forEach(others, (id) => append("m1", id), { concurrency: "unbounded" })
        assert.deepStrictEqual([...(yield* ids("m1"))].sort(), others.sort())
      })
    )
  })
}
