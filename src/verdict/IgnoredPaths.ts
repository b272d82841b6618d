/**
 * What a tool makes again in a worktree: where it lies, what it takes, and what keeps it from being removed.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as DiskUsage from "./core/DiskUsage.ts"
import * as IgnoredTree from "./core/IgnoredTree.ts"
import * as NestedRepository from "./core/NestedRepository.ts"
import * as Regenerable from "./core/Regenerable.ts"
import * as DirectoryWalk from "./DirectoryWalk.ts"

/**
 * Divides what git ignores in the worktree at `root`.
 */
export const divide = (
  fs: FileSystem.FileSystem,
  root: string,
  content: IgnoredTree.Content,
  settings: Regenerable.Settings
): Effect.Effect<IgnoredTree.Divided> =>
  Effect.map(namesBeside(fs, root, content.ignored), (beside) => IgnoredTree.divide(content, beside, settings))

/**
 * Those of the ignored entries of a worktree that no tool is known to make again. A single file in a regenerable directory is
 * one of them: git names it by itself where something else there is not ignored.
 */
const precious = (
  fs: FileSystem.FileSystem,
  root: string,
  ignored: ReadonlyArray<string>,
  settings: Regenerable.Settings
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const beside = yield* namesBeside(fs, root, ignored)
    return ignored.filter(
      (entry) => !Regenerable.covering(entry, beside, settings).some(({ path }) => path === entry.replace(/\/$/, ""))
    )
  })

/**
 * The same, and those regenerable directories that hold what keeps them from being removed, each with what that is.
 */
export const unremovable = (
  fs: FileSystem.FileSystem,
  root: string,
  ignored: ReadonlyArray<string>,
  settings: Regenerable.Settings
): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  Effect.gen(function* () {
    const beside = yield* namesBeside(fs, root, ignored)
    const { uid } = yield* fs.lstat(root)
    const found = yield* Effect.forEach(
      ignored,
      Effect.fnUntraced(function* (entry) {
        const path = entry.replace(/\/$/, "")
        const covering = Regenerable.covering(entry, beside, settings).find((each) => each.path === path)
        if (covering === undefined) return [entry]
        if (covering.kind.entry !== "Directory") return []
        const examining = { settings, owner: Option.getOrUndefined(uid), total: DiskUsage.tally() }
        const { heldBack } = yield* examine(fs, `${root}/${path}`, covering, examining)
        return heldBack === undefined ? [] : [`${entry} (${heldBack})`]
      })
    )
    return found.flat()
  })

const namesBeside = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string,
  ignored: ReadonlyArray<string>
) {
  const names = new Map<string, ReadonlyArray<string>>()
  for (const directory of Regenerable.parents(ignored)) {
    // Without a marker nothing there is regenerable.
    names.set(directory, yield* Effect.orElseSucceed(fs.readDirectory(`${root}/${directory}`), () => []))
  }
  return (directory: string) => names.get(directory)
})

/**
 * One regenerable directory, gone over.
 */
export interface Examined extends Regenerable.Covering {
  readonly usage: DiskUsage.DiskUsage
  /** What in it keeps it from being removed, in words. */
  readonly heldBack: string | undefined
}

export interface Examining {
  readonly settings: Regenerable.Settings
  /** The user that the worktree belongs to. A directory of another user's cannot be emptied. */
  readonly owner: number | undefined
  /** Is given every entry, too. */
  readonly total: DiskUsage.Tally
}

/**
 * Goes over one regenerable directory, which may lie elsewhere by now.
 */
export const examine = (
  fs: FileSystem.FileSystem,
  directory: string,
  covering: Regenerable.Covering,
  { settings, owner, total }: Examining
): Effect.Effect<Examined, PlatformError> => {
  const examiner = examinerOf(covering, settings)
  return Effect.map(
    DirectoryWalk.walk(fs, directory, {
      onDirectory: (found) => {
        examiner.onDirectory(found, owner)
        count(total, found)
      },
      onOtherDevice: examiner.onOtherDevice
    }),
    examiner.result
  )
}

/**
 * What a whole tree takes, and the regenerable directories in it.
 */
export interface Measured {
  readonly usage: DiskUsage.DiskUsage
  /** That of the directories that nothing keeps. */
  readonly regenerable: DiskUsage.DiskUsage
  readonly directories: ReadonlyArray<Examined>
}

/**
 * Goes over a whole tree once. `total` is given every entry.
 */
