/**
 * What all processes use, gathered once for all candidates, and who is found to use one.
 */
import * as Interpreter from "../../machine/core/Interpreter.ts"
import * as MacPaths from "../../machine/core/MacPaths.ts"
import type * as PathUses from "../../machine/core/PathUses.ts"
import * as Processes from "../../machine/core/Processes.ts"
import * as Place from "./Place.ts"
import * as SpelledPath from "./SpelledPath.ts"

/**
 * What all processes use, gathered once for all candidates.
 */
export interface Gathered {
  readonly list: Processes.ProcessList
  /** The uses of each path by every key of its place: found for whatever holds the path. */
  readonly byKey: ReadonlyMap<string, ReadonlyArray<ResolvedPath>>
  readonly watches: ReadonlyMap<number, ReadonlyArray<PathUses.InodeUse>>
  /** Files that are open, and may be so by a name that lies elsewhere. */
  readonly openFiles: ReadonlyArray<PathUses.InodeUse>
  readonly sockets: ReadonlyArray<PathUses.SocketUse>
  readonly exactDevices: ReadonlySet<bigint>
  readonly commandLines: ReadonlyArray<CommandLine>
}

/**
 * One path, and all uses of it.
 */
export interface ResolvedPath {
  readonly place: Place.Place
  readonly uses: ReadonlyArray<PathUses.PathUse>
}

/**
 * The words of a process in which a path may be named. `foldsCase`: they are lower case, and name it in any case.
 */
export interface CommandLine {
  readonly pid: number
  readonly foldsCase: boolean
  readonly readings: ReadonlyArray<string>
  readonly isShell: boolean
  readonly directory: string | undefined
}

/**
 * A process that uses the candidate, and how. `pane` is the tmux pane in which it runs, where there is one.
 */
export interface Occupant {
  readonly pid: number
  readonly program: string
  readonly how: string
  readonly pane?: string | undefined
}

export const arrange = (
  list: Processes.ProcessList,
  uses: ReadonlyArray<PathUses.PathUse>,
  paths: ReadonlyArray<ResolvedPath>,
  { inodes, sockets = [], exactDevices }: Omit<PathUses.Uses, "paths">
): Gathered => {
  const byKey = new Map<string, Array<ResolvedPath>>()
  const directories = new Map<number, string>()
  for (const { pid, kind, path } of uses) {
    if (kind === "working directory" && !directories.has(pid)) directories.set(pid, path)
  }
  for (const path of paths) {
    for (const key of new Set(atLeast(path.place).chains.flat())) {
      const there = byKey.get(key)
      if (there === undefined) byKey.set(key, [path])
      else there.push(path)
    }
  }
  return {
    list,
    byKey,
    watches: Map.groupBy(
      inodes.filter(({ kind }) => kind === "watch"),
      ({ pid }) => pid
    ),
    openFiles: inodes.filter(({ kind }) => kind === "open file"),
    sockets,
    exactDevices,
    commandLines: list.processes.map((process) => ({
      pid: process.pid,
      foldsCase: list.argsAreWords === true,
      readings: [
        ...new Set(readingsOf([...process.args, ...(process.expandedArgs ?? [])], list.argsAreWords === true))
      ],
      isShell: Interpreter.isShellProcess(process),
      directory: directories.get(process.pid)
    }))
  }
}

/** Where arguments are words, `ps` has escaped what it did not print, and most file systems fold the case of names. */
const readingsOf = (args: ReadonlyArray<string>, areWords: boolean): ReadonlyArray<string> => {
  if (!areWords) return args.flatMap(SpelledPath.readings)
  const line = args.join(" ")
  return [line, MacPaths.unescape(line)].flatMap((text) => SpelledPath.readings(text).map(folded))
}

export const folded = (text: string): string => text.toLowerCase().normalize("NFC")

/**
 * A use of a path that cannot be resolved lies at least where its text says.
 */
const atLeast = (place: Place.Place): ReturnType<typeof Place.resolved> =>
  place._tag === "Resolved"
    ? place
    : Place.resolved(place.path, [{ segments: Place.segmentsOf(place.path) ?? [], identities: [] }])

export const occupant = ({ list }: Gathered, pid: number, how: string): Occupant => {
  const process = list.processes.find((each) => each.pid === pid)
  return { pid, program: process === undefined ? "a process" : Processes.programOf(process), how }
}
