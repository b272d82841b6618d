/**
 * The lock that Claude Code takes on a worktree it works in.
 */
import * as ClaudeRegistry from "../../claims/core/ClaudeRegistry.ts"
import type * as GitFacts from "./GitFacts.ts"
import * as Processes from "../../machine/core/Processes.ts"

const reasonOfClaude = /^claude (?:agent|session) [^]*\(pid ([1-9][0-9]*)(?: start ([^()]+))?\)$/

/**
 * Who holds a lock of that reason. It is proven gone only when the reason is a harness's and names a pid that no process
 * has, or one that started at another time.
 */
export const of = (reason: string, processes: ReadonlyArray<Processes.Process>): GitFacts.Lock => {
  const match = reasonOfClaude.exec(reason)
  if (match === null) return { holder: "Unknown", reason }
  const pid = Number(match[1])
  const liveness = ClaudeRegistry.judgeEntry({ procStart: match[2]?.trim() }, Processes.find(processes, pid))
  return { holder: liveness._tag, reason }
}
