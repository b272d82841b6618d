#!/usr/bin/env node
/**
 * A Claude Code `SessionStart` hook: links the Claude id that was just minted to its managed session.
 */
import { Cause, Duration, Effect, References } from "effect"
import { SessionLinks, SessionStore } from "session-liveness"
import { defaultRoot, layer, layerSidecar } from "session-liveness/node"
import * as Cli from "./cli.ts"
import * as Hook from "./Hook.ts"
import * as Pane from "./Pane.ts"

const help = `record-link: links a Claude id to its managed session; a Claude Code SessionStart hook

Usage: record-link [--managed ID] [--root DIR]   (the hook's JSON on stdin)

  --managed ID   the managed session; without it, tmux is asked for the name of the session whose pane this
                 process runs in, which must be the tmux_name of exactly one stored record
  --root DIR     where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  -h, --help     print this

An event that carries an agent_id is a subagent's and is not recorded. Nothing is printed on stdout, which
Claude Code would add to the conversation.

Exit codes: 0 always, because a hook must not fail a session start; why nothing was recorded is on stderr.`

const bound = Duration.seconds(6)

const { managed, root } = Cli.flags(help, { ...Cli.root, managed: { type: "string" } }, 0)

const record = Effect.gen(function* () {
  const claudeId = yield* readEvent
  const managedId = managed ?? (yield* findManagedSession)
  const recorded = yield* SessionLinks.record(managedId, claudeId).pipe(
    Effect.provide(layerSidecar({ root: defaultRoot(root) }))
  )
  if (recorded._tag === "Refused") return yield* Hook.because(`"${recorded.id}" is no valid id`)
})

const readEvent = Effect.gen(function* () {
  const event = yield* Hook.event
  if (event["agent_id"] != null) {
    return yield* Hook.because("this event is a subagent's, whose id is not the session's")
  }
  const claudeId = event["session_id"]
  return typeof claudeId === "string" ? claudeId : yield* Hook.because("the hook's JSON has no session_id")
})

const findManagedSession = Effect.gen(function* () {
  const names = yield* Pane.sessions
  const name = names.join('", "')
  const { records, undecoded } = yield* Effect.flatMap(SessionStore.SessionStore, (store) => store.read)
  const [found, another] = records.filter(({ tmuxName }) => names.includes(tmuxName))
  if (found === undefined)
    return yield* Hook.because(`no record has the tmux_name "${name}"; name the session by --managed`)
  if (another !== undefined) {
    return yield* Hook.because(`several records have the tmux_name "${name}"; name the session by --managed`)
  }
  // A record that does not decode may be the one that really has this name, and a wrong link stays for good.
  const [damaged] = undecoded
  if (damaged !== undefined) {
    return yield* Hook.because(
      `record "${damaged.key}" does not decode (${damaged.why}), so "${name}" may be its; mend it, or name the session by --managed`
    )
  }
  return found.id
}).pipe(Effect.provide(layer({ root })))

void record.pipe(
  Effect.timeoutOrElse({
    duration: bound,
    orElse: () => Effect.fail(Hook.because(`no answer within ${Duration.format(bound)}`))
  }),
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.catchCause((cause) =>
    Effect.sync(() => Cli.err(`record-link: nothing recorded: ${Cli.reasonOf(Cause.squash(cause))}`))
  ),
  // Whoever holds stdin open must not hold the session start.
  Effect.andThen(Effect.sync(() => process.exit(0))),
  Effect.runPromise
)
