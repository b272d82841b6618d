import { assert, describe, it } from "@effect/vitest"
import * as NestedRepository from "../../src/verdict/core/NestedRepository.ts"

describe("NestedRepository.isMarkedBy", () => {
  const cases: ReadonlyArray<readonly [names: string, is: boolean]> = [
    [".git", true],
    ["src .hg", true],
    [".jj src", true],
    [".svn", true],
    [".GIT", true],
    [".bzr", true],
    [".sl src", true],
    [".pijul", true],
    ["_darcs", true],
    ["src .fslckout", true],
    ["_FOSSIL_", true],
    ["objects src refs HEAD", true],
    ["objects refs", false],
    ["HEAD refs", false],
    ["HEAD objects", false],
    ["git .gitignore .github", false],
    ["", false]
  ]
  for (const [names, is] of cases) {
    it(`${is ? "is" : "is not"} a repository that holds ${names}`, () =>
      assert.strictEqual(NestedRepository.isMarkedBy(names.split(" ")), is))
  }
})
