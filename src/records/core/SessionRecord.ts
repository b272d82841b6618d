/**
 * One stored managed session, as its manager wrote it.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/**
 * What is read of a record. Times are milliseconds since the epoch. Its own word on whether it is deleted is not read:
 * live sessions have been seen under records that said so.
 */
export interface SessionRecord {
  readonly id: ManagedId.ManagedId
  readonly tmuxName: string
  readonly workspacePath: string | undefined
  readonly claudeId: ClaudeId.ClaudeId | undefined
  readonly createdAt: number | undefined
  readonly lastActivityAt: number | undefined
}

/**
 * A record that does not decode. What it says of its workspace is kept, because it may be somebody's.
 */
export interface Undecoded {
  readonly key: string
  readonly why: string
  readonly workspacePath: string | undefined
  readonly tmuxName?: string | undefined
}

/**
 * Every record of a store, none left out.
 */
export interface StoredRecords {
  readonly records: ReadonlyArray<SessionRecord>
  readonly undecoded: ReadonlyArray<Undecoded>
}

/** No manager, no records. */
export const none: StoredRecords = { records: [], undecoded: [] }

/**
 * Reads a whole store document, each record by itself, or says why it is none.
 */
export const parseStore = (text: string): Result.Result<StoredRecords, string> =>
  Result.flatMap(decodeDocument(text), (document) => {
    const sessions = Predicate.isObject(document) ? document["sessions"] : undefined
    if (!Predicate.isObject(sessions) || Array.isArray(sessions)) return Result.fail('has no object "sessions"')
    const records: Array<SessionRecord> = []
    const undecoded: Array<Undecoded> = []
    for (const [key, value] of Object.entries(sessions)) {
      Result.match(decode(key, value), {
        onSuccess: (record) => records.push(record),
        onFailure: (why) =>
          undecoded.push({
            key,
            why,
            workspacePath: salvage(value, "workspace_path"),
            tmuxName: salvage(value, "tmux_name")
          })
      })
    }
    return Result.succeed({ records, undecoded })
  })

const instant = Schema.String.check(
  Schema.makeFilter((text) => Timestamp.parseRfc3339(text) !== undefined || "is no RFC 3339 instant")
)

const Stored = Schema.Struct({
  id: Schema.String.check(Schema.makeFilter((id) => ManagedId.is(id) || "is no managed id")),
  tmux_name: Schema.String,
  workspace_path: Schema.optional(Schema.NullOr(Schema.String)),
  claude_session_id: Schema.optional(
    Schema.NullOr(
      Schema.String.check(Schema.makeFilter((id) => Option.isSome(ClaudeId.parse(id)) || "is no Claude session id"))
    )
  ),
  created_at: Schema.optional(Schema.NullOr(instant)),
  last_activity_at: Schema.optional(Schema.NullOr(instant))
})

const decodeDocument = (text: string): Result.Result<unknown, string> =>
  Result.flatMap(Result.try({ try: (): unknown => JSON.parse(text), catch: () => "is not valid JSON" }), (document) => {
    const key = repeatedKey(text)
    return key === undefined ? Result.succeed(document) : Result.fail(`holds the key ${key} twice in one object`)
  })

/**
 * A key that valid JSON has twice in one of the objects down to a record. Of such the last would count, and what the others
 * say would be lost.
 */
const repeatedKey = (text: string): string | undefined => {
  const open: Array<Set<string>> = []
  let last = ""
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        open.push(new Set())
        break
      case "}":
      case "]":
        open.pop()
        break
      case '"': {
        const start = at
        // A regular expression that passes over escapes overflows on a text of some megabytes.
        do at += text[at] === "\\" ? 2 : 1
        while (text[at] !== '"')
        last = text.slice(start, at + 1)
        break
      }
      case ":": {
        if (open.length > recordDepth) break
        const keys = open.at(-1)
        const key: string = JSON.parse(last)
        if (keys?.has(key) === true) return Text.escape(last)
        keys?.add(key)
      }
    }
  }
  return undefined
}

/** A record lies in the object `sessions` of the document. */
const recordDepth = 3

const decodeStored = Schema.decodeUnknownResult(Stored)

const decode = (key: string, value: unknown): Result.Result<SessionRecord, string> => {
  const decoded = decodeStored(value)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure.message.replaceAll(/\s+/g, " "))
  const stored = decoded.success
  if (stored.id !== key) return Result.fail("its id is not its key")
  return Result.map(
    Result.fromOption(ManagedId.parse(stored.id), () => "is no managed id"),
    (id) => ({
      id,
      tmuxName: stored.tmux_name,
      workspacePath: stored.workspace_path ?? undefined,
      claudeId: Option.getOrUndefined(ClaudeId.parse(stored.claude_session_id ?? "")),
      createdAt: stored.created_at == null ? undefined : Timestamp.parseRfc3339(stored.created_at),
      lastActivityAt: stored.last_activity_at == null ? undefined : Timestamp.parseRfc3339(stored.last_activity_at)
    })
  )
}

const salvage = (value: unknown, field: string): string | undefined => {
  const text = Predicate.isObject(value) ? value[field] : undefined
  return typeof text === "string" ? text : undefined
}
