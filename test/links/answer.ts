/**
 * A child process that prints every program's answer about each root, a line each, and then has nothing more to do.
 * Arguments: the layer, the user to become once everything is loaded (that user need not be able to read this
 * checkout) or nothing, and the roots.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as Answers from "./Answers.ts"

const [layer, user = "", ...roots] = process.argv.slice(2)

if (user !== "") {
  process.setgroups?.([])
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}

const main = Effect.forEach(roots, (root) =>
  Effect.map(Answers.ask.pipe(Answers.on(layer === "FileSystem" ? layer : "node:fs", root)), (answers) =>
    fs.writeSync(1, `${JSON.stringify(answers)}\n`)
  )
)

await Effect.runPromise(main)
