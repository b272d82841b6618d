import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { ChildProcessSpawner } from "effect/process"
import * as Mounts from "./core/Mounts.ts"
import { isZombie, pathsOf, type Process, type ProcessList, type Use } from "./core/Processes.ts"
import * as ProcessStat from "./core/ProcessStat.ts"
import * as ProcessStatus from "./core/ProcessStatus.ts"
import * as PsTable from "./core/PsTable.ts"
import * as Vantage from "./core/Vantage.ts"
import * as VantageFacts from "./VantageFacts.ts"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"

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
      ? `the processes could not be listed: ${this.detail}; run where /proc or ps shows all of them`
      : `process ${this.reason.pid} could not be read: ${this.detail}; ask again, and end it if that lasts`
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
    /** What every process of `list` uses, as far as it may be seen. Fails where a user is shown only their own processes. */
    readonly uses: (list: ProcessList) => Effect.Effect<ReadonlyArray<Use>, ProcessTableError>
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
 * Linux's `/proc`. Seen from a pid, user or time namespace other than the host's it is not the table of this machine, and
 * cannot be listed; `vantage: "here"` says that all sessions live in this container.
 */
export const layerProc = (options: {
  readonly self: Self
  readonly vantage?: "host" | "here" | undefined
}): Layer.Layer<ProcessTable, never, FileSystem.FileSystem> =>
  Layer.effect(
    ProcessTable,
    Effect.map(FileSystem.FileSystem, (fs) =>
      ProcessTable.of({ look: lookAtProc(fs, options), uses: (list) => usesInProc(fs, list) })
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
          maxBytes: 64 * 1024 * 1024,
          bound: Bound.Observation
        }).pipe(
          Effect.mapError((error) => failed(new Unlistable(), error.detail)),
          Effect.flatMap(({ exitCode, stdout, stderr }) => {
            const processes = exitCode === 0 ? PsTable.parse(stdout) : undefined
            return processes === undefined
              ? Effect.fail(failed(new Unlistable(), `ps said ${JSON.stringify((stderr || stdout).slice(0, 200))}`))
              : Effect.succeed({ _tag: "Listed", self: options.self, bootedAt: null, processes } as const)
          })
        ),
        uses: () => Effect.fail(failed(new Unlistable(), "ps does not tell which files a process uses"))
      })
    )
  )

/**
 * These processes.
 */
export const layerMemory = (list: ProcessList, uses: ReadonlyArray<Use> = []): Layer.Layer<ProcessTable> =>
  Layer.succeed(
    ProcessTable,
    ProcessTable.of({ look: Effect.succeed({ _tag: "Listed", ...list }), uses: () => Effect.succeed(uses) })
  )

/**
 * No process table is consulted: answers of tmux stand as they are, and a socket without a server proves nothing.
 */
export const layerNone: Layer.Layer<ProcessTable> = Layer.succeed(
  ProcessTable,
  ProcessTable.of({
    look: Effect.succeed({ _tag: "NotConsulted" }),
    uses: () => Effect.fail(failed(new Unlistable(), "no process table is consulted"))
  })
)

const failed = (reason: ProcessTableError["reason"], detail: string, cause?: PlatformError) =>
  new ProcessTableError({
    reason,
    detail: cause === undefined ? detail : `${detail}: ${cause.message}`,
    ...(cause === undefined ? {} : { cause })
  })

