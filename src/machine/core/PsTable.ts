/**
 * What `ps` prints where there is no `/proc`.
 */
import type { Process } from "./Processes.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/** What to ask `ps` for. The arguments come last, because they may hold anything. */
export const args: ReadonlyArray<string> = [
  "-A",
  "-ww",
  // On BSD everything behind the first `=` of an option is a title.
  ...["pid", "ppid", "uid", "stat", "tty", "lstart", "args"].flatMap((column) => ["-o", `${column}=`])
]

const row =
  /^ *([0-9]+) +([0-9]+) +(-?[0-9]+) +([A-Za-z?][^ ]*) +([^ ]+) +([A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]\d \d\d:\d\d:\d\d \d{4})(?: +(.*))?$/

/**
 * A path of tmux that may hold spaces itself, where `ps` does not tell one argument from the next. A word that begins
 * another path is an argument.
 */
const spacedTmux = /^(\/[^ ]*(?: [^ /][^ ]*)*?\/(?:tmux|tmate))(?: |$)/

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
      // Some systems print the topmost users, such as nobody, as below zero.
      user: Number(user) >>> 0,
      name: command.startsWith("tmux: ") ? command.slice(0, "tmux: ......".length) : first,
      executable: spacedTmux.exec(command)?.[1],
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
