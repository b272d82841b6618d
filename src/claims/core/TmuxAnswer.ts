/**
 * What one tmux server is asked, and how its answer is read: whole and well-formed, or not at all.
 */
import * as Result from "effect/Result"
import * as Text from "../../shared/core/Text.ts"
import { Reason, type SocketReason } from "./UnobservedReason.ts"

/**
 * A tmux server that answered, by its own word. `startTime` is in seconds since the epoch.
 */
export interface Server {
  readonly pid: number
  readonly startTime: number
}

/**
 * What one server said of itself.
 */
export interface Answer {
  readonly server: Server
  /** In the order in which the server lists them. */
  readonly names: ReadonlyArray<string>
}

/** What is appended to `tmux -u -S <socket>` to ask one server. The last row ends the answer. */
export const question: ReadonlyArray<string> = [
  "list-sessions",
  "-F",
  "session #{session_id} #{session_name}",
  ";",
  "display-message",
  "-p",
  "server #{pid} #{start_time}"
]

/**
 * What one call of tmux gave, streams included. `exitCode` is `null` for death by a signal.
 */
export interface Call {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * The answer of one server to `question`, whole and well-formed, or why there is none.
 */
export const answerOf = (call: Call): Result.Result<Answer, SocketReason> =>
  Result.flatMap(rowsOf(call), ({ server, rows }) => {
    const names = rows.map((row) => sessionRow.exec(row)?.[1])
    return names.every((name) => name !== undefined) ? Result.succeed({ server, names }) : malformed(call.stdout)
  })

/**
 * One pane of a server: the process that runs in it and the session that shows it.
 */
export interface Pane {
  /** As tmux names it to a person and in `-t`: `%4`. */
  readonly id: string
  readonly pid: number
  readonly session: string
}

/**
 * What is appended to `tmux -u -S <socket>` to ask one server for its panes. One whose process has ended keeps its pid,
 * which may be another process by now: it says 0.
 */
export const panesQuestion: ReadonlyArray<string> = [
  "list-panes",
  "-a",
  "-F",
  "pane #{pane_id} #{?pane_dead,0,#{pane_pid}} #{session_name}",
  ...question.slice(3)
]

/**
 * The answer of one server to `panesQuestion`.
 */
export const panesOf = (call: Call): Result.Result<ReadonlyArray<Pane>, SocketReason> =>
  Result.flatMap(rowsOf(call), ({ rows }) => {
    const panes = rows
      .map((row) => paneRow.exec(row))
      .map((match) => ({ id: match?.[1], pid: Number(match?.[2]), session: match?.[3] }))
    return panes.every((pane): pane is Pane => pane.session !== undefined && Number.isSafeInteger(pane.pid))
      ? Result.succeed(panes.filter(({ pid }) => pid !== 0))
      : malformed(call.stdout)
  })

const serverRow = /^server ([0-9]+) ([0-9]+)$/

const sessionRow = /^session \$[0-9]+ ([^]*)$/

const paneRow = /^pane (%[0-9]+) ([0-9]+) ([^]*)$/

const malformed = (stdout: string): Result.Result<never, SocketReason> =>
  Result.fail(Reason.Malformed({ detail: excerpt(stdout) }))

/**
 * The rows of a call that ended well, without the `server` row that ends them.
 */
const rowsOf = ({
  exitCode,
  stdout,
  stderr
}: Call): Result.Result<{ readonly server: Server; readonly rows: ReadonlyArray<string> }, SocketReason> => {
  if (exitCode !== 0) return Result.fail(failure(exitCode, stderr))
  if (!stdout.endsWith("\n") || stdout.includes("\ufffd")) return malformed(stdout)
  const rows = stdout.slice(0, -1).split("\n")
  if (rows.some(Text.hasControl)) return malformed(stdout)
  const last = serverRow.exec(rows.pop() ?? "")
  const server = { pid: Number(last?.[1]), startTime: Number(last?.[2]) }
  return Number.isSafeInteger(server.pid) && server.pid > 0 && Number.isSafeInteger(server.startTime)
    ? Result.succeed({ server, rows })
    : malformed(stdout)
}

const failure = (exitCode: number | null, stderr: string): SocketReason => {
  if (exitCode === null) return Reason.Failed({ detail: "killed by a signal" })
  const line = lastLine(stderr)
  const detail = line === "" ? `exit ${exitCode}, nothing said` : excerpt(line)
  if (/^no server running on [^]+$/.test(line)) return Reason.ServerAbsent({ detail })
  const connecting = /^error connecting to [^]*\(([^()]*)\)$/.exec(line)
  if (connecting !== null) {
    return connecting[1] === "No such file or directory" || connecting[1] === "Connection refused"
      ? Reason.ServerAbsent({ detail })
      : Reason.ConnectFailed({ detail })
  }
  if (line.startsWith("error connecting to ") || line.endsWith(" has unsafe permissions")) {
    return Reason.ConnectFailed({ detail })
  }
  if (/^(protocol version mismatch|server version is too old) /.test(line)) return Reason.VersionMismatch({ detail })
  return Reason.Failed({ detail })
}

const lastLine = (text: string): string => {
  const whole = text.endsWith("\n") ? text.slice(0, -1) : text
  return whole.slice(whole.lastIndexOf("\n") + 1)
}

const excerptLength = 200

const excerpt = (text: string): string =>
  text === "" ? "nothing" : text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`