const lookAtProc = (
  fs: FileSystem.FileSystem,
  { self, vantage }: Parameters<typeof layerProc>[0]
): Effect.Effect<Look, ProcessTableError> =>
  Effect.gen(function* () {
    const namespace = yield* unlistable(fs.readLink("/proc/self/ns/pid"))
    if (namespace !== Vantage.hostPidNamespace && vantage !== "here") {
      return yield* failed(
        new Unlistable(),
        'this process is not in the pid namespace of the host; if all sessions live in here, say so with vantage: "here"'
      )
    }
    const users = yield* unlistable(VantageFacts.namespaceOf(fs, "user"))
    const hasOwnUsers = Vantage.isOwn(users, Vantage.hostUserNamespace)
    if (hasOwnUsers && self.user === Vantage.nameless) {
      return yield* failed(
        new Unlistable(),
        "this process runs as a user that has no name in its user namespace, so that owners cannot be told apart; map the user into it, or ask from outside it"
      )
    }
    if (hasOwnUsers && vantage !== "here") {
      return yield* failed(
        new Unlistable(),
        'this process is in a user namespace of its own, which hides what the processes outside use; ask from outside it, or, if all sessions live in here, say so with vantage: "here"'
      )
    }
    const times = yield* unlistable(VantageFacts.namespaceOf(fs, "time"))
    if (Vantage.isOwn(times, Vantage.hostTimeNamespace) && vantage !== "here") {
      return yield* failed(
        new Unlistable(),
        'this process is in a time namespace of its own, where every process seems to have started at another time than outside; ask from outside it, or, if all sessions live in here, say so with vantage: "here"'
      )
    }
    const bootedAt = ProcessStat.bootTime(yield* unlistable(fs.readFileString("/proc/stat")))
    if (bootedAt === undefined) return yield* failed(new Unlistable(), "/proc/stat tells no boot time")
    const asked = yield* unlistable(fs.readLink("/proc/self"))
    if (asked !== String(self.pid)) {
      return yield* failed(
        new Unlistable(),
        `/proc shows another pid namespace, in which this process ${self.pid} is ${asked}`
      )
    }
    const names = yield* unlistable(fs.readDirectory("/proc"))
    const pids = names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number)
    const processes = yield* Effect.forEach(pids, (pid) => readProcess(fs, bootedAt, pid), { concurrency })
    return {
      _tag: "Listed",
      self,
      bootedAt,
      pidNamespace: namespace,
      processes: processes.flatMap(Option.toArray)
    }
  })

const usesInProc = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  list: ProcessList
): Effect.fn.Return<ReadonlyArray<Use>, ProcessTableError> {
  const listing = yield* unlistable(fs.readFileString("/proc/self/mountinfo"))
  const mounts = Mounts.parse(listing)
  if (mounts === undefined) return yield* failed(new Unlistable(), "/proc/self/mountinfo has another shape")
  if (list.self.user !== 0 && Mounts.hidesProcesses(mounts)) {
    return yield* failed(new Unlistable(), "/proc is mounted with hidepid and shows a user only their own processes")
  }
  const namespace = yield* unlistable(fs.readLink("/proc/self/ns/mnt"))
  const ours = { namespace, mounts, mountsIn: mountsSeenFrom({ listing, mounts }) }
  const uses = yield* Effect.forEach(
    list.processes.filter((process) => !isZombie(process)),
    (process) => usesOf(fs, ours, process),
    { concurrency }
  )
  return uses.flat()
})

const concurrency = 16

const unlistable = <A>(effect: Effect.Effect<A, PlatformError>) =>
  Effect.mapError(effect, (cause) => failed(new Unlistable(), "/proc", cause))

/**
 * Reads a file of one process. `None`: the process has gone since it was listed, which `/proc` tells by a file that is
 * not there or by ESRCH.
 */
const read = <A>(
  pid: number,
  what: string,
  effect: Effect.Effect<A, PlatformError>
): Effect.Effect<Option.Option<A>, ProcessTableError> =>
  Effect.matchEffect(effect, {
    onFailure: (cause) => (hasGone(cause) ? Effect.succeedNone : Effect.fail(unreadable(pid, what, cause))),
    onSuccess: Effect.succeedSome
  })

/**
 * The same, where a user is not shown what is another's: `None` stands for that too.
 */
const readPermitted = <A>(
  pid: number,
  what: string,
  effect: Effect.Effect<A, PlatformError>
): Effect.Effect<Option.Option<A>, ProcessTableError> =>
  Effect.matchEffect(effect, {
    onFailure: (cause) =>
      hasGone(cause) || cause.reason._tag === "PermissionDenied"
        ? Effect.succeedNone
        : Effect.fail(unreadable(pid, what, cause)),
    onSuccess: Effect.succeedSome
  })

