#!/usr/bin/env node
/**
 * The evening of a managed session, played on real files in a root of its own.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Data, Effect, FileSystem, References } from "effect"
import { layer } from "session-liveness/node"
import * as Cli from "./cli.ts"
import * as Neighbours from "./tour/Neighbours.ts"
import * as Restarts from "./tour/Restarts.ts"
import { type Act, Stage } from "./tour/Stage.ts"
import * as TornWrite from "./tour/TornWrite.ts"

const help = `tour: plays the evening of a managed session and says after each step what its status line shows

Usage: tour [--root DIR]

  --root DIR   play in DIR, which has to be empty or absent, and leave the files there to be looked at;
               without it, in a temporary root that is removed at the end, also after Ctrl-C
  -h, --help   print this

Exit codes: 0 played; 1 it could not be played; 2 wrong usage; 130 interrupted.`

const acts: ReadonlyArray<Act> = [
  Restarts.start,
  Restarts.clear,
  TornWrite.torn,
  TornWrite.healed,
  Neighbours.alongside,
  Neighbours.ambiguous
]

const { root: given } = Cli.flags(help, {})

class Occupied extends Data.TaggedError("Occupied")<{ readonly message: string }> {}

const makeRoot = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  if (given === undefined) return yield* fs.makeTempDirectoryScoped({ prefix: "session-liveness-tour-" })
  yield* fs.makeDirectory(given, { recursive: true })
  const names = yield* fs.readDirectory(given)
  return names.length === 0 ? given : yield* new Occupied({ message: `${given} is not empty; name an empty directory` })
})

const tour = Effect.gen(function* () {
  const root = yield* makeRoot
  Cli.out(`An agent session in tmux has one name, and Claude Code mints a new session id for it on every restart,
/login, /clear and crash. What was saved is booked under the id of the moment, so a status line that
knows one id alone starts from zero each time. Links remember which ids are the same managed session.`)
  yield* Effect.forEach(acts, ({ title, play }, index) => {
    Cli.out(`\n${index + 1}. ${title}`)
    return play
  }).pipe(Effect.provideService(Stage, { root }), Effect.provide(layer({ root })))
  Cli.out(`\nEvery file only grew; nothing was rewritten or deleted. ${farewell(root)}`)
})

const farewell = (root: string) =>
  given === undefined ? "The temporary root is removed now." : `The files are in ${root}`

tour.pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.tapCause((cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.sync(() => Cli.err(`tour: ${Cli.reasonOf(Cause.squash(cause))}`))
  ),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
