/**
 * On which file system a path lies, and what is mounted inside it.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { ChildProcessSpawner } from "effect/process"
import * as Bound from "../shared/Bound.ts"
import * as MacMounts from "./core/MacMounts.ts"
import * as Mounts from "./core/Mounts.ts"
import * as MacTools from "./MacTools.ts"

/**
 * The mounts of this machine as one look at them gave them. Paths are absolute and canonical. A failure says why it cannot
 * be told.
 */
export interface MountTable {
  /** The type of its file system, by the name that `Mounts.isNetwork` knows; `undefined` where none can be told. */
  readonly fileSystemOf: (path: string) => Effect.Effect<string | undefined, string>
  /** Whether both lie on one mount: the kernel renames nothing from one to another, even of the same device. */
  readonly isOneMount: (one: string, other: string) => boolean
  /** The mount points strictly inside it, and those elsewhere that show it or what is in it. */
  readonly pointsIn: (path: string) => Effect.Effect<ReadonlyArray<string>, string>
}

/**
 * Reads the mounts again. On a platform where they are not known this fails: no mount table does not mean no mounts.
 */
export const read = (
  fs: FileSystem.FileSystem,
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  { platform, tools = MacTools.standard }: { readonly platform: string; readonly tools?: MacTools.MacTools | undefined }
): Effect.Effect<MountTable, string> => {
  if (platform === "linux") return readLinux(fs)
  if (platform === "darwin") return Effect.map(macMounts(spawner, tools), (mounts) => ofMac(fs, mounts))
  return Effect.fail(`which file systems are mounted is not known on ${platform}; run on Linux or macOS`)
}

export const readLinux = (fs: FileSystem.FileSystem): Effect.Effect<MountTable, string> =>
  fs.readFileString("/proc/self/mountinfo").pipe(
    Effect.mapError(({ message }) => message),
    Effect.flatMap((text) => {
      const mounts = Mounts.parse(text)
      return mounts === undefined
        ? Effect.fail("/proc/self/mountinfo has another shape")
        : Effect.succeed<MountTable>({
            fileSystemOf: (path) => Effect.succeed(Mounts.of(mounts, path)?.type),
            isOneMount: (one, other) => Mounts.of(mounts, one)?.id === Mounts.of(mounts, other)?.id,
            pointsIn: (path) =>
              Effect.succeed([...new Set([...Mounts.inside(mounts, path), ...Mounts.showing(mounts, path)])])
          })
    })
  )

/**
 * The table that `mount` prints on macOS.
 */
export const macMounts = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  { mount }: Pick<MacTools.MacTools, "mount">
): Effect.Effect<ReadonlyArray<MacMounts.MacMount>, string> =>
  MacTools.ask(spawner, mount, [], { env: { LC_ALL: "C" }, bound: Bound.Observation }).pipe(
    Effect.flatMap((text) => {
      const mounts = MacMounts.parse(text)
      return mounts === undefined ? Effect.fail(`what ${mount} printed has another shape`) : Effect.succeed(mounts)
    })
  )

/**
 * Firmlinks lead from one volume to another, so that the longest point is not where a path lies: its device tells. Only
 * local points are looked at, because a look at a dead share waits for it.
 */
const ofMac = (fs: FileSystem.FileSystem, mounts: ReadonlyArray<MacMounts.MacMount>): MountTable => {
  const there = (path: string) => Effect.mapError(fs.stat(path), ({ message }) => message)
  /** What is not there or not ours to see is not the place that is asked about; a look that failed otherwise tells nothing. */
  const ifSeen = (path: string) =>
    fs.stat(path).pipe(
      Effect.asSome,
      Effect.catch(({ reason, message }) =>
        reason._tag === "NotFound" || reason._tag === "PermissionDenied" ? Effect.succeedNone : Effect.fail(message)
      )
    )
  return {
    // One device is mounted once.
    isOneMount: () => true,
    fileSystemOf: Effect.fnUntraced(function* (path) {
      const { dev } = yield* there(path)
      const devices = yield* Effect.forEach(mounts.filter(MacMounts.isLocal), (mount) =>
        Effect.map(ifSeen(mount.point), (info) => ({ mount, dev: Option.getOrUndefined(info)?.dev }))
      )
      const here = devices.filter((each) => each.dev === dev).map(({ mount }) => mount)
      const types = here.map(MacMounts.typeOf)
      return types.find(Mounts.isNetwork) ?? types[0]
    }),
    pointsIn: Effect.fnUntraced(function* (path) {
      const directory = identityOf(yield* there(path))
      const within = Effect.fnUntraced(function* (from: string): Effect.fn.Return<boolean, string> {
        if (MacMounts.isAway(mounts, from)) return false
        const canonical = yield* fs
          .realPath(from)
          .pipe(
            Effect.catch(({ reason, message }) =>
              reason._tag === "NotFound" || reason._tag === "PermissionDenied"
                ? Effect.succeed(from)
                : Effect.fail(message)
            )
          )
        for (let at = canonical; ; at = parentOf(at)) {
          const info = yield* ifSeen(at)
          if (at === path || (Option.isSome(info) && identityOf(info.value) === directory)) return true
          if (at === "/") return false
        }
      })
      const inside = yield* Effect.filter(mounts, ({ point }) =>
        point === "/" ? Effect.succeed(false) : within(parentOf(point))
      )
      const showing = yield* Effect.filter(mounts.filter(MacMounts.showsDirectory), ({ source }) => within(source))
      return [...new Set([...inside, ...showing].map(({ point }) => point))]
    })
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

/** A file system that numbers nothing makes everything on it the same place. */
const identityOf = ({ dev, ino }: FileSystem.File.Info): string =>
  `${dev}:${Option.match(ino, { onNone: () => "?", onSome: String })}`
