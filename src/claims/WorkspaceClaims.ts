/**
 * Who holds which workspace. Whatever fails, sessions count as live.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { ClaimState, LiveClaims, WorkspaceClaims } from "session-liveness"
 * import { layer } from "session-liveness/node"
 *
 * const why = Effect.gen(function* () {
 *   const claims = yield* WorkspaceClaims.workspaceClaims()
 *   return ClaimState.explain(LiveClaims.claimState(claims, yield* WorkspaceClaims.locate("/w/harbor")))
 * }).pipe(Effect.provide(layer()))
 * ```
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as ClaudeRegistry from "./core/ClaudeRegistry.ts"
import type * as LinkHistory from "../links/core/LinkHistory.ts"
import type * as LiveClaims from "./core/LiveClaims.ts"
import * as Liveness from "./core/Liveness.ts"
import * as Observation from "./core/Observation.ts"
import * as Place from "./core/Place.ts"
import * as SessionOwners from "./core/SessionOwners.ts"
import * as SessionRecord from "../records/core/SessionRecord.ts"
import * as Text from "../shared/core/Text.ts"
import type { WorkspaceClaim } from "./core/WorkspaceClaim.ts"
import type { SidecarReader } from "../links/SidecarReader.ts"
import type { ClaudeSessions } from "./ClaudeSessions.ts"
import { claudeRegistry } from "./ConsultRegistry.ts"
import { observe } from "./Observe.ts"
import * as Manager from "./Manager.ts"
import { linkHistory } from "../links/SessionLinks.ts"
import * as Panes from "./Panes.ts"
import * as PathResolver from "./PathResolver.ts"
import type { ProcessTable } from "../machine/ProcessTable.ts"
import { SessionStore } from "../records/SessionStore.ts"
import type { TmuxProbe } from "./TmuxProbe.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"

export { identifyCaller } from "./IdentifyCaller.ts"
export { observe, observeStrictly } from "./Observe.ts"

/** How many paths are looked up side by side. */
const placeConcurrency = 16

/**
 * What a person or an embedder may say about the claims.
 */
export interface Options extends Liveness.Settings {
  /** The managed session that asks, by the embedder's own word; it counts as live. */
  readonly caller?: string | undefined
  /**
   * Records whose claims are not to be counted, by id; the caller's cannot be dismissed. Also what speaks for another
   * manager and does not count: the names of tmux sessions, and roots.
   */
  readonly dismiss?: ReadonlyArray<string> | undefined
}

/**
 * What has to be there to gather claims.
 */
export type Services = SessionStore | TmuxProbe | ProcessTable | ClaudeSessions | SidecarReader | FileSystem.FileSystem

/**
 * The claims of every stored record, each with its liveness: records are read first, then tmux, the processes and the
 * Claude registry are observed, then all is judged. A store that cannot be read whole gives a claim set that refuses every
 * candidate, never an empty one. Ends within `Bound.Claims`.
 */
export const workspaceClaims = (options: Options = {}): Effect.Effect<LiveClaims.LiveClaims, never, Services> =>
  Effect.gen(function* () {
    const store = yield* SessionStore
    const stored = yield* Manager.records(store)
    const observedAt = yield* Clock.currentTimeMillis
    const looks = yield* Effect.all(
      [FailOpen.holding(observe), FailOpen.holding(claudeRegistry), FailOpen.holding(linkHistory)],
      { concurrency: "unbounded" }
    )
    const [observation, registry, history] = yield* Effect.all(looks)
    const names = stored === "NoManager" ? [] : stored.records.map(({ tmuxName }) => tmuxName)
    const listed = new Set(observation._tag === "Answered" ? observation.names : [])
    const idle = yield* Panes.idleSessions(names.filter((name) => listed.has(name)))
    const seen = { observation, observedAt, registry, history, idle }
    const dismissed = new Set(options.dismiss)
    if (stored === "NoManager") {
      const { signs, note } = yield* Manager.signs(observation, dismissed, options.prefixes)
      const claims = yield* judge(SessionRecord.none, seen, options)
      return signs.length === 0 ? { ...claims, notes: [note] } : { ...claims, incomplete: Manager.refusal(signs) }
    }
    const claims = yield* judge(stored, seen, options)
    if (claims.incomplete !== undefined || stored === SessionRecord.none) return claims
    return {
      ...claims,
      incomplete: yield* Manager.anotherManager(store, stored, observation, dismissed, options.prefixes)
    }
  }).pipe(
    FailOpen.foldsTo({
      program: "WorkspaceClaims.workspaceClaims",
      bound: Bound.Claims,
      safe: (reason): LiveClaims.LiveClaims => ({
        claims: [],
        owners: SessionOwners.unread(options.caller),
        caller: options.caller,
        observation: Observation.Unobserved({ reason: Observation.Reason.Failed({ detail: reason }) }),
        incomplete: `the records could not be read: ${Text.escape(reason)}`,
        dismissed: []
      })
    }),
    Effect.tap(({ claims, observation, incomplete }) =>
      Effect.annotateCurrentSpan({
        claims: claims.length,
        live: claims.filter(({ liveness }) => liveness._tag === "Live").length,
        observation: observation._tag,
        whole: incomplete === undefined
      })
    ),
    Effect.withSpan("WorkspaceClaims.workspaceClaims")
  )

