/**
 * Links a Claude id to the managed session whose id you know, as a `SessionStart` hook of your own would.
 *
 *     echo '{"session_id":"3544c9e5"}' | node examples/record-link.ts my-session
 */
import { Effect } from "effect"
import { text } from "node:stream/consumers"
import { SessionLinks } from "session-liveness"
import { defaultRoot, layerSidecar } from "session-liveness/node"

const [, , managedId = ""] = process.argv
const event = JSON.parse(await text(process.stdin))

const program = Effect.gen(function* () {
  // `recordLink` never fails; `record` says why nothing was written.
  const recorded = yield* SessionLinks.record(managedId, event.session_id)
  return SessionLinks.Recorded.$match(recorded, {
    Written: () => "linked",
    AlreadyListed: () => "was linked already",
    Refused: ({ id }) => `"${id}" is no valid id`
  })
}).pipe(Effect.catch(({ message }) => Effect.succeed(message)))

console.log(await Effect.runPromise(Effect.provide(program, layerSidecar({ root: defaultRoot() }))))
