/**
 * Looks at private servers through the real services. The table of processes is cut down to what the test started,
 * because other tests of the same user run servers at the same time.
 */
import { NodeServices } from "@effect/platform-node"
import { type Duration, Effect, Layer, Logger } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { Bound, type Observation, ProcessTable, TmuxProbe, WorkspaceClaims } from "../../src/internal.ts"
import * as MacProcessTable from "../../src/machine/MacProcessTable.ts"
import * as ProcTable from "../../src/machine/ProcTable.ts"
import { isListening } from "../../src/node/isListening.ts"
import { layerProcFiles } from "../../src/node/ProcFileSystem.ts"
import { layerNativePaths } from "../../src/node/NativePaths.ts"
import { layerClosing } from "../../src/node/ClosingSpawner.ts"
import * as Server from "./Server.ts"

export interface Options {
  /** Where the sockets lie, and the root. */
  readonly directory: string
  /** The processes, beside this one and its descendants, that are the test's own. */
  readonly own?: ReadonlyArray<number> | undefined
  /** `own` unless given: `raw` is what any embedder sees. */
  readonly table?: "own" | "raw" | "none" | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly executable?: string | undefined
  readonly sockets?: ReadonlyArray<string> | undefined
  readonly isListening?: boolean | undefined
  readonly vantage?: "host" | "here" | undefined
}

const self = { pid: process.pid, user: Server.user }

const node = layerProcFiles.pipe(Layer.provideMerge(layerNativePaths), Layer.provideMerge(NodeServices.layer))

/** The real table of this process, wherever the tests run. */
export const rawTable: Layer.Layer<ProcessTable.ProcessTable> =
  process.platform === "linux"
    ? ProcTable.layer({ self, vantage: "here" }).pipe(Layer.provide(layerProcFiles), Layer.provide(NodeServices.layer))
    : MacProcessTable.layer({ self }).pipe(Layer.provide(NodeServices.layer))

/**
 * The real table, cut down to what a test started: other tests of the same user run servers at the same time.
 */
const ownTable = (own: ReadonlySet<number>): Layer.Layer<ProcessTable.ProcessTable> =>
  Layer.effect(
    ProcessTable.ProcessTable,
    Effect.map(ProcessTable.ProcessTable, (table) =>
      ProcessTable.ProcessTable.of({
        ...table,
        snapshot: cutDown(own, table.snapshot),
        servers: table.servers && cutDown(own, table.servers)
      })
    )
  ).pipe(Layer.provide(rawTable))

const cutDown = <E>(own: ReadonlySet<number>, snapshot: Effect.Effect<ProcessTable.Snapshot, E>) =>
  Effect.map(snapshot, (look): ProcessTable.Snapshot => {
    if (look._tag === "NotConsulted") return look
    const parents = new Map(look.processes.map(({ pid, parent }) => [pid, parent]))
    // A table of servers leaves out what stands between one and the test.
    const isOwn = (pid: number, depth = 0): boolean =>
      pid === process.pid ||
      own.has(pid) ||
      (pid > 1 && depth < 1000 && isOwn(parents.get(pid) ?? Server.parentOf(pid), depth + 1))
    return { ...look, processes: look.processes.filter(({ pid }) => isOwn(pid)) }
  })

/** Sessions of a container that runs the tests live in it too. */
const layer = (options: Options) => {
  const { directory, own = [], table = "own", env, executable, sockets, vantage = "here" } = options
  return Layer.mergeAll(
    TmuxProbe.layer({
      root: directory,
      env: { ...Server.outside(directory), ...env },
      platform: process.platform,
      user: Server.user,
      vantage,
      executable,
      sockets,
      isListening: options.isListening === false ? undefined : isListening
    }),
    table === "none" ? ProcessTable.layerNone : table === "raw" ? rawTable : ownTable(new Set(own)),
    Logger.layer([])
  )
}

/** Provides it over Node, and keeps the log out of what is printed. */
export const at = (options: Options) =>
  Effect.provide(layer(options).pipe(Layer.provide(layerClosing), Layer.provide(node)))

export interface Looked {
  readonly observation: Observation.Observation
  /** How many children it cost. */
  readonly children: number
  /** How often the event loop came round meanwhile. */
  readonly ticks: number
}

/**
 * Observes within `bound`, which no test is meant to reach unless it says so. Dies when a child outlives the look,
 * be it as a zombie.
 */
export const look = (options: Options, bound: Duration.Input = "1 minute"): Effect.Effect<Looked> =>
  Effect.gen(function* () {
    const children: Array<number> = []
    let ticks = 0
    const ticker = setInterval(() => ticks++, 10)
    const observation = yield* WorkspaceClaims.observe.pipe(
      Effect.provideService(Bound.Observation, bound),
      Effect.provide(
        layer(options).pipe(Layer.provide(recorder(children)), Layer.provide(layerClosing), Layer.provide(node))
      ),
      Effect.ensuring(Effect.sync(() => clearInterval(ticker)))
    )
    yield* Server.until(() => !children.some(Server.exists))
    return { observation, children: children.length, ticks }
  })

export const observe = (options: Options, bound?: Duration.Input): Effect.Effect<Observation.Observation> =>
  Effect.map(look(options, bound), ({ observation }) => observation)

/** Writes down the pid of every child. */
const recorder = (children: Array<number>) =>
  Layer.effect(
    ChildProcessSpawner.ChildProcessSpawner,
    Effect.map(ChildProcessSpawner.ChildProcessSpawner, (spawner) =>
      ChildProcessSpawner.make((command) =>
        Effect.tap(spawner.spawn(command), ({ pid }) => Effect.sync(() => children.push(pid)))
      )
    )
  )
