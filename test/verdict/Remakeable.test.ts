import { assert, describe, it } from "@effect/vitest"
import { Remakeable } from "../../src/index.ts"

describe("Remakeable.is", () => {
  const known = [
    ".gradle",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".parcel-cache",
    ".pytest_cache",
    ".ruff_cache",
    ".svelte-kit",
    ".tox",
    ".turbo",
    ".venv",
    "__pycache__",
    "node_modules",
    "target"
  ]
  it("knows the names that the README lists, and no other", () => {
    assert.deepStrictEqual([...Remakeable.names], known)
    for (const name of known) assert.isTrue(Remakeable.is(`${name}/`), name)
  })

  const cases: ReadonlyArray<readonly [name: string, path: string, is: boolean]> = [
    ["a directory of such a name is one", "target/", true],
    ["so is a file or a link of such a name", "node_modules", true],
    ["wherever it lies", "packages/app/node_modules/", true],
    ["what lies in one is none by that", "target/report.html", false],
    ["nor a directory in one", "target/keep/", false],
    ["nor what is only called alike", "my-target/", false],
    ["nor what is called so in another case", "Target/", false],
    ["nor anything else", ".env", false]
  ]
  for (const [name, path, is] of cases) {
    it(`${name}: ${path}`, () => assert.strictEqual(Remakeable.is(path), is))
  }

  it("goes by the names that are given instead", () => {
    const given = new Set(["dist", ".env"])
    assert.deepStrictEqual(
      ["dist/", "app/dist/", "app/.env", "dist/x", "target/"].filter((path) => Remakeable.is(path, given)),
      ["dist/", "app/dist/", "app/.env"]
    )
    assert.isFalse(Remakeable.is("target/", new Set()))
  })
})
