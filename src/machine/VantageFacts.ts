import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
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
  const known = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.option(effect), Option.getOrUndefined)
  const owner = yield* known(fs.stat(root))
  const isAbsent = yield* Effect.match(fs.lstat(root), {
    onFailure: ({ reason }) => reason._tag === "NotFound",
    onSuccess: () => false
  })
  const canonical = yield* known(fs.realPath(root))
  const stores = [root, `${root}/session-manager`, Root.store(root), `${root}/usage`, Root.sidecar(root)]
  const exposed = yield* Effect.forEach(stores, (path) =>
    Effect.map(looked(Effect.flatMap(fs.stat(path), (info) => OtherWriters.why(info, standing.user))), (why) =>
      why === undefined ? [] : [`"${Text.escape(path)}" ${why}`]
    )
  )
  // Where each lies as it is named, and where links lead.
  const places = yield* Effect.forEach(stores, (path) =>
    Effect.map(known(fs.realPath(path)), (real) => [path, ...(real === undefined ? [] : [real])])
  )
  const above = yield* Effect.forEach(new Set(places.flat().flatMap(WritableByOthers.above)), (path) =>
    Effect.map(looked(Effect.flatMap(fs.stat(path), OtherWriters.whyAbove)), (why) =>
      why === undefined ? [] : [`"${Text.escape(path)}" ${why}`]
    )
  )
  const linux = standing.platform === "linux"
  const namespace = (kind: "user" | "time") =>
    linux ? Effect.orElseSucceed(namespaceOf(fs, kind), () => "one that could not be told") : Effect.undefined
  const fileSystem =
    canonical === undefined
      ? undefined
      : yield* known(Effect.flatMap(MountTable.read(fs, spawner, standing), (table) => table.fileSystemOf(canonical)))
  return {
    platform: standing.platform,
    user: standing.user,
    root,
    rootOwner: owner === undefined ? undefined : Option.getOrUndefined(owner.uid),
    userNamespace: yield* namespace("user"),
    timeNamespace: yield* namespace("time"),
    pidNamespace: linux ? yield* known(fs.readLink("/proc/self/ns/pid")) : undefined,
    needless: standing.named === false && isAbsent,
    sessionsAreHere: standing.vantage === "here",
    fileSystem,
    exposed: [...exposed, ...above].flat()[0]
  }
})

/**
 * The namespace of that kind that this process is in; `undefined` where the kernel has no such thing.
 */
export const namespaceOf = (
  fs: FileSystem.FileSystem,
  kind: "user" | "time"
): Effect.Effect<string | undefined, PlatformError> =>
  Effect.catchReason(fs.readLink(`/proc/self/ns/${kind}`), "PlatformError", "NotFound", () => Effect.undefined)

/** What is not there is nobody's; what is there and cannot be looked at may be anybody's. */
const looked = (why: Effect.Effect<string | undefined, PlatformError>): Effect.Effect<string | undefined> =>
  Effect.catch(why, ({ reason, message }) =>
    Effect.succeed(
      reason._tag === "NotFound" ? undefined : `could not be looked at (${message}); see that you may read it`
    )
  )
