import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as nodeFs from "node:fs"
import * as path from "node:path"
import * as KeepTime from "../../src/reclaim/KeepTime.ts"
import { tempRoot } from "../TempRoot.ts"

const old = 1e9

/** The time of a directory, in seconds, in which an entry is made while something else happens. */
const after = (meanwhile: (directory: string) => void) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const root = yield* tempRoot
    const directory = path.join(root, "directory")
    nodeFs.mkdirSync(directory)
    nodeFs.writeFileSync(path.join(directory, "other"), "")
    nodeFs.utimesSync(directory, old, old)
    const entry = path.join(directory, "entry")
    yield* KeepTime.keepTime(
      fs,
      entry,
      Effect.sync(() => {
        nodeFs.mkdirSync(entry)
        meanwhile(directory)
      })
    )
    return Math.floor(nodeFs.statSync(directory).mtimeMs / 1000)
  }).pipe(Effect.provide(NodeFileSystem.layer))

describe("KeepTime", () => {
  it.live("puts the time of the directory back", () =>
    Effect.map(
      after(() => {}),
      (time) => assert.strictEqual(time, old)
    )
  )

  const changes: Readonly<Record<string, (directory: string) => void>> = {
    "makes a file": (directory) => nodeFs.writeFileSync(path.join(directory, "new"), ""),
    "removes one": (directory) => nodeFs.rmSync(path.join(directory, "other")),
    "puts a new one in the place of one": (directory) => {
      nodeFs.writeFileSync(path.join(directory, "new"), "")
      nodeFs.renameSync(path.join(directory, "new"), path.join(directory, "other"))
    }
  }
  for (const [name, change] of Object.entries(changes)) {
    it.live(`leaves it new where somebody ${name} meanwhile`, () =>
      Effect.map(after(change), (time) => assert.isAbove(time, old))
    )
  }
})
