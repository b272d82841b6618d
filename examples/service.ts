/**
 * A long-lived process that knows which worktrees may go. It surveys now and then, and never moves anything.
 *
 *     node examples/service.ts ~/src/app      (until Ctrl-C)
 */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Logger, References, Schedule } from "effect"
import { Reclaim } from "session-liveness"
import { layer } from "session-liveness/node"

const [, , ...given] = process.argv
const repositories = given.length > 0 ? given : ["."]

const look = Effect.gen(function* () {
  const { candidates, unlisted } = yield* Reclaim.survey({ repositories })
  const permitted = candidates.filter(({ verdict }) => verdict._tag === "Permit").map(({ path }) => path)
  yield* Effect.log("surveyed").pipe(
    Effect.annotateLogs({ candidates: candidates.length, permitted, unlisted: unlisted.length })
  )
})

/** The library's own logs, such as why tmux was not observed, go the same way. */
const logs = Layer.merge(Logger.layer([Logger.consoleJson]), Layer.succeed(References.MinimumLogLevel, "Info"))

Effect.repeat(look, Schedule.spaced("1 minute")).pipe(
  Effect.provide(layer().pipe(Layer.provideMerge(logs))),
  NodeRuntime.runMain
)
