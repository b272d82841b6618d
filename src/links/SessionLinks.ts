/**
 * Which agent session ids are the same managed session. Whatever fails, no link is invented.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { SessionLinks } from "session-liveness"
 * import { defaultRoot, layerSidecar } from "session-liveness/node"
 *
 * const program = Effect.gen(function* () {
 *   yield* SessionLinks.recordLink("my-session", "4f6c1d0e-the-new-id")
 *   return yield* SessionLinks.linkedClaudeIds("4f6c1d0e-the-new-id")
 * }).pipe(Effect.provide(layerSidecar({ root: defaultRoot() })))
 * ```
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { LinkWriter, type LinkWriteError } from "./LinkWriter.ts"
import { readWhole, type SidecarError, SidecarReader } from "./SidecarReader.ts"
import * as ClaudeId from "../shared/core/ClaudeId.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as LinkHistory from "./core/LinkHistory.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import * as Siblings from "./core/Siblings.ts"
import * as Text from "../shared/core/Text.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"

/**
 * What a strict record did: `Refused` names the id that is not valid, and nothing was touched.
 */
export type Recorded = Data.TaggedEnum<{
  Written: {}
  AlreadyListed: {}
  Refused: { readonly id: string }
}>

export const Recorded = Data.taggedEnum<Recorded>()

/** Without a span, which costs as much as the write. */
const link = (managedId: string, claudeId: string): Effect.Effect<Recorded, LinkWriteError, LinkWriter> => {
  const managed = ManagedId.parse(managedId)
  if (Option.isNone(managed)) return Effect.succeed(Recorded.Refused({ id: managedId }))
  const claude = ClaudeId.parse(claudeId)
  if (Option.isNone(claude)) return Effect.succeed(Recorded.Refused({ id: claudeId }))
  return Effect.flatMap(LinkWriter, (writer) =>
    Effect.map(writer.append(managed.value, claude.value), (wrote) =>
      wrote ? Recorded.Written() : Recorded.AlreadyListed()
    )
  )
}

/**
 * Links `claudeId` to `managedId`, or says why not. An id that the link file lists already costs one read.
 */
export const record: (managedId: string, claudeId: string) => Effect.Effect<Recorded, LinkWriteError, LinkWriter> =
  Effect.fn("SessionLinks.record")(link)

/**
 * Links `claudeId` to `managedId`. `true` exactly when this call wrote the link; an id that is listed already, an id
 * that is not valid and every failure give `false`. Ends within `Bound.Links`.
 */
export const recordLink = (managedId: string, claudeId: string): Effect.Effect<boolean, never, LinkWriter> =>
  link(managedId, claudeId).pipe(
    Effect.map(Recorded.$is("Written")),
    FailOpen.foldsTo({ program: "SessionLinks.recordLink", bound: Bound.Links, safe: () => false })
  )

/**
 * The siblings of `claudeId`, told apart from there being none and from there being no right answer. Fails when any
 * link file could not be read, because it might list the id too.
 */
export const siblings = Effect.fn("SessionLinks.siblings")(function* (
  claudeId: string
): Effect.fn.Return<Siblings.Siblings, SidecarError, SidecarReader> {
  const { answer, faults } = yield* siblingsAmong(claudeId)
  const [fault] = [...faults].sort((a, b) => Text.compare(a.path, b.path))
  return fault === undefined ? answer : yield* fault
})

/**
 * The Claude ids that share a managed session with `claudeId`, itself included, in the order in which they were linked.
 * Empty when no link file lists it, when several do, when it is no valid id, and when the sidecar could not be read; a
 * single link file that cannot be read is passed over. Ends within `Bound.Links`.
 */
