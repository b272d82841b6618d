import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { ChildProcessSpawner } from "effect/process"
import type { Process, ProcessList } from "../core/Processes.ts"
import * as ProcessStat from "../core/ProcessStat.ts"
import * as ProcessStatus from "../core/ProcessStatus.ts"
import * as PsTable from "../core/PsTable.ts"
import * as Command from "./Command.ts"

/** The table could not be listed. */
export class Unlistable extends Schema.TaggedClass<Unlistable>()("Unlistable", {}) {}

/** A process in it could not be read, for a reason other than permission or having gone. */
export class ProcessUnreadable extends Schema.TaggedClass<ProcessUnreadable>()("ProcessUnreadable", {
  pid: Schema.Finite
}) {}

/**
 * The process table could not be read whole.
 */
export class ProcessTableError extends Schema.TaggedError<ProcessTableError>()("ProcessTableError", {
  reason: Schema.Union([Unlistable, ProcessUnreadable]),
  detail: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    return this.reason._tag === "Unlistable"
      ? `the processes could not be listed: ${this.detail}`
      : `process ${this.reason.pid} could not be read: ${this.detail}`
  }
}

/**
 * What one look gave. `NotConsulted` is a choice of whoever provided the layer, not a failure.
 */
export type Look = { readonly _tag: "NotConsulted" } | ({ readonly _tag: "Listed" } & ProcessList)

/**
 * The processes of this machine.
 */
export class ProcessTable extends Context.Service<
  ProcessTable,
  {
    /** Every process, read anew, or none at all. */
    readonly look: Effect.Effect<Look, ProcessTableError>
  }
>()("session-liveness/services/ProcessTable") {}

/**
 * Which process asks. The layers do not read it from the environment of the library by themselves.
 */
export interface Self {
  readonly pid: number
  /** The effective user. */
  readonly user: number
}

/**
 * Linux's `/proc`.
 */
export const layerProc = (options: { readonly self: Self }): Layer.Layer<ProcessTable, never, FileSystem.FileSystem> =>
  Layer.effect(
    ProcessTable,
    Effect.map(FileSystem.FileSystem, (fs) =>
      ProcessTable.of({
        look: Effect.gen(function* () {
          const unlistable = Effect.mapError((cause: PlatformError) => failed(new Unlistable(), "/proc", cause))
          const bootTime = ProcessStat.bootTime(yield* unlistable(fs.readFileString("/proc/stat")))
          if (bootTime === undefined) return yield* failed(new Unlistable(), "/proc/stat tells no boot time")
          const names = yield* unlistable(fs.readDirectory("/proc"))
          const pids = names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number)
          const processes = yield* Effect.forEach(pids, (pid) => readProcess(fs, bootTime, pid), { concurrency: 16 })
          return { _tag: "Listed", self: options.self, processes: processes.flatMap(Option.toArray) } as const
        })
      })
    )
  )

/**
 * `ps`, where there is no `/proc`. It ends within `Bound.Observation`.
 */
export const layerPs = (options: {
  readonly self: Self
}): Layer.Layer<ProcessTable, never, ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    ProcessTable,
    Effect.map(ChildProcessSpawner.ChildProcessSpawner, (spawner) =>
      ProcessTable.of({
        look: Command.run(spawner, {
          command: "ps",
          args: PsTable.args,
          env: { LC_ALL: "C", TZ: "UTC", PATH: "/bin:/usr/bin:/sbin:/usr/sbin" },
          maxBytes: 64 * 1024 * 1024
        }).pipe(
          Effect.mapError((error) => failed(new Unlistable(), error.detail)),
          Effect.flatMap(({ exitCode, stdout, stderr }) => {
            const processes = exitCode === 0 ? PsTable.parse(stdout) : undefined
            return processes === undefined
              ? Effect.fail(failed(new Unlistable(), `ps said ${JSON.stringify((stderr || stdout).slice(0, 200))}`))
              : Effect.succeed({ _tag: "Listed", self: options.self, processes } as const)
          })
        )
      })
    )
  )

/**
 * These processes.
 */
export const layerMemory = (list: ProcessList): Layer.Layer<ProcessTable> =>
  Layer.succeed(ProcessTable, ProcessTable.of({ look: Effect.succeed({ _tag: "Listed", ...list }) }))

/**
 * No process table is consulted: answers of tmux stand as they are, and a socket without a server proves nothing.
 */
export const layerNone: Layer.Layer<ProcessTable> = Layer.succeed(
  ProcessTable,
  ProcessTable.of({ look: Effect.succeed({ _tag: "NotConsulted" }) })
)

const failed = (reason: ProcessTableError["reason"], detail: string, cause?: PlatformError) =>
  new ProcessTableError({
    reason,
    detail: cause === undefined ? detail : `${detail}: ${cause.message}`,
    ...(cause === undefined ? {} : { cause })
  })

/**
 * `None`: the process has gone since it was listed, which `/proc` tells by the file that is not there or by ESRCH.
 * Kernel threads and zombies have no executable, and other users' are not shown: the command name is left to tell.
 */
const readProcess = (
  fs: FileSystem.FileSystem,
  bootTime: number,
  pid: number
): Effect.Effect<Option.Option<Process>, ProcessTableError> => {
  const unreadable = (detail: string, cause?: PlatformError) => failed(new ProcessUnreadable({ pid }), detail, cause)
  const read = <A>(effect: Effect.Effect<A, PlatformError>, what: string) =>
    effect.pipe(
      Effect.asSome,
      Effect.catch((cause) =>
        hasGone(cause) ? Effect.succeedNone : Effect.fail(unreadable(`/proc/${pid}/${what}`, cause))
      )
    )
  const permitted = (effect: Effect.Effect<string, PlatformError>, what: string) =>
    read(
      effect.pipe(
        Effect.asSome,
        Effect.catchReason("PlatformError", "PermissionDenied", () => Effect.succeedNone)
      ),
      what
    ).pipe(Effect.map(Option.flatten))
  return Effect.gen(function* () {
    const stat = yield* read(fs.readFileString(`/proc/${pid}/stat`), "stat")
    const status = yield* read(fs.readFileString(`/proc/${pid}/status`), "status")
    if (Option.isNone(stat) || Option.isNone(status)) return Option.none()
    const parsed = ProcessStat.parse(stat.value)
    const more = ProcessStatus.parse(status.value)
    if (Option.isNone(parsed) || Option.isNone(more)) return yield* unreadable("its stat or status has another shape")
    const cmdline = yield* permitted(fs.readFileString(`/proc/${pid}/cmdline`), "cmdline")
    const executable = yield* permitted(fs.readLink(`/proc/${pid}/exe`), "exe")
    return Option.some({
      pid,
      parent: parsed.value.parent,
      user: more.value.user,
      name: parsed.value.name,
      executable: Option.getOrUndefined(executable),
      terminal: parsed.value.terminal !== 0,
      below: more.value.namespaces > 1,
      state: parsed.value.state,
      startTicks: parsed.value.startTicks,
      startedAt: ProcessStat.startedAt(parsed.value, bootTime),
      args: Option.match(cmdline, { onNone: () => [], onSome: (text) => text.replace(/\0$/, "").split("\0") })
    })
  })
}

const hasGone = (error: PlatformError): boolean =>
  error.reason._tag === "NotFound" ||
  (error.cause instanceof Error && "code" in error.cause && error.cause.code === "ESRCH")
