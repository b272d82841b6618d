import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as fs from "node:fs"
import { FakeFileSystem } from "../../src/testing/index.ts"
import * as RepositoryPlaces from "../../src/verdict/RepositoryPlaces.ts"
import { mounted } from "../reclaim/Mounted.ts"
import { tempRoot } from "../TempRoot.ts"

const worktree = (path: string) => ({
  path,
  main: false,
  bare: false,
  head: undefined,
  branch: undefined,
  locked: undefined
})

const insideOf = (system: FileSystem.FileSystem, path: string, ...others: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const places = yield* RepositoryPlaces.make(system, [path, ...others].map(worktree))
    const here = yield* places.of(path)
    const worktrees = yield* places.worktreesIn(here)
    const links = yield* places.linksInto(here)
    return {
      worktrees: worktrees.map((each) => each.path),
      links: links.flatMap((link) => (link.worktree === path ? [] : [link.path]))
    }
  })

describe("a link of another worktree, where case and normal form are folded", () => {
  const app = "/Users/ada/app"
  const candidate = "/Users/ada/caf\u00e9/Wt"

  const cases: ReadonlyArray<readonly [name: string, target: string, leads: boolean]> = [
    ["in another case", "/users/ADA/CAFÉ/wt/x", true],
    ["in another normal form", "/Users/ada/cafe\u0301/Wt", true],
    ["relative to its directory", "../../CAFE\u0301/WT", true],
    ["where nothing is, in another case", "/users/ada/café/WT/missing/deep", true],
    ["where nothing is, in another normal form", "/Users/ada/cafe\u0301/Wt/missing", true],
    ["where nothing is, through a link", "/firm/ada/café/wt/missing", true],
    ["where nothing is, out of where a link leads", "/firm/../Users/ada/café/wt/missing", true],
    ["into a loop that lies in it", `${candidate}/loop`, true],
    ["beside it", "/Users/ada/café/Wt2", false],
    ["to what it lies in", "/Users/ada/CAFÉ", false],
    ["to itself", `${app}/sub/link`, false],
    ["through a file", `${app}/file/Users/ada/café/Wt`, false]
  ]
  for (const [name, target, leads] of cases) {
    it.effect(`${leads ? "leads into it" : "does not"} ${name}`, () =>
      Effect.gen(function* () {
        const { fileSystem } = FakeFileSystem.make(
          {
            [`${candidate}/x`]: { text: "" },
            [`${candidate}/loop`]: { symlink: "loop" },
            "/Users/ada/café/Wt2/x": { text: "" },
            "/firm": { symlink: "/Users" },
            [`${app}/file`]: { text: "" },
            [`${app}/sub/link`]: { symlink: target }
          },
          { foldsCase: true }
        )
        // Firmlinks, and a file system that answers by the name that it was asked by: the text is what it was.
        const literal = { ...fileSystem, realPath: (path: string) => Effect.as(fileSystem.realPath(path), path) }
        for (const system of [fileSystem, literal]) {
          const { links } = yield* insideOf(system, candidate, app)
          assert.deepStrictEqual(links, leads ? [`${app}/sub/link`] : [])
        }
      })
    )
  }

  it.effect("a worktree that is registered by two names is found in itself", () =>
    Effect.gen(function* () {
      const { fileSystem } = FakeFileSystem.make({ "/w/Fix/x": { text: "" } }, { foldsCase: true })
      const { worktrees } = yield* insideOf(fileSystem, "/w/fix", "/w/Fix", "/w/FIX/inner", "/w/fixture")
      assert.deepStrictEqual(worktrees, ["/w/fix", "/w/Fix", "/w/FIX/inner"])
    })
  )

  it.effect("a look that fails gives no places", () =>
    Effect.gen(function* () {
      const { fileSystem } = FakeFileSystem.make({ "/w/a/x": { text: "" } })
      const failing = {
        ...fileSystem,
        lstat: (path: string) =>
          path === "/w/b" ? Effect.fail(FakeFileSystem.platformError("EIO", "lstat", path)) : fileSystem.lstat(path)
      }
      assert.match(yield* Effect.flip(insideOf(failing, "/w/a", "/w/b")), /^\/w\/b could not be looked at/)
    })
  )
})

it.live("a directory that is mounted twice is one place", () =>
  Effect.gen(function* () {
    const root = fs.realpathSync(yield* tempRoot)
    const [app, candidate] = [`${root}/app`, `${root}/wt`]
    fs.mkdirSync(`${candidate}/below`, { recursive: true })
    fs.mkdirSync(app)
    fs.mkdirSync(`${root}/other`)
    if (!(yield* mounted(`${root}/other`, "--bind", candidate))) return
    fs.symlinkSync("../other/below", `${app}/there`)
    fs.symlinkSync("../other/missing", `${app}/nothing`)
    const found = yield* insideOf(yield* FileSystem.FileSystem, candidate, app, `${root}/other`)
    assert.deepStrictEqual(found, {
      worktrees: [candidate, `${root}/other`],
      links: [`${app}/nothing`, `${app}/there`]
    })
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
)
