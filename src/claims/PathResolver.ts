import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Place from "./core/Place.ts"

/**
 * Looks up one path after another. What was seen of a path is kept for the life of this value and no longer, so that
 * ten thousand claims under one directory cost one look at it.
 */
export type PathResolver = (path: string) => Effect.Effect<Place.Place>

/**
 * Begins a round of look-ups.
 */
export const make = (fs: FileSystem.FileSystem): PathResolver => {
  const lstat = remember((path) => look(path, fs.lstat(path)))
  const target = remember((path) =>
    Effect.matchEffect(fs.readLink(path), {
      onFailure: (cause) => (isAbsent(cause) ? Effect.succeed(vanished) : Effect.fail(lostAt(path)(cause))),
      onSuccess: Effect.succeed
    })
  )
  /** What stands there once links are followed, which is asked only where one stands. */
  const stat = remember((path) =>
    lstat(path).pipe(
      Effect.filterOrElse(
        (found) => found === "Missing" || found.kind !== "Link",
        () => look(path, fs.stat(path))
      )
    )
  )

  /**
   * One part further, the way the kernel goes: a link is followed where it stands, so that `..` after it leads out of where
   * it points.
   */
  const step = (here: Walked, part: string): Effect.Effect<Walked, Lost> => {
    if (here.blocked) return lost(`${text(here.segments)} is in the way`)
    if (part === "..") return Effect.succeed(up(here))
    const segments = [...here.segments, part]
    if (isMissing(here)) return Effect.succeed({ ...here, segments })
    const at = text(segments)
    return Effect.flatMap(lstat(at), (found): Effect.Effect<Walked, Lost> => {
      if (found === "Missing") return Effect.succeed({ ...here, segments })
      if (found.kind === "Link") return follow(here, at)
      const identities = [...here.identities, found.identity]
      return Effect.succeed({ segments, identities, blocked: found.kind === "Other", links: here.links })
    })
  }

  const walk = Effect.fnUntraced(function* (
    from: Walked,
    parts: ReadonlyArray<string>
  ): Effect.fn.Return<Walked, Lost> {
    let here = from
    for (const part of parts) here = yield* step(here, part)
    return here
  })

  const follow = Effect.fnUntraced(function* (here: Walked, link: string): Effect.fn.Return<Walked, Lost> {
    const links = here.links + 1
    if (links > maxLinks) return yield* lost(`${link} is a loop of links`)
    const to = yield* target(link)
    if (to === vanished) return { ...here, segments: [...here.segments, nameOf(link)] }
    return yield* walk({ ...(to.startsWith("/") ? yield* root : here), links }, parts(to))
  })

  const root = Effect.map(stat("/"), (found): Walked => ({
    segments: [],
    identities: [identityOf(found)],
    blocked: false,
    links: 0
  }))

  /** Thousands of paths lie side by side: the way to where they lie is walked once. */
  const walkedTo = remember((directory) => Effect.flatMap(root, (here) => walk(here, parts(directory))))

  const canonical = (path: string): Effect.Effect<Walked, Lost> =>
    path === "" ? root : Effect.flatMap(walkedTo(parentOf(path)), (here) => step(here, nameOf(path)))

  const givenTo = remember(
    Effect.fnUntraced(function* (directory: string): Effect.fn.Return<Place.Spelling, Lost> {
      const segments = parts(directory)
      const identities = [identityOf(yield* stat("/"))]
      for (let depth = 1; depth <= segments.length; depth++) {
        const found = yield* stat(text(segments.slice(0, depth)))
        if (found === "Missing") break
        identities.push(found.identity)
      }
      return { segments, identities }
    })
  )

  const asGiven = (path: string): Effect.Effect<Place.Spelling, Lost> =>
    path === ""
      ? root
      : Effect.flatMap(givenTo(parentOf(path)), (above): Effect.Effect<Place.Spelling, Lost> => {
          const segments = [...above.segments, nameOf(path)]
          return isMissing(above)
            ? Effect.succeed({ ...above, segments })
            : Effect.map(stat(path), (found) => ({
                segments,
                identities: found === "Missing" ? above.identities : [...above.identities, found.identity]
              }))
        })

  const resolved = remember((path): Effect.Effect<Place.Place, Lost> => {
    const segments = Place.segmentsOf(path)
    if (path === "") return lost("it is empty")
    if (segments === undefined) return lost("it is not absolute")
    if (path.includes("\0")) return lost("it holds NUL")
    if (path.includes("\ufffd")) return lost("it holds U+FFFD, which stands for bytes that were lost")
    return Effect.flatMap(asGiven(text(segments)), (given) =>
      Effect.map(canonical(text(parts(path))), (walked) => Place.resolved(path, [given, walked]))
    )
  })

  return (path) => Effect.catch(resolved(path), (lost) => Effect.succeed(Place.Unresolvable({ path, ...lost })))
}

