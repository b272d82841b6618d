import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import type { ChildProcessSpawner } from "effect/process"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"
import * as OtherWriters from "../shared/OtherWriters.ts"
import * as Root from "../shared/core/Root.ts"
import * as Text from "../shared/core/Text.ts"
import * as Vantage from "./core/Vantage.ts"
import type * as MacTools from "./MacTools.ts"
import * as MountTable from "./MountTable.ts"

/**
 * Where this process stands, as far as it cannot be read from the file system.
 */
export interface Standing {
  /** As Node names it: `linux`, `darwin`, … */
  readonly platform: string
  /** The effective user. */
  readonly user: number | undefined
  /** `here`: all sessions live in this container, so that its own namespaces are vantage enough. */
  readonly vantage?: "host" | "here" | undefined
  /** Whether somebody named the root, so that it has to be there; so it is unless said otherwise. */
  readonly named?: boolean | undefined
  /** The programs of macOS, where they lie elsewhere. */
  readonly tools?: MacTools.MacTools | undefined
}

/**
 * Looks at where this process stands towards `root`. What cannot be told is left out, and that is no good vantage.
 */
export const gather = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  root: string,
  standing: Standing
): Effect.fn.Return<Vantage.Facts> {
  const stores = [root, `${root}/session-manager`, Root.store(root), `${root}/usage`, Root.sidecar(root)]
  const named = yield* looks(fs, [...stores, ...stores.flatMap(WritableByOthers.above)])
  // Where links lead.
  const reals = yield* Effect.forEach(
    stores,
    (path) => (isAbsent(named.get(path)) ? Effect.undefined : known(fs.realPath(path))),
    { concurrency }
  )
  const places = [...stores, ...reals.filter((path) => path !== undefined)]
  const above = new Set(places.flatMap(WritableByOthers.above))
  const [canonical] = reals
  const [rest, fileSystem] = yield* Effect.all(
    [
      looks(
        fs,
        [...above].filter((path) => !named.has(path))
      ),
      // Where there is no root, none is asked: a dead share can keep the answer waiting.
      canonical === undefined
        ? Effect.undefined
        : known(Effect.flatMap(MountTable.read(fs, spawner, standing), (mounts) => mounts.fileSystemOf(canonical)))
    ],
    { concurrency: 2 }
  )
  const seen = new Map([...named, ...rest])
  const exposed = yield* Effect.forEach(
    [
      ...stores.map((path) => [path, (info: FileSystem.File.Info) => OtherWriters.why(info, standing.user)] as const),
      ...[...above].map((path) => [path, OtherWriters.whyAbove] as const)
    ],
    ([path, why]) =>
      Effect.map(whyOf(seen.get(path), why), (told) => (told === undefined ? [] : [`"${Text.escape(path)}" ${told}`]))
  )
  const linux = standing.platform === "linux"
  const namespace = (kind: "user" | "time") =>
    linux ? Effect.orElseSucceed(namespaceOf(fs, kind), () => "one that is not known") : Effect.undefined
  return {
    platform: standing.platform,
    user: standing.user,
    root,
    rootOwner: ownerOf(seen.get(root)),
    userNamespace: yield* namespace("user"),
    timeNamespace: yield* namespace("time"),
    pidNamespace: linux ? yield* known(fs.readLink("/proc/self/ns/pid")) : undefined,
    needless:
      standing.named === false &&
      isAbsent(seen.get(root)) &&
      isAbsent((yield* looks({ stat: fs.lstat }, [root])).get(root)),
    sessionsAreHere: standing.vantage === "here",
    fileSystem,
    exposed: exposed.flat()[0]
  }
})

/** How many paths are looked at side by side. */
const concurrency = 8

type Look = Result.Result<FileSystem.File.Info, PlatformError>

const looks = (
  fs: Pick<FileSystem.FileSystem, "stat">,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Look>> =>
  Effect.map(
    Effect.forEach(
      new Set(paths),
      (path) => Effect.map(Effect.result(fs.stat(path)), (look) => [path, look] as const),
      {
        concurrency
      }
    ),
    (entries) => new Map(entries)
  )

const isAbsent = (look: Look | undefined): boolean =>
  look !== undefined && Result.isFailure(look) && look.failure.reason._tag === "NotFound"

const known = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | undefined> =>
  Effect.map(Effect.option(effect), Option.getOrUndefined)

const ownerOf = (look: Look | undefined): number | undefined =>
  look !== undefined && Result.isSuccess(look) ? Option.getOrUndefined(look.success.uid) : undefined

/**
 * The namespace of that kind that this process is in; `undefined` where the kernel has no such thing.
 */
export const namespaceOf = (
  fs: FileSystem.FileSystem,
  kind: "user" | "time"
): Effect.Effect<string | undefined, PlatformError> =>
  Effect.catchReason(fs.readLink(`/proc/self/ns/${kind}`), "PlatformError", "NotFound", () => Effect.undefined)

/** What is not there is nobody's; what is there and cannot be looked at may be anybody's. */
const whyOf = (
  look: Look | undefined,
  why: (info: FileSystem.File.Info) => Effect.Effect<string | undefined>
): Effect.Effect<string | undefined> => {
  if (look !== undefined && Result.isSuccess(look)) return why(look.success)
  return Effect.succeed(
    isAbsent(look)
      ? undefined
      : `could not be looked at (${look?.failure.message ?? "not looked at"}); see that you may read it`
  )
}
