/**
 * A `TmuxProbe` for kitty, where a tab is a session and its windows are the panes. It hears the servers that listen in one
 * directory; to rely on it, every kitty has to listen there.
 */
import { Context, Effect, FileSystem, Layer, Result, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Observation, TmuxProbe } from "session-liveness"

const { Reason } = Observation
const { TmuxProbeError } = TmuxProbe

/** What can be asked of kitty: where it listens (`kitty-<pid>`), and what `kitten @ ls` says there. */
export class Kitty extends Context.Service<
  Kitty,
  {
    readonly sockets: Effect.Effect<ReadonlyArray<string>, TmuxProbe.TmuxProbeError>
    readonly ls: (socket: string) => Effect.Effect<Observation.Call, TmuxProbe.TmuxProbeError>
  }
>()("examples/own-probe/Kitty") {}

const Windows = Schema.Array(Schema.Struct({ pid: Schema.Int }))
const Tabs = Schema.Array(Schema.Struct({ title: Schema.String, windows: Windows }))
const Ls = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Array(Schema.Struct({ tabs: Tabs }))))

export type Tabs = typeof Tabs.Type

/** All tabs of one kitty, or the reason why that cannot be said. Nobody there is one, and so is a part of an answer. */
export const tabsOf = ({ exitCode, stdout, stderr }: Observation.Call): Result.Result<Tabs, Observation.Reason> => {
  if (exitCode !== 0) {
    const detail = stderr.trim()
    return Result.fail(
      detail.endsWith("connection refused") ? Reason.ServerAbsent({ detail }) : Reason.Failed({ detail })
    )
  }
  if (stdout.includes("\ufffd")) return Result.fail(Reason.Malformed({ detail: "it is not UTF-8" }))
  return Ls(stdout).pipe(
    Result.map((windows) => windows.flatMap(({ tabs }) => tabs)),
    Result.mapError(({ message }) => Reason.Malformed({ detail: message }))
  )
}

/** `read` is `tabsOf`, unless one wants to see what a mistake in it does. */
export const layer = (read: typeof tabsOf = tabsOf): Layer.Layer<TmuxProbe.TmuxProbe, never, Kitty> =>
  Layer.effect(
    TmuxProbe.TmuxProbe,
    Effect.map(Kitty, (kitty) => {
      const tabs = (socket: string) =>
        Effect.flatMap(kitty.ls(socket), (call) =>
          Effect.fromResult(Result.mapError(read(call), (reason) => new TmuxProbeError({ reason, socket })))
        )
      return TmuxProbe.TmuxProbe.of({
        sockets: kitty.sockets,
        ask: (socket) =>
          Effect.map(tabs(socket), (tabs) => ({
            server: { pid: Number(/[0-9]+$/.exec(socket)?.[0]), startTime: 0 },
            names: tabs.map(({ title }) => title)
          })),
        panes: (socket) =>
          Effect.map(tabs(socket), (tabs) =>
            tabs.flatMap(({ title, windows }) => windows.map(({ pid }) => ({ pid, session: title })))
          )
      })
    })
  )

/** kitty itself, which listens in `directory`. Its children are ended with the scope of each question. */
export const layerKitty = (
  directory: string
): Layer.Layer<Kitty, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    Kitty,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const failed = ({ message: detail }: { readonly message: string }) =>
        new TmuxProbeError({ reason: Reason.Failed({ detail }) })
      return Kitty.of({
        sockets: fs.readDirectory(directory).pipe(
          Effect.map((names) =>
            names.filter((name) => /^kitty-[0-9]+$/.test(name)).map((name) => `${directory}/${name}`)
          ),
          Effect.mapError(failed)
        ),
        ls: (socket) =>
          Effect.gen(function* () {
            const child = yield* spawner.spawn(ChildProcess.make("kitten", ["@", "--to", `unix:${socket}`, "ls"]))
            const text = (stream: typeof child.stdout) => Stream.mkString(Stream.decodeText(stream))
            const [stdout, stderr, exitCode] = yield* Effect.all(
              [text(child.stdout), text(child.stderr), child.exitCode],
              { concurrency: 3 }
            )
            return { exitCode, stdout, stderr }
          }).pipe(Effect.scoped, Effect.mapError(failed))
      })
    })
  )
