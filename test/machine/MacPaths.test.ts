import { assert, describe, it } from "@effect/vitest"
import * as MacPaths from "../../src/machine/core/MacPaths.ts"

const all = (line: string): ReadonlyArray<string> => MacPaths.beginnings(line).flatMap(MacPaths.candidates)

describe("the paths that a command line may name", () => {
  const cases: ReadonlyArray<readonly [line: string, paths: ReadonlyArray<string>]> = [
    ["vim", []],
    ["vim a/b", []],
    ["/bin/vim", ["/bin/vim"]],
    ["vim /w/My File x", ["/w/My", "/w/My File", "/w/My File x"]],
    ["cp /a /b", ["/a", "/a /b", "/b"]],
    ["node --root=/w/a:/w/b", ["/w/a", "/w/a:/w/b", "/w/b"]],
    ["/w/a (copy)/x y", ["/w/a", "/w/a (copy)/x", "/w/a (copy)/x y", "/x", "/x y"]],
    ["vim /w/M-CM-)", ["/w/M-CM-)", "/w/M-CM-", "/w/é"]],
    ["vim /w/a\\012b^A", ["/w/a\\012b^A", "/w/a\nb\u0001", "/w/a"]],
    ["x /M^Bb", ["/M^Bb", "/\uFFFDb"]],
    ["vim /w/é", ["/w/é"]]
  ]
  for (const [line, paths] of cases) {
    it(JSON.stringify(line), () => assert.sameMembers([...all(line)], [...paths]))
  }

  it("ends where no path can go on", () =>
    assert.deepStrictEqual(
      MacPaths.beginnings(`/${"a".repeat(2000)}`).map(({ length }) => length),
      [1024]
    ))

  it("is not held up by a long line", () => assert.isAbove(MacPaths.beginnings("^A /a b".repeat(20_000)).length, 0))
})
