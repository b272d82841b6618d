/**
 * What processes use.
 */
import * as Interpreter from "./Interpreter.ts"
import { ancestors, descendants, type Process, type ProcessList, programOf } from "./Processes.ts"
import * as TmuxServer from "./TmuxServer.ts"

/**
 * One way in which a process uses a path. `path` is spelled so that it can be looked up from here. A `mount` is what the
 * mount namespace of the process, when it is not ours, shows by itself, whether or not anything in there uses it.
 */
export interface PathUse {
  readonly pid: number
  readonly kind:
    | "working directory"
    | "root"
    | "executable"
    | "open file"
    | "mapped file"
    | "command line"
    | "registry entry"
    | "mount"
  readonly path: string
  /** The text behind a path that was cut out of a command line, where its name may go on. */
  readonly followedBy?: string | undefined
}

/**
 * A use of which only the numbers of the file are known.
 */
export interface InodeUse {
  readonly pid: number
  readonly kind: "watch" | "open file"
  readonly device: bigint
  readonly inode: bigint
}

/**
 * A socket whose path was relative to a directory that nobody tells any more.
 */
export interface SocketUse {
  readonly pid: number
  readonly path: string
}

/**
 * All uses of some processes, as far as they may be seen.
 */
export interface Uses {
  readonly paths: ReadonlyArray<PathUse>
  readonly inodes: ReadonlyArray<InodeUse>
  readonly sockets?: ReadonlyArray<SocketUse>
  /** The devices whose numbers are the same in an `InodeUse` and in `stat`. On others the inode alone tells. */
  readonly exactDevices: ReadonlySet<bigint>
}

/** Nothing is used. */
export const none: Uses = { paths: [], inodes: [], exactDevices: new Set() }

/**
 * The list as far as it counts against a candidate. Left out are what the asking process started, git's own file watchers,
 * its own command line,
 * those of tmux servers that were heard and of the shells and runtimes that lead up to it, and, in every process above
 * it, the words that are its own arguments.
 */
export const counting = (list: ProcessList, heardServers: ReadonlySet<number>): ProcessList => {
  const own = descendants(list)
  const above = new Set(ancestors(list))
  const silent = silentOf(list, heardServers)
  const words = list.processes.find(({ pid }) => pid === list.self.pid)?.args ?? []
  const counted = (pid: number, args: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (silent.has(pid)) return []
    return above.has(pid) ? args.map((arg) => without(arg, words)) : args
  }
  return {
    ...list,
    processes: list.processes
      .filter((process) => process.pid === list.self.pid || !(own.has(process.pid) || isFileWatcher(process)))
      .map((process) => ({
        ...process,
        args: counted(process.pid, process.args),
        expandedArgs: counted(process.pid, process.expandedArgs ?? [])
      }))
  }
}

/**
 * Whether the use counts against a candidate: neither the working directory of a tmux server that was heard does, nor a
 * command line that does not count.
 */
export const counts = (list: ProcessList, heardServers: ReadonlySet<number>): ((use: PathUse) => boolean) => {
  const silent = silentOf(list, heardServers)
  const heard = new Set(list.processes.filter((process) => isHeard(process, heardServers)).map(({ pid }) => pid))
  return ({ pid, kind }) =>
    kind === "command line" ? !silent.has(pid) : kind !== "working directory" || !heard.has(pid)
}

/** What git itself leaves running in each worktree where `core.fsmonitor` is on. */
const isFileWatcher = (process: Process): boolean =>
  programOf(process) === "git" && process.args[1] === "fsmonitor--daemon"

/** The processes whose command lines do not count. */
const silentOf = (list: ProcessList, heardServers: ReadonlySet<number>): ReadonlySet<number> => {
  const [self, ...above] = ancestors(list)
  const byPid = new Map(list.processes.map((process) => [process.pid, process]))
  const firstOther = above.findIndex((pid) => {
    const process = byPid.get(pid)
    return process === undefined || !Interpreter.is(process)
  })
  return new Set([
    ...(self === undefined ? [] : [self]),
    ...(firstOther === -1 ? above : above.slice(0, firstOther)),
    ...list.processes.filter((process) => isHeard(process, heardServers)).map(({ pid }) => pid)
  ])
}

/** A server in another pid namespace answers with a pid that is not its own here. */
const isHeard = (process: Process, heardServers: ReadonlySet<number>): boolean =>
  heardServers.has(process.pid) && TmuxServer.is(process)

/** The text without the words that stand in it by themselves. */
const without = (text: string, words: ReadonlyArray<string>): string => {
  let rest = text
  for (const word of words) {
    if (word === "") continue
    for (let at = rest.indexOf(word); at !== -1; at = rest.indexOf(word, at)) {
      const end = at + word.length
      if (isEdge(rest[at - 1]) && isEdge(rest[end])) rest = rest.slice(0, at) + rest.slice(end)
      else at++
    }
  }
  return rest
}

const isEdge = (character: string | undefined): boolean => character === undefined || /[\s"'`;&|()]/.test(character)

/**
 * A path that a command line names. `followedBy` is the text behind it, where it was cut out of a longer one: a name with a
 * space in it may go on there.
 */
export interface NamedPath {
  readonly path: string
  readonly followedBy?: string | undefined
}

/**
 * The paths that a command line names, relative ones as seen from `directory`: each argument whole or from its first `=`
 * on, and whatever looks like a path within an argument, which may be a script or a list. A text that is too long for a
 * path names none.
 */
export const pathsOf = (args: ReadonlyArray<string>, directory: string | undefined): ReadonlyArray<NamedPath> => {
  const named = args.flatMap((arg): ReadonlyArray<NamedPath> => {
    const value = arg.slice(arg.indexOf("=") + 1)
    return [
      ...(arg.startsWith("-") ? [] : [{ path: arg }]),
      ...(value !== arg && (value.includes("/") || value.startsWith(".")) ? [{ path: value }] : []),
      ...Array.from(arg.matchAll(pathWithin), (match) => {
        const end = match.index + match[0].length
        return { path: match[0], followedBy: arg.slice(end, end + longestName) }
      }).filter(({ path }) => path !== arg && path !== value)
    ]
  })
  const distinct = new Map(named.map((each) => [`${each.path}\0${each.followedBy ?? ""}`, each]))
  return [...distinct.values()].flatMap(({ path, ...rest }) => {
    const full = path.startsWith("/") ? path : inside(directory, path)
    return full === undefined || full.length > longestPath ? [] : [{ path: full, ...rest }]
  })
}

const inside = (directory: string | undefined, path: string): string | undefined =>
  directory === undefined || path === "" || path.includes("://") ? undefined : `${directory}/${path}`

/** In bytes, and so at most as many characters. */
const longestName = 255

/** In characters: what Linux takes has at most 4,096 bytes, and others take less. */
const longestPath = 4096

const pathWithin =
  /(?<![^\s"'`=:,;|&<>(){}[\]@])(?:\/|[^\s"'`=:,;|&<>(){}[\]@/-][^\s"'`=:,;|&<>(){}[\]@/]*\/)[^\s"'`=:,;|&<>(){}[\]]*/g
