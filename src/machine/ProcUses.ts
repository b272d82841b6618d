/**
 * What processes use, as `/proc` tells it.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as InotifyMarks from "./core/InotifyMarks.ts"
import * as Mounts from "./core/Mounts.ts"
import { type InodeUse, type PathUse, pathsOf, type SocketUse, type Uses } from "./core/PathUses.ts"
import * as UnixSockets from "./core/UnixSockets.ts"
import { isZombie, type Process, type ProcessList } from "./core/Processes.ts"
import { concurrency, hasCode, hasGone, placeOf, readPermitted, unlistable } from "./ProcFiles.ts"
import { failed, type ProcessTableError, ProcessUnreadable, Unlistable } from "./ProcessTable.ts"

export const gather = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  list: ProcessList
): Effect.fn.Return<Uses, ProcessTableError> {
  const listing = yield* unlistable(fs.readFileString("/proc/self/mountinfo"))
  const mounts = Mounts.parse(listing)
  if (mounts === undefined) return yield* failed(new Unlistable(), "/proc/self/mountinfo has another shape")
  if (list.self.user !== 0 && Mounts.hidesProcesses(mounts)) {
    return yield* failed(new Unlistable(), "/proc is mounted with hidepid and shows a user only their own processes")
  }
  const namespace = yield* unlistable(fs.readLink("/proc/self/ns/mnt"))
  const ours: Seen = {
    namespace,
    mounts,
    mountsIn: mountsSeenFrom({ listing, mounts }),
    // Where it is not told every list is read.
    socketPath: socketPaths(fs, yield* Effect.orElseSucceed(fs.readLink("/proc/self/ns/net"), () => "")),
    pathsOf: remembered((path) => [...new Set([path, ...Mounts.pathsOf(mounts, mounts, path)])])
  }
  const uses = yield* Effect.forEach(
    list.processes.filter((process) => !isZombie(process)),
    (process) => usesOf(fs, ours, process),
    { concurrency }
  )
  return {
    paths: uses.flatMap(({ paths }) => paths),
    inodes: uses.flatMap(({ inodes }) => inodes),
    sockets: uses.flatMap(({ sockets }) => sockets),
    exactDevices: exactDevices(mounts)
  }
})

/** Thousands of processes have the same libraries mapped. */
const remembered = (spellings: (path: string) => ReadonlyArray<string>): ((path: string) => ReadonlyArray<string>) => {
  const known = new Map<string, ReadonlyArray<string>>()
  return (path) => {
    const spelled = known.get(path) ?? spellings(path)
    known.set(path, spelled)
    return spelled
  }
}

interface TheirMounts {
  readonly mounts: ReadonlyArray<Mounts.Mount>
  /** The paths here of what they show by themselves. */
  readonly bound: ReadonlyArray<string>
}

/**
 * Reads what the processes of another mount namespace list, and what all of one namespace list alike only once. What
 * shows our own mounts is told by git's inspection.
 */
const mountsSeenFrom = (ours: {
  readonly listing: string
  readonly mounts: ReadonlyArray<Mounts.Mount>
}): ((listing: string) => TheirMounts | undefined) => {
  const known = new Map<string, TheirMounts | undefined>([[ours.listing, { mounts: ours.mounts, bound: [] }]])
  return (listing) => {
    if (!known.has(listing)) {
      const mounts = Mounts.parse(listing)
      known.set(
        listing,
        mounts && { mounts, bound: [...new Set(Mounts.bound(ours.mounts, mounts).map(({ path }) => path))] }
      )
    }
    return known.get(listing)
  }
}

/**
 * A process that is ending has no mounts any more: then they cannot be listed, which is told by EINVAL.
 */
const readMounts = (fs: FileSystem.FileSystem, process: Process) =>
  readPermitted(
    process.pid,
    "mountinfo",
    Effect.catchIf(
      fs.readFileString(`${placeOf(process)}/mountinfo`),
      (error) => hasCode(error, "EINVAL"),
      () => Effect.succeed("")
    )
  )

