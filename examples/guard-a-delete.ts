/**
 * Asks before your own clean-up touches a worktree. Only `Permit` is permission: no claim, no session, no refusal are not.
 *
 *     node examples/guard-a-delete.ts .worktrees/fix && echo "nobody needs it"
 */
import { Effect } from "effect"
import { realpathSync } from "node:fs"
import { Reclaim, Verdict } from "session-liveness"
import { layer } from "session-liveness/node"

const path = realpathSync(process.argv[2] ?? ".")

const mayGo = Effect.gen(function* () {
  const { candidates } = yield* Reclaim.survey({ repositories: [path] })
  const verdict = candidates.find((candidate) => candidate.path === path)?.verdict
  if (verdict === undefined) console.log("it is no linked worktree")
  else if (Verdict.$is("Refuse")(verdict)) console.log(`${verdict.gate}: ${verdict.reason}`)
  return verdict !== undefined && Verdict.$is("Permit")(verdict)
})

process.exitCode = (await Effect.runPromise(Effect.provide(mayGo, layer()))) ? 0 : 1
