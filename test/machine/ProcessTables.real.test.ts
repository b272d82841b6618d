import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { ProcessTable } from "../../src/internal.ts"
import * as MacProcessTable from "../../src/machine/MacProcessTable.ts"
import * as ProcTable from "../../src/machine/ProcTable.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Daemon from "./Daemon.ts"
import * as macToolsOfLinux from "./macToolsOfLinux.ts"
import { suite } from "./ProcessTableSuite.ts"

const self = { pid: process.pid, user: process.geteuid?.() ?? -1 }

const proc = ProcTable.layer({ self, vantage: "here" }).pipe(Layer.provide(NodeServices.layer))

const psAndLsof = (directory: string, mounts?: ReadonlyArray<string>) =>
  MacProcessTable.layer({ self, tools: macToolsOfLinux.write(directory, mounts) }).pipe(
    Layer.provide(NodeServices.layer)
  )

suite("/proc", () => proc)

suite("ps and lsof", psAndLsof)

const usesBy = (layer: Layer.Layer<ProcessTable.ProcessTable>) =>
  ProcessTable.ProcessTable.use(({ snapshot, uses }) =>
    Effect.flatMap(snapshot, (list) => (list._tag === "Listed" ? uses(list) : Effect.die("nothing is listed")))
  ).pipe(Effect.provide(layer))

const timeout = 60_000

it.live.skipIf(process.platform !== "linux")(
  "lsof tells all that /proc tells of a process",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const directory = path.join(root, "candidate")
      fs.mkdirSync(directory)
      fs.copyFileSync(process.execPath, path.join(directory, "node"))
      fs.writeFileSync(path.join(directory, "file"), "")
      const script = `require("fs").openSync("file", "a"); require("fs").writeFileSync("ready", ""); setInterval(() => {}, 1e6)`
      const pid = yield* Daemon.start([path.join(directory, "node"), "-e", script, "./file"], {
        cwd: directory,
        ready: () => fs.existsSync(path.join(directory, "ready"))
      })
      const pathsBy = (layer: Layer.Layer<ProcessTable.ProcessTable>) =>
        Effect.map(
          usesBy(layer),
          ({ paths }) => new Set(paths.filter((use) => use.pid === pid).map((use) => path.normalize(use.path)))
        )
      const told = yield* pathsBy(psAndLsof(path.join(root, "tools")))
      const missing = [...(yield* pathsBy(proc))].filter((each) => !told.has(each) && !isOfLinuxAlone(each, directory))
      assert.deepStrictEqual(missing, [])
      for (const name of ["", "node", "file"]) assert.isTrue(told.has(path.join(directory, name)), name)
    }).pipe(Effect.scoped),
  timeout
)

/** `lsof` gives maps of what is no file no path, and where one argument ends is told by /proc alone. */
const isOfLinuxAlone = (spelled: string, directory: string): boolean =>
  spelled.startsWith("/dev/") || spelled.startsWith(`${directory}/require`)

it.live.skipIf(process.platform !== "linux")(
  "lsof tells by which number a file is open that has more than one name",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const file = path.join(root, "file")
      fs.writeFileSync(file, "")
      fs.linkSync(file, path.join(root, "link"))
      const pid = yield* Daemon.start(["sh", "-c", 'exec 9<"$1" && exec sleep 600', "sh", file], {
        ready: (started) => Daemon.commandLine(started) === "sleep\x00600\x00"
      })
      const { inodes } = yield* usesBy(psAndLsof(path.join(root, "tools")))
      const { ino, dev } = fs.statSync(file, { bigint: true })
      assert.deepInclude(inodes, { pid, kind: "open file", device: dev, inode: ino })
    }).pipe(Effect.scoped),
  timeout
)

it.live.skipIf(process.platform !== "linux")(
  "nothing is looked up on a share, whatever names it",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const share = path.join(root, "share")
      fs.mkdirSync(share)
      const pid = yield* Daemon.start(["sleep", "600"], { cwd: share })
      const mounts = ["/dev/root on / (apfs, local)", `//me@nas/share on ${share} (smbfs)`]
      const { paths } = yield* usesBy(psAndLsof(path.join(root, "tools"), mounts))
      assert.deepStrictEqual(
        paths.filter((use) => use.pid === pid && use.path.startsWith(share)),
        []
      )
    }).pipe(Effect.scoped),
  timeout
)
