/**
 * Who a worktree's ownership sentinel names.
 */
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/** The name of the sentinel, in the worktree's git admin directory or in the worktree itself. */
export const fileName = ".trusty-mpm-worktree"

/**
 * An agent that works for a session. Ids are compared exactly. Times are milliseconds since the epoch.
 */
export interface Agent {
  readonly agentId: string
  readonly delegationId: string
  readonly parent: string
  readonly endedAt: number | undefined
}

/**
 * `Named` names a session, an agent or both. `Nobody`: there is no sentinel, or the old empty mark. `Unreadable`: there
 * is one, and whom it names cannot be told.
 */
export type Sentinel = Data.TaggedEnum<{
  Nobody: {}
  Named: {
    readonly owner: string | undefined
    readonly agent: Agent | undefined
    /** Milliseconds since the epoch. */
    readonly createdAt: number
  }
  Unreadable: { readonly why: string }
}>

export const { Nobody, Named, Unreadable, $is, $match } = Data.taggedEnum<Sentinel>()

/**
 * What stood at one of the two places: nothing, a regular file with its size by `stat` and its text, or something that
 * could not be read.
 */
export type Found =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "File"; readonly size: number; readonly text: string }
  | { readonly _tag: "Broken"; readonly why: string }

/**
 * Decides by what stands in the admin directory, else by what stands in the worktree itself. Only there is an empty file
 * the old mark that names nobody.
 */
export const decide = (inAdmin: Found, inWorktree: Found): Sentinel => {
  if (inAdmin._tag !== "Nothing") return decode(inAdmin)
  if (inWorktree._tag === "File" && inWorktree.size === 0 && inWorktree.text === "") return Nobody()
  return decode(inWorktree)
}

/**
 * The text of a sentinel, without what is not told.
 */
export const print = (sentinel: Data.TaggedEnum.Value<Sentinel, "Named">): string =>
  `${JSON.stringify({
    owner_session_id: sentinel.owner,
    created_at: new Date(sentinel.createdAt).toISOString(),
    agent: sentinel.agent && {
      agent_id: sentinel.agent.agentId,
      delegation_id: sentinel.agent.delegationId,
      parent_session_id: sentinel.agent.parent,
      ended_at: sentinel.agent.endedAt === undefined ? undefined : new Date(sentinel.agent.endedAt).toISOString()
    }
  })}\n`

const instant = Schema.String.check(
  Schema.makeFilter((text) => Timestamp.parseRfc3339(text) !== undefined || "is no RFC 3339 instant")
)

const Payload = Schema.Struct({
  owner_session_id: Schema.optional(Schema.NullOr(Schema.NonEmptyString)),
  created_at: instant,
  agent: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        agent_id: Schema.NonEmptyString,
        delegation_id: Schema.NonEmptyString,
        parent_session_id: Schema.NonEmptyString,
        ended_at: Schema.optional(Schema.NullOr(instant))
      })
    )
  )
})

/** What it holds is not told, because it may be anything. */
const notWhole =
  "it is no whole payload, which has created_at, and an owner_session_id, an agent with agent_id, delegation_id and parent_session_id, or both"

const decodePayload = Schema.decodeUnknownOption(Schema.fromJsonString(Payload))

const time = (text: string): number => Timestamp.parseRfc3339(text) ?? NaN

const decode = (found: Found): Sentinel => {
  if (found._tag === "Nothing") return Nobody()
  if (found._tag === "Broken") return Unreadable({ why: found.why })
  const payload = decodePayload(found.text)
  if (Option.isNone(payload)) {
    return Unreadable({ why: notWhole })
  }
  const { owner_session_id: owner, created_at: createdAt, agent } = payload.value
  return whole(
    Named({
      owner: owner ?? undefined,
      createdAt: time(createdAt),
      agent:
        agent == null
          ? undefined
          : {
              agentId: agent.agent_id,
              delegationId: agent.delegation_id,
              parent: agent.parent_session_id,
              endedAt: agent.ended_at == null ? undefined : time(agent.ended_at)
            }
    })
  )
}

/**
 * The same sentinel, or that it cannot be read: one that names neither a session nor an agent says nothing.
 */
export const whole = (sentinel: Sentinel): Sentinel =>
  sentinel._tag === "Named" && sentinel.owner === undefined && sentinel.agent === undefined
    ? Unreadable({ why: "it names nobody" })
    : sentinel
