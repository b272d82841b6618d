/**
 * Which recorded sessions are live, and why.
 *
 *     node examples/sessions.ts
 */
import { Effect } from "effect"
import { Liveness, WorkspaceClaims } from "session-liveness"
import { layer } from "session-liveness/node"

const program = Effect.gen(function* () {
  const { claims, incomplete } = yield* WorkspaceClaims.workspaceClaims()
  if (incomplete !== undefined) console.log(`nothing may be removed: ${incomplete}`)
  for (const { session, liveness, place } of claims) {
    const why = Liveness.$match(liveness, {
      SessionGone: () => "gone",
      Live: ({ because }) => `live: ${Liveness.explain(because).what}`
    })
    console.log(session, place.path, why)
  }
})

await Effect.runPromise(Effect.provide(program, layer()))
