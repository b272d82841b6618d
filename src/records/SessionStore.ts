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

/** No root was named, and the usual one holds no `session-manager`. */
export class NoManager extends Schema.TaggedClass<NoManager>()("NoManager", {}) {}

/** The store is there and could not be read. */
export class Unreadable extends Schema.TaggedClass<Unreadable>()("Unreadable", {}) {}

/** The store was read and is no store document. */
export class Malformed extends Schema.TaggedClass<Malformed>()("Malformed", { why: Schema.String }) {}

/**
 * The record store could not be read whole.
 */
export class SessionStoreError extends Schema.TaggedError<SessionStoreError>()("SessionStoreError", {
  reason: Schema.Union([Missing, NoManager, Unreadable, Malformed]),
  path: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    switch (this.reason._tag) {
      case "Missing":
        return `${this.path} is not there; start the manager once, name another root with --root, or give --no-manager if there is none`
      case "NoManager":
        return `${this.path} is not there, and no root was named; name that of the manager with --root, or give --no-manager if there is none`
      case "Unreadable":
        return `${this.path} could not be read; check that it is there and that you may read it`
      case "Malformed":
        return `${this.path} ${this.reason.why}; restore it from a backup or let its manager write it again`
    }
  }
}

/**
 * The manager's records.
 */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Every record, read again. */
    readonly read: Effect.Effect<SessionRecord.StoredRecords, SessionStoreError>
  }
>()("session-liveness/records/SessionStore") {}

/**
 * The store of `root`, through Effect's `FileSystem`. `named`, unless said otherwise: somebody named that root, so that a
 * store has to be there.
 */
export const layer = (options: {
  readonly root: string
  readonly named?: boolean | undefined
}): Layer.Layer<SessionStore, never, FileSystem.FileSystem> => {
  const path = Root.store(options.root)
  if (options.named !== false) return layerFile({ path })
  return Layer.effect(
    SessionStore,
    Effect.map(FileSystem.FileSystem, (fs) =>
      SessionStore.of({
        read: Effect.catchReason(readFile(fs, path), "SessionStoreError", "Missing", (_, missing) =>
          Effect.matchEffect(fs.lstat(directoryOf(path)), {
            onFailure: ({ reason }) =>
              Effect.fail(reason._tag === "NotFound" ? failed(path, new NoManager()) : missing),
            onSuccess: () => Effect.fail(missing)
          })
        )
      })
    )
  )
}

/**
 * The store document at `path`.
 */
export const layerFile = ({
  path
}: {
  readonly path: string
}): Layer.Layer<SessionStore, never, FileSystem.FileSystem> =>
  Layer.effect(
    SessionStore,
    Effect.map(FileSystem.FileSystem, (fs) => SessionStore.of({ read: readFile(fs, path) }))
  )

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))

const failed = (path: string, reason: SessionStoreError["reason"], cause?: unknown): SessionStoreError =>
  new SessionStoreError({ reason, path, ...(cause === undefined ? {} : { cause }) })

const readFile = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<SessionRecord.StoredRecords, SessionStoreError> =>
  Effect.gen(function* () {
    const info = yield* fs.stat(path)
    if (info.type !== "File") return yield* failed(path, new Unreadable(), `it is a ${info.type}`)
    const document = RegularFile.textOf(yield* fs.readFile(path))
    if (document === undefined) return yield* failed(path, new Malformed({ why: "is not UTF-8" }))
    return yield* Effect.fromResult(
      Result.mapError(SessionRecord.parseStore(document), (why) => failed(path, new Malformed({ why })))
    )
  }).pipe(
    Effect.catchTag("PlatformError", (cause) =>
      Effect.fail(failed(path, cause.reason._tag === "NotFound" ? new Missing() : new Unreadable(), cause))
    )
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
