/**
 * Which agent session ids are the same managed session. Whatever fails, no link is invented.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { LinkWriter, type LinkWriteError } from "./contracts/LinkWriter.ts"
import { type SidecarError, SidecarReader } from "./contracts/SidecarReader.ts"
import * as ClaudeId from "./core/ClaudeId.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as LinkHistory from "./core/LinkHistory.ts"
import * as ManagedId from "./core/ManagedId.ts"
import * as Siblings from "./core/Siblings.ts"
import * as Text from "./core/Text.ts"
import * as FailOpen from "./FailOpen.ts"
import * as Bound from "./services/Bound.ts"

/** How many link files are read side by side; the file descriptors of a process are few. */
const concurrency = 16

/**
 * What a strict record did: `Refused` names the id that is not valid, and nothing was touched.
 */
export type Recorded = Data.TaggedEnum<{
  Written: {}
  AlreadyListed: {}
  Refused: { readonly id: string }
}>

export const Recorded = Data.taggedEnum<Recorded>()

/**
 * Links `claudeId` to `managedId`, or says why not. An id that the link file lists already costs one read.
 */
export const record = Effect.fn("SessionLinks.record")(function* (
  managedId: string,
  claudeId: string
): Effect.fn.Return<Recorded, SidecarError | LinkWriteError, SidecarReader | LinkWriter> {
  const managed = ManagedId.parse(managedId)
  if (Option.isNone(managed)) return Recorded.Refused({ id: managedId })
  const claude = ClaudeId.parse(claudeId)
  if (Option.isNone(claude)) return Recorded.Refused({ id: claudeId })
  const file = yield* readLinkFile(managed.value)
  if (Option.isSome(file) && file.value.ids.includes(claude.value)) return Recorded.AlreadyListed()
  const writer = yield* LinkWriter
  yield* writer.append(managed.value, claude.value)
  return Recorded.Written()
})

/**
 * Links `claudeId` to `managedId`. `true` exactly when this call wrote the link; an id that is listed already, an id
 * that is not valid and every failure give `false`. Ends within `Bound.Links`.
 */
export const recordLink = (
  managedId: string,
  claudeId: string
): Effect.Effect<boolean, never, SidecarReader | LinkWriter> =>
  record(managedId, claudeId).pipe(
    Effect.map(Recorded.$is("Written")),
    FailOpen.orElse({ program: "SessionLinks.recordLink", bound: Bound.Links, fallback: () => false })
  )

/**
 * The siblings of `claudeId`, told apart from there being none and from there being no right answer. Fails when any
 * link file could not be read, because it might list the id too.
 */
export const siblings = Effect.fn("SessionLinks.siblings")(function* (
  claudeId: string
): Effect.fn.Return<Siblings.Siblings, SidecarError, SidecarReader> {
  return yield* siblingsAmong(claudeId, readLinkFile)
})

/**
 * The Claude ids that share a managed session with `claudeId`, itself included, in the order in which they were linked.
 * Empty when no link file lists it, when several do, when it is no valid id, and when the sidecar could not be read; a
 * single link file that cannot be read is passed over. Ends within `Bound.Links`.
 */
export const linkedClaudeIds = (
  claudeId: string
): Effect.Effect<ReadonlyArray<ClaudeId.ClaudeId>, never, SidecarReader> =>
  siblingsAmong(claudeId, (name) =>
    Effect.catch(readLinkFile(name), (error) => Effect.as(Effect.logDebug(error.message), Option.none()))
  ).pipe(
    Effect.map(Siblings.$match({ NotLinked: () => [], Ambiguous: () => [], Linked: ({ claudeIds }) => claudeIds })),
    FailOpen.orElse({ program: "SessionLinks.linkedClaudeIds", bound: Bound.Links, fallback: () => [] })
  )

/**
 * Every link there ever was, for decisions that delete: `Read` only if every entry of the sidecar was read whole. Ends
 * within `Bound.Links`.
 */
