import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { layerListing } from "../../src/node/DirectoryListing.ts"
import * as DirectoryWalk from "../../src/verdict/DirectoryWalk.ts"
import { tempRoot } from "../TempRoot.ts"

const walk = (root: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const seen = new Map<string, ReadonlyArray<DirectoryWalk.Listed>>()
    yield* DirectoryWalk.walk(files, root, {
      onDirectory: ({ path, entries }) =>
        void seen.set(
          path,
          [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))
        ),
      onOtherDevice: assert.fail
    })
    return new Map([...seen].sort())
  })

describe("the listing of Node", () => {
  it.effect(
    "tells what the file system tells, of every kind of entry and of many",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        fs.mkdirSync(`${root}/many/empty`, { recursive: true })
        for (let n = 0; n < 1100; n++) fs.writeFileSync(`${root}/many/${n}`, "x".repeat(n))
        fs.linkSync(`${root}/many/1`, `${root}/hard`)
        fs.symlinkSync(`${root}/many`, `${root}/soft`)
        execFileSync("mkfifo", [`${root}/fifo`])
        fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), "")
        const expected = yield* walk(root)
        assert.deepStrictEqual([...expected.keys()], ["", "many", "many/empty"])
        assert.strictEqual(expected.get("many")?.length, 1101)
        assert.deepStrictEqual(yield* walk(root).pipe(Effect.provide(layerListing)), expected)
        const gone = yield* Effect.flip(walk(`${root}/gone`).pipe(Effect.provide(layerListing)))
        assert.strictEqual(gone.reason._tag, "NotFound")
      }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)),
    60_000
  )
})