const unreadable = (pid: number, what: string, cause: PlatformError): ProcessTableError =>
  failed(new ProcessUnreadable({ pid }), `/proc/${pid}/${what}`, cause)

/** Every thread of the kernel is root's and lies in the outermost pid namespace. */
const kernelStatus: ReturnType<typeof ProcessStatus.parse> = Option.some({ user: 0, innerPids: [] })

/**
 * Kernel threads and zombies have no executable, and other users' are not shown: the command name is left to tell.
 */
const readProcess = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  bootTime: number,
  pid: number
): Effect.fn.Return<Option.Option<Process>, ProcessTableError> {
  const stat = yield* read(pid, "stat", fs.readFileString(`/proc/${pid}/stat`))
  if (Option.isNone(stat)) return Option.none()
  const parsed = ProcessStat.parse(stat.value)
  const kernel = Option.isSome(parsed) && parsed.value.kernel
  const status = kernel
    ? Option.some(kernelStatus)
    : Option.map(yield* read(pid, "status", fs.readFileString(`/proc/${pid}/status`)), ProcessStatus.parse)
  if (Option.isNone(status)) return Option.none()
  const more = status.value
  if (Option.isNone(parsed) || Option.isNone(more)) {
    return yield* failed(new ProcessUnreadable({ pid }), "its stat or status has another shape")
  }
  const other = isZombie(parsed.value) && parsed.value.threads > 1 ? yield* runningThread(fs, pid) : undefined
  const at = placeOf({ pid, thread: other?.thread })
  const cmdline = kernel
    ? Option.none<string>()
    : yield* readPermitted(pid, "cmdline", fs.readFileString(`${at}/cmdline`))
  const executable = kernel ? Option.none<string>() : yield* readPermitted(pid, "exe", fs.readLink(`${at}/exe`))
  return Option.some({
    pid,
    parent: parsed.value.parent,
    user: more.value.user,
    name: parsed.value.name,
    executable: Option.getOrUndefined(executable),
    terminal: parsed.value.terminal !== 0,
    innerPids: more.value.innerPids,
    state: other?.state ?? parsed.value.state,
    ...(other === undefined ? {} : { thread: other.thread }),
    startTicks: parsed.value.startTicks,
    startedAt: ProcessStat.startedAt(parsed.value, bootTime),
    args: splitArguments(Option.getOrElse(cmdline, () => ""))
  })
})

/** Where `/proc` shows a process. */
const placeOf = ({ pid, thread }: Pick<Process, "pid" | "thread">): string =>
  thread === undefined ? `/proc/${pid}` : `/proc/${pid}/task/${thread}`

/**
 * A thread that has not ended, of a process whose first one has. The kernel shows what is used only by such a one.
 */
const runningThread = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  pid: number
): Effect.fn.Return<{ readonly thread: number; readonly state: string } | undefined, ProcessTableError> {
  const threads = yield* read(pid, "task", fs.readDirectory(`/proc/${pid}/task`))
  for (const name of Option.getOrElse(threads, () => [])) {
    const thread = Number(name)
    const stat = yield* read(pid, `task/${name}/stat`, fs.readFileString(`${placeOf({ pid, thread })}/stat`))
    const parsed = Option.flatMap(stat, ProcessStat.parse)
    if (Option.isSome(parsed) && !isZombie(parsed.value)) return { thread, state: parsed.value.state }
  }
  return undefined
})

const splitArguments = (cmdline: string): ReadonlyArray<string> =>
  cmdline === "" ? [] : cmdline.replace(/\0$/, "").split("\0")

interface TheirMounts {
  readonly mounts: ReadonlyArray<Mounts.Mount>
  /** The paths here of what they show by themselves. */
  readonly bound: ReadonlyArray<string>
}

