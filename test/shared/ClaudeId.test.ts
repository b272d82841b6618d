import { assert, describe, it } from "@effect/vitest"
import { ClaudeId } from "../../src/internal.ts"

describe("ClaudeId.is", () => {
  const cases: ReadonlyArray<readonly [name: string, text: string, is: boolean]> = [
    ["a UUID is an id", "0b6ff1f0-2f0c-4c8f-9a51-6d3a4c0c1e52", true],
    ["an empty text is none", "", false],
    ["255 plain letters are an id", "a".repeat(255), true],
    ["256 plain letters are none", "a".repeat(256), false],
    ["255 bytes are an id, spaces within", `a ${"b".repeat(253)}`, true],
    ["256 bytes are none, spaces within", `a ${"b".repeat(254)}`, false],
    ["255 bytes in fewer characters are an id", `a${"é".repeat(127)}`, true],
    ["256 bytes in fewer characters are none", "é".repeat(128), false],
    ["white space around it is not cut off here", " a", false],
    ["a lone surrogate is none", "a\ud800", false],
    ["a replacement character is none", "a\ufffd", false],
    ["a control character is none", "a\u0007b", false]
  ]
  for (const [name, text, is] of cases) {
    it(name, () => assert.strictEqual(ClaudeId.is(text), is))
  }
})
