/**
 * tmux servers that answer as they are described, through the text that real tmux prints.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Observation from "../claims/core/Observation.ts"
import { TmuxProbe, TmuxProbeError } from "../claims/TmuxProbe.ts"
import * as Current from "./Current.ts"

/**
 * A server: its sessions in the order in which it lists them, each with the pids of its panes.
 */
export interface Server {
  readonly pid: number
  /** In seconds since the epoch. */
  readonly startTime: number
  readonly sessions: ReadonlyArray<{ readonly name: string; readonly panes: ReadonlyArray<number> }>
}

/**
 * One socket: the server that listens there, or what a call of tmux says instead, or `Never`: the call hangs.
 */
export interface Socket {
  readonly path: string
  readonly answers: Server | Observation.Call | "Never"
}

/**
 * Every socket, and whether tmux can be asked from here at all.
 */
export interface FakeTmux {
  readonly reach: "Here" | "ForeignVantage" | "SocketDirMissing"
  readonly sockets: ReadonlyArray<Socket>
}

/**
 * What goes wrong with the text of the `at`-th call, counted from 1; with `lasting` of every later one as well. All of
 * them leave no whole answer: the output is cut off after at most `bytes`, something that does not belong there stands
 * after `bytes`, or the call ends badly.
 */
export interface Corruption {
  readonly at: number
  readonly lasting: boolean
  readonly how: "CutOff" | "Control" | "Replacement" | "Row" | "Signal" | "Exit"
  readonly bytes: number
}

/**
 * A probe of these servers. What is corrupted is counted over all calls of one build of the layer.
 */
export const layer = (
  description: Current.Current<FakeTmux>,
  corruptions: ReadonlyArray<Corruption> = []
): Layer.Layer<TmuxProbe> =>
  Layer.sync(TmuxProbe, () => {
    let calls = 0
    const call = <A>(
      path: string,
      output: (server: Server) => string,
      read: (call: Observation.Call) => Result.Result<A, Observation.SocketReason>
    ): Effect.Effect<A, TmuxProbeError> =>
      Effect.suspend(() => {
        calls++
        const answers = Current.get(description).sockets.find((socket) => socket.path === path)?.answers ?? nothingThere
        if (answers === "Never") return Effect.never
        const whole =
          "exitCode" in answers
            ? answers
            : { exitCode: 0, stdout: `${output(answers)}${serverRow(answers)}`, stderr: "" }
        return Effect.fromResult(
          Result.mapError(
            read(corrupt(whole, corruptions, calls)),
            (reason) => new TmuxProbeError({ reason, socket: path })
          )
        )
      })
    return TmuxProbe.of({
      sockets: Effect.suspend(() => {
        const { reach, sockets } = Current.get(description)
        return reach === "Here"
          ? Effect.succeed(sockets.map(({ path }) => path))
          : Effect.fail(new TmuxProbeError({ reason: unreachable[reach] }))
      }),
      ask: (path) => call(path, sessionRows, Observation.answerOf),
      panes: (path) => call(path, paneRows, Observation.panesOf)
    })
  })

const unreachable = {
  ForeignVantage: Observation.Reason.ForeignVantage({ why: "the root belongs to user 0" }),
  SocketDirMissing: Observation.Reason.SocketDirMissing({ detail: "TMUX_TMPDIR is /nowhere" })
}

const nothingThere: Observation.Call = {
  exitCode: 1,
  stdout: "",
  stderr: "error connecting to the socket (No such file or directory)\n"
}

const sessionRows = ({ sessions }: Server): string =>
  sessions.map(({ name }, index) => `session $${index} ${name}\n`).join("")

const paneRows = ({ sessions }: Server): string =>
  sessions.flatMap(({ name, panes }) => panes.map((pid, index) => `pane %${index} ${pid} ${name}\n`)).join("")

const serverRow = ({ pid, startTime }: Server): string => `server ${pid} ${startTime}\n`

/**
 * What the `calls`-th call gives, when that is what it would give whole. For fakes of another multiplexer, too.
 */
export const corrupt = (
  whole: Observation.Call,
  corruptions: ReadonlyArray<Corruption>,
  calls: number
): Observation.Call => {
  const due = corruptions.find(({ at, lasting }) => (lasting ? calls >= at : calls === at))
  return due === undefined ? whole : corrupted(whole, due)
}

/** A call that fails by itself still does; a proper prefix of an answer is none. */
const corrupted = (call: Observation.Call, { how, bytes }: Corruption): Observation.Call => {
  if (call.exitCode !== 0) return call
  const cut = Math.min(bytes, call.stdout.length - 1)
  const inserted = (text: string) => ({
    ...call,
    stdout: `${call.stdout.slice(0, cut)}${text}${call.stdout.slice(cut)}`
  })
  switch (how) {
    case "CutOff":
      return { ...call, stdout: call.stdout.slice(0, cut) }
    case "Control":
      return inserted("\u001b")
    case "Replacement":
      return inserted("\ufffd")
    case "Row":
      return { ...call, stdout: `another row\n${call.stdout}` }
    case "Signal":
      return { ...call, exitCode: null }
    case "Exit":
      return { ...call, exitCode: 1, stderr: "server exited unexpectedly\n" }
  }
}
