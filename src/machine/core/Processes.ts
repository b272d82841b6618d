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
  /** Those of the arguments that name paths by `~` or by variables, as its environment completes them. */
  readonly expandedArgs?: ReadonlyArray<string> | undefined
  /** The thread that shows what it uses, when its first one has ended and others have not. */
  readonly thread?: number | undefined
}

/**
 * A whole process table, and which process of it asked.
 */
export interface ProcessList {
  readonly self: { readonly pid: number; readonly user: number }
  /** When the machine booted, in milliseconds since the epoch, or `null` where it is not told. */
  readonly bootedAt: number | null
  /** The pid namespace that the pids are those of, as Linux names it; absent where it is not told. */
  readonly pidNamespace?: string | undefined
  /** Whether the arguments were split at every space, because it is not told where one ends. */
  readonly argsAreWords?: boolean | undefined
  readonly processes: ReadonlyArray<Process>
}

/**
 * Whether the list holds the process that asked. One that does not was cut off, or is another machine's.
 */
export const holdsSelf = (list: ProcessList): boolean => list.processes.some(({ pid }) => pid === list.self.pid)

/**
 * Whether it has ended and only its parent has not taken note. macOS marks with `E` what is about to, and runs no more code.
 */
export const isZombie = ({ state }: Pick<Process, "state">): boolean => /^([ZX]|.[<NX]*E)/.test(state)

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

/**
 * The last part of the path of a program, without the mark of one that was deleted.
 */
export const baseName = (command: string): string => {
  const path = withoutDeleted(command)
  return path.slice(path.lastIndexOf("/") + 1)
}

export const withoutDeleted = (path: string): string => (path.endsWith(deleted) ? path.slice(0, -deleted.length) : path)

const deleted = " (deleted)"

/**
 * What a process is called towards people: the program that it runs.
 */
export const programOf = ({ executable, name }: Pick<Process, "executable" | "name">): string =>
  executable === undefined ? name : baseName(executable)
