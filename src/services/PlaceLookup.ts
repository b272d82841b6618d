import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Place from "../core/Place.ts"

/**
 * Looks up one path after another. What was seen of a path is kept for the life of this value and no longer, so that
 * ten thousand claims under one directory cost one look at it.
 */
export type PlaceLookup = (path: string) => Effect.Effect<Place.Place>

/**
 * Begins a round of look-ups.
 */
export const make = (fs: FileSystem.FileSystem): PlaceLookup => {
  const lstat = remember((path) => look(fs.lstat(path)))
  const stat = remember((path) => look(fs.stat(path)))
  const readLink = remember((path) => fs.readLink(path))

  /**
   * Walks down the path as given, the way the kernel does: a link is followed where it stands, so that `..` after it
   * leads out of where it points.
   */
  const canonical = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Place.Spelling, Lost> {
    const found: Array<Found> = []
    const pending = parts(path)
    const identities = [yield* identityOf(stat("/"), "/")]
    let links = 0
    while (pending.length > 0) {
      const part = pending.shift() ?? ""
      const here = found.at(-1)
      if (here !== undefined && here.kind === "Other") return yield* lost(`${text(found)} is in the way`)
      if (part === "..") {
        found.pop()
        continue
      }
      if (here !== undefined && here.kind === "Missing") {
        found.push({ name: part, kind: "Missing" })
        continue
      }
      const next = `${text(found)}/${part}`
      const info = yield* lstat(next).pipe(Effect.mapError(lostAt(next)))
      if (Option.isNone(info)) {
        found.push({ name: part, kind: "Missing" })
      } else if (info.value.type === "SymbolicLink") {
        if (++links > maxLinks) return yield* lost(`${next} is a loop of links`)
        const target = yield* readLink(next).pipe(Effect.mapError(lostAt(next)))
        if (target.startsWith("/")) found.length = 0
        pending.unshift(...parts(target))
      } else {
        found.push({ name: part, kind: info.value.type === "Directory" ? "Directory" : "Other" })
      }
    }
    const segments = found.map(({ name }) => name)
    for (const [depth, { kind }] of found.entries()) {
      if (kind === "Missing") break
      const at = `/${segments.slice(0, depth + 1).join("/")}`
      identities.push(yield* identityOf(lstat(at), at))
    }
    return { segments, identities }
  })

  const asGiven = Effect.fnUntraced(function* (
    segments: ReadonlyArray<string>
  ): Effect.fn.Return<Place.Spelling, Lost> {
    const identities: Array<Place.Identity | undefined> = []
    for (let depth = 0; depth <= segments.length; depth++) {
      const at = `/${segments.slice(0, depth).join("/")}`
      const info = yield* stat(at).pipe(Effect.mapError(lostAt(at)))
      if (Option.isNone(info)) break
      identities.push(identity(info.value))
    }
    return { segments, identities }
  })

  return (path) =>
    Effect.suspend((): Effect.Effect<Place.Place, Lost> => {
      const segments = Place.segmentsOf(path)
      if (path === "") return lost("it is empty")
      if (segments === undefined) return lost("it is not absolute")
      if (path.includes("\0")) return lost("it holds NUL")
      return Effect.map(Effect.all([asGiven(segments), canonical(path)]), (spellings) => Place.placed(path, spellings))
    }).pipe(Effect.catch((lost) => Effect.succeed(Place.Unplaceable({ path, ...lost }))))
}

const maxLinks = 40

interface Found {
  readonly name: string
  readonly kind: "Directory" | "Other" | "Missing"
}

interface Lost {
  readonly why: string
  readonly untold?: true
}

const lost = (why: string): Effect.Effect<never, Lost> => Effect.fail({ why })

const lostAt =
  (path: string) =>
  (cause: PlatformError): Lost => ({
    why: `${path} could not be looked at (${cause.message})`,
    ...(tellsOfPath(cause) ? {} : { untold: true })
  })

/** What stands in the way for good: no permission, a file, a loop of links, a name that no file can have. */
const tellsOfPath = ({ reason, cause }: PlatformError): boolean =>
  reason._tag === "PermissionDenied" ||
  reason._tag === "BadResource" ||
  (cause instanceof Error && "code" in cause && cause.code === "ENAMETOOLONG")

const text = (found: ReadonlyArray<Found>): string => found.map(({ name }) => `/${name}`).join("")

const parts = (path: string): Array<string> => path.split("/").filter((part) => part !== "" && part !== ".")

const identity = (info: FileSystem.File.Info): Place.Identity | undefined =>
  Option.match(info.ino, { onNone: () => undefined, onSome: (inode) => ({ device: info.dev, inode }) })

const identityOf = (
  looked: Effect.Effect<Option.Option<FileSystem.File.Info>, PlatformError>,
  path: string
): Effect.Effect<Place.Identity | undefined, Lost> =>
  looked.pipe(
    Effect.mapError(lostAt(path)),
    Effect.map((info) => (Option.isSome(info) ? identity(info.value) : undefined))
  )

/**
 * `None`: nothing is there. A file in the way, a loop and a lack of permission are failures.
 */
const look = (
  stat: Effect.Effect<FileSystem.File.Info, PlatformError>
): Effect.Effect<Option.Option<FileSystem.File.Info>, PlatformError> =>
  stat.pipe(
    Effect.asSome,
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone)
  )

const remember = <A, E>(evaluate: (path: string) => Effect.Effect<A, E>): ((path: string) => Effect.Effect<A, E>) => {
  const known = new Map<string, A>()
  return (path) =>
    Effect.suspend(() => {
      const value = known.get(path)
      return value !== undefined
        ? Effect.succeed(value)
        : Effect.tap(evaluate(path), (fresh) => Effect.sync(() => known.set(path, fresh)))
    })
}
