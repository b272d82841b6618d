/**
 * The tmux sessions in which this process runs.
 */
import { Duration, Effect, Option } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { ProcessStat } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Hook from "./Hook.ts"

const bound = Duration.seconds(2)

/**
 * The names of the sessions that show the pane above this process: one, unless they share a window. TMUX and TMUX_PANE only
 * say which pane to ask for: processes inherit them from each other and outlive the server, so that they alone prove nothing.
 */
export const sessions = Effect.gen(function* () {
  const { TMUX, TMUX_PANE } = process.env
  // Without TMUX the default server would be asked, where a pane of that number may be another session's.
  if (!TMUX || !TMUX_PANE)
    return yield* Hook.because("not in tmux (TMUX and TMUX_PANE are not both set); use --managed")
  const { server, pane, names } = yield* askTmux(TMUX_PANE)
  const [, named] = TMUX.split(",")
  if (named !== server) {
    return yield* Hook.because(
      `the tmux server that TMUX names (${named ?? "no pid"}) is not the one that answers (${server}); use --managed`
    )
  }
  if (!(yield* isBelow({ server: Number(server), pane: Number(pane) }))) {
    return yield* Hook.because(`this process is not in the pane that TMUX_PANE names (${TMUX_PANE}); use --managed`)
  }
  return names
})

const askTmux = (pane: string) =>
  ask("tmux", ["-u", "list-panes", "-a", "-F", "#{pane_id} #{pid} #{pane_pid} #{session_name}"], {
    ...process.env,
    // What a relative entry names depends on where the session happens to start.
    PATH: (process.env["PATH"] ?? "")
      .split(":")
      .filter((entry) => entry.startsWith("/"))
      .join(":")
  }).pipe(
    Effect.flatMap((answer) => {
      const rows = answer.split("\n").filter((row) => row.startsWith(`${pane} `))
      if (rows.length === 0) return Effect.fail("it shows no such pane")
      const told = rows.map((row) => /^%[0-9]+ ([1-9][0-9]*) ([1-9][0-9]*) (.+)$/s.exec(row))
      const [, server, pid] = told[0] ?? []
      const names = told.flatMap((row) => (row?.[1] === server && row?.[2] === pid ? [row?.[3] ?? ""] : []))
      return server === undefined || pid === undefined || names.length < rows.length || !answer.endsWith("\n")
        ? Effect.fail(`exit code 0, ${JSON.stringify(rows.join("\n").slice(0, 200))}`)
        : Effect.succeed({ server, pane: pid, names })
    }),
    Effect.mapError((why) => Hook.because(`tmux did not tell the session of pane ${pane} (${why}); use --managed`))
  )

/**
 * Whether this process runs below `pane`, a child of `server`, as that of every pane is: in another pid namespace the
 * same numbers are other processes.
 */
const isBelow = Effect.fnUntraced(
  function* ({ server, pane }: { readonly server: number; readonly pane: number }) {
    const parentOf = process.platform === "linux" ? parentInProc : yield* parentsByPs
    const seen = new Set<number>()
    for (let pid = yield* parentOf("self"); pid > 0 && !seen.has(pid);) {
      const parent = yield* parentOf(pid)
      if (pid === pane) return parent === server
      seen.add(pid)
      pid = parent
    }
    return false
  },
  Effect.mapError((why) =>
    Hook.because(`the processes above this one could not be read (${why}), so its pane cannot be told; use --managed`)
  )
)

/** `self` is not `process.pid` where `/proc` shows another pid namespace. */
const parentInProc = (pid: number | "self"): Effect.Effect<number, string> =>
  Effect.try({ try: () => readFileSync(`/proc/${pid}/stat`, "utf8"), catch: Cli.reasonOf }).pipe(
    Effect.map(ProcessStat.parse),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.fail(`/proc/${pid}/stat has another shape`),
        onSome: ({ parent }) => Effect.succeed(parent)
      })
    )
  )

const parentsByPs = Effect.gen(function* () {
  // A header that is left empty may be the last of its option only.
  const printed = yield* ask("ps", ["-A", "-o", "pid=", "-o", "ppid="], {
    LC_ALL: "C",
    PATH: "/bin:/usr/bin:/sbin:/usr/sbin"
  })
  const parents = new Map(
    [...printed.matchAll(/^ *([0-9]+) +([0-9]+) *\n/gm)].map(([, pid, of]) => [Number(pid), Number(of)])
  )
  return (pid: number | "self"): Effect.Effect<number, string> => {
    const parent = parents.get(pid === "self" ? process.pid : pid)
    return parent === undefined ? Effect.fail(`ps does not show process ${pid}`) : Effect.succeed(parent)
  }
})

/** What a program printed, or why it did not. */
const ask = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Effect.Effect<string, string> =>
  Effect.suspend(() => {
    const { error, status, stdout, stderr } = spawnSync(command, args, {
      encoding: "utf8",
      timeout: Duration.toMillis(bound),
      killSignal: "SIGKILL",
      maxBuffer: 64 * 1024 * 1024,
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    if (error === undefined && status === 0) return Effect.succeed(stdout)
    return Effect.fail(error?.message ?? (stderr.trim() || `exit code ${status}`))
  })
