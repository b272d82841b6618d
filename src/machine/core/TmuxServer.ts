/**
 * Which processes are tmux servers.
 */
import { baseName, isZombie, type Process, type ProcessList } from "./Processes.ts"

/**
 * Whether `process` is a tmux server, or may be one for all that can be seen.
 */
export const is = (process: Process): boolean => {
  const told = byName(process)
  return told === "Unknown" ? namesTmux(process.executable) || namesTmux(process.args[0]) : told === "Server"
}

/**
 * What its name tells. A client that has a terminal is no server; one that has none carries its name. A server that was
 * started in the foreground has a terminal, and its own title.
 */
export const byName = (process: Pick<Process, "state" | "name" | "terminal">): "Server" | "None" | "Unknown" => {
  if (isZombie(process) || process.name === "tmux: client") return "None"
  if (process.terminal) return process.name.endsWith(title) ? "Server" : "None"
  return isServerTitle(process.name) ? "Server" : "Unknown"
}

/**
 * The pids of this user's tmux servers that are not among `heard`, smallest first. One in a pid namespace below ours is
 * not this machine's to ask.
 */
export const unheard = (list: ProcessList, heard: ReadonlySet<number>): ReadonlyArray<number> =>
  list.processes
    .filter(
      (process) =>
        process.user === list.self.user && process.innerPids.length === 0 && is(process) && !heard.has(process.pid)
    )
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)

const title = ": server"
const cutTitles = Array.from(title, (_, end) => title.slice(0, end + 1))
const nameBytes = 15
const encoder = new TextEncoder()

/**
 * Where the whole title does not fit, tmux leaves out its last word: a server of `tmux-next` is named `tmux-next:`.
 */
const isServerTitle = (name: string): boolean =>
  name.endsWith(title) ||
  name.endsWith(":") ||
  (cutTitles.some((cut) => name.endsWith(cut)) && encoder.encode(name).length === nameBytes)

/** Whether the path of a program, or the first word of a command line, is that of tmux. */
export const namesTmux = (command: string | undefined): boolean => {
  if (command === undefined) return false
  // A title may go on with the path of its socket.
  return /^(tmux|tmate)([-._]?v?[0-9].*)?$/.test(baseName(command)) || /(^|\/)tmux: /.test(command)
}
