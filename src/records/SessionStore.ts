import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Root from "../shared/core/Root.ts"
import * as SessionRecord from "./core/SessionRecord.ts"
import * as RegularFile from "../shared/RegularFile.ts"

/** There is no store at `path`. Where no manager is meant to be, say so with `layerNone`. */
export class Missing extends Schema.TaggedClass<Missing>()("Missing", {}) {}

/** The store is there and could not be read. */
export class Unreadable extends Schema.TaggedClass<Unreadable>()("Unreadable", {}) {}

/** The store was read and is no store document. */
export class Malformed extends Schema.TaggedClass<Malformed>()("Malformed", { why: Schema.String }) {}

/**
 * The record store could not be read whole.
 */
export class SessionStoreError extends Schema.TaggedError<SessionStoreError>()("SessionStoreError", {
  reason: Schema.Union([Missing, Unreadable, Malformed]),
  path: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    switch (this.reason._tag) {
      case "Missing":
        return `${this.path} is not there; start the manager once, name the right place, or say that there is no manager`
      case "Unreadable":
        return `${this.path} could not be read; check that it is a file and that you may read it`
      case "Malformed":
        return `${this.path} ${this.reason.why}; restore it from a backup or let its manager write it anew`
    }
  }
}

/**
 * The manager's records.
 */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Every record, read anew. */
    readonly read: Effect.Effect<SessionRecord.StoredRecords, SessionStoreError>
  }
>()("session-liveness/records/SessionStore") {}

/**
 * The store of `root`, through Effect's `FileSystem`.
 */
export const layer = (options: { readonly root: string }): Layer.Layer<SessionStore, never, FileSystem.FileSystem> =>
  layerFile({ path: Root.store(options.root) })

/**
 * The store document at `path`.
 */
export const layerFile = (options: {
  readonly path: string
}): Layer.Layer<SessionStore, never, FileSystem.FileSystem> =>
  Layer.effect(
    SessionStore,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const { path } = options
      const fail = (reason: SessionStoreError["reason"], cause?: unknown) =>
        new SessionStoreError({ reason, path, ...(cause === undefined ? {} : { cause }) })
      const text = Effect.gen(function* () {
        const info = yield* fs.stat(path)
        if (info.type !== "File") return yield* fail(new Unreadable(), `it is a ${info.type}`)
        const document = RegularFile.textOf(yield* fs.readFile(path))
        return document ?? (yield* fail(new Malformed({ why: "is not UTF-8" })))
      })
      return SessionStore.of({
        read: text.pipe(
          Effect.catchTag("PlatformError", (cause) =>
            fail(cause.reason._tag === "NotFound" ? new Missing() : new Unreadable(), cause)
          ),
          Effect.flatMap((document) =>
            Effect.fromResult(
              Result.mapError(SessionRecord.parseStore(document), (why) => fail(new Malformed({ why })))
            )
          )
        )
      })
    })
  )

/**
 * These records and no others.
 */
export const layerMemory = (records: SessionRecord.StoredRecords): Layer.Layer<SessionStore> =>
  Layer.succeed(SessionStore, SessionStore.of({ read: Effect.succeed(records) }))

/**
 * No manager is here: no records, by choice. Whoever says so takes every worktree for unclaimed.
 */
export const layerNone: Layer.Layer<SessionStore> = layerMemory(SessionRecord.none)
