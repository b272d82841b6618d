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
  /** Its pids in the pid namespaces below ours; empty for a process of our own namespace. */
  readonly innerPids: ReadonlyArray<number>
  /** The kernel's state letter. */
  readonly state: string
  /** Clock ticks since boot, or `null` where they are not told. */
  readonly startTicks: string | null
  /** Milliseconds since the epoch, or `null` where it is not told. */
  readonly startedAt: number | null
  /** The command line, the command itself first. */
  readonly args: ReadonlyArray<string>
  /** The thread that shows what it uses, when its first one has ended and others have not. */
  readonly thread?: number | undefined
}

/**
 * One way in which a process uses a path. `path` is spelled so that it can be looked up from here. A `mount` is what the
 * mount namespace of the process, when it is not ours, shows by itself, whether or not anything in there uses it.
 */
export interface PathUse {
  readonly pid: number
  readonly kind: "working directory" | "root" | "executable" | "open file" | "command line" | "mount"
  readonly path: string
}

/**
 * The uses of `list` that count against a candidate: not those of the asking process and its descendants, not the
 * command lines of its ancestors, and not the working directory of a tmux server that was heard.
 */
export const counted = (
  list: ProcessList,
  uses: ReadonlyArray<PathUse>,
  heardServers: ReadonlySet<number>
): ReadonlyArray<PathUse> => {
  const own = descendants(list)
  const above = new Set(ancestors(list))
  // A server in another pid namespace answers with a pid that is not its own here.
  const servers = new Set(list.processes.filter(isTmuxServer).map(({ pid }) => pid))
  return uses.filter(
    ({ pid, kind }) =>
      !own.has(pid) &&
      !(kind === "command line" && above.has(pid)) &&
      !(kind === "working directory" && heardServers.has(pid) && servers.has(pid))
  )
}

/**
 * The absolute paths that a command line names: each argument whole or from its first `=` on, and whatever begins like
 * one within an argument, which may be a script or a list. What is too long for a path names none.
 */
export const pathsOf = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Set(
      args.flatMap((arg) => {
        const value = arg.slice(arg.indexOf("=") + 1)
        return [...[arg, value].filter((text) => text.startsWith("/")), ...(arg.match(pathWithin) ?? [])]
      })
    )
  ].filter((path) => path.length <= longestPath)

/** In characters: what Linux takes has at most 4,096 bytes, and others take less. */
const longestPath = 4096

const pathWithin = /(?<![^\s"'`=:,;|&<>(){}[\]@])\/[^\s"'`=:,;|&<>(){}[\]]+/g

/**
 * A whole process table, and which process of it asked.
 */
export interface ProcessList {
  readonly self: { readonly pid: number; readonly user: number }
  /** When the machine booted, in milliseconds since the epoch, or `null` where it is not told. */
  readonly bootedAt: number | null
  /** The pid namespace that the pids are those of, as Linux names it; absent where it is not told. */
  readonly pidNamespace?: string | undefined
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
 * The process that another one calls `pid`: `null` when there is none. Where a process below ours has that pid in its own
 * namespace, it cannot be told which of them is meant.
 */
export const find = (processes: ReadonlyArray<Process>, pid: number): Process | null | "unreadable" => {
  if (processes.some(({ innerPids }) => innerPids.includes(pid))) return "unreadable"
  return processes.find((process) => process.pid === pid) ?? null
}

/** Whatever loses its parent becomes a child of this one, so that its children are not what it started. */
const everybodysParent = 1

/**
 * The asking process and all that it started, however deep.
 */
export const descendants = (list: ProcessList): ReadonlySet<number> => {
  if (list.self.pid === everybodysParent) return new Set([everybodysParent])
  const own = new Set([list.self.pid])
  for (let size = 0; size !== own.size;) {
    size = own.size
    for (const { pid, parent } of list.processes) if (own.has(parent)) own.add(pid)
  }
  return own
}

/**
 * Whether `process` is a tmux server, or may be one for all that can be seen. A client that has a terminal is none; one
 * that has none carries its name. A server that was started in the foreground has a terminal, and its own title.
 */
export const isTmuxServer = (process: Process): boolean =>
  !isZombie(process) &&
  process.name !== "tmux: client" &&
  (process.terminal
    ? process.name.endsWith(title)
    : isServerTitle(process.name) || namesTmux(process.executable) || namesTmux(process.args[0]))

/**
 * The pids of this user's tmux servers that are not among `heard`, smallest first. One in a pid namespace below ours is
 * not this machine's to ask.
 */
export const unheardServers = (list: ProcessList, heard: ReadonlySet<number>): ReadonlyArray<number> =>
  list.processes
    .filter(
      (process) =>
        process.user === list.self.user &&
        process.innerPids.length === 0 &&
        isTmuxServer(process) &&
        !heard.has(process.pid)
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

/**
 * Where the whole title does not fit, tmux leaves out its last word: a server of `tmux-next` is named `tmux-next:`.
 */
const isServerTitle = (name: string): boolean =>
  name.endsWith(title) ||
  name.endsWith(":") ||
  (encoder.encode(name).length === nameBytes && cutTitles.some((cut) => name.endsWith(cut)))

const namesTmux = (command: string | undefined): boolean => {
  if (command === undefined) return false
  // A title may go on with the path of its socket.
  return /^(tmux|tmate)([-._]?v?[0-9].*)?$/.test(baseName(command)) || /(^|\/)tmux: /.test(command)
}

/**
 * Whether `process` is a session of Claude Code, told by the path of its executable or script and never by a command
 * name alone. Its helpers are none.
 */
export const isClaude = (process: Process): boolean => {
  if (isZombie(process)) return false
  const [command, ...args] = process.args
  // A title that a script gave itself hides the script and every argument.
  if (command === "claude" && isRuntime(process.executable)) return true
  const own = isClaudePath(process.executable ?? (command?.includes("/") === true ? command : undefined))
  const script = own
    ? 0
    : args.findIndex((arg, index) => !arg.startsWith("-") && !takesValue.has(args[index - 1] ?? "") && !runs.has(arg))
  if (!own && !isClaudePath(args[script])) return false
  return !isHelper(args.slice(own ? 0 : script + 1))
}

const isRuntime = (executable: string | undefined): boolean =>
  executable !== undefined && /^(node|nodejs|bun|deno)[-.0-9]*$/.test(baseName(executable))

/** Options of runtimes whose value is an argument of its own, before the script. */
const takesValue: ReadonlySet<string> = new Set([
  "-C",
  "-r",
  "--conditions",
  "--disable-warning",
  "--dns-result-order",
  "--env-file",
  "--env-file-if-exists",
  "--experimental-loader",
  "--icu-data-dir",
  "--import",
  "--input-type",
  "--inspect-port",
  "--loader",
  "--localstorage-file",
  "--openssl-config",
  "--preload",
  "--require",
  "--stack-trace-limit",
  "--title",
  "--unhandled-rejections"
])

/** What stands before the script of a runtime that has commands. */
const runs: ReadonlySet<string> = new Set(["run", "x", "exec"])

const isClaudePath = (command: string | undefined): boolean => {
  if (command === undefined) return false
  const path = withoutDeleted(command)
  return (
    /(^|\/)claude(-code)?(\.exe|\.[cm]?js)?$/.test(path) ||
    path.includes("/claude/versions/") ||
    path.includes("/claude-code/") ||
    path.includes("/claude-agent-sdk/")
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
