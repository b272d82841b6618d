import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Evidence, SessionEnd } from "./core/SessionEnd.ts"
import * as SessionOwners from "./core/SessionOwners.ts"

/**
 * What is known of the end of a session, a managed or a Claude id, on other hosts: nothing, unless records lie where many
 * hosts keep theirs. It never fails: what could not be asked is evidence too.
 */
export const Elsewhere: Context.Reference<(id: string) => Effect.Effect<ReadonlyArray<Evidence>>> = Context.Reference<
  (id: string) => Effect.Effect<ReadonlyArray<Evidence>>
>("session-liveness/claims/Elsewhere", { defaultValue: () => () => Effect.succeed([]) })

/**
 * The end of each session by what is known here and elsewhere, by its id. `since` is that of `SessionOwners.sessionEnd`.
 */
export const endsOf = Effect.fnUntraced(function* (
  owners: SessionOwners.SessionOwners,
  ids: ReadonlyArray<string>,
  since: number | null
): Effect.fn.Return<ReadonlyMap<string, SessionEnd>> {
  const elsewhere = yield* Elsewhere
  return new Map(
    yield* Effect.forEach(ids, (id) =>
      Effect.map(elsewhere(id), (others) => [id, SessionOwners.sessionEnd(owners, id, since, others)] as const)
    )
  )
})
