#!/usr/bin/env node
/**
 * The evening of a managed session, played on real files in a root of its own.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Data, Effect, FileSystem, References, Result } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Root } from "session-liveness"
import * as Cli from "./cli.ts"
import { harbor, orchard } from "./tour/Cast.ts"
import * as Neighbours from "./tour/Neighbours.ts"
import * as Own from "./tour/Own.ts"
import * as Restarts from "./tour/Restarts.ts"
import { type Act, Stage } from "./tour/Stage.ts"
import * as Tmux from "./tour/Tmux.ts"
import * as TornWrite from "./tour/TornWrite.ts"
import * as Worktrees from "./tour/Worktrees.ts"

const help = `tour: plays the evening of two managed sessions and says after each step what the library makes of it

Usage: tour [--root DIR]

  --root DIR   play in DIR, which has to be empty or absent, and leave the files there to be looked at;
               without it, in a temporary root that is removed at the end, also after Ctrl-C. Where tmux or
               git is missing, its acts are left out
  -h, --help   print this

Exit codes: 0 played; 1 it could not be played; 2 wrong usage; 130 interrupted.`

const links: ReadonlyArray<Act> = [
  Restarts.start,
  Restarts.clear,
  TornWrite.torn,
  TornWrite.healed,
  Neighbours.alongside,
  Neighbours.ambiguous
]

const { root: given } = Cli.flags(help, Cli.root)

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
  const pids = new Set<number>()
  // The library finds tmux by the environment, as its users do.
  process.env["TMUX_TMPDIR"] = `${root}/tmux`
  let number = 0
  const play = (acts: ReadonlyArray<Act>) =>
    Effect.forEach(acts, ({ title, play }) => {
      Cli.out(`\n${++number}. ${title}`)
      return play
    })
  yield* Effect.gen(function* () {
    Cli.out(`An agent session in tmux has one name, and Claude Code mints a new session id for it on every restart,
/login, /clear and crash. What was saved is booked under the id of the moment, so a status line that
knows one id alone starts from zero each time. Links remember which ids are the same managed session.`)
    yield* play(links)
    Cli.out(`\nEvery file only grew; nothing was rewritten or deleted.

Each session also claims its workspace, until there is evidence that it is gone. "tmux could not be asked"
is no such evidence, whatever the reason: then all count as live, and no workspace is touched.`)
    writeRecords(root)
    const server = yield* Effect.result(Tmux.start)
    if (Result.isSuccess(server)) yield* play(Tmux.acts(server.success))
    else Cli.out(`\n   tmux is not to be had, so its acts are left out: ${server.failure.message}`)
    const repository = yield* Effect.result(Worktrees.start)
    if (Result.isSuccess(repository)) yield* play(Worktrees.acts(repository.success))
    else Cli.out(`\n   git is not to be had, so its acts are left out: ${repository.failure.message}`)
    Cli.out(`\nNothing was deleted. ${farewell(root)}`)
  }).pipe(Effect.provideService(Stage, { root, pids }), Effect.provide(Own.services(root, pids)))
})

/** The records of the two, as their manager wrote them days ago. */
const writeRecords = (root: string) => {
  const file = Root.store(root)
  const created_at = new Date(Date.now() - 5 * 24 * 60 * 60 * 1000).toISOString()
  const sessions = [harbor.id, orchard.id].map((id) => [
    id,
    { id, tmux_name: `tm-${id}`, workspace_path: `${root}/work/${id}`, created_at }
  ])
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ sessions: Object.fromEntries(sessions) }))
}

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
