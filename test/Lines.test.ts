import { assert, it } from "@effect/vitest"
import * as Lines from "../src/core/Lines.ts"
import { Gen } from "../src/testing/index.ts"

const parts = Gen.array(
  Gen.oneOf(
    Gen.element(["a", "\n", "\n\n", "é\n", "漢", "\ufeff", "𝄞\n", ""].map((text) => Buffer.from(text))),
    Gen.bytes(3)
  ),
  { maxLength: 8 }
)
const cuts = Gen.array(Gen.int(0, 24), { maxLength: 4 })

it.prop(
  "Lines.decode: however bytes are cut into pieces, the text is the same, and only whole lines are handed over before the end",
  [parts, cuts],
  ([parts, cuts]) => {
    const bytes = Buffer.concat(parts)
    const handed: Array<string> = []
    const decoder = Lines.decode((text) => handed.push(text))
    let start = 0
    for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
      const piece = Uint8Array.from(bytes.subarray(start, Math.max(start, cut)))
      decoder.push(piece)
      piece.fill(0x78)
      start = Math.max(start, cut)
    }
    assert.isTrue(handed.every((text) => text.endsWith("\n")))
    decoder.end()
    assert.strictEqual(handed.join(""), new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))
  },
  { arbitrary: { runs: 2000, seed: "decode" } }
)
