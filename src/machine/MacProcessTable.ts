import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import { ChildProcessSpawner } from "effect/process"
import * as Bound from "../shared/Bound.ts"
import * as BsdPs from "./core/BsdPs.ts"
import * as Lsof from "./core/Lsof.ts"
import * as MacMounts from "./core/MacMounts.ts"
import * as MacPaths from "./core/MacPaths.ts"
import * as MacUses from "./core/MacUses.ts"
import * as Mounts from "./core/Mounts.ts"
import { type InodeUse, type PathUse, pathsOf, type Uses } from "./core/PathUses.ts"
import { holdsSelf, type Process, type ProcessList } from "./core/Processes.ts"
import * as MacTools from "./MacTools.ts"
import * as MountTable from "./MountTable.ts"
import {
  failed,
  ProcessTable,
  type ProcessTableError,
  ProcessUnreadable,
  type Self,
  type Snapshot,
  Unlistable
} from "./ProcessTable.ts"

/**
 * The processes of macOS, as its own `ps` and `lsof` tell them. A table ends within `Bound.Observation`, and what
 * processes use within `Bound.Git`.
 */
export const layer = (options: {
  readonly self: Self
  readonly tools?: MacTools.MacTools | undefined
}): Layer.Layer<ProcessTable, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    ProcessTable,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const asking: Asking = { fs, spawner, self: options.self, tools: options.tools ?? MacTools.standard }
      return ProcessTable.of({ snapshot: snapshot(asking), uses: (list) => uses(asking, list) })
    })
  )

interface Asking {
  readonly fs: FileSystem.FileSystem
  readonly spawner: ChildProcessSpawner.ChildProcessSpawner["Service"]
  readonly self: Self
  readonly tools: MacTools.MacTools
}

const unlistable = (detail: string) => failed(new Unlistable(), detail)

const list = ({ spawner, tools }: Asking): Effect.Effect<ReadonlyArray<Process>, ProcessTableError> =>
  MacTools.ask(spawner, tools.ps, BsdPs.args, { env: BsdPs.environment, bound: Bound.Observation }).pipe(
    Effect.flatMap((text) => Effect.fromResult(BsdPs.parse(text))),
    Effect.mapError(unlistable)
  )

const snapshot = (asking: Asking): Effect.Effect<Snapshot, ProcessTableError> =>
  Effect.gen(function* () {
    const { spawner, tools, self } = asking
    const boot = MacTools.ask(spawner, tools.sysctl, ["-n", "kern.boottime"], {
      env: { LC_ALL: "C" },
      bound: Bound.Observation
    }).pipe(Effect.mapError(unlistable))
    const [processes, booted] = yield* Effect.all([list(asking), boot], { concurrency: 2 })
    const bootedAt = BsdPs.bootTime(booted)
    if (bootedAt === undefined) return yield* unlistable(`what ${tools.sysctl} printed tells no boot time`)
    return { _tag: "Listed", self, bootedAt, argsAreWords: true, processes: yield* titled(asking, processes) }
  })

/**
 * Gives tmux's processes the titles that tmux gives itself elsewhere. Whoever may be a server is a client where `lsof` shows
 * only connections of it, and is taken for a server otherwise.
 */
const titled = Effect.fnUntraced(function* (
  { spawner, tools, self: { user } }: Asking,
  processes: ReadonlyArray<Process>
): Effect.fn.Return<ReadonlyArray<Process>> {
  const servers = new Set(processes.filter(BsdPs.mayBeTmuxServer))
  // Of another user's processes nothing would be shown, and then `lsof` calls its whole answer a failure.
  const pids = [...servers].filter((server) => user === 0 || server.user === user).map(({ pid }) => pid)
  const answer =
    pids.length === 0
      ? Option.none()
      : yield* Effect.option(
          MacTools.ask(spawner, tools.lsof, Lsof.socketArgs(pids), { env: lsofEnvironment, bound: Bound.Observation })
        )
  const clients = Lsof.connected(Option.getOrElse(answer, () => ""))
  return processes.map((process) => {
    if (!servers.has(process)) return process
    return { ...process, name: clients.has(process.pid) ? "tmux: client" : "tmux: server" }
  })
})

const lsofEnvironment = { LC_ALL: "C" }