export const measure = (
  fs: FileSystem.FileSystem,
  root: string,
  regenerable: ReadonlyArray<Regenerable.Covering>,
  settings: Regenerable.Settings,
  total: DiskUsage.Tally
): Effect.Effect<Measured, PlatformError> => {
  const own = DiskUsage.tally()
  let owner: number | undefined
  const examiners = new Map(regenerable.map((covering) => [covering.path, examinerOf(covering, settings)]))
  const inside = (path: string) => {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      const examiner = examiners.get(path.slice(0, end))
      if (examiner !== undefined) return { examiner, path: path.slice(end + 1) }
    }
    const examiner = examiners.get(path)
    return examiner === undefined ? undefined : { examiner, path: "" }
  }
  return Effect.map(
    DirectoryWalk.walk(fs, root, {
      onDirectory: (found) => {
        if (found.path === "") owner = found.self.owner
        count(own, found)
        count(total, found)
        const at = inside(found.path)
        at?.examiner.onDirectory({ ...found, path: at.path }, owner)
      },
      onOtherDevice: (path) => {
        const at = inside(path)
        at?.examiner.onOtherDevice(at.path)
      }
    }),
    () => {
      const directories = [...examiners.values()].map(({ result }) => result())
      return { usage: own.usage(), regenerable: sum(directories), directories }
    }
  )
}

/** A file with names in two of them counts as shared, although removing both frees it. */
const sum = (directories: ReadonlyArray<Examined>): DiskUsage.DiskUsage =>
  directories
    .filter(({ heldBack }) => heldBack === undefined)
    .reduce(
      (all, { usage }) => ({ bytes: all.bytes + usage.bytes, shared: all.shared + usage.shared }),
      DiskUsage.nothing
    )

const count = (tally: DiskUsage.Tally, { path, self, entries }: DirectoryWalk.Directory): void => {
  if (path === "") tally.add(self)
  for (const entry of entries) tally.add(entry)
}

const examinerOf = (covering: Regenerable.Covering, settings: Regenerable.Settings) => {
  const name = covering.path.slice(covering.path.lastIndexOf("/") + 1)
  const tally = DiskUsage.tally()
  let heldBack: string | undefined
  const at = (path: string) => (path === "" ? "" : `, at ${path}`)
  return {
    onDirectory: (found: DirectoryWalk.Directory, owner: number | undefined): void => {
      count(tally, found)
      if (found.self.owner !== owner) heldBack ??= `a directory in it belongs to another user${at(found.path)}`
      const names = found.entries.map((entry) => entry.name)
      const kept = names.find((each) => Regenerable.holdsBack(name, each, settings))
      if (kept !== undefined) heldBack ??= `it holds ${found.path === "" ? kept : `${found.path}/${kept}`}`
      if (names.some(DirectoryWalk.isUnreadable)) heldBack ??= `a name in it is not UTF-8${at(found.path)}`
      if (NestedRepository.isMarkedBy(names)) heldBack ??= `a repository lies in it${at(found.path)}`
    },
    onOtherDevice: (path: string): void => {
      heldBack ??= `another file system is mounted in it${at(path)}`
    },
    result: (): Examined => ({ ...covering, usage: tally.usage(), heldBack })
  }
}

/**
 * The file among the ignored entries that no tool makes again and that was written last, and when, in milliseconds since
 * the epoch. Regenerable directories in an ignored one are passed over; links are not followed.
 */
export const lastWrite = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string,
  ignored: ReadonlyArray<string>,
  settings: Regenerable.Settings
): Effect.fn.Return<{ readonly path: string; readonly at: number } | undefined, PlatformError> {
  let last: { readonly path: string; readonly at: number } | undefined
  const look = (path: string): Effect.Effect<void, PlatformError> =>
    fs.lstat(`${root}/${path}`).pipe(
      Effect.flatMap(({ type, mtime }) => {
        if (type === "Directory") return lookInto(path)
        // What tells no time was written just now for all that is known.
        const at = Option.match(mtime, { onNone: () => Infinity, onSome: (date) => date.getTime() })
        if (last === undefined || at > last.at || (at === last.at && path < last.path)) last = { path, at }
        return Effect.void
      }),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.void)
    )
  const lookInto = (directory: string): Effect.Effect<void, PlatformError> =>
    Effect.flatMap(fs.readDirectoryEntries(`${root}/${directory}`), (entries) => {
      const names = entries.map(({ name }) => name)
      const kept = entries.filter(
        ({ name, type }) =>
          (type !== "Directory" && type !== "File") || Regenerable.kindOf(name, type, names, settings) === undefined
      )
      return Effect.forEach(kept, ({ name }) => look(`${directory}/${name}`), {
        discard: true,
        concurrency: 16
      })
    })
  const entries = yield* precious(fs, root, ignored, settings)
  yield* Effect.forEach(entries, (entry) => look(entry.replace(/\/$/, "")), { discard: true })
  return last
})
