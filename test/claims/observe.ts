/**
 * A child process that prints one observation and has nothing more to do. Its argument is the options as JSON, with the
 * bound in milliseconds.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as Look from "./Look.ts"

const { bound, ...options }: Look.Options & { readonly bound: number } = JSON.parse(process.argv[2] ?? "")

const main = Effect.map(Look.observe(options, bound), (observation) => fs.writeSync(1, JSON.stringify(observation)))

await Effect.runPromise(main)
