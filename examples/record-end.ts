#!/usr/bin/env node
/**
 * A Claude Code `SubagentStop` hook: marks the agent that just ended in the ownership sentinel of its worktree.
 */
import { NodeServices } from "@effect/platform-node"
import { Cause, Clock, Duration, Effect, Layer, References } from "effect"
import { Git, OwnerSentinel } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Hook from "./Hook.ts"

const help = `record-end: marks an agent as ended in its worktree's sentinel; a Claude Code SubagentStop hook

Usage: record-end [--worktree DIR]   (the hook's JSON on stdin)

  --worktree DIR   the agent's worktree; without it, every linked worktree of the repository around the
                   event's cwd is looked at, and those whose sentinel names the event's agent_id are marked
  -h, --help       print this

Nothing but sentinels is written, and one that names another agent, or nobody, is left as it is. Nothing is
printed on stdout.

Exit codes: 0 always, because a hook must not hold an agent back; why nothing was marked is on stderr.`

const bound = Duration.seconds(10)
const concurrency = 8

const { worktree } = Cli.flags(help, { worktree: { type: "string" } }, 0)

const record = Effect.gen(function* () {
  const { agentId, cwd } = yield* readEvent
  const at = yield* Clock.currentTimeMillis
  const worktrees = worktree === undefined ? yield* findWorktrees(agentId, cwd) : [worktree]
  yield* Effect.forEach(worktrees, (path) => OwnerSentinel.markEnded(path, agentId, at), { discard: true })
})

const readEvent = Effect.gen(function* () {
  const event = yield* Hook.event
  const { agent_id: agentId, cwd } = event
  if (typeof agentId !== "string" || agentId === "") return yield* Hook.because("the hook's JSON has no agent_id")
  return { agentId, cwd: typeof cwd === "string" ? cwd : process.cwd() }
})

const findWorktrees = Effect.fnUntraced(function* (agentId: string, cwd: string) {
  const git = yield* Git.Git
  const sentinels = yield* OwnerSentinel.Service
  const { worktrees } = yield* git.repository(cwd)
  const linked = worktrees.filter(({ main }) => !main).map(({ path }) => path)
  const read = yield* Effect.forEach(linked, sentinels.read, { concurrency })
  const theirs = linked.filter((_, index) => {
    const sentinel = read[index]
    return sentinel?._tag === "Named" && sentinel.agent?.agentId === agentId
  })
  if (theirs.length === 0) {
    const unread = read.flatMap((sentinel) => (sentinel._tag === "Unreadable" ? [`; ${sentinel.why}`] : []))
    return yield* Hook.because(
      `no linked worktree of the repository around ${cwd} has a sentinel that names agent ${agentId}${unread.join("")}`
    )
  }
  return theirs
})

const services = Layer.mergeAll(OwnerSentinel.layer, Git.layer({ env: process.env, platform: process.platform })).pipe(
  Layer.provide(NodeServices.layer)
)

void record.pipe(
  Effect.provide(services),
  Effect.timeoutOrElse({
    duration: bound,
    orElse: () => Effect.fail(Hook.because(`no answer within ${Duration.format(bound)}`))
  }),
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.catchCause((cause) =>
    Effect.sync(() => Cli.err(`record-end: nothing was marked: ${Cli.reasonOf(Cause.squash(cause))}`))
  ),
  // Whoever holds stdin open must not hold the agent back.
  Effect.andThen(Effect.sync(() => process.exit(0))),
  Effect.runPromise
)