const uses = Effect.fnUntraced(function* (
  asking: Asking,
  asked: ProcessList
): Effect.fn.Return<Uses, ProcessTableError> {
  const { fs, spawner, tools } = asking
  const mounts = yield* Effect.mapError(MountTable.macMounts(spawner, tools), unlistable)
  const text = yield* MacTools.ask(spawner, tools.lsof, Lsof.args, { env: lsofEnvironment, bound: Bound.Git }).pipe(
    Effect.mapError(unlistable)
  )
  const holders = Lsof.parse(
    text,
    mounts.map(({ source }) => source)
  )
  if (Result.isFailure(holders)) return yield* unlistable(holders.failure)
  const after = yield* list(asking)
  if (!holdsSelf({ ...asked, processes: after })) return yield* unlistable("the list of processes was cut off")
  const seen: MacUses.Seen = {
    list: asked,
    holders: holders.success,
    after,
    mounts,
    devices: yield* devicesOf(fs, mounts)
  }
  const missing = MacUses.missing(seen)
  if (missing !== undefined) return yield* failed(new ProcessUnreadable({ pid: missing.pid }), missing.what)
  const { paths, linked } = MacUses.of(seen)
  const directories = new Map(
    paths.flatMap(({ pid, kind, path }) => (kind === "working directory" ? [[pid, path]] : []))
  )
  const named = namedIn(fs, mounts)
  const commandLines = yield* Effect.forEach(asked.processes, ({ pid, args }) =>
    Effect.map(named(args.join(" ")), (more): ReadonlyArray<PathUse> =>
      [...pathsOf(args, directories.get(pid)), ...more.map((path) => ({ path }))].map((each) => ({
        ...each,
        pid,
        kind: "command line"
      }))
    )
  )
  return {
    paths: [...paths, ...commandLines.flat()],
    inodes: linked.map(({ pid, device, inode }): InodeUse => ({
      pid,
      kind: "open file",
      device: BigInt(device),
      inode: BigInt(inode)
    })),
    exactDevices: new Set(linked.map(({ device }) => BigInt(device)))
  }
})

/**
 * The devices on which a candidate can be permitted. Only local points are looked at.
 */
const devicesOf = (
  fs: FileSystem.FileSystem,
  mounts: ReadonlyArray<MacMounts.MacMount>
): Effect.Effect<ReadonlySet<number> | undefined> =>
  Effect.forEach(
    mounts.filter((mount) => !Mounts.isNetwork(MacMounts.typeOf(mount))),
    ({ point }) => Effect.map(fs.stat(point), ({ dev }) => Number(dev))
  ).pipe(
    Effect.map((devices) => new Set(devices)),
    Effect.orElseSucceed(() => undefined)
  )

/**
 * The paths of a command line. Of those that go on behind a space, what exists is given, and the shortest in each
 * directory: wherever a longer one would lie that is not there, the shortest lies too.
 */
const namedIn = (fs: FileSystem.FileSystem, mounts: ReadonlyArray<MacMounts.MacMount>) => {
  const known = new Map<string, boolean>()
  const mayExist = Effect.fnUntraced(function* (path: string) {
    const before = known.get(path)
    if (before !== undefined) return before
    const is = yield* Effect.match(fs.lstat(path), {
      // A look that failed in another way tells nothing, and where nothing is known the path counts.
      onFailure: (error) => error.reason._tag !== "NotFound" && !isNoName(error),
      onSuccess: () => true
    })
    known.set(path, is)
    return is
  })
  const within = Effect.fnUntraced(function* (beginning: string): Effect.fn.Return<ReadonlyArray<string>> {
    const paths: Array<string> = []
    let directory: string | undefined
    for (const path of MacPaths.candidates(beginning)) {
      if (path.includes("\0") || MacMounts.isAway(mounts, path)) break
      const above = path.slice(0, path.lastIndexOf("/"))
      const isFirst = above !== directory
      if (isFirst || (yield* mayExist(path))) paths.push(path)
      // Whatever is longer lies below it.
      if (isFirst && above !== "" && !(yield* mayExist(above))) break
      directory = above
    }
    return paths
  })
  return (line: string) => Effect.map(Effect.forEach(MacPaths.beginnings(line), within), (paths) => paths.flat())
}

/** A name that is too long is no file's. */
const isNoName = ({ cause }: PlatformError): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENAMETOOLONG"
