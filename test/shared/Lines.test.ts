import { assert, describe, it } from "@effect/vitest"
import * as Lines from "../../src/shared/core/Lines.ts"
import { Gen } from "../../src/testing/index.ts"

/** What is handed over of the pieces, and what is left. */
const split = (pieces: ReadonlyArray<string>, uninteresting?: RegExp) => {
  const handed: Array<string> = []
  const lines = Lines.split((line) => handed.push(line))
  for (const piece of pieces) lines.push(piece, uninteresting)
  return { handed, rest: lines.rest() }
}

it.prop(
  "Lines.split: however text is cut into pieces, each finished line is handed over, and what stands behind them is left",
  [Gen.array(Gen.element(["a", "b", "\n", "a\n", "\n\n", ""]), { maxLength: 12 })],
  ([pieces]) => {
    const lines = pieces.join("").split("\n")
    assert.deepStrictEqual(split(pieces), { handed: lines.slice(0, -1), rest: lines.at(-1) })
  },
  { arbitrary: { runs: 1000, seed: "split" } }
)

describe("Lines.split, with lines that do not interest", () => {
  const cases: ReadonlyArray<
    readonly [name: string, pieces: ReadonlyArray<string>, handed: ReadonlyArray<string>, rest: string]
  > = [
    ["passes over one alone", ["#\n"], [], ""],
    ["passes over several, wherever they stand", ["#\n#\na\n#\nb\n#\n"], ["a", "b"], ""],
    ["passes over one of each piece", ["a\n", "#\n", "b\n#\n", "#\nc"], ["a", "b"], "c"],
    ["hands over one that is not at the beginning of its line", ["a#\n", "#a\n"], ["a#", "#a"], ""],
    ["hands over the end of a line that began in another piece", ["a", "#\n", "#\n"], ["a#"], ""],
    ["leaves one that is not finished", ["a\n#"], ["a"], "#"]
  ]
  for (const [name, pieces, handed, rest] of cases) {
    it(name, () => assert.deepStrictEqual(split(pieces, /#\n/y), { handed, rest }))
  }
})

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

it("Lines.decode: hands nothing over where nothing is", () => {
  const cases: ReadonlyArray<readonly [pieces: ReadonlyArray<string>, handed: ReadonlyArray<string>]> = [
    [[], []],
    [[""], []],
    [["a\n", ""], ["a\n"]],
    [["a", "b\n"], ["ab\n"]]
  ]
  for (const [pieces, expected] of cases) {
    const handed: Array<string> = []
    const decoder = Lines.decode((text) => handed.push(text))
    for (const piece of pieces) decoder.push(Buffer.from(piece))
    decoder.end()
    assert.deepStrictEqual(handed, expected)
  }
})
