/**
 * What `ps` prints where there is no `/proc`.
 */
import type { Process } from "./Processes.ts"
import * as Timestamp from "./Timestamp.ts"

/** What to ask `ps` for. The arguments come last, because they may hold anything. */
export const args: ReadonlyArray<string> = ["-A", "-ww", "-o", "pid=,ppid=,uid=,stat=,tty=,lstart=,args="]

const row =
  /^ *([0-9]+) +([0-9]+) +([0-9]+) +([A-Za-z?][^ ]*) +([^ ]+) +([A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]\d \d\d:\d\d:\d\d \d{4})(?: +(.*))?$/

/**
 * Reads a whole table, or `undefined` when any line of it is not a row.
 */
export const parse = (text: string): ReadonlyArray<Process> | undefined => {
  if (!text.endsWith("\n")) return undefined
  const processes: Array<Process> = []
  for (const line of text.slice(0, -1).split("\n")) {
    const match = row.exec(line)
    if (match === null) return undefined
    const [, pid, parent, user, state = "", terminal, started = "", command = ""] = match
    const first = command.split(" ", 1)[0] ?? ""
    processes.push({
      pid: Number(pid),
      parent: Number(parent),
      user: Number(user),
      name: command.startsWith("tmux: ") ? command.slice(0, "tmux: ......".length) : first,
      executable: undefined,
      terminal: terminal !== "?" && terminal !== "??" && terminal !== "-",
      innerPids: [],
      state,
      startTicks: null,
      startedAt: Timestamp.parseCtime(started) ?? null,
      args: command === "" ? [] : command.split(" ")
    })
  }
  return processes
}
