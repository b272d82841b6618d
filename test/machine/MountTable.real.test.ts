import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { ChildProcessSpawner } from "effect/process"
import * as fs from "node:fs"
import * as Mounts from "../../src/machine/core/Mounts.ts"
import * as MountTable from "../../src/machine/MountTable.ts"
import * as MacTools from "./MacTools.ts"
import { tempRoot } from "../TempRoot.ts"

const root = "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)"

interface Seen {
  readonly fileSystem: string | undefined
  readonly points: ReadonlyArray<string>
}

/** What the lines of `mount` say of `<directory>/app`, in which there is `src`, and to which `link` leads. */
const seen = (lines: (directory: string) => ReadonlyArray<string>, tool: { readonly exitCode?: number } = {}) =>
  Effect.gen(function* () {
    const directory = yield* tempRoot
    fs.mkdirSync(`${directory}/app/src`, { recursive: true })
    fs.symlinkSync(`${directory}/app`, `${directory}/link`)
    const prints = lines(directory)
      .map((line) => `${line}\n`)
      .join("")
    const tools = MacTools.write(`${directory}/bin`, { mount: { prints, ...tool } })
    const table = yield* MountTable.read(yield* FileSystem.FileSystem, yield* ChildProcessSpawner.ChildProcessSpawner, {
      platform: "darwin",
      tools
    })
    const points = yield* table.pointsIn(`${directory}/app`)
    return {
      fileSystem: yield* table.fileSystemOf(`${directory}/app`),
      points: points.map((point) => point.replace(directory, "$D"))
    }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("the mounts of macOS", () => {
  const cases: ReadonlyArray<readonly [name: string, lines: (directory: string) => ReadonlyArray<string>, Seen]> = [
    ["a path is on the mount that has its device", () => [root], { fileSystem: "apfs", points: [] }],
    [
      "a longer point of another device is not where a path lies",
      () => [root, "/dev/disk9 on /dev (devfs, local)"],
      { fileSystem: "apfs", points: [] }
    ],
    [
      "a mount without owners is unfit, though another point shows the same device",
      (directory) => [root, `/dev/disk3s1s1 on ${directory}/bin (apfs, local, noowners)`],
      { fileSystem: "unfit apfs, noowners", points: [] }
    ],
    [
      "a point that is not local is not looked at",
      () => ["//me@nas/share on / (smbfs)"],
      { fileSystem: undefined, points: [] }
    ],
    [
      "a mount inside, dead or not",
      (directory) => [root, `//me@nas/share on ${directory}/app/src/share (smbfs)`],
      { fileSystem: "apfs", points: ["$D/app/src/share"] }
    ],
    [
      "a mount whose point is spelled by another way",
      (directory) => [root, `/dev/disk4 on ${directory}/link/disk (apfs, local)`],
      { fileSystem: "apfs", points: ["$D/link/disk"] }
    ],
    [
      "a mount beside it, whose name begins with its own",
      (directory) => [root, `/dev/disk4 on ${directory}/app2 (apfs, local)`],
      { fileSystem: "apfs", points: [] }
    ],
    [
      "its own point is not inside it",
      (directory) => [root, `/dev/disk4 on ${directory}/app (hfs, local)`],
      { fileSystem: "apfs", points: [] }
    ],
    [
      "what is inside it and shown elsewhere",
      (directory) => [root, `${directory}/link/src on /nowhere/src (nullfs, local)`],
      { fileSystem: "apfs", points: ["/nowhere/src"] }
    ]
  ]
  for (const [name, lines, expected] of cases) {
    it.effect(name, () => Effect.map(seen(lines), (found) => assert.deepStrictEqual(found, expected)))
  }

  const untold: ReadonlyArray<readonly [string, ReadonlyArray<string>, { readonly exitCode?: number }]> = [
    ["ends with another exit code", [root], { exitCode: 1 }],
    ["prints nothing", [], {}],
    ["prints a line of another shape", [root, "mount: no such file"], {}]
  ]
  for (const [name, lines, tool] of untold) {
    it.effect(`are not known when mount ${name}`, () =>
      Effect.map(Effect.flip(seen(() => lines, tool)), (why) => assert.isString(why))
    )
  }
})

describe("the mounts of other platforms", () => {
  it.effect("are not known, rather than none", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      assert.isString(yield* Effect.flip(MountTable.read(files, spawner, { platform: "freebsd" })))
      const linux = yield* Effect.option(MountTable.read(files, spawner, { platform: process.platform }))
      if (linux._tag === "Some" && process.platform === "linux") {
        const type = yield* linux.value.fileSystemOf("/proc")
        assert.strictEqual(type, "proc")
        assert.isFalse(Mounts.isNetwork(type ?? "nfs"))
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