/**
 * Reads what the processes of another mount namespace list, and what all of one namespace list alike only once. What
 * shows our own mounts is told by git's inspection.
 */
const mountsSeenFrom = (ours: {
  readonly listing: string
  readonly mounts: ReadonlyArray<Mounts.Mount>
}): ((listing: string) => TheirMounts | undefined) => {
  const known = new Map<string, TheirMounts | undefined>([[ours.listing, { mounts: ours.mounts, bound: [] }]])
  return (listing) => {
    if (!known.has(listing)) {
      const mounts = Mounts.parse(listing)
      known.set(
        listing,
        mounts && { mounts, bound: [...new Set(Mounts.bound(ours.mounts, mounts).map(({ path }) => path))] }
      )
    }
    return known.get(listing)
  }
}

/**
 * A process that is ending has no mounts any more: then they cannot be listed, which is told by EINVAL.
 */
const readMounts = (fs: FileSystem.FileSystem, process: Process) =>
  readPermitted(
    process.pid,
    "mountinfo",
    Effect.catchIf(
      fs.readFileString(`${placeOf(process)}/mountinfo`),
      (error) => hasCode(error, "EINVAL"),
      () => Effect.succeed("")
    )
  )

/**
 * A process in another mount namespace spells paths as they are there; from here they are found below its root. Wherever
 * it is, a directory can be mounted in more than one place.
 */
const usesOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  ours: {
    readonly namespace: string
    readonly mounts: ReadonlyArray<Mounts.Mount>
    readonly mountsIn: (listing: string) => TheirMounts | undefined
  },
  process: Process
): Effect.fn.Return<ReadonlyArray<Use>, ProcessTableError> {
  const { pid } = process
  const at = placeOf(process)
  const link = (what: string) => readPermitted(pid, what, fs.readLink(`${at}/${what}`))
  const theirs = yield* link("ns/mnt")
  const elsewhere = Option.isSome(theirs) && theirs.value !== ours.namespace
  // Of another user's process the mounts are shown, and not which namespace they are those of.
  const listed = elsewhere || Option.isNone(theirs) ? yield* readMounts(fs, process) : Option.none<string>()
  const told = ours.mountsIn(Option.getOrElse(listed, () => ""))
  if (told === undefined) {
    return yield* failed(new ProcessUnreadable({ pid }), "its mountinfo has another shape")
  }
  const mounts = elsewhere ? told.mounts : ours.mounts
  const uses: Array<Use> = told.bound.map((path) => ({ pid, kind: "mount", path }))
  const add = (kind: Use["kind"], target: string) => {
    // A name may end so by itself.
    const spellings = target.endsWith(deleted) ? [target.slice(0, -deleted.length), target] : [target]
    for (const path of spellings) {
      if (!path.startsWith("/") || isDevice(path)) continue
      const paths = new Set([
        path,
        ...(elsewhere ? [`${at}/root${path}`] : []),
        ...Mounts.pathsOf(ours.mounts, mounts, path)
      ])
      for (const spelled of paths) uses.push({ pid, kind, path: spelled })
    }
  }
  for (const [what, kind] of links) Option.map(yield* link(what), (target) => add(kind, target))
  const files = yield* readPermitted(pid, "fd", fs.readDirectory(`${at}/fd`))
  for (const file of Option.getOrElse(files, () => [])) {
    Option.map(yield* link(`fd/${file}`), (target) => add("open file", target))
  }
  for (const path of pathsOf(process.args)) add("command line", path)
  return uses
})

const links: ReadonlyArray<readonly [string, Use["kind"]]> = [
  ["cwd", "working directory"],
  ["root", "root"],
  ["exe", "executable"]
]

const deleted = " (deleted)"

const isDevice = (path: string): boolean => /^\/(dev\/(?!shm\/)|memfd:|anon_hugepage|SYSV|\[aio\])/.test(path)

const hasGone = (error: PlatformError): boolean => error.reason._tag === "NotFound" || hasCode(error, "ESRCH")

const hasCode = ({ cause }: PlatformError, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
