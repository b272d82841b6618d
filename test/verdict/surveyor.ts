/**
 * A child process that surveys, prints the plan and has nothing more to do. Its argument is the options as JSON;
 * it becomes their user.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as Survey from "./Survey.ts"

const { repository, ...options }: Survey.Options & { readonly repository: string | ReadonlyArray<string> } = JSON.parse(
  process.argv[2] ?? ""
)

// What is needed is loaded by now: that user need not be able to read this checkout.
if (options.user !== undefined) {
  process.setgroups?.([])
  process.setgid?.(options.user)
  process.setuid?.(options.user)
}

await Effect.runPromise(Effect.map(Survey.survey(repository, options), (plan) => fs.writeSync(1, JSON.stringify(plan))))
