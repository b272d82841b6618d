/**
 * Links the Claude id of an event to the managed session in whose pane the hook runs.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import * as SessionLinks from "../../links/SessionLinks.ts"
import { layerSidecar } from "../../node/Sidecar.ts"
import * as StatusLine from "../../node/StatusLine.ts"
import * as SessionStore from "../../records/SessionStore.ts"
import * as Root from "../../shared/core/Root.ts"
import * as Deadline from "./Deadline.ts"
import * as Event from "./Event.ts"
import * as Pane from "./Pane.ts"
import { because } from "./Undone.ts"

/** What a person chose in `setup`. */
export interface Options {
  readonly root: string
  /** The managed session, outright. */
  readonly managed?: string | undefined
  /** Without a manager, a tmux session's name is its managed id. */
  readonly sessionNames: boolean
}

/** Every `SessionStart` is linked, whatever its source. */
export const ofStart = Effect.fnUntraced(function* (event: Event.Event, options: Options) {
  // A subagent's id is not the session's.
  if (event["agent_id"] != null) return
  const claudeId = Event.text(event, "session_id")
  if (claudeId === undefined) return yield* because("the event has no session_id")
  const managedId = options.managed ?? (yield* managedAbove(options))
  Deadline.mayBeDone("the id is linked")
  const recorded = yield* SessionLinks.record(managedId, claudeId).pipe(Effect.provide(layerSidecar(options)))
  if (recorded._tag === "Refused") return yield* because(`"${recorded.id}" is no valid id`)
})

/** A prompt is the first event of an id that got no `SessionStart`; it comes often, so that a known id costs no more than a look. */
export const ofPrompt = Effect.fnUntraced(function* (event: Event.Event, options: Options) {
  const claudeId = Event.text(event, "session_id")
  if (claudeId !== undefined && StatusLine.linkedClaudeIds(options, claudeId).length > 0) return
  yield* ofStart(event, options)
})

const managedAbove = Effect.fnUntraced(function* ({ root, sessionNames }: Options) {
  const names = yield* Pane.sessions
  const shown = names.join('", "')
  if (!existsSync(Root.store(root))) {
    const [only, ...others] = names
    if (!sessionNames) return yield* because(`no manager keeps records in ${root}; see \`session-liveness setup\``)
    return only === undefined || others.length > 0
      ? yield* because(`several tmux sessions show this pane ("${shown}"); name the session by --managed`)
      : only
  }
  const { records, undecoded } = yield* Effect.flatMap(SessionStore.SessionStore, (store) => store.read).pipe(
    Effect.provide(Layer.provide(SessionStore.layer({ root }), NodeFileSystem.layer))
  )
  const [found, another] = records.filter(({ tmuxName }) => names.includes(tmuxName))
  if (found === undefined) return yield* because(`no record has the tmux_name "${shown}"`)
  if (another !== undefined) return yield* because(`several records have the tmux_name "${shown}"`)
  // A record that does not decode may be the one that really has this name, and a wrong link stays for good.
  const [damaged] = undecoded
  if (damaged === undefined) return found.id
  return yield* because(`record "${damaged.key}" does not decode (${damaged.why}), so that "${shown}" may be its`)
})
