/**
 * How what `/proc` tells of one process is read.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import type { Process } from "./core/Processes.ts"
import { failed, ProcessUnreadable, Unlistable, type ProcessTableError } from "./ProcessTable.ts"

/** How many processes are read side by side. */
export const concurrency = 16

/** Where `/proc` shows a process. */
export const placeOf = ({ pid, thread }: Pick<Process, "pid" | "thread">): string =>
  thread === undefined ? `/proc/${pid}` : `/proc/${pid}/task/${thread}`

export const unlistable = <A>(effect: Effect.Effect<A, PlatformError>) =>
  Effect.mapError(effect, (cause) => failed(new Unlistable(), "/proc", cause))

/**
 * Reads a file of one process. `None`: the process has gone since it was listed, which `/proc` tells by a file that is
 * not there or by ESRCH.
 */
export const read = <A>(
  pid: number,
  what: string,
  effect: Effect.Effect<A, PlatformError>
): Effect.Effect<Option.Option<A>, ProcessTableError> =>
  Effect.matchEffect(effect, {
    onFailure: (cause) => (hasGone(cause) ? Effect.succeedNone : Effect.fail(unreadable(pid, what, cause))),
    onSuccess: Effect.succeedSome
  })

/**
 * The same, where a user is not shown what is another's: `None` stands for that too.
 */
export const readPermitted = <A>(
  pid: number,
  what: string,
  effect: Effect.Effect<A, PlatformError>
): Effect.Effect<Option.Option<A>, ProcessTableError> =>
  Effect.matchEffect(effect, {
    onFailure: (cause) =>
      hasGone(cause) || cause.reason._tag === "PermissionDenied"
        ? Effect.succeedNone
        : Effect.fail(unreadable(pid, what, cause)),
    onSuccess: Effect.succeedSome
  })

const unreadable = (pid: number, what: string, cause: PlatformError): ProcessTableError =>
  failed(new ProcessUnreadable({ pid }), `/proc/${pid}/${what}`, cause)

export const hasGone = (error: PlatformError): boolean => error.reason._tag === "NotFound" || hasCode(error, "ESRCH")

export const hasCode = ({ cause }: PlatformError, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
