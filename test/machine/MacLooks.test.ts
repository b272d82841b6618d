import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { ProcessTable } from "../../src/internal.ts"
import * as MacProcessTable from "../../src/machine/MacProcessTable.ts"
import * as MountTable from "../../src/machine/MountTable.ts"
import * as FakeFileSystem from "../../src/testing/FakeFileSystem.ts"
import * as FakeMacTools from "../../src/testing/FakeMacTools.ts"
import * as FakeMac from "./FakeMac.ts"

const rows: ReadonlyArray<FakeMac.Row> = [
  { pid: 900, parent: 1, name: "node", args: "node sweep" },
  { pid: 901, parent: 1, name: "vim", args: "vim /w/My Work" }
]

const tools = FakeMacTools.layer({
  ps: FakeMac.psOf(rows),
  lsof: FakeMac.lsofOf(rows),
  sockets: "",
  mount: "/dev/disk3s1s1 on / (apfs, local)\n/dev/disk4 on /w/My Work/disk (apfs, local)\n",
  sysctl: FakeMac.calm.sysctl
})

/** The files, where every look at one path fails in a way that tells nothing of it. */
const filesWithout = (lost: string) => {
  const { fileSystem } = FakeFileSystem.make({ "/w/My Work/a.ts": { text: "" }, "/w/My Work/disk": { dir: true } })
  const failing = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "stat" })
  return {
    ...fileSystem,
    lstat: (path: string) => (path === lost ? Effect.fail(failing) : fileSystem.lstat(path)),
    stat: (path: string) => (path === lost ? Effect.fail(failing) : fileSystem.stat(path))
  }
}

describe("a tmux server of another user on a Mac", () => {
  it.effect("is one by its name, though lsof shows nothing of it", () =>
    Effect.gen(function* () {
      const list = yield* ProcessTable.ProcessTable.use(({ snapshot }) => snapshot)
      const names = list._tag === "Listed" ? list.processes.map(({ name }) => name) : []
      assert.deepStrictEqual(names, ["node", "tmux: server"])
    }).pipe(
      Effect.provide(
        MacProcessTable.layer({ self: FakeMac.self }).pipe(
          Layer.provide([
            FakeMacTools.layer({
              ps: FakeMac.psOf([
                { pid: 900, parent: 1, name: "node", args: "node sweep" },
                { pid: 902, parent: 1, user: 502, name: "tmux", args: "main" }
              ]),
              lsof: "Fails",
              sockets: "",
              mount: FakeMac.calm.mount,
              sysctl: FakeMac.calm.sysctl
            }),
            FakeFileSystem.make({}).layer
          ])
        )
      )
    )
  )
})

describe("a look that fails on a Mac", () => {
  it.effect("leaves the path that a command line names", () =>
    ProcessTable.ProcessTable.use(({ snapshot, uses }) =>
      Effect.gen(function* () {
        const list = yield* snapshot
        if (list._tag !== "Listed") return assert.fail("nothing is listed")
        const { paths } = yield* uses(list)
        assert.include(
          paths.map(({ path }) => path),
          "/w/My Work"
        )
      })
    ).pipe(
      Effect.provide(
        MacProcessTable.layer({ self: FakeMac.self }).pipe(
          Layer.provide([tools, Layer.succeed(FileSystem.FileSystem, filesWithout("/w/My Work"))])
        )
      )
    )
  )

  it.effect("leaves untold what is mounted where", () =>
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const table = yield* MountTable.read(filesWithout("/w/My Work/disk"), spawner, { platform: "darwin" })
      assert.isString(yield* Effect.flip(table.fileSystemOf("/w/My Work")))
      const other = yield* MountTable.read(filesWithout("/w"), spawner, { platform: "darwin" })
      assert.isString(yield* Effect.flip(other.pointsIn("/w/elsewhere")))
    }).pipe(Effect.provide(tools))
  )
})
