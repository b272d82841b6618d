#!/usr/bin/env node
/**
 * How to live with the library in a service: one process that records links as hooks report them, answers which worktrees
 * may go, and looks by itself now and then. It never moves anything.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import { layer } from "session-liveness/node"
import * as Cli from "./cli.ts"
import * as Client from "./embed-service/Client.ts"
import * as Requests from "./embed-service/Requests.ts"
import * as Settings from "./embed-service/Settings.ts"
import * as Spans from "./embed-service/Spans.ts"
import * as UnixSocket from "./embed-service/UnixSocket.ts"
import * as Watch from "./embed-service/Watch.ts"

const help = `embed-service: a service that records links and knows which worktrees may go

Usage: embed-service [FLAGS]                       serve, until SIGTERM or Ctrl-C
       embed-service ask verdict PATH [FLAGS]      ask it whether a worktree may go
       embed-service ask health | metrics [FLAGS]  ask how it is, or what it counted
       embed-service ask link ID [FLAGS]           hand it the SessionStart event on stdin, of managed session ID

${Settings.help}
  -h, --help          print this

It logs JSON on stdout, a line each. A question is a line of JSON on the socket, and so is its answer:
{"ask":"verdict","path":"/w/fix"}, {"ask":"health"}, {"ask":"metrics"}, or Claude Code's SessionStart event with
the managed session added as "managed_id".

Exit codes: 0 ended when told to, or the answer is yes; 1 it could not serve, or the answer is no; 2 wrong usage.`

const { values: flags, positionals } = Cli.flagsAndPaths(help, Settings.flags)
const [command, ...question] = positionals
if (command !== undefined && command !== "ask") Cli.fail(`What is "${command}"?`, 2)

const program = Effect.gen(function* () {
  const settings = yield* Settings.load(flags)
  if (command === "ask") return yield* Client.ask(settings.socket, question)
  const { root, vantage, socket, logLevel } = settings
  return yield* Effect.gen(function* () {
    const watch = yield* Watch.start(settings)
    yield* UnixSocket.serve(socket, Requests.answer(settings, watch))
    yield* Effect.annotateLogs(Effect.log("serving"), { root, socket })
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    // The library's logs and spans go where this application wants them; without a word they go where Effect's go.
    Effect.provide(
      layer({ root, vantage }).pipe(
        Layer.provideMerge(Spans.layer),
        Layer.provideMerge(Logger.layer([Logger.consoleJson])),
        Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, logLevel))
      )
    )
  )
})

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, done) => {
    if (Exit.isSuccess(exit)) return done(Number(exit.value))
    if (Cause.hasInterruptsOnly(exit.cause)) return done(0)
    const error = Cause.squash(exit.cause)
    Cli.err(`embed-service: ${Cli.reasonOf(error)}`)
    done(error instanceof Settings.Wrong ? 2 : 1)
  }
})
