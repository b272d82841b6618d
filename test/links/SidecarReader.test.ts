import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ClaudeId, LinkFile, SidecarReader } from "../../src/internal.ts"
import type * as Tree from "../Tree.ts"
import { type Kind, kinds, type Stage } from "./Stage.ts"

const at = (name: string) => `usage/session-links/${name}`

const list = SidecarReader.SidecarReader.use((reader) => reader.list)

const read = (name: string) =>
  SidecarReader.SidecarReader.use((reader) => reader.read(name)).pipe(
    Effect.map(({ bytes }) => Buffer.from(bytes).toString("latin1"))
  )

const find = (id: string) =>
  SidecarReader.SidecarReader.use((reader) => reader.find(Option.getOrThrow(ClaudeId.parse(id)))).pipe(
    Effect.map(({ files, faults }) => ({
      files: files.map(({ managedId, file }) => [managedId, file.ids]).sort(),
      faults: faults.map(({ reason, path }) => `${reason._tag} ${path.slice(path.lastIndexOf("/") + 1)}`).sort()
    }))
  )

/** The answer, or the name of the reason and the message. */
const told = <A>(effect: Effect.Effect<A, SidecarReader.SidecarError, SidecarReader.SidecarReader>) =>
  Effect.match(effect, { onSuccess: (value) => value, onFailure: ({ reason }) => ({ failed: reason._tag }) })

