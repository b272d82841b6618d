import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as PathUses from "./core/PathUses.ts"
import type { ProcessList } from "./core/Processes.ts"

/** The table could not be listed. */
export class Unlistable extends Schema.TaggedClass<Unlistable>()("Unlistable", {}) {}

/** A process in it could not be read, for a reason other than permission or having gone. */
export class ProcessUnreadable extends Schema.TaggedClass<ProcessUnreadable>()("ProcessUnreadable", {
  pid: Schema.Finite
}) {}

/**
 * The process table could not be read whole.
 */
export class ProcessTableError extends Schema.TaggedError<ProcessTableError>()("ProcessTableError", {
  reason: Schema.Union([Unlistable, ProcessUnreadable]),
  detail: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message(): string {
    return this.reason._tag === "Unlistable"
      ? `the processes could not be listed: ${this.detail}; run where /proc or ps shows all of them`
      : `process ${this.reason.pid} could not be read: ${this.detail}; ask again, and end it if that lasts`
  }
}

/**
 * What one look gave. `NotConsulted` is a choice of whoever provided the layer, not a failure.
 */
export type Snapshot = { readonly _tag: "NotConsulted" } | ({ readonly _tag: "Listed" } & ProcessList)

/**
 * The processes of this machine.
 */
export class ProcessTable extends Context.Service<
  ProcessTable,
  {
    /** Every process, read again, or none at all. */
    readonly snapshot: Effect.Effect<Snapshot, ProcessTableError>
    /** The same, where every process may be left out that is no tmux server and does not ask. Where it is not given, `snapshot` is. */
    readonly servers?: Effect.Effect<Snapshot, ProcessTableError> | undefined
    /** What every process of `list` uses, as far as it may be seen. Fails where a user is shown only their own processes. */
    readonly uses: (list: ProcessList) => Effect.Effect<PathUses.Uses, ProcessTableError>
  }
>()("session-liveness/machine/ProcessTable") {}

/**
 * Which process asks. The layers do not read it from the environment of the library by themselves.
 */
export interface Self {
  readonly pid: number
  /** The effective user. */
  readonly user: number
}

/**
 * These processes.
 */
export const layerMemory = (list: ProcessList, uses: PathUses.Uses = PathUses.none): Layer.Layer<ProcessTable> =>
  Layer.succeed(
    ProcessTable,
    ProcessTable.of({ snapshot: Effect.succeed({ _tag: "Listed", ...list }), uses: () => Effect.succeed(uses) })
  )

/**
 * No process table is consulted: answers of tmux stand as they are, and a socket without a server proves nothing.
 */
export const layerNone: Layer.Layer<ProcessTable> = Layer.succeed(
  ProcessTable,
  ProcessTable.of({
    snapshot: Effect.succeed({ _tag: "NotConsulted" }),
    uses: () => Effect.fail(failed(new Unlistable(), "no process table is consulted"))
  })
)

/**
 * The error of a table that could not be read whole.
 */
export const failed = (reason: ProcessTableError["reason"], detail: string, cause?: PlatformError) =>
  new ProcessTableError({
    reason,
    detail: cause === undefined ? detail : `${detail}: ${cause.message}`,
    ...(cause === undefined ? {} : { cause })
  })
