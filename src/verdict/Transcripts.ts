/**
 * The transcripts that Claude Code keeps of a worktree: a conversation about it is a sign of work in it.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { ClaudeSessions } from "../claims/ClaudeSessions.ts"
import * as ClaimIndex from "../claims/core/ClaimIndex.ts"
import type * as Place from "../claims/core/Place.ts"
import type * as PathResolver from "../claims/PathResolver.ts"
import type * as Processes from "../machine/core/Processes.ts"
import * as Bound from "../shared/Bound.ts"
import * as Known from "../shared/core/Known.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type { SignOfWork } from "./core/SignOfWork.ts"
import { newestCwd, prefixOf } from "./core/TranscriptNames.ts"

/**
 * Every directory of transcripts there is. Where that cannot be told, no worktree is known to be quiet.
 */
export const gather = (
  processes: Known.Known<Processes.ProcessList>
): Effect.Effect<Known.Known<ReadonlyArray<string>>, never, ClaudeSessions> =>
  Effect.flatMap(ClaudeSessions, (sessions) =>
    sessions.projects(processes._tag === "Known" ? processes.value.processes : [])
  ).pipe(
    Effect.map((directories): Known.Known<ReadonlyArray<string>> => Known.known(directories)),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the transcripts of Claude Code could not be looked for, so every worktree stays",
      bound: Bound.Git,
      safe: (reason): Known.Known<ReadonlyArray<string>> => Known.unknown(reason)
    })
  )

/** How much of the end of a transcript is read for its newest `cwd`. */
const tailBytes = 256 * 1024

const concurrency = 16

/**
 * The newest transcript of a worktree, by each of its paths. One counts when its newest `cwd` lies in the worktree, or
 * cannot be told.
 */
export const newest = (
  directories: Known.Known<ReadonlyArray<string>>,
  paths: ReadonlyArray<string>,
  places: ReadonlyArray<Place.Place>,
  resolve: PathResolver.PathResolver
): Effect.Effect<ReadonlyArray<Known.Known<SignOfWork>>, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (directories._tag === "Unknown") return [directories]
    const fs = yield* FileSystem.FileSystem
    const prefixes = paths.map(prefixOf)
    const files = yield* Effect.forEach(
      directories.value.filter((directory) => {
        const name = directory.slice(directory.lastIndexOf("/") + 1)
        return prefixes.some((prefix) => name.startsWith(prefix))
      }),
      (directory) => transcriptsIn(fs, directory)
    )
    for (const { file, at } of files.flat().sort((a, b) => b.at - a.at)) {
      const cwd = newestCwd(yield* tailOf(fs, file))
      const place = cwd === undefined ? undefined : yield* resolve(cwd)
      if (
        place?._tag !== "Resolved" ||
        places.some((around) => around._tag === "Unresolvable" || ClaimIndex.isOnOrInside(place, around))
      ) {
        return [Known.known({ what: `the transcript ${file}`, at })]
      }
    }
    return []
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the transcripts of a worktree could not be read, so it stays",
      bound: Bound.Git,
      safe: (reason): ReadonlyArray<Known.Known<SignOfWork>> => [Known.unknown(reason)]
    })
  )

interface Transcript {
  readonly file: string
  readonly at: number
}

const transcriptsIn = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  directory: string
): Effect.fn.Return<ReadonlyArray<Transcript>, PlatformError> {
  const names = yield* orNone(fs.readDirectory(directory))
  const found = yield* Effect.forEach(
    names.filter((name) => name.endsWith(".jsonl")),
    (name) =>
      orNone(
        Effect.map(fs.stat(`${directory}/${name}`), ({ type, mtime }): ReadonlyArray<Transcript> =>
          type === "File"
            ? [{ file: `${directory}/${name}`, at: Option.match(mtime, { onNone: () => NaN, onSome: Number }) }]
            : []
        )
      ),
    { concurrency }
  )
  return found.flat()
})

/** What is no directory, or not there any more, holds none. */
const orNone = <A>(self: Effect.Effect<ReadonlyArray<A>, PlatformError>) =>
  self.pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
    Effect.catchReason("PlatformError", "BadResource", () => Effect.succeed([]))
  )

/** `stat` said a moment ago that it is a regular file, which is never waited for. */
const tailOf = (fs: FileSystem.FileSystem, file: string): Effect.Effect<string, PlatformError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* fs.open(file, { flag: "r" })
      const { size } = yield* opened.stat
      const from = size > BigInt(tailBytes) ? size - BigInt(tailBytes) : 0n
      yield* opened.seek(from, "start")
      const bytes = yield* opened.readAlloc(tailBytes)
      return Option.match(bytes, { onNone: () => "", onSome: (read) => new TextDecoder().decode(read) })
    })
  )
