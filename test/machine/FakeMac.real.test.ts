import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as path from "node:path"
import { ProcessTable } from "../../src/internal.ts"
import * as ClaudeProcess from "../../src/machine/core/ClaudeProcess.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"
import * as MacProcessTable from "../../src/machine/MacProcessTable.ts"
import { tempRoot } from "../TempRoot.ts"
import * as FakeMac from "./FakeMac.ts"

const tableOf = (changed: Partial<FakeMac.Recorded>) =>
  Layer.unwrap(
    Effect.map(tempRoot, (root) =>
      MacProcessTable.layer({
        self: FakeMac.self,
        tools: FakeMac.write(path.join(root, "bin"), { ...FakeMac.calm, ...changed })
      }).pipe(Layer.provide(NodeServices.layer))
    )
  )

const snapshotOf = Effect.gen(function* () {
  const list = yield* ProcessTable.ProcessTable.use(({ snapshot }) => snapshot)
  return list._tag === "Listed" ? list : yield* Effect.die("nothing is listed")
})

/** What the table tells of a Mac. */
const look = (changed: Partial<FakeMac.Recorded> = {}) =>
  Effect.gen(function* () {
    const list = yield* snapshotOf
    return { list, uses: yield* ProcessTable.ProcessTable.use(({ uses }) => uses(list)) }
  }).pipe(Effect.provide(tableOf(changed)), Effect.scoped)

const reasonOf = (changed: Partial<FakeMac.Recorded>) => Effect.map(Effect.flip(look(changed)), ({ reason }) => reason)

describe("a Mac", () => {
  it.live("that is calm tells who runs, and what they use", () =>
    Effect.map(look(), ({ list, uses }) => {
      assert.strictEqual(list.bootedAt, 1764489672000)
      assert.deepStrictEqual(TmuxServer.unheard(list, new Set()), [702])
      const sessions = list.processes.filter((process) => ClaudeProcess.roleOf(process) === "Session")
      assert.deepStrictEqual(
        sessions.map(({ pid }) => pid),
        [711, 712, 713]
      )
      const paths = uses.paths.map(({ pid, kind, path }) => `${pid} ${kind} ${path}`)
      assert.include(paths, "711 working directory /Users/me/My Work/дело")
      assert.include(paths, "800 open file /Users/me/My Work/a.ts")
      assert.include(paths, "702 command line /Users/me/My")
    })
  )

  it.live("in Russian is read alike", () =>
    Effect.map(
      look({ sysctl: "{ sec = 1764489672, usec = 123 } воскресенье, 30 ноября 2025 г. 08:01:12 (MSK)\n" }),
      ({ list }) => assert.strictEqual(list.bootedAt, 1764489672000)
    )
  )

  it.live("whose lsof does not answer has a server in every tmux without a terminal", () =>
    Effect.map(snapshotOf.pipe(Effect.provide(tableOf({ lsof: "" })), Effect.scoped), (list) =>
      assert.deepStrictEqual(TmuxServer.unheard(list, new Set()), [702, 703])
    )
  )

  it.live("has a server in a tmux whose socket has a relative path", () =>
    Effect.map(
      snapshotOf.pipe(
        Effect.provide(
          tableOf({
            lsof: FakeMac.lsofOf(FakeMac.rows, {
              ...FakeMac.held,
              703: [...FakeMac.held[703], FakeMac.file("4u", "unix", "my.sock", ["D0xabf"])]
            })
          })
        ),
        Effect.scoped
      ),
      (list) => assert.deepStrictEqual(TmuxServer.unheard(list, new Set()), [702, 703])
    )
  )

  it.live("whose lsof leaves out a tmux without a terminal has a server in it", () =>
    Effect.map(
      snapshotOf.pipe(
        Effect.provide(
          tableOf({
            lsof: FakeMac.lsofOf(
              FakeMac.rows.filter(({ pid }) => pid !== 703),
              FakeMac.held
            )
          })
        ),
        Effect.scoped
      ),
      (list) => assert.deepStrictEqual(TmuxServer.unheard(list, new Set()), [702, 703])
    )
  )

  it.live("with a removed working directory is told whole", () =>
    Effect.map(
      look({
        lsof: FakeMac.lsofOf(FakeMac.rows, {
          ...FakeMac.held,
          712: [FakeMac.file("cwd", "", "cwd: No such file or directory", [])]
        })
      }),
      ({ uses }) => assert.isAbove(uses.paths.length, 0)
    )
  )

  it.live("with a dead share does not look at it", () =>
    Effect.map(
      look({
        lsof: FakeMac.lsofOf(FakeMac.rows, {
          ...FakeMac.held,
          800: [FakeMac.file("9r", "REG", "/Volumes/share/a", ["D0x2d000007", "i7", "k1"])]
        })
      }),
      ({ uses }) => assert.isFalse(uses.paths.some((use) => use.path.startsWith("/Volumes/share")))
    )
  )

  const hidden = FakeMac.rows.filter(({ pid }) => pid !== 713)
  const untold: ReadonlyArray<readonly [name: string, changed: Partial<FakeMac.Recorded>, pid: number | undefined]> = [
    ["hides a process", { lsof: FakeMac.lsofOf(hidden, FakeMac.held) }, 713],
    [
      "tells no path of a working directory",
      {
        lsof: FakeMac.lsofOf(FakeMac.rows, { 713: [FakeMac.file("cwd", "DIR", "/System/Volumes/Data (/dev/disk3s5)")] })
      },
      713
    ],
    ["cuts off its lsof", { lsof: FakeMac.calm.lsof.slice(0, -3) }, undefined],
    ["cuts off its ps", { ps: FakeMac.calm.ps.slice(0, -3) }, undefined],
    ["prints dates of its own", { ps: FakeMac.calm.ps.replaceAll("Tue Dec  1", "вт  1 дек.") }, undefined],
    ["has mounts that can be read in two ways", { mount: "/dev/d on /a on /b (apfs, local)\n" }, undefined],
    ["tells no boot time", { sysctl: "" }, undefined],
    ["does not list who asks", { ps: FakeMac.psOf(FakeMac.rows.filter(({ pid }) => pid !== 900)) }, undefined]
  ]
  for (const [name, changed, pid] of untold) {
    it.live(`that ${name} gives no answer`, () =>
      Effect.map(reasonOf(changed), (reason) =>
        assert.strictEqual(reason._tag === "ProcessUnreadable" ? reason.pid : undefined, pid)
      )
    )
  }
})
