/**
 * A child process that records ids one after another and prints each as soon as it was told that it is recorded.
 * Arguments: the root, the layer, its own name, how many. With the layer `torn` it dies in the middle of a line instead.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import { Bound, SessionLinks } from "../../src/internal.ts"
import * as Answers from "./Answers.ts"
import * as Written from "./Written.ts"

const [root = "", layer, writer = "", count = "0"] = process.argv.slice(2)

if (layer === "torn") {
  for (const file of Written.files) fs.appendFileSync(`${root}/usage/session-links/${file}`, `torn-by-${writer}`)
  process.kill(process.pid, "SIGKILL")
}

const main = Effect.gen(function* () {
  for (let n = 0; n < Number(count); n++) {
    const { file, id } = Written.link(writer, n)
    const told = yield* SessionLinks.recordLink(file, id)
    // Synchronous, so that the parent has it even if the very next instruction is the last one.
    if (told) fs.writeSync(1, `${id}\n`)
  }
})

await Effect.runPromise(
  main.pipe(
    Effect.provideService(Bound.Links, "1 minute"),
    Answers.on(layer === "FileSystem" ? layer : "node:fs", root)
  )
)
