import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import { ChildProcessSpawner } from "effect/process"
import * as Observation from "./core/Observation.ts"
import * as Vantage from "../machine/core/Vantage.ts"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"
import * as Executable from "../shared/Executable.ts"
import * as VantageFacts from "../machine/VantageFacts.ts"

/**
 * tmux was not observed. `socket` is the one that was asked, if any.
 */
export class TmuxProbeError extends Data.TaggedError("TmuxProbeError")<{
  readonly reason: Observation.Reason
  readonly socket?: string | undefined
}> {
  override get message(): string {
    const { what, settle } = Observation.explain(this.reason)
    return `${what}; to settle it, ${settle}`
  }
}

/**
 * Asks tmux. It decides nothing: whether the answers together are an observation is `Observation.join`'s to say.
 */
export class TmuxProbe extends Context.Service<
  TmuxProbe,
  {
    /** Every socket that has to be asked. Fails when sessions cannot be judged from here, or none can be listed. */
    readonly sockets: Effect.Effect<ReadonlyArray<string>, TmuxProbeError>
    /** Asks the server at one socket. A server is never started. */
    readonly ask: (socket: string) => Effect.Effect<Observation.Answer, TmuxProbeError>
    /** The panes of the server at one socket. */
    readonly panes: (socket: string) => Effect.Effect<ReadonlyArray<Observation.Pane>, TmuxProbeError>
  }
>()("session-liveness/claims/TmuxProbe") {}

/**
 * Where tmux is looked for, and from where.
 */
export interface Options extends VantageFacts.Standing {
  /** Its owner must be the effective user, and it must not lie on a network file system. */
  readonly root: string
  /** The environment of the caller. `PATH` and `TMUX_TMPDIR` are read, and all but `TMUX` and `TMUX_PANE` is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Sockets besides those in the socket directory: paths, or names within it. */
  readonly sockets?: ReadonlyArray<string> | undefined
  /** The executable; looked for on `PATH` and where package managers put it, unless given. */
  readonly executable?: string | undefined
  /** Whether anybody listens at a socket, found without a process. `None`: it is not known. */
  readonly isListening?: ((socket: string) => Effect.Effect<Option.Option<boolean>>) | undefined
}

/**
 * Asks real tmux servers through child processes.
 */
export const layer = (
  options: Options
): Layer.Layer<TmuxProbe, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    TmuxProbe,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner

      const call = Effect.fnUntraced(function* <A>(
        socket: string,
        question: ReadonlyArray<string>,
        read: (call: Observation.Call) => Result.Result<A, Observation.SocketReason>
      ): Effect.fn.Return<A, TmuxProbeError> {
        const failed = (reason: Observation.Reason) => new TmuxProbeError({ reason, socket })
        if (options.isListening !== undefined) {
          const listens = yield* options.isListening(socket)
          if (Option.isSome(listens) && !listens.value) {
            return yield* failed(Observation.Reason.ServerAbsent({ detail: `nobody listens at ${socket}` }))
          }
        }
        const executable = yield* findExecutable(options, fs)
        const output = yield* Command.run(spawner, {
          command: executable,
          args: ["-u", "-S", socket, ...question],
          env: childEnvironment(options.env),
          maxBytes,
          bound: Bound.Observation
        }).pipe(Effect.mapError((error) => failed(commandReason(error, socket))))
        return yield* Effect.fromResult(Result.mapError(read(output), failed))
      })

      return TmuxProbe.of({
        sockets: Effect.gen(function* () {
          const [facts, listed] = yield* Effect.all(
            [VantageFacts.gather(fs, spawner, options.root, options), Effect.result(listSockets(fs, options))],
            { concurrency: 2 }
          )
          const why = Vantage.foreign(facts)
          if (why !== undefined) {
            return yield* new TmuxProbeError({ reason: Observation.Reason.ForeignVantage({ why }) })
          }
          const { directory, found } = yield* Effect.fromResult(listed)
          const configured = (options.sockets ?? []).map((socket) =>
            socket.includes("/") ? socket : `${directory}/${socket}`
          )
          return [...new Set([...configured, ...found])]
        }),
        ask: (socket) => call(socket, Observation.question, Observation.answerOf),
        panes: (socket) => call(socket, Observation.panesQuestion, Observation.panesOf)
      })
    })
  )

const maxBytes = 8 * 1024 * 1024

const findExecutable = (
  { env, executable }: Options,
  fs: FileSystem.FileSystem
): Effect.Effect<string, TmuxProbeError> =>
  Executable.find(fs, { name: "tmux", path: env["PATH"], given: executable }).pipe(
    Effect.mapError((detail) => new TmuxProbeError({ reason: Observation.Reason.NotInstalled({ detail }) }))
  )

const childEnvironment = (env: Options["env"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...env, LC_ALL: "C" }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== "TMUX" && entry[0] !== "TMUX_PANE"
    )
  )

const commandReason = (error: Command.CommandError, socket: string): Observation.SocketReason => {
  const detail = `${socket}: ${error.detail}`
  switch (error.kind) {
    case "NotFound":
      return Observation.Reason.NotInstalled({ detail })
    case "TimedOut":
      return Observation.Reason.TimedOut({ detail })
    case "TooMuch":
      return Observation.Reason.Malformed({ detail })
    case "NotStarted":
    case "Killed":
      return Observation.Reason.Failed({ detail })
  }
}

const listSockets = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  { env, user }: Options
): Effect.fn.Return<{ readonly directory: string; readonly found: ReadonlyArray<string> }, TmuxProbeError> {
  const configured = env["TMUX_TMPDIR"] || undefined
  if (configured !== undefined && Option.isNone(yield* Effect.option(fs.realPath(configured)))) {
    return yield* new TmuxProbeError({
      reason: Observation.Reason.SocketDirMissing({ detail: `TMUX_TMPDIR is ${configured}` })
    })
  }
  const directory = `${configured ?? "/tmp"}/tmux-${user ?? "unknown"}`
  return { directory, found: yield* socketsIn(fs, directory, user) }
})

/**
 * Every socket in the directory; none when there is no directory. One that another user could have filled tells
 * nothing, as it does to tmux itself.
 */
const socketsIn = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  directory: string,
  user: number | undefined
): Effect.fn.Return<ReadonlyArray<string>, TmuxProbeError> {
  const failed = (detail: string) =>
    new TmuxProbeError({ reason: Observation.Reason.ConnectFailed({ detail: `${directory}: ${detail}` }) })
  const optional = <A>(effect: Effect.Effect<A, PlatformError>) =>
    effect.pipe(
      Effect.asSome,
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
      Effect.mapError((cause) => failed(cause.message))
    )
  const info = yield* optional(fs.stat(directory))
  if (Option.isNone(info)) return []
  if (Option.getOrUndefined(info.value.uid) !== user) return yield* failed("it belongs to another user")
  if ((info.value.mode & 0o007) !== 0) return yield* failed("it has unsafe permissions")
  const entries = yield* optional(fs.readDirectory(directory))
  const sockets = yield* Effect.forEach(
    Option.getOrElse(entries, () => []),
    (name) =>
      Effect.map(optional(fs.stat(`${directory}/${name}`)), (entry) =>
        Option.isSome(entry) && entry.value.type === "Socket" ? [`${directory}/${name}`] : []
      ),
    { concurrency: 16 }
  )
  return sockets.flat()
})
