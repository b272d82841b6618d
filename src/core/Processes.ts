/**
 * The processes of this machine as one look at the process table gave them.
 */

/**
 * One process. What could not be read for want of permission is `undefined`.
 */
export interface Process {
  readonly pid: number
  readonly parent: number
  /** The effective user. */
  readonly user: number
  /** The command name as the kernel keeps it, cut at 15 bytes on Linux. */
  readonly name: string
  readonly executable: string | undefined
  /** Whether it has a controlling terminal. */
  readonly terminal: boolean
  /** Whether it lives in a pid namespace below ours, where its pid is another one. */
  readonly below: boolean
  /** The kernel's state letter. */
  readonly state: string
  /** Clock ticks since boot, or `null` where they are not told. */
  readonly startTicks: string | null
  /** Milliseconds since the epoch, or `null` where it is not told. */
  readonly startedAt: number | null
  /** The command line, the command itself first. */
  readonly args: ReadonlyArray<string>
}

/**
 * A whole process table, and which process of it asked.
 */
export interface ProcessList {
  readonly self: { readonly pid: number; readonly user: number }
  readonly processes: ReadonlyArray<Process>
}

/**
 * Whether the list holds the process that asked. One that does not was cut off, or is another machine's.
 */
export const holdsSelf = (list: ProcessList): boolean => list.processes.some(({ pid }) => pid === list.self.pid)

/**
 * Whether it has ended and only its parent has not taken note.
 */
export const isZombie = ({ state }: Pick<Process, "state">): boolean => state.startsWith("Z") || state.startsWith("X")

/**
 * Whether `process` is a tmux server, or may be one for all that can be seen. A client that has a terminal is none; one
 * that has none carries its name.
 */
export const isTmuxServer = (process: Process): boolean =>
  !isZombie(process) &&
  !process.terminal &&
  process.name !== "tmux: client" &&
  (isServerTitle(process.name) || namesTmux(process.executable) || namesTmux(process.args[0]))

/**
 * The pids of this user's tmux servers that are not among `heard`, smallest first. One in a pid namespace below ours is
 * not this machine's to ask.
 */
export const unheardServers = (list: ProcessList, heard: ReadonlySet<number>): ReadonlyArray<number> =>
  list.processes
    .filter(
      (process) => process.user === list.self.user && !process.below && isTmuxServer(process) && !heard.has(process.pid)
    )
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)

/**
 * The pids from the asking process upwards, itself first. A cycle, which a pid reused between two reads can make, ends
 * the walk.
 */
export const ancestors = (list: ProcessList): ReadonlyArray<number> => {
  const parents = new Map(list.processes.map(({ pid, parent }) => [pid, parent]))
  const seen = new Set<number>()
  for (let pid: number | undefined = list.self.pid; pid !== undefined && pid > 0 && !seen.has(pid);) {
    seen.add(pid)
    pid = parents.get(pid)
  }
  return [...seen]
}

const title = ": server"
const cutTitles = Array.from(title, (_, end) => title.slice(0, end + 1))
const nameBytes = 15
const encoder = new TextEncoder()

const isServerTitle = (name: string): boolean =>
  name.endsWith(title) || (encoder.encode(name).length === nameBytes && cutTitles.some((cut) => name.endsWith(cut)))

const namesTmux = (command: string | undefined): boolean => {
  if (command === undefined) return false
  const base = baseName(command)
  return base === "tmux" || base === "tmate" || base.startsWith("tmux: ")
}

/**
 * Whether `process` is a session of Claude Code, told by the path of its executable or script and never by a command
 * name alone. Its helpers are none.
 */
export const isClaude = (process: Process): boolean => {
  if (isZombie(process)) return false
  const [command, ...args] = process.args
  const own = isClaudePath(process.executable ?? (command?.includes("/") === true ? command : undefined))
  const script = own ? 0 : args.findIndex((arg) => !arg.startsWith("-"))
  if (!own && !isClaudePath(args[script])) return false
  return !isHelper(args.slice(own ? 0 : script + 1))
}

const isClaudePath = (command: string | undefined): boolean => {
  if (command === undefined) return false
  const path = withoutDeleted(command)
  return (
    /(^|\/)claude(-code)?(\.exe|\.[cm]?js)?$/.test(path) ||
    path.includes("/claude/versions/") ||
    path.includes("/claude-code/")
  )
}

const isHelper = (args: ReadonlyArray<string>): boolean =>
  (args[0] === "mcp" && args[1] === "serve") ||
  (args[0] === "daemon" && args[1] === "run") ||
  args.includes("--bg-spare") ||
  args.includes("--bg-pty-host")

const withoutDeleted = (path: string): string => (path.endsWith(deleted) ? path.slice(0, -deleted.length) : path)

const deleted = " (deleted)"

const baseName = (command: string): string => {
  const path = withoutDeleted(command)
  return path.slice(path.lastIndexOf("/") + 1)
}
