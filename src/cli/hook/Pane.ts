/**
 * The tmux sessions that show the pane above this process. The environment is never believed: processes inherit `TMUX` and
 * `TMUX_PANE` from each other and outlive the server. `TMUX` only names one more socket to ask.
 */
import { Effect, Option } from "effect"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import type { MacTools } from "../../machine/MacTools.ts"
import * as Platform from "../../machine/Platform.ts"
import * as ProcessStat from "../../machine/core/ProcessStat.ts"
import * as Deadline from "./Deadline.ts"
import { because, type Undone } from "./Undone.ts"

interface Ancestor {
  readonly pid: number
  readonly parent: number
  readonly name: string
}

/** How long the likely socket is asked alone, in milliseconds: mostly it answers sooner, and no other has to be asked. */
const headStart = 50

/**
 * The names of the sessions that show the nearest pane: one, unless they share a window. The sockets are asked side by side,
 * so that one that hangs takes no time from the others: only the server that is above this process can have its pane.
 */
export const sessions: Effect.Effect<ReadonlyArray<string>, Undone> = Effect.gen(function* () {
  const above = yield* ancestors
  const { likely, others } = sockets()
  const silent: Array<string> = []
  const ask = Effect.fnUntraced(function* (socket: string) {
    const answer = yield* panes(socket)
    if (typeof answer === "string") silent.push(`${socket}: ${answer}`)
    const names = typeof answer === "string" ? [] : nearest(above, answer)
    return names.length > 0 ? names : yield* because("no tmux pane is above this process")
  })
  const first = likely.map(ask)
  const later = others.map(ask).map(first.length === 0 ? (asked) => asked : Effect.delay(headStart))
  return yield* Effect.raceAll([...first, ...later, because("no tmux pane is above this process")]).pipe(
    Effect.catch(({ message }) =>
      because(silent.length === 0 ? message : `${message}; not heard: ${silent.join(", ")}`)
    )
  )
})

interface Pane {
  readonly server: number
  readonly pid: number
  readonly session: string
}

/**
 * The sessions of the nearest pane. It is a child of its server, because in another pid namespace the same number is
 * another process. A server below it that did not show its pane hides the nearer one.
 */
const nearest = (above: ReadonlyArray<Ancestor>, panes: ReadonlyArray<Pane>): ReadonlyArray<string> => {
  for (const { pid, parent, name } of above) {
    if (isServer(name)) return []
    const shown = panes.filter((pane) => pane.pid === pid && pane.server === parent)
    if (shown.length > 0) return shown.map(({ session }) => session)
  }
  return []
}

const isServer = (name: string): boolean => /^(tmux|tmate)(: server)?$/.test(name)

/** The likely one is that of `TMUX`. */
const sockets = (): { readonly likely: ReadonlyArray<string>; readonly others: ReadonlyArray<string> } => {
  const { TMUX = "", TMUX_TMPDIR } = process.env
  const [inherited = ""] = TMUX.split(",")
  const directory = `${TMUX_TMPDIR || "/tmp"}/tmux-${process.geteuid?.() ?? ""}`
  const found = list(directory).map((name) => `${directory}/${name}`)
  return {
    likely: inherited.startsWith("/") ? [inherited] : [],
    others: found.filter((socket) => socket !== inherited)
  }
}

const list = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

const format = "#{pid} #{?pane_dead,0,#{pane_pid}} #{session_name}"

/** The panes of one server, or why it did not say. */
const panes = (socket: string): Effect.Effect<ReadonlyArray<Pane> | string> => {
  const { TMUX: _server, TMUX_PANE: _pane, ...env } = process.env
  const asked = ask("tmux", ["-u", "-S", socket, "list-panes", "-a", "-F", format], {
    ...env,
    LC_ALL: "C",
    // What a relative entry names depends on where the session happens to start.
    PATH: (env["PATH"] ?? "")
      .split(":")
      .filter((entry) => entry.startsWith("/"))
      .join(":")
  })
  return Effect.map(asked, (answer) => {
    if (answer.stdout === undefined) return answer.why
    if (!answer.stdout.endsWith("\n")) return "its answer was cut off"
    const rows = answer.stdout.slice(0, -1).split("\n")
    const panes = rows.map((row) => /^([1-9][0-9]*) ([0-9]+) (.*)$/s.exec(row))
    if (panes.includes(null)) return "it answered in another shape"
    return panes.map((pane) => ({ server: Number(pane?.[1]), pid: Number(pane?.[2]), session: pane?.[3] ?? "" }))
  })
}

/** The processes from this one upwards, itself first. */
const ancestors: Effect.Effect<ReadonlyArray<Ancestor>, Undone> = Effect.gen(function* () {
  const { name, tools } = yield* Platform.Platform
  const find = name === "linux" ? inProc : yield* inPs(tools)
  const found: Array<Ancestor> = []
  const seen = new Set<number>()
  // `self` is not `process.pid` where `/proc` shows another pid namespace.
  for (let next = find("self"); next !== undefined && !seen.has(next.pid); next = find(next.parent)) {
    seen.add(next.pid)
    found.push(next)
  }
  if (found.length === 0) return yield* because("the processes above this one could not be read")
  return found
})

type Find = (pid: number | "self") => Ancestor | undefined

const inProc: Find = (pid) => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8")
    const own = Number.parseInt(line, 10)
    return Option.getOrUndefined(Option.map(ProcessStat.parse(line), (stat) => ({ ...stat, pid: own })))
  } catch {
    return undefined
  }
}

const inPs = Effect.fnUntraced(function* ({ ps }: MacTools): Effect.fn.Return<Find, Undone> {
  // A header that is left empty may be the last of its option only.
  const { stdout, why } = yield* ask(ps, ["-A", "-o", "pid=", "-o", "ppid=", "-o", "ucomm="], { LC_ALL: "C" })
  if (stdout === undefined) return yield* because(`ps did not tell the processes above this one: ${why}`)
  const rows = [...stdout.matchAll(/^ *([0-9]+) +([0-9]+) +(.*?) *$/gm)]
  const table = new Map(
    rows.map(([, pid, parent, name = ""]) => [Number(pid), { pid: Number(pid), parent: Number(parent), name }])
  )
  return (pid) => table.get(pid === "self" ? process.pid : pid)
})

type Answer = { readonly stdout: string; readonly why: "" } | { readonly stdout: undefined; readonly why: string }

/** What a program printed, or why it did not, in time to say so. */
const ask = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const timeout = Math.max(Deadline.left() - reserve, 1)
    const options = { encoding: "utf8", timeout, killSignal: "SIGKILL", maxBuffer: 8 * 1024 * 1024, env } as const
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resume(Effect.succeed({ stdout, why: "" }))
      const why = error.killed === true ? "no answer in time" : stderr.trim() || error.message
      resume(Effect.succeed({ stdout: undefined, why }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** What saying why takes at most, in milliseconds. */
const reserve = 30
