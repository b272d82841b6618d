/**
 * Keeps two sweeps from changing the same repository at once, by a file in `reclaimed/`.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as RegularFile from "../shared/RegularFile.ts"
import * as WholeFile from "../shared/WholeFile.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import { type GitError, notDone } from "../verdict/GitCommand.ts"
import * as SweepGuard from "./core/SweepGuard.ts"
import * as OwnDirectory from "./OwnDirectory.ts"

export interface Asked {
  readonly fs: FileSystem.FileSystem
  readonly user: number | undefined
  readonly commonDirectory: string
  readonly own: SweepGuard.SweepGuard
  readonly isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
}

/**
 * Creates the guard, or takes over one whose holder is gone. Only one sweep at a time may take over, and it looks once
 * more whether there is still something to take.
 */
export const acquire = Effect.fnUntraced(function* ({
  fs,
  user,
  commonDirectory,
  own,
  isAbandoned
}: Asked): Effect.fn.Return<void, GitError> {
  const workshop = ReclaimedDirectory.of(commonDirectory)
  const path = guardOf(commonDirectory)
  const takeover = `${path}-takeover`
  const fail = (detail: string) => notDone(commonDirectory, detail)
  const worded = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) =>
      fail(
        cause.reason._tag === "AlreadyExists"
          ? `another sweep is at work; wait for it, or remove ${path}* if none runs`
          : cause.message
      )
    )
  const create = (name: string) =>
    worded(WholeFile.create(fs, { path: name, text: SweepGuard.print(own), mode: 0o600, workshop }))
  const isLeft = Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, path, maxBytes)
    if (found._tag === "Nothing") return false
    const holder = found._tag === "File" ? SweepGuard.parse(found.text) : Option.none()
    if (Option.isNone(holder)) return yield* fail(`${path} names no sweep; remove it if none runs`)
    if (SweepGuard.isElsewhere(holder.value, own)) {
      return yield* fail(
        `a sweep on another machine or in another pid namespace (pid ${holder.value.pid} there) holds the repository, and whether it is still at work cannot be found out from here; wait for it, or remove ${path} if it has ended`
      )
    }
    if (yield* isAbandoned(holder.value)) return true
    return yield* fail(
      `another sweep is at work (pid ${holder.value.pid}), or git still is for one; wait for it, or remove ${path} if it has ended`
    )
  })
  yield* Effect.mapError(OwnDirectory.ensure(fs, workshop, user), fail)
  if (!(yield* isLeft)) return yield* create(path)
  yield* create(takeover)
  const drop = Effect.ignore(fs.remove(takeover))
  yield* Effect.flatMap(isLeft, (still) =>
    still ? worded(fs.rename(takeover, path)) : Effect.andThen(create(path), drop)
  ).pipe(Effect.onError(() => drop))
})

/**
 * Removes the guard, unless it is another's by now.
 */
export const release = ({ fs, commonDirectory, own }: Asked): Effect.Effect<void> =>
  Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, guardOf(commonDirectory), maxBytes)
    if (found._tag === "File" && found.text === SweepGuard.print(own)) yield* fs.remove(guardOf(commonDirectory))
  }).pipe(Effect.ignore)

const guardOf = (commonDirectory: string): string => `${ReclaimedDirectory.of(commonDirectory)}/.sweep`

const maxBytes = 64 * 1024
