import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as RegenerableDirectories from "../../src/reclaim/RegenerableDirectories.ts"
import { FakeFileSystem } from "../../src/testing/index.ts"
import { Git } from "../../src/verdict/Git.ts"
import * as RepositoryPlaces from "../../src/verdict/RepositoryPlaces.ts"

const worktree = (path: string) => ({
  path,
  main: false,
  bare: false,
  head: undefined,
  branch: undefined,
  locked: undefined
})

/** What the link of another worktree holds back, on a file system that folds case and normal form. */
const heldBack = (target: string) =>
  Effect.gen(function* () {
    const { fileSystem, layer } = FakeFileSystem.make(
      {
        "/w/café/web/package.json": { text: "" },
        "/w/café/web/node_modules/x": { text: "" },
        "/w/café/node_modules/x": { text: "" },
        "/w/café/package.json": { text: "" },
        "/w/app/link": { symlink: target }
      },
      { foldsCase: true }
    )
    const info = yield* fileSystem.stat("/w/café")
    const git = Layer.mock(Git, {
      content: () =>
        Effect.succeed({
          ignored: ["node_modules/", "web/node_modules/"],
          untracked: [],
          tracked: ["package.json", "web/package.json"],
          identity: { directory: "1:1", adminDirectory: "/w/app/.git/worktrees/café" },
          isOnDeviceOfRepository: true,
          owner: info.uid._tag === "Some" ? info.uid.value : undefined,
          mounts: []
        })
    })
    const repository = { commonDirectory: "/w/app/.git", worktrees: ["/w/app", "/w/café"].map(worktree) }
    const { directories } = yield* Effect.gen(function* () {
      const places = yield* RepositoryPlaces.make(yield* FileSystem.FileSystem, repository.worktrees)
      return yield* RegenerableDirectories.find(repository, worktree("/w/café"), {}, places)
    }).pipe(Effect.provide([git, layer]))
    return directories.flatMap((each) => (each.heldBack === undefined ? [] : [each.path]))
  }).pipe(Effect.orDie)

describe("a regenerable directory to which a link of another worktree leads", () => {
  const cases: ReadonlyArray<readonly [target: string, heldBack: ReadonlyArray<string>]> = [
    ["../CAFÉ/Node_Modules", ["node_modules"]],
    ["/w/cafe\u0301/node_modules/x", ["node_modules"]],
    ["../Cafe\u0301/NODE_MODULES/not/yet/there", ["node_modules"]],
    ["../CAFÉ/Web", ["web/node_modules"]],
    ["../CAFÉ", ["node_modules", "web/node_modules"]],
    ["..", []],
    ["../CAFÉ/Web/src", []]
  ]
  for (const [target, expected] of cases) {
    it.effect(`${expected.length > 0 ? "stays" : "may go"}: ${JSON.stringify(target)}`, () =>
      Effect.map(heldBack(target), (found) => assert.sameMembers([...found], [...expected]))
    )
  }
})
