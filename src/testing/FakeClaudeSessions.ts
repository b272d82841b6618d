/**
 * The registry and the transcripts of Claude Code as they are described.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as ClaudeRegistry from "../core/ClaudeRegistry.ts"
import { ClaudeSessions, ClaudeSessionsError } from "../services/ClaudeSessions.ts"

export interface FakeClaudeSessions {
  readonly registry: "Found" | "NotConsulted" | "Fails"
  readonly entries: ReadonlyArray<ClaudeRegistry.Found>
  /** The ids of the sessions whose transcripts are there. */
  readonly transcripts: ReadonlyArray<string>
}

export const layer = ({ registry, entries, transcripts }: FakeClaudeSessions): Layer.Layer<ClaudeSessions> =>
  Layer.succeed(
    ClaudeSessions,
    ClaudeSessions.of({
      look: () =>
        registry === "NotConsulted"
          ? Effect.succeed({ _tag: "NotConsulted" })
          : registry === "Fails"
            ? Effect.fail(new ClaudeSessionsError({ path: "the config directory", cause: "injected" }))
            : Effect.succeed({ _tag: "Found", entries, transcripts: new Set(transcripts) })
    })
  )