export const linkHistory: Effect.Effect<LinkHistory.LinkHistory, never, SidecarReader> = Effect.gen(function* () {
  const reader = yield* SidecarReader
  const listing = yield* reader.list
  if (listing._tag === "NotConsulted") return LinkHistory.Absent()
  const names = listing._tag === "Absent" ? [] : listing.names.filter(LinkHistory.isEntry)
  const entries = yield* Effect.forEach(names, readEntry, { concurrency })
  return LinkHistory.fromEntries(entries.flatMap(Option.toArray))
}).pipe(
  FailOpen.orElse({
    program: "SessionLinks.linkHistory",
    bound: Bound.Links,
    fallback: (reason): LinkHistory.LinkHistory => LinkHistory.Unreadable({ reason })
  }),
  Effect.withSpan("SessionLinks.linkHistory")
)

/**
 * Closes the torn tail of every link file that has one, by appending alone, and gives their names. What cannot be
 * healed is logged and left as it was. Ends within `Bound.Upkeep`.
 */
export const heal: Effect.Effect<ReadonlyArray<ManagedId.ManagedId>, never, SidecarReader | LinkWriter> = Effect.gen(
  function* () {
    const writer = yield* LinkWriter
    const names = yield* linkFileNames
    const healed = yield* Effect.forEach(names, (name) =>
      readLinkFile(name).pipe(
        Effect.flatMap((file) =>
          Option.isSome(file) && file.value.torn ? writer.closeTail(name) : Effect.succeed(false)
        ),
        Effect.catch((error) => Effect.as(Effect.logWarning(error.message), false)),
        Effect.map((closed) => (closed ? [name] : []))
      )
    )
    return healed.flat().sort(Text.compare)
  }
).pipe(
  FailOpen.orElse({ program: "SessionLinks.heal", bound: Bound.Upkeep, fallback: () => [] }),
  Effect.withSpan("SessionLinks.heal")
)

const linkFileNames = Effect.gen(function* () {
  const reader = yield* SidecarReader
  const listing = yield* reader.list
  return listing._tag === "Listed" ? listing.names.filter(ManagedId.is) : []
})

/**
 * `None`: the link file is not there, or not any more.
 */
const readLinkFile = (
  name: ManagedId.ManagedId
): Effect.Effect<Option.Option<LinkFile.LinkFile>, SidecarError, SidecarReader> =>
  Effect.flatMap(SidecarReader, (reader) => reader.read(name)).pipe(
    Effect.map(({ bytes }) => Option.some(LinkFile.parse(bytes))),
    Effect.catchReason("SidecarError", "Vanished", () => Effect.succeedNone)
  )

const readEntry = (name: string): Effect.Effect<Option.Option<LinkHistory.Entry>, never, SidecarReader> =>
  ManagedId.is(name)
    ? readLinkFile(name).pipe(
        Effect.map(Option.map((content) => ({ name, content }))),
        Effect.catch((error) => Effect.succeedSome({ name, content: { unreadable: error.message } }))
      )
    : Effect.succeedSome({ name, content: { unreadable: "was not read" } })

const siblingsAmong = <E>(
  claudeId: string,
  read: (name: ManagedId.ManagedId) => Effect.Effect<Option.Option<LinkFile.LinkFile>, E, SidecarReader>
): Effect.Effect<Siblings.Siblings, SidecarError | E, SidecarReader> =>
  Option.match(ClaudeId.parse(claudeId), {
    onNone: () => Effect.succeed(Siblings.none),
    onSome: (id) =>
      linkFileNames.pipe(
        Effect.flatMap((names) =>
          Effect.forEach(
            names,
            (managedId) =>
              Effect.map(
                read(managedId),
                Option.map((file) => ({ managedId, file }))
              ),
            { concurrency }
          )
        ),
        Effect.map((files) => Siblings.of(id, files.flatMap(Option.toArray)))
      )
  })

export { applyPrune, planPrune } from "./SidecarPrune.ts"
