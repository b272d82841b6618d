/**
 * The registry and the transcripts of Claude Code as they are described.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as ClaudeRegistry from "../claims/core/ClaudeRegistry.ts"
import * as Current from "./Current.ts"
import { ClaudeSessions, ClaudeSessionsError, type Snapshot } from "../claims/ClaudeSessions.ts"

export interface FakeClaudeSessions {
  readonly registry: "Found" | "NotConsulted" | "Fails"
  readonly entries: ReadonlyArray<ClaudeRegistry.Found>
  /** The ids of the sessions whose transcripts are there. */
  readonly transcripts: ReadonlyArray<string>
}

export const layer = (description: Current.Current<FakeClaudeSessions>): Layer.Layer<ClaudeSessions> =>
  Layer.succeed(
    ClaudeSessions,
    ClaudeSessions.of({
      projects: () => Effect.succeed([]),
      snapshot: () =>
        Effect.suspend((): Effect.Effect<Snapshot, ClaudeSessionsError> => {
          const { registry, entries, transcripts } = Current.get(description)
          switch (registry) {
            case "NotConsulted":
              return Effect.succeed({ _tag: "NotConsulted" })
            case "Fails":
              return Effect.fail(new ClaudeSessionsError({ path: "the config directory", cause: "injected" }))
            case "Found":
              return Effect.succeed({ _tag: "Found", entries, transcripts: new Set(transcripts) })
          }
        })
    })
  )
