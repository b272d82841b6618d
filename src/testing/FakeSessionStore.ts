/**
 * A record store as it is described.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ClaudeId from "../shared/core/ClaudeId.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import type * as SessionRecord from "../records/core/SessionRecord.ts"
import * as Current from "./Current.ts"
import { Malformed, Missing, SessionStore, SessionStoreError, Unreadable } from "../records/SessionStore.ts"

/**
 * One record, its ids as plain text. Times are milliseconds since the epoch.
 */
export interface Stored {
  readonly id: string
  readonly tmuxName: string
  readonly workspacePath?: string | undefined
  readonly claudeId?: string | undefined
  readonly createdAt?: number | undefined
  readonly lastActivityAt?: number | undefined
}

export interface FakeSessionStore {
  readonly store: "Read" | "Missing" | "Malformed" | "Forbidden"
  readonly records: ReadonlyArray<Stored>
  readonly undecoded: ReadonlyArray<SessionRecord.Undecoded>
}

export const layer = (description: Current.Current<FakeSessionStore>): Layer.Layer<SessionStore> =>
  Layer.succeed(
    SessionStore,
    SessionStore.of({
      read: Effect.suspend(() => {
        const { store, records, undecoded } = Current.get(description)
        return store === "Read"
          ? Effect.succeed({ records: records.map(toRecord), undecoded })
          : Effect.fail(new SessionStoreError({ reason: reasons[store], path: "the store" }))
      })
    })
  )

const reasons = {
  Missing: new Missing(),
  Malformed: new Malformed({ why: "is not valid JSON" }),
  Forbidden: new Unreadable()
}

/** An id that is not valid is a mistake in the description. */
const toRecord = (stored: Stored): SessionRecord.SessionRecord => ({
  id: Option.getOrThrow(ManagedId.parse(stored.id)),
  tmuxName: stored.tmuxName,
  workspacePath: stored.workspacePath,
  claudeId: stored.claudeId === undefined ? undefined : Option.getOrThrow(ClaudeId.parse(stored.claudeId)),
  createdAt: stored.createdAt,
  lastActivityAt: stored.lastActivityAt
})
