/**
 * One walk over all directories of a worktree: when each was last written, and which repositories lie inside.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Known from "../shared/core/Known.ts"
import * as Text from "../shared/core/Text.ts"
import * as NestedRepository from "./core/NestedRepository.ts"
import * as Regenerable from "./core/Regenerable.ts"
import * as SignOfWork from "./core/SignOfWork.ts"

export interface TreeWalk {
  /** The directory that was written last. */
  readonly sign: Known.Known<SignOfWork.SignOfWork>
  /** Repositories of any kind, ignored ones too but the worktree itself. */
  readonly repositories: ReadonlyArray<string>
}

interface Directory {
  readonly path: string
  /** How deep it lies in a regenerable one, which is 1; 0 outside. */
  readonly regenerableDepth: number
}

/** A build writes these; what it writes deeper in says no more. */
const regenerableLevels = 2

const concurrency = 16

/**
 * Links are not followed.
 */
export const walk = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string,
  settings: Regenerable.Settings = {}
): Effect.fn.Return<TreeWalk, PlatformError> {
  const signs: Array<Known.Known<SignOfWork.SignOfWork>> = []
  const repositories: Array<string> = []
  const enter = Effect.fnUntraced(function* ({ path, regenerableDepth }: Directory) {
    const entries = yield* fs.readDirectoryEntries(path)
    if (regenerableDepth <= regenerableLevels) signs.push(writtenAt(path, yield* fs.lstat(path)))
    const names = entries.map(({ name }) => name)
    if (holdsRepository(names, path === root)) repositories.push(path)
    const directories = yield* Effect.filter(entries, ({ name, type }) =>
      type === "Unknown"
        ? Effect.map(fs.lstat(`${path}/${name}`), (info) => info.type === "Directory")
        : Effect.succeed(type === "Directory")
    )
    return directories.flatMap(({ name }): ReadonlyArray<Directory> => {
      if (name === ".git") return []
      const begins = regenerableDepth === 0 && Regenerable.kindOf(name, "Directory", names, settings) !== undefined
      return [{ path: `${path}/${name}`, regenerableDepth: regenerableDepth > 0 || begins ? regenerableDepth + 1 : 0 }]
    })
  })
  let level: ReadonlyArray<Directory> = [{ path: root, regenerableDepth: 0 }]
  while (level.length > 0) level = (yield* Effect.forEach(level, enter, { concurrency })).flat()
  return { sign: SignOfWork.newest(signs), repositories: repositories.sort(Text.compare) }
})

const writtenAt = (path: string, { mtime }: FileSystem.File.Info): Known.Known<SignOfWork.SignOfWork> =>
  Option.match(mtime, {
    onNone: () => Known.unknown(`the directory ${path} tells no time`),
    onSome: (date) => Known.known({ what: `the directory ${path}`, at: date.getTime() })
  })

/** A worktree's own `.git` is no other repository, and what stands at its top need not be one. */
const holdsRepository = (names: ReadonlyArray<string>, isRoot: boolean): boolean =>
  NestedRepository.isMarkedBy(isRoot ? names.filter((name) => name !== ".git" && name !== "HEAD") : names)
