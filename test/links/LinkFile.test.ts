import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { ClaudeId, LinkFile } from "../../src/internal.ts"
import { LinkArbitraries, Gen, LinkFiles } from "../../src/testing/index.ts"

const letters = Gen.map(Gen.array(Gen.element(["a", "b", "é"]), { minLength: 1, maxLength: 5 }), (all) => all.join(""))
const text = Gen.map(Gen.array(Gen.element(["a", "b", "é", "\n"]), { maxLength: 24 }), (all) => all.join(""))

it.prop(
  "LinkFile.mayList: says whether the bytes of the id stand anywhere",
  [letters, text],
  ([letters, text]) => {
    const id = Option.getOrThrow(ClaudeId.parse(letters))
    const bytes = new TextEncoder().encode(text)
    assert.strictEqual(LinkFile.mayList(id)(bytes), text.includes(id))
  },
  { arbitrary: { runs: 3000, seed: "may-list" } }
)

const invalid = Uint8Array.of(0xff, 0x0a)

it.prop(
  "LinkFile.parse: a line that is no UTF-8 changes nothing of the others",
  [LinkArbitraries.linkFile],
  ([file]) => {
    const bytes = LinkFiles.toBytes(file)
    const read = LinkFile.parse(bytes)
    assert.deepStrictEqual(LinkFile.parse(Buffer.concat([invalid, bytes])), { ...read, damaged: read.damaged + 1 })
  },
  { arbitrary: { runs: 2000, seed: "parse" } }
)
