/**
 * Who a worktree's ownership sentinel names: the values, the service that reads and writes them, and what people call.
 *
 * @example
 * ```ts
 * import { Clock, Effect } from "effect"
 * import { OwnerSentinel } from "session-liveness"
 * import { layer } from "session-liveness/node"
 *
 * // The worktree is harbor's, and stays until harbor has ended.
 * const program = Effect.gen(function* () {
 *   const createdAt = yield* Clock.currentTimeMillis
 *   yield* OwnerSentinel.write("/w/harbor", { owner: "harbor", createdAt, agent: undefined })
 * }).pipe(Effect.provide(layer()))
 * ```
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as OtherWriters from "../shared/OtherWriters.ts"
import * as Sentinel from "./core/OwnerSentinel.ts"
import * as Text from "../shared/core/Text.ts"
import * as AdminDirectory from "./AdminDirectory.ts"
import * as RegularFile from "../shared/RegularFile.ts"

export * from "./core/OwnerSentinel.ts"

/** The directory is no worktree of git. */
export class NoWorktree extends Schema.TaggedClass<NoWorktree>()("NoWorktree", {}) {}

/** The sentinel that is there cannot be read, or does not name the agent in question. */
export class NotTheirs extends Schema.TaggedClass<NotTheirs>()("NotTheirs", {}) {}

/** The sentinel could not be written. The old one stands. */
export class Unwritten extends Schema.TaggedClass<Unwritten>()("Unwritten", {}) {}

/**
 * A sentinel was not written.
 */
export class OwnerSentinelError extends Schema.TaggedError<OwnerSentinelError>()("OwnerSentinelError", {
  reason: Schema.Union([NoWorktree, NotTheirs, Unwritten]),
  worktree: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    switch (this.reason._tag) {
      case "NoWorktree":
        return `${this.worktree} is no worktree: ${this.detail}`
      case "NotTheirs":
        return `the sentinel of ${this.worktree} was left as it is: ${this.detail}`
      case "Unwritten":
        return `the sentinel of ${this.worktree} could not be written: ${this.detail}; check permissions and free space`
    }
  }
}

type Named = Omit<Extract<Sentinel.Sentinel, { readonly _tag: "Named" }>, "_tag">

/**
 * The ownership sentinels of worktrees.
 */
export class OwnerSentinel extends Context.Service<
  OwnerSentinel,
  {
    /** Whom the sentinel of a worktree names. What cannot be read is an answer, not a failure. */
    readonly read: (worktree: string) => Effect.Effect<Sentinel.Sentinel>
    /** Writes a sentinel into the worktree's git admin directory: whole, or not at all. */
    readonly write: (worktree: string, sentinel: Named) => Effect.Effect<void, OwnerSentinelError>
    /**
     * Marks the agent that the sentinel names as ended, where it lies: a copy elsewhere would hide what is written there
     * next. `at` is in milliseconds since the epoch.
     */
    readonly markEnded: (worktree: string, agentId: string, at: number) => Effect.Effect<void, OwnerSentinelError>
  }
>()("session-liveness/verdict/OwnerSentinel") {}

/**
 * Names a session, an agent or both as the owner of a worktree. The sentinel is written whole, or not at all.
 */
export const write = (worktree: string, sentinel: Named): Effect.Effect<void, OwnerSentinelError, OwnerSentinel> =>
  Effect.flatMap(OwnerSentinel, (sentinels) => sentinels.write(worktree, sentinel)).pipe(
    Effect.withSpan("OwnerSentinel.write", { attributes: { path: Text.escape(worktree) } })
  )

/**
 * Marks the agent that the sentinel of a worktree names as ended, as a `SubagentStop` hook does. `at` is in milliseconds
 * since the epoch.
 */
export const markEnded = (
  worktree: string,
  agentId: string,
  at: number
): Effect.Effect<void, OwnerSentinelError, OwnerSentinel> =>
  Effect.flatMap(OwnerSentinel, (sentinels) => sentinels.markEnded(worktree, agentId, at)).pipe(
    Effect.withSpan("OwnerSentinel.markEnded", {
      attributes: { path: Text.escape(worktree), agent: Text.escape(agentId) }
    })
  )

/**
 * Sentinels as files, through Effect's `FileSystem`.
 */