const suite = (name: string, kind: Kind) =>
  describe(`SidecarReader over ${name}`, () => {
    const test = (
      title: string,
      body: (stage: Stage) => Effect.Effect<void, SidecarReader.SidecarError, SidecarReader.SidecarReader>
    ) => it.effect(title, () => Effect.flatMap(kind.make, (stage) => Effect.provide(body(stage), stage.files)))

    test("no directory: Absent", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* list, SidecarReader.Listing.Absent())
      }))

    test("every name is listed, whatever it is", ({ put }) =>
      Effect.gen(function* () {
        put({ [at("m1")]: { text: "" }, [at(".tmp")]: { text: "" }, [at("a\\b")]: { text: "" } })
        const listing = yield* list
        assert.deepStrictEqual(listing._tag === "Listed" && [...listing.names].sort(), [".tmp", "a\\b", "m1"])
      }))

    for (const [what, text] of Object.entries({
      empty: "",
      lines: "c1\nc2\n",
      "NUL, BOM and CRLF": "\u0000c1\r\n\u00ef\u00bb\u00bfc2\n",
      "bytes that are no UTF-8": "\u00ff\u00fe\n",
      "more than one piece": "c".repeat(600_000)
    })) {
      test(`bytes are handed over as they are: ${what}`, ({ put }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { base64: Buffer.from(text, "latin1").toString("base64") } })
          assert.strictEqual(yield* read("m1"), text)
        }))
    }

    test("a file of 1 MiB is read, one byte more is too large", ({ put }) =>
      Effect.gen(function* () {
        put({
          [at("m1")]: { text: "c".repeat(LinkFile.largest) },
          [at("m2")]: { text: "c".repeat(LinkFile.largest + 1) }
        })
        assert.lengthOf(yield* read("m1"), LinkFile.largest)
        assert.deepStrictEqual<unknown>(yield* told(read("m2")), { failed: "TooLarge" })
      }))

    test("find gives the files that list an id, and what could not be read", ({ put }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* find("c1"), { files: [], faults: [] })
        put({
          [at("m1")]: { text: "c1\nc2\nc3" },
          [at("m2")]: { text: "c2\n" },
          [at("m3")]: { text: `${"c4\n".repeat(30_000)}c1\n` },
          [at("m4")]: { text: `${"c1\n".repeat(LinkFile.largest / 3)}c1\n` },
          [at("m5")]: { text: "c11\nxc1\n" },
          [at(".m6")]: { text: "c1\n" }
        })
        assert.deepStrictEqual<unknown>(yield* find("c1"), {
          files: [
            ["m1", ["c1", "c2"]],
            ["m3", ["c4", "c1"]],
            ["m5", ["c11", "xc1"]]
          ],
          faults: ["TooLarge m4"]
        })
      }))

    test("an entry that is not there has vanished, and the message names it", () =>
      Effect.gen(function* () {
        const result = yield* Effect.result(read("m1"))
        assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "Vanished")
        assert.include(result._tag === "Failure" && result.failure.message, "session-links/m1")
      }))

    test("nothing is remembered from one look to the next", ({ put }) =>
      Effect.gen(function* () {
        put({ [at("m1")]: { text: "c1\n" } })
        assert.deepStrictEqual(yield* list, SidecarReader.Listing.Listed({ names: ["m1"] }))
        assert.strictEqual(yield* read("m1"), "c1\n")
        put({ [at("m1")]: { text: "c2\n" }, [at("m2")]: { text: "" } })
        assert.strictEqual(yield* read("m1"), "c2\n")
        const listing = yield* list
        assert.strictEqual(listing._tag === "Listed" && listing.names.length, 2)
      }))

    test("the time of the last write is told", ({ put }) =>
      Effect.gen(function* () {
        put({ [at("m1")]: { text: "" } })
        const { modifiedAt } = yield* SidecarReader.SidecarReader.use((reader) => reader.read("m1"))
        assert.isTrue(Number.isFinite(modifiedAt))
      }))

    if (kind.specials) {
      const entries: Readonly<
        Record<string, { readonly tree: Tree.Tree; readonly expect: string | { readonly failed: string } }>
      > = {
        "a directory": { tree: { [at("m1")]: { dir: true } }, expect: { failed: "NotRegular" } },
        "a FIFO": { tree: { [at("m1")]: { fifo: true } }, expect: { failed: "NotRegular" } },
        "a link to a file": {
          tree: { [at("m1")]: { symlink: "../other" }, "usage/other": { text: "c1\n" } },
          expect: "c1\n"
        },
        "a link to a FIFO": {
          tree: { [at("m1")]: { symlink: "f" }, [at("f")]: { fifo: true } },
          expect: { failed: "NotRegular" }
        },
        "a link to a directory": { tree: { [at("m1")]: { symlink: "." } }, expect: { failed: "NotRegular" } },
        "a link to nowhere has not vanished": {
          tree: { [at("m1")]: { symlink: "nowhere" } },
          expect: { failed: "Unreadable" }
        },
        "a link to itself": { tree: { [at("m1")]: { symlink: "m1" } }, expect: { failed: "Unreadable" } }
      }
      for (const [what, { tree, expect }] of Object.entries(entries)) {
        test(`entry: ${what}`, ({ put }) =>
          Effect.gen(function* () {
            put(tree)
            assert.deepStrictEqual<unknown>(yield* told(read("m1")), expect)
            const { files, faults } = yield* find("c1")
            if (typeof expect === "string")
              assert.deepStrictEqual<unknown>({ files, faults }, { files: [["m1", ["c1"]]], faults: [] })
            else assert.include(faults, `${expect.failed} m1`)
          }))
      }

      const directories: Readonly<Record<string, { readonly tree: Tree.Tree; readonly expect: object }>> = {
        "a link to a directory": {
          tree: { "usage/session-links": { symlink: "elsewhere" }, "usage/elsewhere/m1": { text: "" } },
          expect: SidecarReader.Listing.Listed({ names: ["m1"] })
        },
        "a link to nowhere is not absent": {
          tree: { "usage/session-links": { symlink: "nowhere" } },
          expect: { failed: "Unreadable" }
        },
        "a file": { tree: { "usage/session-links": { text: "" } }, expect: { failed: "Unreadable" } },
        "a FIFO": { tree: { "usage/session-links": { fifo: true } }, expect: { failed: "Unreadable" } }
      }
      for (const [what, { tree, expect }] of Object.entries(directories)) {
        test(`sidecar directory: ${what}`, ({ put }) =>
          Effect.gen(function* () {
            put(tree)
            assert.deepStrictEqual<unknown>(yield* told(list), expect)
            assert.strictEqual("failed" in (yield* told(find("c1"))), "failed" in expect)
          }))
      }
    }

    if (kind.forbids) {
      test("what may not be read is unreadable", ({ put, forbid }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { text: "c1\n" } })
          forbid(at("m1"))
          assert.deepStrictEqual<unknown>(yield* told(read("m1")), { failed: "Unreadable" })
        }))
    }
  })

for (const kind of kinds) suite(kind.name, kind)
