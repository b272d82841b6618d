/**
 * A child process that waits for the file `go` in the root, then records the link `<name>-new` for each name, and prints
 * each name as soon as it was told that its link is recorded. Arguments: the root, the layer, the names.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import { SessionLinks } from "../../src/internal.ts"
import * as Answers from "./Answers.ts"

const [root = "", layer, ...names] = process.argv.slice(2)

const main = Effect.gen(function* () {
  fs.writeFileSync(`${root}/ready`, "")
  while (!fs.existsSync(`${root}/go`)) yield* Effect.yieldNow
  for (const name of names) {
    if (yield* SessionLinks.recordLink(name, `${name}-new`)) fs.writeSync(1, `${name}\n`)
  }
})

await Effect.runPromise(main.pipe(Answers.on(layer === "FileSystem" ? layer : "node:fs", root)))
