/**
 * Runs a child to its end, or kills it: for looks at the world whose partial output is worth nothing.
 */
import * as Data from "effect/Data"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import * as Bound from "./Bound.ts"

/**
 * A child that did not run to its end.
 */
export class CommandError extends Data.TaggedError("CommandError")<{
  readonly kind: "NotFound" | "NotStarted" | "TimedOut" | "TooMuch" | "Killed"
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

/**
 * What a child gave that ended by itself. Bytes that are not UTF-8 are U+FFFD.
 */
export interface Output {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * What to run, and how.
 */
export interface Options {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  readonly maxBytes: number
  /** `undefined`: it runs to its end, and interruption waits for it. */
  readonly bound: Context.Reference<Duration.Input> | undefined
  readonly input?: string | undefined
}

/**
 * Runs `command` without a shell and with `input` alone as its standard input, in exactly the environment given. Both
 * streams are drained. It ends within `bound` whatever the child does: then the child and its process group get SIGKILL
 * and are reaped, as they do when more than `maxBytes` come out of it.
 */
export const run = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  options: Options
): Effect.Effect<Output, CommandError> =>
  Effect.gen(function* () {
    const handle = yield* spawner
      .spawn(
        ChildProcess.make(options.command, options.args, {
          stdin: options.input === undefined ? "ignore" : Stream.make(new TextEncoder().encode(options.input)),
          killSignal: "SIGKILL",
          env: options.env,
          ...(options.cwd === undefined ? {} : { cwd: options.cwd })
        })
      )
      .pipe(
        Effect.mapError(
          (cause) =>
            new CommandError({
              kind: cause.reason._tag === "NotFound" ? "NotFound" : "NotStarted",
              detail: `${options.command}: ${cause.message}`
            })
        )
      )
    const text = (stream: typeof handle.stdout) => collect(stream, options)
    const [stdout, stderr, exitCode] = yield* Effect.all(
      [
        text(handle.stdout),
        text(handle.stderr),
        handle.exitCode.pipe(
          Effect.mapError(
            () => new CommandError({ kind: "Killed", detail: `${options.command} was killed by a signal` })
          )
        )
      ],
      { concurrency: "unbounded" }
    )
    return { exitCode, stdout, stderr }
  }).pipe(
    Effect.scoped,
    Effect.catchDefect((defect) =>
      Effect.fail(new CommandError({ kind: "NotStarted", detail: `${options.command}: ${String(defect)}` }))
    ),
    options.bound === undefined ? Effect.uninterruptible : bounded(options.command, options.bound)
  )

const bounded =
  (command: string, reference: Context.Reference<Duration.Input>) =>
  <A>(self: Effect.Effect<A, CommandError>): Effect.Effect<A, CommandError> =>
    Effect.gen(function* () {
      const bound = yield* reference
      return yield* Effect.timeoutOrElse(self, {
        duration: bound,
        orElse: () =>
          Effect.fail(
            new CommandError({ kind: "TimedOut", detail: `${command} did not end within ${Bound.format(bound)}` })
          )
      })
    })

const collect = (
  stream: Stream.Stream<Uint8Array, unknown>,
  { command, maxBytes }: { readonly command: string; readonly maxBytes: number }
): Effect.Effect<string, CommandError> => {
  let bytes = 0
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  return stream.pipe(
    Stream.mapError((cause) => new CommandError({ kind: "Killed", detail: `${command}: ${String(cause)}` })),
    Stream.runFoldEffect(
      () => "",
      (text, chunk: Uint8Array) => {
        bytes += chunk.length
        return bytes > maxBytes
          ? Effect.fail(new CommandError({ kind: "TooMuch", detail: `${command} printed more than ${maxBytes} bytes` }))
          : Effect.succeed(text + decoder.decode(chunk, { stream: true }))
      }
    ),
    Effect.map((text) => text + decoder.decode())
  )
}