interface Seen {
  readonly namespace: string
  readonly mounts: ReadonlyArray<Mounts.Mount>
  readonly mountsIn: (listing: string) => TheirMounts | undefined
  /** The path of a socket that this process has open, and the target itself of what is none. */
  readonly socketPath: (process: Process, target: string) => Effect.Effect<string, ProcessTableError>
  /** Every path among our mounts of one that is spelled as we spell it. */
  readonly pathsOf: (path: string) => ReadonlyArray<string>
}

/**
 * A process in another mount namespace spells paths as they are there; from here they are found below its root. Wherever
 * it is, a directory can be mounted in more than one place.
 */
const usesOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  ours: Seen,
  process: Process
): Effect.fn.Return<Required<Omit<Uses, "exactDevices">>, ProcessTableError> {
  const { pid } = process
  const at = placeOf(process)
  const link = (what: string) => readPermitted(pid, what, fs.readLink(`${at}/${what}`))
  const theirs = yield* link("ns/mnt")
  const elsewhere = Option.isSome(theirs) && theirs.value !== ours.namespace
  // Of another user's process the mounts are shown, and not which namespace they are those of.
  const listed = elsewhere || Option.isNone(theirs) ? yield* readMounts(fs, process) : Option.none<string>()
  const known = ours.mountsIn(Option.getOrElse(listed, () => ""))
  if (known === undefined) {
    return yield* failed(new ProcessUnreadable({ pid }), "its mountinfo has another shape")
  }
  const paths: Array<PathUse> = known.bound.map((path) => ({ pid, kind: "mount", path }))
  const add = (kind: PathUse["kind"], target: string, more: Pick<PathUse, "followedBy"> = {}) => {
    // A name may end so by itself.
    const spellings = target.endsWith(deleted) ? [target.slice(0, -deleted.length), target] : [target]
    for (const path of spellings) {
      if (!path.startsWith("/") || isDevice(path)) continue
      const spelled = elsewhere
        ? new Set([path, `${at}/root${path}`, ...Mounts.pathsOf(ours.mounts, known.mounts, path)])
        : ours.pathsOf(path)
      for (const spelling of spelled) paths.push({ pid, kind, path: spelling, ...more })
    }
  }
  const directory = yield* link("cwd")
  Option.map(directory, (target) => add("working directory", target))
  if (Option.isSome(directory)) {
    for (const other of yield* directoriesOfThreads(fs, process)) {
      if (other !== directory.value) add("working directory", other)
    }
  }
  Option.map(yield* link("root"), (target) => add("root", target))
  Option.map(yield* link("exe"), (target) => add("executable", target))
  const inodes: Array<InodeUse> = []
  const sockets: Array<SocketUse> = []
  for (const file of Option.getOrElse(yield* readPermitted(pid, "fd", fs.readDirectory(`${at}/fd`)), () => [])) {
    const target = yield* link(`fd/${file}`)
    if (Option.isNone(target)) continue
    if (target.value === "anon_inode:inotify" || target.value === "inotify") {
      for (const mark of yield* watchesOf(fs, process, file)) inodes.push({ pid, kind: "watch", ...mark })
      continue
    }
    const path = yield* ours.socketPath(process, target.value)
    if (path !== target.value && !path.startsWith("/")) sockets.push({ pid, path })
    else add("open file", path)
  }
  const maps = yield* readPermitted(pid, "maps", fs.readFileString(`${at}/maps`))
  for (const path of mappedIn(Option.getOrElse(maps, () => ""))) add("mapped file", path)
  const words = [...process.args, ...(process.expandedArgs ?? [])]
  for (const { path, ...more } of pathsOf(words, Option.getOrUndefined(directory))) add("command line", path, more)
  return { paths, inodes, sockets }
})

