import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ClaudeId, LinkFile, LinkWriter, ManagedId } from "../../src/internal.ts"
import type * as Tree from "../Tree.ts"
import { type Kind, kinds, type Stage } from "./Stage.ts"

const at = (name: string) => `usage/session-links/${name}`

const managed = (text: string) => Option.getOrThrow(ManagedId.parse(text))

const claude = (text: string) => Option.getOrThrow(ClaudeId.parse(text))

const append = (managedId: string, claudeId: string) =>
  LinkWriter.LinkWriter.use((writer) => writer.append(managed(managedId), claude(claudeId)))

const closeTail = (managedId: string) => LinkWriter.LinkWriter.use((writer) => writer.closeTail(managed(managedId)))

const quarantine = (managedId: string, directory: string) =>
  LinkWriter.LinkWriter.use((writer) => writer.quarantine(managed(managedId), directory))

const reasonOf = <A>(effect: Effect.Effect<A, LinkWriter.LinkWriteError, LinkWriter.LinkWriter>) =>
  Effect.match(effect, { onSuccess: () => "written", onFailure: ({ reason }) => reason._tag })

const suite = (name: string, kind: Kind) =>
  describe(`LinkWriter over ${name}`, () => {
    const test = (
      title: string,
      body: (stage: Stage) => Effect.Effect<void, LinkWriter.LinkWriteError, LinkWriter.LinkWriter>
    ) => it.effect(title, () => Effect.flatMap(kind.make, (stage) => Effect.provide(body(stage), stage.files)))

    test("append makes what is missing, readable by its owner alone", ({ look, mode }) =>
      Effect.gen(function* () {
        yield* append("m1", "c1")
        assert.deepStrictEqual(look(), { [at("m1")]: "c1\n" })
        if (!kind.specials) return
        assert.deepStrictEqual(
          ["usage", "usage/session-links", at("m1")].map((path) => mode(path)),
          [0o700, 0o700, 0o600]
        )
      }))

    for (const [before, after] of [
      ["", "c2\n"],
      ["c1\n", "c1\nc2\n"],
      ["c1", "c1\u0018\nc2\n"],
      ["c1\nc", "c1\nc\u0018\nc2\n"],
      ["\u0018", "\u0018\u0018\nc2\n"],
      ["c1\r\n", "c1\r\nc2\n"],
      ["\u0000", "\u0000\u0018\nc2\n"],
      [`${"c1\n".repeat(200_000)}c`, `${"c1\n".repeat(200_000)}c\u0018\nc2\n`]
    ] as const) {
      test(`append to ${JSON.stringify(before.slice(-20))}`, ({ put, look }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { text: before } })
          yield* append("m1", "c2")
          assert.isTrue(look()[at("m1")] === after)
        }))
    }

    test("append writes nothing where the id is listed, torn or not", ({ put, look }) =>
      Effect.gen(function* () {
        const tree = { [at("m1")]: { text: "c1\nc2\nc" }, [at("m2")]: { text: "c2\n" } }
        put(tree)
        assert.deepStrictEqual([yield* append("m1", "c2"), yield* append("m2", "c2")], [false, false])
        assert.deepStrictEqual(look(), { [at("m1")]: "c1\nc2\nc", [at("m2")]: "c2\n" })
        assert.deepStrictEqual([yield* append("m2", "c"), yield* append("m2", "c2\u0301")], [true, true])
      }))

    test("a file never grows beyond 1 MiB", ({ put, look }) =>
      Effect.gen(function* () {
        const full = "x".repeat(LinkFile.largest - 4)
        put({
          [at("m1")]: { text: `${full}\n` },
          [at("m2")]: { text: `${full}xxx` },
          [at("m3")]: { text: `${full}xxxxx` }
        })
        const before = look()
        for (const change of [append("m1", "abc"), append("m3", "c"), closeTail("m2"), closeTail("m3")])
          assert.strictEqual(yield* reasonOf<unknown>(change), "TooLarge")
        assert.deepStrictEqual(look(), before)
        assert.isTrue(yield* append("m1", "ab"))
        assert.lengthOf(look()[at("m1")] ?? "", LinkFile.largest)
      }))

    for (const [before, closed, after] of [
      ["", false, ""],
      ["c1\n", false, "c1\n"],
      ["c1", true, "c1\u0018\n"],
      ["c1\n\u0018", true, "c1\n\u0018\u0018\n"]
    ] as const) {
      test(`closeTail of ${JSON.stringify(before)}`, ({ put, look }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { text: before } })
          assert.strictEqual(yield* closeTail("m1"), closed)
          assert.strictEqual(look()[at("m1")], after)
        }))
    }

    test("closeTail and quarantine make nothing where nothing is", ({ look }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(closeTail("m1")), "Missing")
        assert.strictEqual(yield* reasonOf(quarantine("m1", "aside")), "Missing")
        assert.deepStrictEqual(look(), {})
      }))

    test("quarantine moves a file beside the sidecar, bytes and all", ({ put, look }) =>
      Effect.gen(function* () {
        put({ [at("m1")]: { text: "c1\nc" }, [at("m2")]: { text: "c2\n" } })
        assert.deepStrictEqual<unknown>(yield* quarantine("m1", "aside"), { ids: ["c1"], torn: true, damaged: 0 })
        assert.deepStrictEqual(look(), { "usage/aside/m1": "c1\nc", [at("m2")]: "c2\n" })
      }))

    test("quarantine never moves over another file", ({ put, look }) =>
      Effect.gen(function* () {
        const tree = { [at("m1")]: { text: "c1\n" }, "usage/aside/m1": { text: "c2\n" } }
        put(tree)
        assert.strictEqual(yield* reasonOf(quarantine("m1", "aside")), "Taken")
        assert.deepStrictEqual(look(), { [at("m1")]: "c1\n", "usage/aside/m1": "c2\n" })
      }))

    for (const directory of ["", ".", "..", "../aside", "a/b", ".aside", "a\u0000"]) {
      test(`quarantine into ${JSON.stringify(directory)} is refused`, ({ put, look }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { text: "c1\n" } })
          assert.strictEqual(yield* reasonOf(quarantine("m1", directory)), "Failed")
          assert.deepStrictEqual(look(), { [at("m1")]: "c1\n" })
        }))
    }

    test("writers side by side splice nothing", ({ put, look }) =>
      Effect.gen(function* () {
        put({ [at("m1")]: { text: "c" } })
        const ids = Array.from({ length: 40 }, (_, index) => `c${index}-${"x".repeat(200)}`)
        yield* Effect.forEach(ids, (id) => append("m1", id), { concurrency: "unbounded" })
        const lines = (look()[at("m1")] ?? "").split("\n").filter((line) => line !== "" && !line.endsWith("\u0018"))
        assert.deepStrictEqual(lines.sort(), ids.sort())
      }))

    if (kind.specials) {
      const targets: Readonly<Record<string, { readonly tree: Tree.Tree; readonly reasons: ReadonlyArray<string> }>> = {
        "a directory": { tree: { [at("m1")]: { dir: true } }, reasons: ["NotRegular", "Failed"] },
        "a FIFO": { tree: { [at("m1")]: { fifo: true } }, reasons: ["NotRegular"] },
        "a link to a FIFO": {
          tree: { [at("f")]: { fifo: true }, [at("m1")]: { symlink: "f" } },
          reasons: ["NotRegular"]
        },
        "a link to nowhere": { tree: { [at("m1")]: { symlink: "nowhere" } }, reasons: ["Failed"] },
        "a link to itself": { tree: { [at("m1")]: { symlink: "m1" } }, reasons: ["Failed"] }
      }
      for (const [what, { tree, reasons }] of Object.entries(targets)) {
        test(`nothing is written or made where ${what} stands`, ({ put, look }) =>
          Effect.gen(function* () {
            put(tree)
            for (const change of [append("m1", "c1"), closeTail("m1")]) {
              assert.include(reasons, yield* reasonOf(change))
            }
            assert.deepStrictEqual(look(), {})
          }))
      }

      test("a link to a file is appended to where it points", ({ put, look }) =>
        Effect.gen(function* () {
          put({ "usage/other": { text: "c1\n" }, [at("m1")]: { symlink: "../other" } })
          yield* append("m1", "c2")
          assert.deepStrictEqual(look(), { "usage/other": "c1\nc2\n" })
        }))

      test("only regular files go into the quarantine", ({ put, look }) =>
        Effect.gen(function* () {
          put({
            [at("m1")]: { text: "c1\n" },
            [at("m2")]: { symlink: "m1" },
            [at("m3")]: { fifo: true },
            [at("m4")]: { dir: true }
          })
          for (const id of ["m2", "m3", "m4"])
            assert.strictEqual(yield* reasonOf(quarantine(id, "aside")), "NotRegular")
          assert.deepStrictEqual(look(), { [at("m1")]: "c1\n" })
        }))

      test("where the sidecar is no directory nothing is written", ({ put, look }) =>
        Effect.gen(function* () {
          put({ "usage/session-links": { text: "x" } })
          assert.strictEqual(yield* reasonOf(append("m1", "c1")), "Failed")
          assert.deepStrictEqual(look(), { "usage/session-links": "x" })
        }))
    }

    if (kind.forbids) {
      test("what may not be read is not written", ({ put, forbid, look }) =>
        Effect.gen(function* () {
          put({ [at("m1")]: { text: "c1\n" } })
          forbid(at("m1"))
          assert.strictEqual(yield* reasonOf(append("m1", "c2")), "Failed")
          if (kind.name.includes("fake")) assert.deepStrictEqual(look(), { [at("m1")]: "c1\n" })
        }))
    }
  })

for (const kind of kinds) suite(kind.name, kind)
