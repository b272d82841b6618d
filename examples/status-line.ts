/**
 * What compression saved in a session, over every id that Claude Code minted for it.
 *
 *     echo '{"session_id":"3544c9e5"}' | node examples/status-line.ts
 */
import { Effect } from "effect"
import { text } from "node:stream/consumers"
import { SavingsLedger, SavingsTotal, SessionLinks } from "session-liveness"
import { defaultRoot, layerSidecar } from "session-liveness/node"

const { session_id: claudeId } = JSON.parse(await text(process.stdin))

const segment = Effect.gen(function* () {
  const linked = yield* SessionLinks.linkedClaudeIds(claudeId)
  // Nothing is linked to it, or nothing that is certain: it counts for itself alone.
  const total = yield* SavingsLedger.total(linked.length > 0 ? linked : [claudeId])
  return SavingsTotal.segment(total)
})

// These layers need no other package, and are synchronous: a process that lives for milliseconds starts fast.
console.log(await Effect.runPromise(Effect.provide(segment, layerSidecar({ root: defaultRoot() }))))
