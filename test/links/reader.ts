/**
 * A child process that asks one reader about one root, and prints the answers and how much memory they took.
 * Arguments: the reader, the root.
 */
import { Effect } from "effect"
import { SessionLinks } from "../../src/internal.ts"
import { StatusLine } from "../../src/node/index.ts"
import * as Answers from "./Answers.ts"

const [reader, root = ""] = process.argv.slice(2)

const before = process.resourceUsage().maxRSS

const ask = async () => {
  if (reader === "status line") {
    const faults: Array<string> = []
    const linked = StatusLine.linkedClaudeIds({ root, onFault: (message) => faults.push(message) }, "asked")
    return { linked, history: faults.join() }
  }
  const programs = Effect.gen(function* () {
    const history = yield* SessionLinks.linkHistory
    const linked = yield* SessionLinks.linkedClaudeIds("asked")
    return { linked, history: history._tag === "Unreadable" ? history.reason : history._tag }
  })
  return Effect.runPromise(programs.pipe(Answers.on(reader === "FileSystem" ? reader : "node:fs", root)))
}

const answers = await ask()
console.log(JSON.stringify({ ...answers, peak: (process.resourceUsage().maxRSS - before) * 1024 }))
