import * as Effect from "effect/Effect"
import * as Processes from "../machine/core/Processes.ts"
import { ProcessTable } from "../machine/ProcessTable.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import { ClaudeSessions } from "./ClaudeSessions.ts"
import * as ClaudeRegistry from "./core/ClaudeRegistry.ts"

/**
 * The Claude registry judged against the process table, or `undefined` when it is not consulted. One that cannot be read
 * or judged, or not within `Bound.Observation`, is consulted, empty and unread.
 */
export const claudeRegistry: Effect.Effect<
  ClaudeRegistry.ClaudeRegistry | undefined,
  never,
  ProcessTable | ClaudeSessions
> = Effect.gen(function* () {
  const table = yield* ProcessTable
  const sessions = yield* ClaudeSessions
  const processes = yield* table.snapshot
  if (processes._tag === "Listed" && !Processes.holdsSelf(processes)) {
    return ClaudeRegistry.failed("the list of processes was cut off, so that its entries cannot be judged")
  }
  const list = processes._tag === "Listed" ? processes.processes : []
  const looked = yield* sessions.snapshot(list)
  if (looked._tag === "NotConsulted") return undefined
  return processes._tag === "Listed"
    ? ClaudeRegistry.assemble(looked.entries, list, looked.transcripts)
    : ClaudeRegistry.failed("no process table is consulted, so that its entries cannot be judged")
}).pipe(
  FailOpen.foldsTo({
    program: "WorkspaceClaims.workspaceClaims",
    answer: "the Claude registry could not be judged, so it proves no end",
    bound: Bound.Observation,
    safe: (why) => ClaudeRegistry.failed(why)
  })
)
