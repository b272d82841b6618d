import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LinkWriter, SessionLinks, SidecarReader } from "../../src/internal.ts"
import * as Node from "../../src/node/index.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Cases from "../Cases.ts"

type Case =
  | { readonly op: "linked"; readonly claudeId: string; readonly expect: ReadonlyArray<string> }
  | {
      readonly op: "record"
      readonly managedId: string
      readonly claudeId: string
      readonly expect: { readonly recorded: boolean; readonly tree: Tree.Tree }
    }
  | {
      readonly op: "history"
      readonly expect:
        | { readonly tag: "Read"; readonly map: Readonly<Record<string, ReadonlyArray<string>>> }
        | { readonly tag: "Unreadable"; readonly mentions: ReadonlyArray<string> }
    }

type NamedCase = Case & { readonly name: string; readonly tree: Tree.Tree }

const cases: ReadonlyArray<NamedCase> = Cases.read("links")

type Sidecar = SidecarReader.SidecarReader | LinkWriter.LinkWriter

const layers: Readonly<Record<string, (root: string) => Layer.Layer<Sidecar>>> = {
  FileSystem: (root) =>
    Layer.mergeAll(SidecarReader.layer({ root }), LinkWriter.layer({ root })).pipe(Layer.provide(NodeFileSystem.layer)),
  "node:fs": (root) => Node.layerSidecar({ root })
}

for (const [name, layer] of Object.entries(layers)) {
  describe(`links.json over ${name}`, () => {
    for (const [index, given] of cases.entries()) {
      it.effect(`${index} ${given.op}: ${given.name}`, () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          Tree.write(root, given.tree)
          yield* check(root, given).pipe(Effect.provide(layer(root)))
        })
      )
    }
  })
}

const check = Effect.fnUntraced(function* (root: string, given: NamedCase) {
  switch (given.op) {
    case "linked":
      assert.deepStrictEqual<ReadonlyArray<string>>(yield* SessionLinks.linkedClaudeIds(given.claudeId), given.expect)
      return
    case "record":
      assert.strictEqual(yield* SessionLinks.recordLink(given.managedId, given.claudeId), given.expect.recorded)
      assert.deepStrictEqual(Tree.read(root), given.expect.tree)
      return
    case "history": {
      const history = yield* SessionLinks.linkHistory
      assert.strictEqual(history._tag, given.expect.tag)
      if (history._tag === "Read" && given.expect.tag === "Read") {
        assert.deepStrictEqual(Object.fromEntries(history.links) as Record<string, unknown>, given.expect.map)
      } else if (history._tag === "Unreadable" && given.expect.tag === "Unreadable") {
        for (const mention of given.expect.mentions) assert.include(history.reason, mention)
      }
    }
  }
})
