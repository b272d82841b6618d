import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ManagedId } from "../../src/internal.ts"

describe("ManagedId.is", () => {
  const cases: ReadonlyArray<readonly [name: string, id: string, is: boolean]> = [
    ["letters, digits and marks are an id", "tm_harbor-2.1", true],
    ["letters of any language are an id", "hafen-köln 港", true],
    ["255 bytes are an id", `a${"é".repeat(127)}`, true],
    ["256 bytes are none", "é".repeat(128), false],
    ["an empty text is none", "", false],
    ["a hidden name is none", ".harbor", false],
    ["a hidden name of another language is none", ".köln", false],
    ["the directory above is none", "..", false],
    ["a path is none", "a/b", false],
    ["a path of Windows is none", "a\\b", false],
    ["a control character is none", "a\nb", false]
  ]
  for (const [name, id, is] of cases) {
    it(name, () => {
      assert.strictEqual(ManagedId.is(id), is)
      assert.deepStrictEqual(Option.getOrNull(ManagedId.parse(`\ufeff ${id}\t`)), is ? id : null)
    })
  }
})
