/**
 * A child process that writes down in which managed session it runs. Its arguments: the file to write, and the options
 * as JSON.
 */
import { NodeServices } from "@effect/platform-node"
import { Effect, Option } from "effect"
import * as fs from "node:fs"
import { Bound, SessionStore, WorkspaceClaims } from "../../src/internal.ts"
import * as Look from "./Look.ts"

const [file = "", json = ""] = process.argv.slice(2)
const options: Look.Options = JSON.parse(json)

const main = WorkspaceClaims.identifyCaller.pipe(
  Effect.provideService(Bound.Observation, "1 minute"),
  Effect.map((caller) => {
    const said = { caller: Option.getOrNull(caller), tmux: process.env["TMUX"] ?? null }
    fs.writeFileSync(`${file}.part`, JSON.stringify(said))
    fs.renameSync(`${file}.part`, file)
  }),
  Effect.provide(SessionStore.layer({ root: options.directory })),
  Look.at(options),
  Effect.provide(NodeServices.layer)
)

await Effect.runPromise(main)
