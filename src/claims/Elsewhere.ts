import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Evidence } from "./core/SessionEnd.ts"

/**
 * What is known of the end of a session, a managed or a Claude id, on other hosts: nothing, unless records lie where many
 * hosts keep theirs. It never fails: what could not be asked is evidence too.
 */
export const Elsewhere: Context.Reference<(id: string) => Effect.Effect<ReadonlyArray<Evidence>>> = Context.Reference<
  (id: string) => Effect.Effect<ReadonlyArray<Evidence>>
>("session-liveness/claims/Elsewhere", { defaultValue: () => () => Effect.succeed([]) })
