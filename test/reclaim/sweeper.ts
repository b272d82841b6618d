/**
 * A sweep in a process of its own, wherever that stands. It says `ready`, waits for the time given, and prints what became of it:
 * `sweeper.ts <root> <common git directory> apply|restore|expire|applyLater|expireLater <start> [<path>…]`. Later is when what was
 * put back a moment ago is settled again.
 */
import { Effect } from "effect"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"

const [root = "", common = "", program = "", start = "0", ...paths] = process.argv.slice(2)
const on: Stage.Stage = { root, main: common, common, bare: false }
const options: Stage.Options = { table: "raw", vantage: "here" }

const outcomes = Effect.gen(function* () {
  const later = program.endsWith("Later") ? 8 * Repo.day : 0
  const applying = { ...options, ahead: later }
  const plan = program.startsWith("apply") ? yield* Stage.survey(on, applying) : undefined
  process.stdout.write("ready\n")
  yield* Effect.sleep(Math.max(0, Number(start) - Date.now()))
  if (plan !== undefined) return yield* Stage.apply(on, plan, applying)
  if (program === "restore") return yield* Effect.forEach(paths, (at) => Stage.restore(on, at, options))
  return yield* Stage.expire(on, { ...options, ahead: later + 15 * Repo.day })
})

process.stdout.write(`${JSON.stringify((await Effect.runPromise(outcomes)).map(Stage.line))}\n`)
