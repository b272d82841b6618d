/**
 * What can be said to the service, and what it answers.
 */
import { Effect, FileSystem, Result, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Reclaim, SessionLinks, SessionStore } from "session-liveness"
import * as Only from "../Only.ts"
import type * as Settings from "./Settings.ts"
import { lineLimit } from "./UnixSocket.ts"
import type * as Watch from "./Watch.ts"

const AbsolutePath = Schema.String.check(
  Schema.makeFilter((path) => (path.startsWith("/") && !path.includes("\0")) || "is no absolute path")
)

const Verdict = Schema.Struct({ ask: Schema.Literal("verdict"), path: AbsolutePath })
const Other = Schema.Struct({ ask: Schema.Literals(["health", "metrics"]) })

/** Claude Code's event, and the managed session in which it happened, which the hook has to add. */
const SessionStart = Schema.Struct({
  hook_event_name: Schema.optional(Schema.Literal("SessionStart")),
  session_id: Schema.String,
  managed_id: Schema.String,
  agent_id: Schema.optional(Schema.Unknown)
})

const decode = Schema.decodeUnknownResult(Schema.Union([Verdict, Other, SessionStart]))
type Request = typeof Verdict.Type | typeof Other.Type | typeof SessionStart.Type
const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (line: string): Result.Result<Request, string> => {
  if (line.length > lineLimit) return Result.fail(`a line has ${lineLimit} bytes at most`)
  return Result.try({ try: () => utf8.decode(Buffer.from(line, "latin1")), catch: () => "this is no UTF-8" }).pipe(
    Result.flatMap((text) => Result.try({ try: (): unknown => JSON.parse(text), catch: () => "this is no JSON" })),
    Result.flatMap((request) => Result.mapError(decode(request), () => refusal(request)))
  )
}

const expected =
  'ask {"ask":"verdict","path":"/…"}, {"ask":"health"} or {"ask":"metrics"}, or hand over a SessionStart event'

/** What is wrong with a request, and the way out. */
const refusal = (request: unknown): string => {
  if (typeof request !== "object" || request === null) return `this is no JSON object; ${expected}`
  const { ask, path, hook_event_name: event = "SessionStart", session_id, managed_id } = { ...request } as Unchecked
  if (ask === "verdict") return `the path is ${seen(path)}, which is no absolute path; name the worktree by one`
  if (ask !== undefined) return `nothing answers to ask ${seen(ask)}; ${expected}`
  if (event !== "SessionStart") return `the event is ${seen(event)}; hand over a SessionStart event`
  if (session_id === undefined && managed_id === undefined) return `this asks nothing and is no event; ${expected}`
  const key = typeof session_id === "string" ? "managed_id" : "session_id"
  return `the event's ${key} is ${seen({ session_id, managed_id }[key])}; hand it over as a string`
}

type Unchecked = Readonly<Record<string, unknown>>

/** A value as it was seen, short enough to be repeated. */
const seen = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value).slice(0, 100))

/** The answer to one line; what is wrong with it is an answer, too. */
export const answer = (settings: Settings.Settings, watch: Watch.Watch) =>
  Effect.fn("Service.answer")(function* (line: string) {
    const parsed = parse(line)
    if (Result.isFailure(parsed)) return { error: parsed.failure }
    const request = parsed.success
    if (!("ask" in request)) return yield* link(request)
    if (request.ask === "verdict") return yield* verdict(settings, request.path)
    return request.ask === "health" ? yield* health(watch) : { metrics: yield* PrometheusMetrics.format() }
  })

const link = Effect.fnUntraced(function* ({ session_id, managed_id, agent_id }: typeof SessionStart.Type) {
  if (agent_id != null) return { error: "this event is a subagent's, whose id is not the session's" }
  // The strict form, because who reports the event hears the answer. `recordLink` is for those who cannot.
  const recorded = yield* Effect.result(SessionLinks.record(managed_id, session_id))
  if (Result.isFailure(recorded)) return { error: recorded.failure.message }
  if (recorded.success._tag === "Refused") return { error: `${recorded.success.id} is no valid id` }
  return { recorded: recorded.success._tag }
})

const verdict = Effect.fnUntraced(function* ({ quiet }: Settings.Settings, path: string) {
  const fs = yield* FileSystem.FileSystem
  // Git knows a worktree by where it really is.
  const real = yield* Effect.orElseSucceed(fs.realPath(path), () => path)
  const survey = Reclaim.survey({ repositories: [real], quiet })
  const { candidates, unlisted } = yield* Only.worktrees(new Set([real]))(survey)
  const [{ verdict } = {}] = candidates
  if (verdict !== undefined) return { path, verdict: verdict._tag, ...verdict }
  return { path, verdict: "Refuse", gate: null, reason: unlisted[0]?.reason ?? "it is no linked worktree" }
})

const health = Effect.fnUntraced(function* ({ last }: Watch.Watch) {
  const store = yield* Effect.result(SessionStore.SessionStore.use(({ read }) => read))
  const told = Result.match(store, {
    onFailure: ({ message }) => message,
    onSuccess: ({ records, undecoded }) => `${records.length} records, ${undecoded.length} undecoded`
  })
  return { healthy: Result.isSuccess(store), store: told, lastSurvey: last() }
})
