/**
 * Looks at the repositories now and then, and says what could go. It never applies a plan by itself.
 */
import { Effect, Schedule } from "effect"
import { Reclaim, Text } from "session-liveness"
import type * as Settings from "./Settings.ts"

export interface Watch {
  /** What the last survey came to; `null` before there was one. */
  readonly last: () => object | null
}

/** Looks for as long as the scope is open. */
export const start = Effect.fnUntraced(function* ({ repositories, interval, quiet }: Settings.Settings) {
  let last: object | null = null
  const look = Effect.gen(function* () {
    const { at, candidates, unlisted } = yield* Reclaim.survey({ repositories, quiet })
    const permitted = candidates.filter(({ verdict }) => verdict._tag === "Permit")
    for (const { path } of permitted) {
      yield* Effect.annotateLogs(Effect.log("this worktree could go"), { path: Text.escape(path) })
    }
    for (const { reason } of unlisted) yield* Effect.logWarning(Text.escape(reason))
    const counts = { candidates: candidates.length, permitted: permitted.length, unlisted: unlisted.length }
    last = { at: new Date(at).toISOString(), ...counts }
    yield* Effect.annotateLogs(Effect.log("surveyed"), counts)
  })
  if (repositories.length > 0) yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(interval)))
  return { last: () => last } satisfies Watch
})
