/**
 * What processes use, as `/proc` tells it.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Mounts from "./core/Mounts.ts"
import { isZombie, pathsOf, type PathUse, type Process, type ProcessList } from "./core/Processes.ts"
import { concurrency, hasCode, placeOf, readPermitted, unlistable } from "./ProcFiles.ts"
import { failed, type ProcessTableError, ProcessUnreadable, Unlistable } from "./ProcessTable.ts"

export const gather = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  list: ProcessList
): Effect.fn.Return<ReadonlyArray<PathUse>, ProcessTableError> {
  const listing = yield* unlistable(fs.readFileString("/proc/self/mountinfo"))
  const mounts = Mounts.parse(listing)
  if (mounts === undefined) return yield* failed(new Unlistable(), "/proc/self/mountinfo has another shape")
  if (list.self.user !== 0 && Mounts.hidesProcesses(mounts)) {
    return yield* failed(new Unlistable(), "/proc is mounted with hidepid and shows a user only their own processes")
  }
  const namespace = yield* unlistable(fs.readLink("/proc/self/ns/mnt"))
  const ours = { namespace, mounts, mountsIn: mountsSeenFrom({ listing, mounts }) }
  const uses = yield* Effect.forEach(
    list.processes.filter((process) => !isZombie(process)),
    (process) => usesOf(fs, ours, process),
    { concurrency }
  )
  return uses.flat()
})

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

/**
 * A process in another mount namespace spells paths as they are there; from here they are found below its root. Wherever
 * it is, a directory can be mounted in more than one place.
 */
const usesOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  ours: {
    readonly namespace: string
    readonly mounts: ReadonlyArray<Mounts.Mount>
    readonly mountsIn: (listing: string) => TheirMounts | undefined
  },
  process: Process
): Effect.fn.Return<ReadonlyArray<PathUse>, ProcessTableError> {
  const { pid } = process
  const at = placeOf(process)
  const link = (what: string) => readPermitted(pid, what, fs.readLink(`${at}/${what}`))
  const theirs = yield* link("ns/mnt")
  const elsewhere = Option.isSome(theirs) && theirs.value !== ours.namespace
  // Of another user's process the mounts are shown, and not which namespace they are those of.
  const listed = elsewhere || Option.isNone(theirs) ? yield* readMounts(fs, process) : Option.none<string>()
  const told = ours.mountsIn(Option.getOrElse(listed, () => ""))
  if (told === undefined) {
    return yield* failed(new ProcessUnreadable({ pid }), "its mountinfo has another shape")
  }
  const mounts = elsewhere ? told.mounts : ours.mounts
  const uses: Array<PathUse> = told.bound.map((path) => ({ pid, kind: "mount", path }))
  const add = (kind: PathUse["kind"], target: string) => {
    // A name may end so by itself.
    const spellings = target.endsWith(deleted) ? [target.slice(0, -deleted.length), target] : [target]
    for (const path of spellings) {
      if (!path.startsWith("/") || isDevice(path)) continue
      const paths = new Set([
        path,
        ...(elsewhere ? [`${at}/root${path}`] : []),
        ...Mounts.pathsOf(ours.mounts, mounts, path)
      ])
      for (const spelled of paths) uses.push({ pid, kind, path: spelled })
    }
  }
  for (const [what, kind] of links) Option.map(yield* link(what), (target) => add(kind, target))
  const files = yield* readPermitted(pid, "fd", fs.readDirectory(`${at}/fd`))
  for (const file of Option.getOrElse(files, () => [])) {
    Option.map(yield* link(`fd/${file}`), (target) => add("open file", target))
  }
  for (const path of pathsOf(process.args)) add("command line", path)
  return uses
})

const links: ReadonlyArray<readonly [string, PathUse["kind"]]> = [
  ["cwd", "working directory"],
  ["root", "root"],
  ["exe", "executable"]
]

const deleted = " (deleted)"

const isDevice = (path: string): boolean => /^\/(dev\/(?!shm\/)|memfd:|anon_hugepage|SYSV|\[aio\])/.test(path)
