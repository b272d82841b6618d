/**
 * A child process that observes as an embedder does, through the layer of everything, and has nothing more to do. Its
 * argument is the root.
 */
import { Effect, Layer, Logger } from "effect"
import * as fs from "node:fs"
import { Bound, WorkspaceClaims } from "../../src/internal.ts"
import * as Node from "../../src/node/index.ts"

const main = WorkspaceClaims.observe.pipe(
  Effect.provideService(Bound.Observation, 700),
  Effect.map((observation) => fs.writeSync(1, JSON.stringify(observation))),
  Effect.provide(Layer.merge(Node.layer({ root: process.argv[2], vantage: "here" }), Logger.layer([])))
)

await Effect.runPromise(main)
