/**
 * A child process that prints what claims say of candidates, as another user and, where asked, from another working
 * directory that is then removed. Its argument is that, as JSON.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as Claims from "./Claims.ts"

const {
  user,
  gone,
  questions
}: {
  readonly user?: number
  readonly gone?: string
  readonly questions: ReadonlyArray<Claims.Question>
} = JSON.parse(process.argv[2] ?? "")

if (gone !== undefined) {
  process.chdir(gone)
  fs.rmSync(gone, { recursive: true })
}

// What is needed is loaded by now: that user need not be able to read this checkout.
if (user !== undefined) {
  process.setgroups?.([])
  process.setgid?.(user)
  process.setuid?.(user)
}

const main = Effect.map(Effect.forEach(questions, Claims.ask), (said) => fs.writeSync(1, JSON.stringify(said)))

await Effect.runPromise(main)
