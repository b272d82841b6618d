/**
 * Who a worktree's ownership sentinel names: the values, and the service that reads and writes them.
 */
import * as Effect from "effect/Effect"
import * as Text from "../shared/core/Text.ts"
import type { Named } from "./core/OwnerSentinel.ts"
import { OwnerSentinel, type OwnerSentinelError } from "./OwnerSentinel.ts"

export * from "./core/OwnerSentinel.ts"
export {
  layer,
  layerMemory,
  NotTheirs,
  NoWorktree,
  OwnerSentinelError,
  OwnerSentinel as Service,
  Unwritten
} from "./OwnerSentinel.ts"

/**
 * Names a session, an agent or both as the owner of a worktree. The sentinel is written whole, or not at all.
 */
export const write = (
  worktree: string,
  sentinel: Parameters<typeof Named>[0]
): Effect.Effect<void, OwnerSentinelError, OwnerSentinel> =>
  Effect.flatMap(OwnerSentinel, (sentinels) => sentinels.write(worktree, sentinel)).pipe(
    Effect.withSpan("OwnerSentinel.write", { attributes: { path: Text.escape(worktree) } })
  )

/**
 * Marks the agent that the sentinel of a worktree names as ended, as a `SubagentStop` hook does. `at` is in milliseconds
 * since the epoch.
 */
export const markEnded = (
  worktree: string,
  agentId: string,
  at: number
): Effect.Effect<void, OwnerSentinelError, OwnerSentinel> =>
  Effect.flatMap(OwnerSentinel, (sentinels) => sentinels.markEnded(worktree, agentId, at)).pipe(
    Effect.withSpan("OwnerSentinel.markEnded", {
      attributes: { path: Text.escape(worktree), agent: Text.escape(agentId) }
    })
  )
