/**
 * `session-liveness-hook`: serves every hook event of Claude Code by its name. It never fails a session start, and is
 * silent where it did what it is for.
 */
import { Cause, Effect, References } from "effect"
import { homedir } from "node:os"
import { parseArgs } from "node:util"
import * as Root from "../shared/core/Root.ts"
import * as Text from "../shared/core/Text.ts"
import * as Deadline from "./hook/Deadline.ts"
import * as End from "./hook/End.ts"
import * as Event from "./hook/Event.ts"
import * as Link from "./hook/Link.ts"
import { because } from "./hook/Undone.ts"

const help = `session-liveness-hook: a hook of Claude Code; \`session-liveness setup\` adds it

Usage: session-liveness-hook [--managed ID] [--session-names] [--root DIR]
It reads the JSON of the event on stdin.

  --managed ID     the managed session; without it, the record whose tmux
                   session shows the pane that this process runs in
  --session-names  where no manager keeps records, the name of the tmux session
                   is the managed id
  --root DIR       where the stores lie (default: $TRUSTY_MPM_ROOT, else
                   ~/.trusty-mpm)
  --within MS      how long it may take at most, in milliseconds (default: ${Deadline.usual})

SessionStart and UserPromptSubmit link the Claude id to its managed session.
SubagentStop marks the agent as ended in the sentinel of its worktree. Nothing
is printed on stdout, which Claude Code would add to the conversation.

Exit code: 0 always, because a hook must not hold a session up; why nothing was
done is on stderr.

Example:
  echo '{"hook_event_name":"SessionStart","session_id":"c-1"}' |
    session-liveness-hook --managed harbor`

const leave = (message?: string): never => {
  if (message !== undefined) process.stderr.write(`session-liveness-hook: ${Text.escape(message)}\n`)
  return process.exit(0)
}

const flags = () => {
  try {
    return parseArgs({
      options: {
        managed: { type: "string" },
        "session-names": { type: "boolean" },
        root: { type: "string" },
        within: { type: "string" },
        help: { type: "boolean", short: "h" }
      }
    }).values
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)} Try --help.`)
  }
}

const { managed, root, within, "session-names": sessionNames = false, help: isHelp } = flags()
if (isHelp) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}

if (within !== undefined && /^[1-9][0-9]{0,5}$/.test(within)) Deadline.set(Number(within))
setTimeout(() => leave(Deadline.over()), Deadline.left())

const options: Link.Options = {
  root: Root.resolve({ argument: root, variable: process.env["TRUSTY_MPM_ROOT"], home: homedir() }),
  managed,
  sessionNames
}

const serve = Effect.gen(function* () {
  const event = yield* Event.read
  switch (event["hook_event_name"]) {
    case "SessionStart":
      return yield* Link.ofStart(event, options)
    case "UserPromptSubmit":
      return yield* Link.ofPrompt(event, options)
    case "SubagentStop":
      return yield* End.ofStop(event)
    default:
      return yield* because("the event is none of SessionStart, UserPromptSubmit and SubagentStop")
  }
})

void serve.pipe(
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.matchCause({
    onSuccess: () => leave(),
    onFailure: (cause) => {
      const error = Cause.squash(cause)
      return leave(error instanceof Error ? error.message : String(error))
    }
  }),
  Effect.runPromise
)
