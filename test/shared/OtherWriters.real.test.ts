import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Result } from "effect"
import { files } from "../../src/node/SyncFiles.ts"
import * as OtherWriters from "../../src/shared/OtherWriters.ts"
import * as RegularFile from "../../src/shared/RegularFile.ts"

const group = process.getegid?.()
const user = process.geteuid?.()

describe.skipIf(group === undefined)("a file that its group may write to", () => {
  const readBy = (everybody: number | undefined) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      const path = `${directory}/file`
      yield* fs.writeFileString(path, "{}")
      for (const entry of [directory, path]) {
        yield* fs.chown(entry, user ?? 0, group ?? 0)
        yield* fs.chmod(entry, 0o770)
      }
      const file = yield* RegularFile.read(fs, path, 1024, { user })
      let linked: string | undefined
      yield* files.readEach(
        [path],
        (name) => name,
        (_, content) => (linked = Result.getOrThrow(content).exposed)
      )
      assert.strictEqual((yield* files.read(path)).exposed, linked)
      const above = yield* OtherWriters.whyAbove(yield* fs.stat(directory))
      return { file: file._tag, linked: linked !== undefined, above: above !== undefined }
    }).pipe(
      Effect.scoped,
      Effect.provideService(OtherWriters.Everybody, everybody),
      Effect.provide(NodeFileSystem.layer)
    )

  it.live("is one's own doing where not everybody is in that group", () =>
    Effect.map(readBy(undefined), (found) =>
      assert.deepStrictEqual(found, { file: "File", linked: false, above: false })
    )
  )

  it.live("may be anybody's where everybody is", () =>
    Effect.map(readBy(group), (found) => assert.deepStrictEqual(found, { file: "Broken", linked: true, above: true }))
  )
})
