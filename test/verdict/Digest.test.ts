import { assert, describe, it } from "@effect/vitest"
import * as Digest from "../../src/verdict/core/Digest.ts"

const [a, b] = ["a".repeat(40), "b".repeat(64)]

const file = (name: string, ...body: ReadonlyArray<string>) =>
  [`diff --git x/${name} x/${name}`, `index ${a}..${"c".repeat(40)} 100644`, ...body, ""].join("\n")
const text = (name: string, at: number, word = "word", context = "context") =>
  file(name, `--- x/${name}`, `+++ x/${name}`, `@@ -${at},1 +${at},2 @@ within`, ` ${context}`, `+${word}`)

const of = (diff: string): string | undefined => {
  const digests = Digest.parse(`${a}\n${diff}`, [a])
  return digests === undefined ? assert.fail("another shape") : digests[0]
}

describe("Digest.parse", () => {
  it("tells two changes alike that differ in where they stand alone", () => {
    assert.isDefined(of(text("f", 1)))
    assert.strictEqual(of(text("f", 1)), of(text("f", 90)))
    assert.strictEqual(of(text("f", 1).replaceAll("c".repeat(40), "d".repeat(40))), of(text("f", 1)))
    assert.strictEqual(of(text("f", 1) + text("g", 1)), of(text("g", 7) + text("f", 9)))
  })

  it("keeps of a text all but line numbers, and the objects", () => {
    assert.strictEqual(of(text("f", 1)), "diff --git x/f x/f\n--- x/f\n+++ x/f\n@@\n context\n+word")
  })

  it("tells all others apart", () => {
    const others = [
      text("f", 1),
      text("g", 1),
      text("f", 1, "Word"),
      text("f", 1, " word"),
      text("f", 1, "word "),
      text("f", 1, "word", "another"),
      text("f", 1, "index word"),
      text("f", 1).replace("+word", "-word"),
      text("f", 1).replace("index ", "new file mode 100644\nindex "),
      text("f", 1) + text("g", 1),
      text("f", 1, "worddiff --git x/g x/g\n--- x/g\n+++ x/g\n@@ -1 +1 @@\n context\n+word"),
      text("f", 1, "wo\n+rd"),
      text("f", 1, "wo+rd"),
      `${text("f", 1)}\\ No newline at end of file\n`,
      text("f", 1) + text("f", 1).split("\n").slice(4).join("\n"),
      file("f", "Binary files x/f and x/f differ"),
      file("f", "Binary files x/f and x/f differ").replace("c".repeat(40), "d".repeat(40)),
      "diff --git x/f x/f\nold mode 100644\nnew mode 100755\n"
    ]
    assert.strictEqual(new Set(others.map(of)).size, others.length)
    const quoted = (...words: ReadonlyArray<string>) =>
      of(text("f", 1, words.map((word) => `diff --git ${word}`).join("\n+")))
    assert.notStrictEqual(quoted("p", "q", "p"), quoted("q", "p", "p"))
    const deepIndex = (word: string) => `${text("f", 1)} index ${word}\n`
    assert.notStrictEqual(of(deepIndex("a")), of(deepIndex("b")))
  })

  it("has none of no change, nor of text that two changes may share", () => {
    assert.isUndefined(of(""))
    assert.isUndefined(of("\n"))
    assert.isUndefined(of(text("f", 1, "\ufffd")))
  })

  it("keeps the order in which they were asked for", () => {
    const [one, none, two] = Digest.parse(`${a}\n${text("f", 1)}${b}\n${a}\n\n${text("g", 1)}`, [a, b, a]) ?? []
    assert.deepStrictEqual([one, none, two], [of(text("f", 1)), undefined, of(text("g", 1))])
    assert.deepStrictEqual(Digest.parse("", []), [])
  })

  it("gives nothing where the answer is to another question", () => {
    const answer = `${a}\n${text("f", 1)}`
    for (const asked of [[], [b], [a, b], [a, a]]) assert.isUndefined(Digest.parse(answer, asked), asked.join())
    assert.isUndefined(Digest.parse("", [a]))
    assert.isUndefined(Digest.parse(`warning\n${answer}`, [a]))
  })

  it("takes no line of a change for the next commit", () => {
    const diff = text("f", 1).replace("+word", `+word\n ${a}\n+${b}`)
    assert.isDefined(of(diff))
  })
})
