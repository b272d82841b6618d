import { assert, describe, it } from "@effect/vitest"
import { Text } from "../../src/internal.ts"

describe("Text.trim", () => {
  it("cuts what Unicode calls white space, and U+FEFF, and nothing else", () => {
    for (let code = 0; code <= 0xffff; code++) {
      const unit = String.fromCharCode(code)
      const expected = /^[\p{White_Space}\ufeff]$/u.test(unit) ? "a" : `${unit}a${unit}`
      assert.strictEqual(Text.trim(`${unit}a${unit}`), expected, `U+${code.toString(16)}`)
    }
  })

  it("leaves what stands within", () => assert.strictEqual(Text.trim("\u0085 a \u3000 b\ufeff"), "a \u3000 b"))

  it("cuts either end alone", () => {
    assert.strictEqual(Text.trim("\u2028a"), "a")
    assert.strictEqual(Text.trim("a\u2028"), "a")
  })

  it("leaves nothing of white space alone", () => assert.strictEqual(Text.trim(" \u2028\t"), ""))
})

describe("Text.utf8Length", () => {
  const cases: ReadonlyArray<readonly [code: number, bytes: number]> = [
    [0x0, 1],
    [0x7f, 1],
    [0x80, 2],
    [0x7ff, 2],
    [0x800, 3],
    [0xd7ff, 3],
    [0xe000, 3],
    [0xffff, 3],
    [0x10000, 4],
    [0x103ff, 4],
    [0x10fc00, 4],
    [0x10ffff, 4]
  ]
  for (const [code, bytes] of cases) {
    it(`U+${code.toString(16)} takes ${bytes}`, () => {
      assert.strictEqual(Text.utf8Length(String.fromCodePoint(code)), bytes)
    })
  }

  it("is the sum over all of them", () => {
    assert.strictEqual(Text.utf8Length(""), 0)
    assert.strictEqual(Text.utf8Length("aé漢𝄞"), 1 + 2 + 3 + 4)
  })
})

describe("Text.escape", () => {
  const cases: ReadonlyArray<readonly [name: string, text: string, escaped: string]> = [
    ["leaves what can be printed", "a é 漢 𝄞", "a é 漢 𝄞"],
    ["doubles a backslash", "a\\b", "a\\\\b"],
    ["tells a written escape from a meant one", "\\u{1b}\u001b", "\\\\u{1b}\\u{1b}"],
    ["keeps the cursor where it is", "\u001b[2J\u009b1m\r\u007f", "\\u{1b}[2J\\u{9b}1m\\u{d}\\u{7f}"],
    ["keeps the reading direction", "a\u202eb\u2066", "a\\u{202e}b\\u{2066}"],
    ["keeps to one line", "a\nb\u2028c\u2029d", "a\\u{a}b\\u{2028}c\\u{2029}d"],
    ["writes a lone surrogate", "a\ud800", "a\\u{d800}"]
  ]
  for (const [name, text, escaped] of cases) {
    it(name, () => assert.strictEqual(Text.escape(text), escaped))
  }
})

describe("Text.compare", () => {
  const cases: ReadonlyArray<readonly [name: string, a: string, b: string, order: number]> = [
    ["a text is equal to itself", "a", "a", 0],
    ["a beginning comes first", "a", "ab", -1],
    ["capitals come first", "B", "a", -1],
    ["accents come behind all of ASCII", "z", "é", -1],
    ["what looks the same is not equal", "e\u0301", "é", -1],
    ["surrogates come before U+FFFF", "\u{10000}", "\uffff", -1]
  ]
  for (const [name, a, b, order] of cases) {
    it(name, () => {
      assert.strictEqual(Text.compare(a, b), order)
      assert.strictEqual(Text.compare(b, a), 0 - order)
    })
  }
})
