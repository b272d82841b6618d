/**
 * Looks through the stores of agents for directories that no repository registers, and changes nothing.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Text from "../shared/core/Text.ts"
import * as AdminDirectory from "../verdict/AdminDirectory.ts"
import type { Repository } from "../verdict/Git.ts"
import * as Orphan from "./core/Orphan.ts"

/**
 * Those in the stores of the repositories' checkouts, and in the stores that a person names. A store that cannot be read
 * holds none.
 */
export const gather = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  repositories: ReadonlyArray<Repository>,
  stores: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Orphan.Orphan>> {
  const paths = repositories.flatMap(({ worktrees }) => worktrees.map(({ path }) => path))
  const around = repositories.map(({ commonDirectory }) => parentOf(commonDirectory))
  const registered = new Set([...paths, ...repositories.map(({ commonDirectory }) => commonDirectory)])
  const found = new Map<string, Orphan.Orphan>()
  for (const store of new Set([...[...paths, ...around].map(Orphan.storeOf), ...stores])) {
    // Else a link would make another directory a store.
    if (!stores.includes(store) && !(yield* isDirectory(fs, store))) continue
    for (const orphan of yield* inDirectory(fs, store, store, registered)) found.set(orphan.path, orphan)
  }
  return [...found.values()].sort((a, b) => Text.compare(a.path, b.path))
})

const inDirectory = (
  fs: FileSystem.FileSystem,
  store: string,
  directory: string,
  registered: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<Orphan.Orphan>> =>
  Effect.gen(function* () {
    const names = yield* Effect.orElseSucceed(fs.readDirectory(directory), () => [])
    const found = yield* Effect.forEach(names, (name) => {
      const path = `${directory}/${name}`
      switch (Orphan.relation(path, registered)) {
        case "Registered":
          return Effect.succeed([])
        case "LeadsTo":
          return inDirectory(fs, store, path, registered)
        case "Unknown":
          return Effect.map(lookAt(fs, store, path), Option.toArray)
      }
    })
    return found.flat()
  })

const lookAt = (fs: FileSystem.FileSystem, store: string, path: string): Effect.Effect<Option.Option<Orphan.Orphan>> =>
  Effect.gen(function* () {
    const info = yield* fs.lstat(path)
    if (info.type !== "Directory") return Option.none()
    const names = yield* fs.readDirectory(path)
    const seen = yield* kindOf(fs, path, names)
    if (seen === undefined) return Option.none()
    return Option.some({
      ...seen,
      path,
      store,
      writtenAt: Option.getOrUndefined(Option.map(info.mtime, (date) => date.getTime())),
      owner: Option.getOrUndefined(info.uid),
      identity: `${info.dev}:${Option.getOrElse(info.ino, () => "?")}`
    })
  }).pipe(Effect.orElseSucceed(() => Option.none()))

/** `undefined`: it is a worktree of another repository. */
const kindOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  path: string,
  names: ReadonlyArray<string>
): Effect.fn.Return<Pick<Orphan.Orphan, "kind" | "adminDirectory"> | undefined> {
  if (names.length === 0) return { kind: "Empty", adminDirectory: undefined }
  if (!names.includes(".git")) return { kind: "Files", adminDirectory: undefined }
  const adminDirectory = yield* Effect.option(AdminDirectory.find(fs, path))
  if (Option.isNone(adminDirectory)) return { kind: "Files", adminDirectory: undefined }
  if (adminDirectory.value === `${path}/.git`) return { kind: "Repository", adminDirectory: undefined }
  const isThere = yield* isDirectory(fs, adminDirectory.value)
  return isThere ? undefined : { kind: "Checkout", adminDirectory: adminDirectory.value }
})

const isDirectory = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean> =>
  fs.lstat(path).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"
