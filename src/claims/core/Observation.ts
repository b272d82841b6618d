/**
 * What one look at tmux gave.
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Processes from "../../machine/core/Processes.ts"
import * as TmuxServer from "../../machine/core/TmuxServer.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * A tmux server that answered, by its own word. `startTime` is in seconds since the epoch.
 */
export interface Server {
  readonly pid: number
  readonly startTime: number
}

/**
 * Why tmux was not observed. The first eight are what asking one socket can come to; `detail` is what was seen.
 */
export type Reason = Data.TaggedEnum<{
  NotInstalled: { readonly detail: string }
  SocketDirMissing: { readonly detail: string }
  /** No server listens. No proof of death: a deleted socket looks the same. */
  ServerAbsent: { readonly detail: string }
  ConnectFailed: { readonly detail: string }
  VersionMismatch: { readonly detail: string }
  /** tmux ended well and said something else than was asked for. */
  Malformed: { readonly detail: string }
  /** tmux failed in a way that tells nothing. */
  Failed: { readonly detail: string }
  TimedOut: { readonly detail: string }
  /** A tmux server process of this user answered on no socket. */
  UnheardServer: { readonly pid: number }
  ProcessTable: { readonly detail: string }
  /** An honest answer from here would be about another place. */
  ForeignVantage: { readonly why: string }
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * The reasons that asking one socket can come to.
 */
export type SocketReason = Exclude<Reason, { readonly _tag: "UnheardServer" | "ProcessTable" | "ForeignVantage" }>

/**
 * `Answered`: these sessions exist and, as far as the look reached, no others. `Unobserved`: nothing is known.
 */
export type Observation = Data.TaggedEnum<{
  Answered: {
    readonly servers: ReadonlyArray<Server>
    /** The session names of every server, as tmux spells them, sorted. */
    readonly names: ReadonlyArray<string>
  }
  Unobserved: { readonly reason: Reason }
}>

export type Answered = Extract<Observation, { readonly _tag: "Answered" }>

export const { Answered, Unobserved, $is, $match } = Data.taggedEnum<Observation>()

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

/**
 * One call as an observation of the one server that was asked.
 */
export const fromTmux = (call: Call): Observation =>
  Result.match(answerOf(call), {
    onFailure: (reason) => Unobserved({ reason }),
    onSuccess: ({ server, names }) => Answered({ servers: [server], names: [...names].sort(Text.compare) })
  })

/**
 * What one socket came to.
 */
export interface Asked {
  readonly socket: string
  readonly answer: Result.Result<Answer, Reason>
}

/**
 * Joins the answers of all sockets. Every tmux server process of this user in `processes` must be among the servers
 * that answered; then a socket without a server is simply empty. Without a process table (`undefined`: none is
 * consulted) such a socket proves nothing. The order of `asked` changes nothing.
 */
export const join = (asked: ReadonlyArray<Asked>, processes: Processes.ProcessList | undefined): Observation => {
  const servers: Array<Server> = []
  const names = new Set<string>()
  const absent: Array<Reason> = []
  for (const { answer } of [...asked].sort((a, b) => Text.compare(a.socket, b.socket))) {
    if (Result.isSuccess(answer)) {
      servers.push(answer.success.server)
      for (const name of answer.success.names) names.add(name)
    } else if (answer.failure._tag === "ServerAbsent") absent.push(answer.failure)
    else return Unobserved({ reason: answer.failure })
  }
  if (processes === undefined) {
    const unproven = asked.length === 0 ? Reason.ServerAbsent({ detail: "no tmux socket is there" }) : absent[0]
    if (unproven !== undefined) return Unobserved({ reason: unproven })
  } else {
    if (!Processes.holdsSelf(processes)) {
      return Unobserved({ reason: Reason.ProcessTable({ detail: "the list does not hold the process that asked" }) })
    }
    const [pid] = TmuxServer.unheard(processes, new Set(servers.map((server) => server.pid)))
    if (pid !== undefined) return Unobserved({ reason: Reason.UnheardServer({ pid }) })
  }
  return Answered({
    servers: servers.sort((a, b) => a.pid - b.pid),
    names: [...names].sort(Text.compare)
  })
}

/**
 * A reason in words: what was seen, and what would settle it.
 */
export const explain: (reason: Reason) => { readonly what: string; readonly settle: string } = Reason.$match({
  NotInstalled: ({ detail }) => ({
    what: `tmux was not found (${Text.escape(detail)})`,
    settle: "install tmux, or name its executable"
  }),
  SocketDirMissing: ({ detail }) => ({
    what: `the directory of tmux sockets is not there (${Text.escape(detail)})`,
    settle: "set TMUX_TMPDIR as the manager has it, or unset it"
  }),
  ServerAbsent: ({ detail }) => ({
    what: `no tmux server answers (${Text.escape(detail)}), which a deleted socket looks like too`,
    settle: "consult the process table, or start the manager's tmux server"
  }),
  ConnectFailed: ({ detail }) => ({
    what: `a tmux socket could not be connected to (${Text.escape(detail)})`,
    settle: "run as the user who owns the socket, or remove what is not a socket of yours"
  }),
  VersionMismatch: ({ detail }) => ({
    what: `the tmux server speaks another version (${Text.escape(detail)})`,
    settle: "use the tmux that started the server, or restart the server when its sessions are done"
  }),
  Malformed: ({ detail }) => ({
    what: `tmux answered something else than was asked (${Text.escape(detail)})`,
    settle: "run `tmux list-sessions` by hand and rename sessions whose names hold control characters"
  }),
  Failed: ({ detail }) => ({
    what: `tmux failed (${Text.escape(detail)})`,
    settle: "run `tmux list-sessions` by hand and see what it says"
  }),
  TimedOut: ({ detail }) => ({
    what: `tmux did not answer in time (${Text.escape(detail)})`,
    settle: "see whether the server is stopped or overloaded, or allow more time"
  }),
  UnheardServer: ({ pid }) => ({
    what: `a tmux server (pid ${pid}) answered on none of the sockets`,
    settle: `name its socket, or send it SIGUSR1 so that it makes its socket anew: kill -USR1 ${pid}`
  }),
  ProcessTable: ({ detail }) => ({
    what: `the process table could not be read (${Text.escape(detail)})`,
    settle: "make /proc or ps readable, or say that no process table is consulted"
  }),
  ForeignVantage: ({ why }) => ({
    what: `sessions cannot be judged from here: ${Text.escape(why)}`,
    settle: "mend that, or run as the owner of the root on the host where the sessions run"
  })
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
