import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as GitChanges from "../../src/reclaim/GitChanges.ts"
import type { Repository } from "../../src/verdict/Git.ts"
import * as MacTools from "../machine/MacTools.ts"
import { tempRoot } from "../TempRoot.ts"

/** Removes what was moved out of a worktree, where `mount` prints this of the place that it lies in. */
const remove = (prints: (place: string) => string) =>
  Effect.gen(function* () {
    const root = yield* tempRoot
    const commonDirectory = path.join(root, ".git")
    const place = path.join(commonDirectory, "reclaimed/.slimmed")
    const moved = path.join(place, "1-1")
    fs.mkdirSync(path.join(moved, "below"), { recursive: true })
    fs.chmodSync(place, 0o700)
    fs.chmodSync(path.dirname(place), 0o700)
    const directory = { path: "m", name: "1-1", inode: `${fs.statSync(moved).ino}`, parentWrittenAt: 0 }
    const failure = yield* GitChanges.GitChanges.use((changes) =>
      changes.carryOut({ commonDirectory } as Repository, {
        _tag: "RemoveMoved",
        entry: { name: "1-1", worktree: root, state: "Removing", directories: [directory] }
      })
    ).pipe(
      Effect.flip,
      Effect.option,
      Effect.provide(
        GitChanges.layer({
          env: { PATH: process.env["PATH"] },
          platform: "darwin",
          user: process.geteuid?.(),
          tools: MacTools.write(path.join(root, "bin"), { mount: { prints: prints(place) } })
        }).pipe(Layer.provide(NodeServices.layer))
      )
    )
    return { failure, isThere: fs.existsSync(moved) }
  }).pipe(Effect.scoped)

const system = "/dev/disk3s1s1 on / (apfs, local)\n"

describe("what was moved out of a worktree on a Mac", () => {
  it.live("is removed where nothing is mounted in it", () =>
    Effect.map(
      remove(() => system),
      ({ failure, isThere }) => {
        assert.strictEqual(failure._tag, "None")
        assert.isFalse(isThere)
      }
    )
  )

  const cases: ReadonlyArray<readonly [string, (place: string) => string]> = [
    ["something is mounted in it", (place) => `${system}/dev/disk4 on ${place}/1-1/below (apfs, local)\n`],
    ["the mounts are not told", () => ""]
  ]
  for (const [name, prints] of cases) {
    it.live(`stays where ${name}`, () =>
      Effect.map(remove(prints), ({ failure, isThere }) => {
        assert.strictEqual(failure._tag, "Some")
        assert.isTrue(isThere)
      })
    )
  }
})
