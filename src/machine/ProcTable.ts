import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { isZombie, type Process } from "./core/Processes.ts"
import * as ProcessStat from "./core/ProcessStat.ts"
import * as ProcessStatus from "./core/ProcessStatus.ts"
import * as ShellWords from "./core/ShellWords.ts"
import * as TmuxServer from "./core/TmuxServer.ts"
import * as Vantage from "./core/Vantage.ts"
import * as Environment from "./Environment.ts"
import { concurrency, placeOf, read, readPermitted, unlistable } from "./ProcFiles.ts"
import {
  failed,
  ProcessTable,
  type ProcessTableError,
  ProcessUnreadable,
  type Self,
  type Snapshot,
  Unlistable
} from "./ProcessTable.ts"
import * as ProcUses from "./ProcUses.ts"
import * as VantageFacts from "./VantageFacts.ts"

/**
 * Linux's `/proc`. Seen from a pid, user or time namespace other than the host's it is not the table of this machine, and
 * cannot be listed; `vantage: "here"` says that all sessions live in this container.
 */
export const layer = (options: {
  readonly self: Self
  readonly vantage?: "host" | "here" | undefined
}): Layer.Layer<ProcessTable, never, FileSystem.FileSystem> =>
  Layer.effect(
    ProcessTable,
    Effect.map(FileSystem.FileSystem, (fs) =>
      ProcessTable.of({
        snapshot: snapshot(fs, options, (pids, bootedAt) =>
          Effect.forEach(pids, (pid) => readProcess(fs, bootedAt, pid), { concurrency })
        ),
        servers: snapshot(fs, options, (pids, bootedAt) => readServers(fs, options.self, pids, bootedAt)),
        uses: (list) => ProcUses.gather(fs, list)
      })
    )
  )

const snapshot = (
  fs: FileSystem.FileSystem,
  { self, vantage }: Parameters<typeof layer>[0],
  readAll: (
    pids: ReadonlyArray<number>,
    bootedAt: number
  ) => Effect.Effect<ReadonlyArray<Option.Option<Process>>, ProcessTableError>
): Effect.Effect<Snapshot, ProcessTableError> =>
  Effect.gen(function* () {
    const namespace = yield* unlistable(fs.readLink("/proc/self/ns/pid"))
    const users = yield* unlistable(VantageFacts.namespaceOf(fs, "user"))
    const times = yield* unlistable(VantageFacts.namespaceOf(fs, "time"))
    const why = Vantage.namespaceRefusal({
      platform: "linux",
      sessionsAreHere: vantage === "here",
      pidNamespace: namespace,
      userNamespace: users,
      timeNamespace: times
    })
    if (why !== undefined) return yield* failed(new Unlistable(), why)
    if (Vantage.isOwn(users, Vantage.hostUserNamespace) && self.user === Vantage.overflowUid) {
      return yield* failed(
        new Unlistable(),
        "this process runs as a user that has no name in its user namespace, so that owners cannot be told apart; map the user into it, or ask from outside it"
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
    const processes = yield* readAll(names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number), bootedAt)
    return {
      _tag: "Listed",
      self,
      bootedAt,
      pidNamespace: namespace,
      processes: processes.flatMap(Option.toArray)
    }
  })

/**
 * Those that may be a tmux server of this user, and the one that asks. Only of one that its line in the table does not
 * tell is more read.
 */
const readServers = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  self: Self,
  pids: ReadonlyArray<number>,
  bootedAt: number
): Effect.fn.Return<ReadonlyArray<Option.Option<Process>>, ProcessTableError> {
  const suspects: Array<Effect.Effect<Option.Option<Process>, ProcessTableError>> = []
  // One line after another: the kernel tells them from its own tables, so that none keeps a reader waiting.
  for (const pid of pids) {
    const told = pid === self.pid ? "Server" : yield* byLine(fs, pid)
    const process = readProcess(fs, bootedAt, pid)
    if (told === "Server") suspects.push(process)
    if (told === "Unknown") {
      suspects.push(Effect.flatMap(runsTmux(fs, pid), (runs) => (runs ? process : Effect.succeedNone)))
    }
  }
  return yield* Effect.all(suspects, { concurrency })
})

/**
 * One whose first thread has ended is told by another, and one that cannot be understood by nothing: both are read.
 */
const byLine = (
  fs: FileSystem.FileSystem,
  pid: number
): Effect.Effect<"Server" | "None" | "Unknown", ProcessTableError> =>
  Effect.map(read(pid, "stat", fs.readFileString(`/proc/${pid}/stat`)), (stat) => {
    if (Option.isNone(stat)) return "None"
    const parsed = Option.getOrUndefined(ProcessStat.parse(stat.value))
    if (parsed === undefined || (isZombie(parsed) && parsed.threads > 1)) return "Server"
    const told = TmuxServer.byName({ ...parsed, terminal: parsed.terminal !== 0 })
    return told === "Unknown" && parsed.kernel ? "None" : told
  })

const runsTmux = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  pid: number
): Effect.fn.Return<boolean, ProcessTableError> {
  const executable = yield* readPermitted(pid, "exe", fs.readLink(`/proc/${pid}/exe`))
  if (Option.isSome(executable) && TmuxServer.namesTmux(executable.value)) return true
  const cmdline = yield* readPermitted(pid, "cmdline", fs.readFileString(`/proc/${pid}/cmdline`))
  return TmuxServer.namesTmux(splitArguments(Option.getOrElse(cmdline, () => ""))[0])
})

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
  const args = splitArguments(Option.getOrElse(cmdline, () => ""))
  const expandedArgs = ShellWords.mayNameMore(args) ? yield* expand(pid, args, fs.readFileString(`${at}/environ`)) : []
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
    args,
    ...(expandedArgs.length === 0 ? {} : { expandedArgs })
  })
})

const expand = (
  pid: number,
  args: ReadonlyArray<string>,
  environ: Effect.Effect<string, PlatformError>
): Effect.Effect<ReadonlyArray<string>, ProcessTableError> =>
  Effect.map(readPermitted(pid, "environ", environ), (text) =>
    ShellWords.expanded(args, Environment.parse(Option.getOrElse(text, () => "")))
  )

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