/**
 * Sockets are listed by network namespace, of which a container has its own: one that is not in our list may be in that of
 * its process. Each list is read once.
 */
const socketPaths = (fs: FileSystem.FileSystem, ours: string): Seen["socketPath"] => {
  const lists = new Map<string, ReadonlyMap<string, string>>()
  const listOf = Effect.fnUntraced(function* (process: string, namespace: string) {
    const known = lists.get(namespace)
    if (known !== undefined) return known
    const text = yield* socketsSeenBy(fs, process)
    const fresh = UnixSockets.parse(text)
    // A process that has gone shows nothing, and speaks for no other.
    if (text !== "") lists.set(namespace, fresh)
    return fresh
  })
  return Effect.fnUntraced(function* (process, target) {
    if (!target.startsWith("socket:[")) return target
    const here = (yield* listOf("self", ours)).get(target)
    if (here !== undefined) return here
    const { pid } = process
    const theirs = yield* readPermitted(pid, "ns/net", fs.readLink(`${placeOf(process)}/ns/net`))
    if (Option.isNone(theirs) || theirs.value === ours) return target
    return (yield* listOf(String(pid), theirs.value)).get(target) ?? target
  })
}

/** Nothing where the kernel has no such sockets, or does not show them. */
const socketsSeenBy = (fs: FileSystem.FileSystem, process: string): Effect.Effect<string, ProcessTableError> =>
  fs.readFileString(`/proc/${process}/net/unix`).pipe(
    Effect.catchIf(
      (error) => hasGone(error) || hasCode(error, "EINVAL") || error.reason._tag === "PermissionDenied",
      () => Effect.succeed("")
    ),
    unlistable
  )

/** A thread may have left the working directory of the others for one of its own. */
const directoriesOfThreads = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  { pid }: Process
): Effect.fn.Return<ReadonlySet<string>, ProcessTableError> {
  const threads = Option.getOrElse(yield* readPermitted(pid, "task", fs.readDirectory(`/proc/${pid}/task`)), () => [])
  if (threads.length < 2) return new Set()
  const directories = yield* Effect.forEach(threads, (thread) =>
    readPermitted(pid, `task/${thread}/cwd`, fs.readLink(`/proc/${pid}/task/${thread}/cwd`))
  )
  return new Set(directories.flatMap(Option.toArray))
})

const watchesOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  process: Process,
  file: string
): Effect.fn.Return<ReadonlyArray<InotifyMarks.Mark>, ProcessTableError> {
  const { pid } = process
  const text = yield* readPermitted(pid, `fdinfo/${file}`, fs.readFileString(`${placeOf(process)}/fdinfo/${file}`))
  const marks = InotifyMarks.parse(Option.getOrElse(text, () => ""))
  return marks ?? (yield* failed(new ProcessUnreadable({ pid }), `its fdinfo/${file} has another shape`))
})

/** The files in a list of mappings, where a line feed in a name is written as `\012`. */
const mappedIn = (maps: string): ReadonlySet<string> =>
  new Set(
    Array.from(maps.matchAll(/^\S+ \S+ \S+ \S+ \S+ +(\/.*)$/gm), ([, path = ""]) => path.replaceAll("\\012", "\n"))
  )

const deleted = " (deleted)"

const isDevice = (path: string): boolean => /^\/(dev\/(?!shm\/)|memfd:|anon_hugepage|SYSV|\[aio\])/.test(path)

/** The devices of ours whose file systems give a watch the numbers that `stat` gives. */
const exactDevices = (mounts: ReadonlyArray<Mounts.Mount>): ReadonlySet<bigint> =>
  new Set(
    mounts.flatMap(({ type, device }) => {
      const [major = "", minor = ""] = device.split(":")
      return type === "ext4" || type === "xfs" ? [InotifyMarks.deviceOf(BigInt(major), BigInt(minor))] : []
    })
  )
