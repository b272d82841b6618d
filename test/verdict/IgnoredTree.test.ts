import { assert, describe, it } from "@effect/vitest"
import { IgnoredTree, type Regenerable } from "../../src/internal.ts"

const beside: Readonly<Record<string, ReadonlyArray<string>>> = {
  "": ["package.json", "pyproject.toml", "Cargo.toml"],
  "packages/app": ["package.json"]
}

const divide = (content: Partial<IgnoredTree.Content>, settings?: Regenerable.Settings) => {
  const { regenerable, precious } = IgnoredTree.divide(
    { ignored: [], untracked: [], tracked: [], ...content },
    (directory) => beside[directory],
    settings
  )
  return { regenerable: regenerable.map(({ path }) => path), precious }
}

describe("IgnoredTree.divide", () => {
  it("takes a directory that is ignored as a whole, the outermost alone", () => {
    assert.deepStrictEqual(
      divide({ ignored: ["node_modules/", "packages/app/dist/", "src/__pycache__/", "x.log", ".env", ".DS_Store"] }),
      { regenerable: ["node_modules", "packages/app/dist", "src/__pycache__"], precious: ["x.log", ".env"] }
    )
  })

  it("takes a cache as a whole whose own .gitignore lets git list what is in it one by one", () => {
    assert.deepStrictEqual(
      divide({ ignored: [".ruff_cache/.gitignore", ".ruff_cache/0.4/", ".venv/.gitignore", ".venv/bin/python"] }),
      { regenerable: [".ruff_cache", ".venv"], precious: [] }
    )
  })

  it("takes none in which something is tracked or untracked, but what is whole inside it", () => {
    const ignored = ["dist/a.js", "dist/node_modules/x/__pycache__/"]
    for (const other of [{ tracked: ["dist/keep.txt"] }, { untracked: ["dist/new.txt"] }, { untracked: ["dist/"] }]) {
      assert.deepStrictEqual(divide({ ignored, ...other }), {
        regenerable: ["dist/node_modules/x/__pycache__"],
        precious: ["dist/a.js"]
      })
    }
    assert.deepStrictEqual(divide({ ignored, tracked: ["dist2/a", "src/dist/a", "a/dist"] }).precious, [])
  })

  it("takes none in which something is tracked under another spelling, which a file system may take for the same", () => {
    const ignored = ["target/", "café/target/"]
    const settings = { regenerable: ["target"] }
    assert.deepStrictEqual(divide({ ignored, tracked: ["Target/keep"] }, settings).regenerable, ["café/target"])
    assert.deepStrictEqual(divide({ ignored, tracked: ["cafe\u0301/target/x"] }, settings).regenerable, ["target"])
    assert.deepStrictEqual(divide({ ignored, tracked: ["target"] }, settings).regenerable, ["café/target"])
  })
})

describe("IgnoredTree.mixedWith", () => {
  it("says which of the directories something is or lies in, and nothing of others", () => {
    const isMixed = IgnoredTree.mixedWith(["a", "a/b", "c", "d"], [["a/bc/x", "e/f"], ["d/"]])
    assert.deepStrictEqual(
      ["a", "a/b", "c", "d", "a/bc", "a/bc/x", "e", "e/f"].filter((directory) => isMixed(directory)),
      ["a", "d"]
    )
  })
})