export const layer: Layer.Layer<OwnerSentinel, never, FileSystem.FileSystem> = Layer.effect(
  OwnerSentinel,
  Effect.map(FileSystem.FileSystem, (fs) => {
    const admin = (worktree: string) =>
      AdminDirectory.find(fs, worktree).pipe(
        Effect.mapError((detail) => new OwnerSentinelError({ reason: new NoWorktree(), worktree, detail }))
      )
    /** Whoever may write to the directory may have put a sentinel there, or taken one away. */
    const readAt = Effect.fnUntraced(function* (directory: string, user: number | undefined) {
      const exposed = yield* OtherWriters.why(yield* fs.stat(directory), user)
      if (exposed !== undefined) return RegularFile.Broken({ why: `${directory} ${exposed}` })
      return yield* RegularFile.read(fs, `${directory}/${Sentinel.fileName}`, maxBytes, { user })
    })
    /** The sentinel that counts, and the directory in which it lies, or would. */
    const find = Effect.fnUntraced(function* (worktree: string) {
      const directory = yield* Effect.mapError(admin(worktree), ({ detail }) => detail)
      const user = Option.getOrUndefined((yield* fs.stat(worktree)).uid)
      const inAdmin = yield* readAt(directory, user)
      const lies = inAdmin._tag === "Nothing" ? worktree : directory
      const sentinel = Sentinel.decide(inAdmin, yield* readAt(worktree, user))
      return sentinel._tag === "Unreadable" && !sentinel.why.includes(lies)
        ? { lies, sentinel: Sentinel.Unreadable({ why: `${lies}/${Sentinel.fileName}: ${sentinel.why}` }) }
        : { lies, sentinel }
    })
    const found = (worktree: string) =>
      Effect.catch(find(worktree), (cause) =>
        Effect.succeed({
          lies: worktree,
          sentinel: Sentinel.Unreadable({ why: typeof cause === "string" ? cause : cause.message })
        })
      )
    /** Puts it in the place of what is there, unless `stands` finds that this has changed meanwhile. */
    const writeTo = Effect.fnUntraced(function* (
      directory: string,
      worktree: string,
      sentinel: Named,
      stands: Effect.Effect<void, OwnerSentinelError>
    ) {
      const unwritten = (detail: string) => new OwnerSentinelError({ reason: new Unwritten(), worktree, detail })
      const text = yield* Effect.try({
        try: () => Sentinel.print({ _tag: "Named", ...sentinel }),
        catch: () => unwritten("one of its times is no instant")
      })
      const target = `${directory}/${Sentinel.fileName}`
      const before = yield* Effect.option(fs.stat(directory))
      // Nobody else writes to a name of its own.
      const fresh = `${target}.${crypto.randomUUID()}`
      yield* fs.writeFileString(fresh, text, { flag: "wx", mode: 0o600 }).pipe(
        Effect.andThen(stands),
        Effect.andThen(fs.rename(fresh, target)),
        Effect.onError(() => Effect.ignore(fs.remove(fresh))),
        // What we write is no sign of work.
        Effect.ensuring(Effect.ignore(keepTimes(fs, directory, before))),
        Effect.catchTag("PlatformError", (cause) => unwritten(cause.message))
      )
    })
    return OwnerSentinel.of({
      read: (worktree) => Effect.map(found(worktree), ({ sentinel }) => sentinel),
      write: (worktree, sentinel) =>
        Effect.flatMap(admin(worktree), (directory) => writeTo(directory, worktree, sentinel, Effect.void)),
      markEnded: Effect.fnUntraced(function* (worktree, agentId, at) {
        const { lies, sentinel } = yield* found(worktree)
        const notTheirs = (detail: string) => new OwnerSentinelError({ reason: new NotTheirs(), worktree, detail })
        if (sentinel._tag === "Nobody") return yield* notTheirs("it names nobody")
        if (sentinel._tag === "Unreadable") return yield* notTheirs(sentinel.why)
        if (sentinel.agent?.agentId !== agentId) return yield* notTheirs("it names another agent")
        const stands = Effect.flatMap(found(worktree), (now) =>
          Equal.equals(now.sentinel, sentinel) ? Effect.void : notTheirs("it has changed meanwhile")
        )
        yield* writeTo(lies, worktree, { ...sentinel, agent: { ...sentinel.agent, endedAt: at } }, stands)
      })
    })
  })
)

/**
 * These sentinels, by the path of the worktree; every other worktree names nobody.
 */
export const layerMemory = (sentinels: Map<string, Sentinel.Sentinel>): Layer.Layer<OwnerSentinel> =>
  Layer.succeed(
    OwnerSentinel,
    OwnerSentinel.of({
      read: (worktree) => Effect.sync(() => sentinels.get(worktree) ?? Sentinel.Nobody()),
      write: (worktree, sentinel) => Effect.sync(() => void sentinels.set(worktree, Sentinel.Named(sentinel))),
      markEnded: (worktree, agentId, at) =>
        Effect.suspend(() => {
          const sentinel = sentinels.get(worktree)
          if (sentinel?._tag !== "Named" || sentinel.agent?.agentId !== agentId) {
            return Effect.fail(
              new OwnerSentinelError({ reason: new NotTheirs(), worktree, detail: "it names another agent" })
            )
          }
          sentinels.set(worktree, Sentinel.Named({ ...sentinel, agent: { ...sentinel.agent, endedAt: at } }))
          return Effect.void
        })
    })
  )

const maxBytes = 1024 * 1024

const keepTimes = (
  fs: FileSystem.FileSystem,
  directory: string,
  before: Option.Option<FileSystem.File.Info>
): Effect.Effect<void, PlatformError> => {
  const at = Option.flatMap(before, ({ mtime }) => mtime)
  return Option.isNone(at) ? Effect.void : fs.utimes(directory, at.value, at.value)
}