export const linkedClaudeIds = (
  claudeId: string
): Effect.Effect<ReadonlyArray<ClaudeId.ClaudeId>, never, SidecarReader> =>
  siblingsAmong(claudeId).pipe(
    Effect.tap(({ faults }) => Effect.forEach(faults, ({ message }) => Effect.logDebug(message), { discard: true })),
    Effect.map(({ answer }) =>
      Siblings.$match(answer, { NotLinked: () => [], Ambiguous: () => [], Linked: ({ claudeIds }) => claudeIds })
    ),
    FailOpen.foldsTo({ program: "SessionLinks.linkedClaudeIds", bound: Bound.Links, safe: () => [] })
  )

/**
 * Every link there ever was, for decisions that delete: `Read` only if every entry of the sidecar was read whole. Ends
 * within `Bound.Links`.
 */
export const linkHistory: Effect.Effect<LinkHistory.LinkHistory, never, SidecarReader> = Effect.gen(function* () {
  const reader = yield* SidecarReader
  const listing = yield* reader.list
  if (listing._tag === "NotConsulted") return LinkHistory.Absent()
  const fold = LinkHistory.begin()
  const listed = listing._tag === "Absent" ? [] : listing.names
  const names = listed.filter(ManagedId.is)
  for (const name of names.length === listed.length ? [] : listed) {
    if (!ManagedId.is(name)) fold.add({ name, content: { unreadable: "was not read" } })
  }
  const leftOut = yield* readWhole(reader, names, (name, content) => {
    if (Result.isSuccess(content)) {
      const { bytes, exposed } = content.success
      if (exposed === undefined) fold.addBytes(name, bytes)
      else fold.add({ name, content: { unreadable: exposed } })
    } else if (content.failure.reason._tag !== "Vanished") {
      fold.add({ name, content: { unreadable: content.failure.message } })
    }
  })
  for (const { path, message } of leftOut) fold.add({ name: path, content: { unreadable: message } })
  return fold.end()
}).pipe(
  FailOpen.foldsTo({
    program: "SessionLinks.linkHistory",
    bound: Bound.Links,
    safe: (reason): LinkHistory.LinkHistory => LinkHistory.Unreadable({ reason })
  }),
  Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("history", _tag)),
  Effect.withSpan("SessionLinks.linkHistory")
)

/**
 * Closes the torn tail of every link file that has one, by appending alone, and gives their names. What cannot be
 * healed is logged and left as it was. Ends within `Bound.Upkeep`.
 */
export const heal: Effect.Effect<ReadonlyArray<ManagedId.ManagedId>, never, SidecarReader | LinkWriter> = Effect.gen(
  function* () {
    const writer = yield* LinkWriter
    const names = [...(yield* linkFileNames)].sort(Text.compare)
    const healed = yield* Effect.forEach(names, (name) =>
      readLinkFile(name).pipe(
        Effect.flatMap((file) =>
          Option.isSome(file) && file.value.torn ? writer.closeTail(name) : Effect.succeed(false)
        ),
        FailOpen.foldsTo({
          program: "SessionLinks.heal",
          answer: "a torn tail was not closed",
          bound: undefined,
          safe: () => false
        }),
        Effect.map((closed) => (closed ? [name] : []))
      )
    )
    return healed.flat()
  }
).pipe(
  FailOpen.foldsTo({ program: "SessionLinks.heal", bound: Bound.Upkeep, safe: () => [] }),
  Effect.tap((healed) => Effect.annotateCurrentSpan("healed", healed.length)),
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

/**
 * What the link files that could be read say, and which could not be.
 */
const siblingsAmong = Effect.fnUntraced(function* (
  claudeId: string
): Effect.fn.Return<
  { readonly answer: Siblings.Siblings; readonly faults: ReadonlyArray<SidecarError> },
  SidecarError,
  SidecarReader
> {
  const id = ClaudeId.parse(claudeId)
  if (Option.isNone(id)) return { answer: Siblings.none, faults: [] }
  const reader = yield* SidecarReader
  const { files, faults } = yield* reader.find(id.value)
  return { answer: Siblings.of(id.value, files), faults }
})

export { applyPrune, planPrune } from "./SidecarPrune.ts"
