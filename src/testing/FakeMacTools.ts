/**
 * The programs of macOS as a machine has them print: `ps`, `lsof`, `mount` and `sysctl`, without a process.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PlatformError from "effect/PlatformError"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { ChildProcessSpawner } from "effect/process"
import * as MacTools from "../machine/MacTools.ts"
import * as Current from "./Current.ts"
import * as FakeTmux from "./FakeTmux.ts"

/**
 * What each prints, or `Fails`. `sockets` is what `lsof` prints where it is asked for sockets alone.
 */
export interface FakeMacTools {
  readonly ps: string | "Fails"
  readonly lsof: string | "Fails"
  readonly sockets: string
  readonly mount: string
  readonly sysctl: string
}

/**
 * A spawner of these programs, and of no others. What is corrupted is counted over all calls of one build of the layer.
 */
export const layer = (
  description: Current.Current<FakeMacTools>,
  corruptions: ReadonlyArray<FakeTmux.Corruption> = []
): Layer.Layer<ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.sync(ChildProcessSpawner.ChildProcessSpawner, () => {
    let calls = 0
    return ChildProcessSpawner.make((command) =>
      Effect.suspend(() => {
        if (command._tag !== "StandardCommand") return Effect.fail(unknown("a pipe"))
        const printed = printedBy(Current.get(description), command.command, command.args.map(String))
        if (printed === undefined) return Effect.fail(unknown(command.command))
        calls++
        const whole = { exitCode: printed === "Fails" ? 1 : 0, stdout: printed === "Fails" ? "" : printed, stderr: "" }
        const { exitCode, stdout } = FakeTmux.corrupt(whole, corruptions.map(plain), calls)
        const isPart = stdout.length < whole.stdout.length
        // That a line is missing at the end cannot be seen, and does not happen to a program that ends well.
        const text = isPart && exitCode === 0 ? stdout.replace(/\n$/, "") : stdout
        return Effect.succeed(handle(exitCode, text))
      })
    )
  })

/** A control character within an argument is that argument's. */
const plain = (corruption: FakeTmux.Corruption): FakeTmux.Corruption =>
  corruption.how === "Control" || corruption.how === "Replacement" ? { ...corruption, how: "CutOff" } : corruption

const printedBy = (tools: FakeMacTools, command: string, args: ReadonlyArray<string>): string | "Fails" | undefined => {
  switch (command) {
    case MacTools.standard.ps:
      return tools.ps
    case MacTools.standard.lsof:
      return args.includes("-U") ? tools.sockets : tools.lsof
    case MacTools.standard.mount:
      return tools.mount
    case MacTools.standard.sysctl:
      return tools.sysctl
    default:
      return undefined
  }
}

const unknown = (command: string) =>
  PlatformError.systemError({ _tag: "NotFound", module: "ChildProcess", method: "spawn", pathOrDescriptor: command })

const killed = PlatformError.systemError({ _tag: "Unknown", module: "ChildProcess", method: "exitCode" })

const handle = (exitCode: number | null, stdout: string): ChildProcessSpawner.ChildProcessHandle =>
  ChildProcessSpawner.makeHandle({
    pid: ChildProcessSpawner.ProcessId(1),
    exitCode: exitCode === null ? Effect.fail(killed) : Effect.succeed(ChildProcessSpawner.ExitCode(exitCode)),
    isRunning: Effect.succeed(false),
    kill: () => Effect.void,
    stdin: Sink.drain,
    stdout: Stream.make(new TextEncoder().encode(stdout)),
    stderr: Stream.empty,
    all: Stream.empty,
    getInputFd: () => Sink.drain,
    getOutputFd: () => Stream.empty,
    unref: Effect.succeed(Effect.void)
  })
