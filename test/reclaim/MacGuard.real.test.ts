import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as GitChanges from "../../src/reclaim/GitChanges.ts"
import * as SweepGuard from "../../src/reclaim/core/SweepGuard.ts"
import type { Repository } from "../../src/verdict/Git.ts"
import * as MacTools from "../machine/MacTools.ts"
import { tempRoot } from "../TempRoot.ts"

const boot = "0F3A6E0B-8C1D-4B52-9E77-3C5A1D2E4F60"
const other = "1F3A6E0B-8C1D-4B52-9E77-3C5A1D2E4F60"

/** Without the files by which Linux names the machine and its boot. */
const unnamed = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (files) => ({
    ...files,
    readFileString: (file: string) =>
      /machine-id|boot_id/.test(file)
        ? Effect.fail(PlatformError.systemError({ _tag: "NotFound", module: "FileSystem", method: "readFileString" }))
        : files.readFileString(file)
  }))
).pipe(Layer.provideMerge(NodeServices.layer))

const own = { pid: 4711, start: "Tue Dec  1 09:15:00 2026", pidNamespace: null }

/** Takes the guard that a sweep left, whose process is gone, where `sysctl` prints this. */
const takeOver = (prints: string, left: string | null) =>
  Effect.gen(function* () {
    const root = yield* tempRoot
    const commonDirectory = path.join(root, "main/.git")
    const guard = path.join(commonDirectory, "reclaimed/.sweep")
    fs.mkdirSync(path.dirname(guard), { recursive: true, mode: 0o700 })
    fs.writeFileSync(guard, SweepGuard.print({ ...own, pid: 4710, host: left }), { mode: 0o600 })
    const layer = GitChanges.layer({
      env: { PATH: process.env["PATH"] },
      platform: "darwin",
      user: process.geteuid?.(),
      tools: MacTools.write(path.join(root, "bin"), { sysctl: { prints } })
    }).pipe(Layer.provide(unnamed))
    yield* GitChanges.GitChanges.use((changes) =>
      changes.guard({ commonDirectory } as Repository, own, () => Effect.succeed(true))
    ).pipe(Effect.provide(layer))
    return JSON.parse(fs.readFileSync(guard, "utf8"))
  }).pipe(Effect.scoped)

describe("the guard that a sweep left on a Mac", () => {
  it.live("is taken over within the same boot", () =>
    Effect.map(takeOver(`${boot}\n`, boot), (guard) => assert.deepStrictEqual(guard, { host: boot, ...own }))
  )

  for (const [name, prints, left] of [
    ["of another boot, or another Mac", `${boot}\n`, other],
    ["that names no boot", `${boot}\n`, null],
    ["where the boot is not told", "unknown oid\n", boot],
    ["where neither is told", "", null]
  ] as const) {
    it.live(`${name}, stays`, () =>
      Effect.map(Effect.flip(takeOver(prints, left)), ({ detail }) => assert.include(detail, "on another machine"))
    )
  }
})
