/**
 * Whether a stored managed session is still there.
 */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Observation from "./Observation.ts"
import * as SessionName from "./SessionName.ts"
import * as Period from "../../shared/core/Period.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * Why a session counts as live.
 */
export type Because = Data.TaggedEnum<{
  Unobserved: { readonly reason: Observation.Reason }
  /** `idle`: nothing but shells is known to run in it. */
  Listed: { readonly idle: boolean }
  NotManaged: {}
  Unlistable: {}
  Young: {}
  ProcessAlive: {}
  /** The record does not decode, so that nothing it says can be judged. */
  Undecoded: { readonly why: string }
}>

export const Because = Data.taggedEnum<Because>()

/**
 * `SessionGone` is positive evidence; everything else is `Live`.
 */
export type Liveness = Data.TaggedEnum<{
  Live: { readonly because: Because }
  SessionGone: {}
}>

const constructors = Data.taggedEnum<Liveness>()
const { SessionGone } = constructors
export const { Live, $is, $match } = constructors

/**
 * What liveness is judged by. Times are milliseconds since the epoch.
 */
export interface Facts {
  readonly tmuxName: string
  readonly createdAt?: number | null | undefined
  readonly lastActivityAt?: number | null | undefined
  /**
   * What the Claude registry says of the record's ids: `Alive` if a live or unjudgeable entry names one, `Unread` if
   * the registry or the link file could not be read.
   */
  readonly process: "NotConsulted" | "None" | "Alive" | "Unread"
  /** Whether nothing but shells is left in the panes of its session. It only says more of one that is listed. */
  readonly idle?: boolean | undefined
}

/**
 * What a person may set.
 */
export interface Settings {
  /** What the names of managed sessions begin with. */
  readonly prefixes?: ReadonlyArray<string> | undefined
  /** How long a session stays live after its record was made or last active: 60 seconds unless set. */
  readonly grace?: Duration.Input | undefined
}

/** How long a young session stays live, unless set, in milliseconds. */
export const defaultGrace = 60_000

/**
 * `SessionGone` only when tmux answered, does not list the name though it would have listed it exactly as stored, the
 * record is old enough, and no process is known to carry it on. Otherwise `Live` with the first of these that fails.
 */
export const livenessOf = (
  observation: Observation.Observation,
  record: Facts,
  observedAt: number,
  settings: Settings = {}
): Liveness => {
  if (observation._tag === "Unobserved") return live(Because.Unobserved({ reason: observation.reason }))
  if (observation.names.includes(record.tmuxName)) return live(Because.Listed({ idle: record.idle === true }))
  if (!SessionName.isManaged(record.tmuxName, settings.prefixes)) return live(Because.NotManaged())
  if (
    !SessionName.isListable(record.tmuxName) ||
    observation.names.some((name) => Text.trim(name) === record.tmuxName)
  ) {
    return live(Because.Unlistable())
  }
  const newest = Math.max(record.createdAt ?? -Infinity, record.lastActivityAt ?? -Infinity)
  if (!(observedAt - newest >= Period.milliseconds(settings.grace, defaultGrace))) return live(Because.Young())
  if (record.process === "NotConsulted" || record.process === "None") return SessionGone()
  return live(Because.ProcessAlive())
}

const live = (because: Because): Liveness => Live({ because })

/**
 * Why a session counts as live, and what would settle it.
 */
export const explain: (because: Because) => { readonly what: string; readonly settle: string } = Because.$match({
  Unobserved: ({ reason }) => Observation.explain(reason),
  Listed: ({ idle }) =>
    idle
      ? {
          what: "tmux lists it, though no agent runs in it: nothing but a shell is left",
          settle: "end the session, or dismiss its record with --dismiss ID"
        }
      : { what: "tmux lists it", settle: "end the session when its work is done" },
  NotManaged: () => ({
    what: "its tmux name is not one that the manager gives, so its absence proves nothing",
    settle: "remove the record, or name the prefix of managed names with --prefix"
  }),
  Unlistable: () => ({
    what: "tmux may list it under another spelling, so its absence proves nothing",
    settle: "see `tmux list-sessions` and remove the record by hand"
  }),
  Young: () => ({ what: "it was made or active a moment ago", settle: "ask again in a minute" }),
  ProcessAlive: () => ({
    what: "a Claude process may still run one of its ids",
    settle: "end that process, or make the registry and the link file readable"
  }),
  Undecoded: ({ why }) => ({
    what: `its record does not decode (${Text.escape(why)})`,
    settle: "fix the record, or dismiss it with --dismiss ID"
  })
})
