/**
 * Surveys repositories and prints the plan. The plan is data: what is printed is what is carried out.
 *
 *     node examples/sweep.ts ~/src/app
 *     APPLY=1 node examples/sweep.ts ~/src/app
 */
import { Effect } from "effect"
import { Reclaim, Verdict } from "session-liveness"
import { layer } from "session-liveness/node"

const [, , ...given] = process.argv
const repositories = given.length > 0 ? given : ["."]

const program = Effect.gen(function* () {
  const plan = yield* Reclaim.survey({ repositories })
  for (const { path, verdict } of plan.candidates) {
    console.log(
      Verdict.$match(verdict, {
        Permit: ({ notes }) => `may go  ${path} ${notes.join("; ")}`,
        Refuse: ({ gate, reason }) => `stays   ${path} ${gate}: ${reason}`
      })
    )
  }
  for (const { repository, reason } of plan.unlisted) console.log(`unknown ${repository} ${reason}`)
  if (process.env["APPLY"] !== "1") return
  // Each is judged anew just before it is moved, so that an old plan harms nothing.
  for (const outcome of yield* Reclaim.apply(plan)) console.log(outcome._tag, outcome.path)
})

await Effect.runPromise(Effect.provide(program, layer()))