/**
 * Where a path is, of one that cannot be resolved for good by its text alone. A look that failed gives no place.
 */
export const orText = (resolve: PathResolver, path: string): Effect.Effect<Place.Place, string> =>
  Effect.flatMap(
    resolve(path),
    Place.$match({
      Resolved: (place) => Effect.succeed<Place.Place>(place),
      Unresolvable: ({ why, undecided }) =>
        undecided === true
          ? Effect.fail(why)
          : Effect.succeed(Place.resolved(path, [{ segments: Place.segmentsOf(path) ?? [], identities: [] }]))
    })
  )

const maxLinks = 40

/** No link leads nowhere: an empty target is one that has gone since it was seen. */
const vanished = ""

/** A process that ends while its files are looked at is told by ESRCH. */
const isAbsent = ({ reason, cause }: PlatformError): boolean =>
  reason._tag === "NotFound" || (cause instanceof Error && "code" in cause && cause.code === "ESRCH")

/** What stands at a path. */
type Found =
  | "Missing"
  | { readonly kind: "Directory" | "Link" | "Other"; readonly identity: Place.Identity | undefined }

/** How far a path has been walked. */
interface Walked extends Place.Spelling {
  /** Whether what stands there cannot hold anything. */
  readonly blocked: boolean
  /** How many links were followed. */
  readonly links: number
}

const isMissing = ({ segments, identities }: Place.Spelling): boolean => identities.length <= segments.length

const up = ({ segments, identities, links }: Walked): Walked => ({
  segments: segments.slice(0, -1),
  identities: identities.slice(0, Math.max(1, segments.length)),
  blocked: false,
  links
})

interface Lost {
  readonly why: string
  readonly undecided?: true
}

const lost = (why: string): Effect.Effect<never, Lost> => Effect.fail({ why })

const lostAt =
  (path: string) =>
  (cause: PlatformError): Lost => ({
    why: `${path} could not be looked at (${cause.message})`,
    ...(tellsOfPath(cause) ? {} : { undecided: true })
  })

/** What stands in the way for good: no permission, a file, a loop of links, a name that no file can have. */
const tellsOfPath = ({ reason, cause }: PlatformError): boolean =>
  reason._tag === "PermissionDenied" ||
  reason._tag === "BadResource" ||
  (cause instanceof Error && "code" in cause && cause.code === "ENAMETOOLONG")

const text = (segments: ReadonlyArray<string>): string => segments.map((segment) => `/${segment}`).join("")

const parts = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "" && part !== ".")

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const identityOf = (found: Found): Place.Identity | undefined => (found === "Missing" ? undefined : found.identity)

/**
 * `Missing`: nothing is there. A file in the way, a loop and a lack of permission are failures.
 */
const look = (path: string, stat: Effect.Effect<FileSystem.File.Info, PlatformError>): Effect.Effect<Found, Lost> =>
  Effect.matchEffect(stat, {
    onFailure: (cause) => (isAbsent(cause) ? Effect.succeed("Missing") : Effect.fail(lostAt(path)(cause))),
    onSuccess: ({ type, dev, ino }) =>
      Effect.succeed({
        kind: type === "Directory" ? "Directory" : type === "SymbolicLink" ? "Link" : "Other",
        identity: Option.isSome(ino) ? { device: dev, inode: ino.value } : undefined
      })
  })

/** Answers at once what it has answered before. Only what succeeded counts as an answer. */
const remember = <A, E>(evaluate: (path: string) => Effect.Effect<A, E>): ((path: string) => Effect.Effect<A, E>) => {
  const known = new Map<string, Effect.Effect<A>>()
  return (path) =>
    Effect.suspend(
      () =>
        known.get(path) ??
        Effect.tap(evaluate(path), (fresh) => Effect.sync(() => known.set(path, Effect.succeed(fresh))))
    )
}
