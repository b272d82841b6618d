/**
 * Private tmux servers: each in a socket directory of its own, and ended by its pid.
 */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"

/** The effective user, whose servers are looked for. */
export const user = process.geteuid?.() ?? -1

/** What keeps a pane open. It goes when its server does. */
export const idle: ReadonlyArray<string> = ["sleep", "600"]

/** The environment of this process without the tmux that it may itself run in. */
export const outside = (directory: string): Record<string, string | undefined> => ({
  ...process.env,
  TMUX: undefined,
  TMUX_PANE: undefined,
  TMUX_TMPDIR: directory
})

export interface Server {
  readonly pid: number
  readonly socket: string
  /** Runs a command of that server and gives what it printed. */
  readonly tmux: (...args: ReadonlyArray<string>) => string
}

/** The socket of that name below a `TMUX_TMPDIR`. */
export const socketOf = (directory: string, name = "default"): string => path.join(directory, `tmux-${user}`, name)

interface Options {
  /** The name of its socket. */
  readonly name?: string | undefined
  readonly executable?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Session names; none makes a server that stays without any. */
  readonly sessions?: ReadonlyArray<string> | undefined
}

/**
 * A server whose socket lies below `directory`, ended with the scope even when it is stopped or has lost its socket.
 */
export const start = (
  directory: string,
  { name = "default", executable = "tmux", env = {}, sessions = [] }: Options = {}
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const tmux: Server["tmux"] = (...args) =>
        execFileSync(executable, ["-u", "-f", "/dev/null", "-L", name, ...args], {
          env: { ...outside(directory), ...env },
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"]
        })
      const stay = ["set-option", "-s", "exit-empty", "off"]
      const pid = Number(tmux("start-server", ";", ...stay, ";", "display-message", "-p", "#{pid}"))
      for (const session of sessions) open(tmux, session)
      return { pid, socket: socketOf(directory, name), tmux }
    }),
    ({ pid }) => end(pid)
  )

/** A new session that idles. */
export const open = (tmux: Server["tmux"], session: string, ...options: ReadonlyArray<string>): string =>
  tmux("new-session", "-d", "-s", session, ...options, ...idle)

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has gone already.
  }
}

/** Kills a process that this test started, and waits until it is gone. */
export const end = (pid: number): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => signal(pid, "SIGKILL")),
    until(() => !isRunning(pid))
  )

/** Whether there is such a process, a zombie included. */
export const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const isRunning = (pid: number): boolean =>
  exists(pid) && (process.platform !== "linux" || /\) [^ZX] /.test(readIfThere(`/proc/${pid}/stat`)))

/** On Linux; 0 where it cannot be told. */
export const parentOf = (pid: number): number =>
  Number(/\) [A-Za-z] ([0-9]+) /.exec(readIfThere(`/proc/${pid}/stat`))?.[1] ?? 0)

const readIfThere = (file: string): string => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** Waits for something that comes by itself; dies when it does not. */
export const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let look = 0; look < 1000; look++) {
      if (holds()) return
      yield* Effect.sleep("20 millis")
    }
    return yield* Effect.die(new Error(`it never came about: ${String(holds)}`))
  })

/** A directory of its own for sockets, short enough to hold them. */
export const directory = tempRoot