/**
 * Where a path is. One that cannot be looked up, or not within `Bound.Claims`, is `Unresolvable`.
 */
export const locate = (path: string): Effect.Effect<Place.Place, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => PathResolver.make(fs)(path)).pipe(
    FailOpen.foldsTo({
      program: "WorkspaceClaims.locate",
      bound: Bound.Claims,
      safe: (why) => Place.Unresolvable({ path, why })
    }),
    Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("place", _tag)),
    Effect.withSpan("WorkspaceClaims.locate", { attributes: { path: Text.escape(path) } })
  )

interface Seen {
  readonly observation: Observation.Observation
  readonly observedAt: number
  readonly registry: ClaudeRegistry.ClaudeRegistry | undefined
  readonly history: LinkHistory.LinkHistory
  /** The tmux names of sessions in which nothing but shells runs. */
  readonly idle: ReadonlySet<string>
}

const judge = Effect.fnUntraced(function* (
  { records, undecoded }: SessionRecord.StoredRecords,
  { observation, observedAt, registry, history, idle }: Seen,
  options: Options
): Effect.fn.Return<LiveClaims.LiveClaims, never, FileSystem.FileSystem> {
  const { caller } = options
  const dismissed = new Set((options.dismiss ?? []).filter((id) => id !== caller))
  const current = new Map<string, string>(
    records.flatMap(({ id, claudeId }) => (claudeId === undefined ? [] : [[id, claudeId] as const]))
  )
  const processOf = (session: string) =>
    ClaudeRegistry.processOf(
      registry,
      SessionOwners.idsOf({ current, history }, session),
      history._tag === "Unreadable"
    )
  const owners: ReadonlyArray<Omit<WorkspaceClaim, "place"> & { readonly path: string | undefined }> = [
    ...records.map((record) => ({
      session: record.id,
      liveness: Liveness.livenessOf(
        observation,
        { ...record, process: processOf(record.id), idle: idle.has(record.tmuxName) },
        observedAt,
        options
      ),
      lastSignAt: newest(record),
      path: record.workspacePath
    })),
    ...undecoded.map(({ key, why, workspacePath }) => ({
      session: key,
      liveness: Liveness.Live({ because: Liveness.Because.Undecoded({ why }) }),
      path: workspacePath
    }))
  ]
  const lookup = PathResolver.make(yield* FileSystem.FileSystem)
  const claims = yield* Effect.forEach(
    owners.filter(({ session }) => !dismissed.has(session)),
    ({ path, ...claim }): Effect.Effect<ReadonlyArray<WorkspaceClaim>> =>
      path === undefined ? Effect.succeed([]) : Effect.map(lookup(path), (place) => [{ ...claim, place }]),
    { concurrency: placeConcurrency }
  )
  const lost = undecoded
    .filter(({ key, workspacePath }) => workspacePath === undefined && !dismissed.has(key))
    .map(({ key }) => key)
    .sort()
  return {
    claims: claims.flat(),
    owners: {
      owners: new Map(owners.map(({ session, liveness }) => [session, liveness])),
      current,
      history,
      caller,
      registry
    },
    caller,
    observation,
    incomplete:
      lost.length === 0
        ? undefined
        : `records do not decode and name no workspace: ${lost.map((key) => JSON.stringify(Text.escape(key))).join(", ")}; fix them, or dismiss each with --dismiss ID`,
    dismissed: [...dismissed].sort()
  }
})

const newest = ({ createdAt, lastActivityAt }: SessionRecord.SessionRecord): number | undefined =>
  createdAt === undefined && lastActivityAt === undefined
    ? undefined
    : Math.max(createdAt ?? -Infinity, lastActivityAt ?? -Infinity)
