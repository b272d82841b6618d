/**
 * Who holds which workspace. Whatever fails, sessions count as live.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ClaudeRegistry from "./core/ClaudeRegistry.ts"
import type * as LinkHistory from "../links/core/LinkHistory.ts"
import type * as LiveClaims from "./core/LiveClaims.ts"
import * as Liveness from "./core/Liveness.ts"
import * as Observation from "./core/Observation.ts"
import * as Place from "./core/Place.ts"
import * as Processes from "../machine/core/Processes.ts"
import * as SessionOwners from "./core/SessionOwners.ts"
import type * as SessionRecord from "../records/core/SessionRecord.ts"
import * as Text from "../shared/core/Text.ts"
import type { WorkspaceClaim } from "./core/WorkspaceClaim.ts"
import { SidecarReader } from "../links/SidecarReader.ts"
import { ClaudeSessions } from "./ClaudeSessions.ts"
import { linkHistory } from "../links/SessionLinks.ts"
import * as PathResolver from "./PathResolver.ts"
import { ProcessTable } from "../machine/ProcessTable.ts"
import { SessionStore } from "../records/SessionStore.ts"
import { TmuxProbe, TmuxProbeError } from "./TmuxProbe.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"

/** How many sockets are asked side by side. */
const socketConcurrency = 8

/** How many paths are looked up side by side. */
const placeConcurrency = 16

/**
 * Looks at tmux once: every socket, and every tmux server process of this user. `Unobserved` with the reason when
 * anything fails or the look outlasts `Bound.Observation`; the reason is logged once.
 */
export const observe: Effect.Effect<Observation.Observation, never, TmuxProbe | ProcessTable> = Effect.suspend(() => {
  const silent = new Set<string>()
  return answered(silent).pipe(
    FailOpen.foldsTo({
      program: "WorkspaceClaims.observe",
      bound: Bound.Observation,
      safe: (detail, { kind, error }) =>
        Observation.Unobserved({
          reason: Option.match(error, {
            onSome: ({ reason }) => reason,
            onNone: () =>
              kind === "TimedOut"
                ? Observation.Reason.TimedOut({ detail: `${waitedFor(silent)}: ${detail}` })
                : Observation.Reason.Failed({ detail })
          })
        })
    }),
    Effect.tap((observation) =>
      Effect.annotateCurrentSpan(
        "observation",
        observation._tag === "Answered" ? observation._tag : observation.reason._tag
      )
    )
  )
}).pipe(Effect.withSpan("WorkspaceClaims.observe"))

const answered = (silent: Set<string>): Effect.Effect<Observation.Answered, TmuxProbeError, TmuxProbe | ProcessTable> =>
  Effect.flatMap(
    lookAtAll(silent),
    Observation.$match({
      Answered: (answer) => Effect.succeed(answer),
      Unobserved: ({ reason }) => Effect.fail(new TmuxProbeError({ reason }))
    })
  )

/**
 * The strict look behind `observe`: every server answered, or the first reason why not. It has no bound of its own.
 */
export const observeStrictly: Effect.Effect<Observation.Answered, TmuxProbeError, TmuxProbe | ProcessTable> =
  Effect.suspend(() => answered(new Set()))

/**
 * What a person or an embedder may say about the claims.
 */
export interface Options extends Liveness.Settings {
  /** The managed session that asks, by the embedder's own word; it counts as live. */
  readonly caller?: string | undefined
  /** Records whose claims are not to be counted, by id. The caller's cannot be dismissed. */
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
    const stored = yield* store.read
    const observedAt = yield* Clock.currentTimeMillis
    const [observation, registry, history] = yield* Effect.all([observe, claudeRegistry, linkHistory], {
      concurrency: "unbounded"
    })
    return yield* judge(stored, { observation, observedAt, registry, history }, options)
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

/**
 * The managed session in which this process runs: the record whose tmux session shows a pane that is an ancestor of
 * this process. `None` when there is no such record, more than one, or when it could not be told, be it that a single
 * server did not answer, which might show the pane too; the environment is never believed, because sessions inherit it
 * from each other. Ends within `Bound.Observation`.
 */
export const identifyCaller: Effect.Effect<
  Option.Option<string>,
  never,
  SessionStore | TmuxProbe | ProcessTable
> = Effect.gen(function* () {
  const store = yield* SessionStore
  const probe = yield* TmuxProbe
  const table = yield* ProcessTable
  const { records } = yield* store.read
  const processes = yield* table.snapshot
  if (processes._tag === "NotConsulted" || !Processes.holdsSelf(processes)) return Option.none()
  const ancestors = new Set(Processes.ancestors(processes))
  const sockets = yield* probe.sockets
  const panes = yield* Effect.forEach(
    sockets,
    (socket) => Effect.catchIf(probe.panes(socket), isAbsent, () => noPanes),
    {
      concurrency: socketConcurrency
    }
  )
  const names = new Set(panes.flat().flatMap(({ pid, session }) => (ancestors.has(pid) ? [session] : [])))
  const [only, ...others] = records.filter(({ tmuxName }) => names.has(tmuxName))
  return only === undefined || others.length > 0 ? Option.none() : Option.some<string>(only.id)
}).pipe(
  FailOpen.foldsTo({
    program: "WorkspaceClaims.identifyCaller",
    bound: Bound.Observation,
    safe: () => Option.none()
  }),
  Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("caller", _tag)),
  Effect.withSpan("WorkspaceClaims.identifyCaller")
)

const isAbsent = ({ reason }: TmuxProbeError): boolean => reason._tag === "ServerAbsent"

const noPanes = Effect.succeed<ReadonlyArray<Observation.Pane>>([])

/** A server process may be a client that has not yet taken its name: it is looked at again before it counts. */
const unheardLooks = 3
const unheardPause = "100 millis"

const lookAtAll = Effect.fnUntraced(function* (
  silent: Set<string>
): Effect.fn.Return<Observation.Observation, never, TmuxProbe | ProcessTable> {
  const probe = yield* TmuxProbe
  const sockets = yield* Effect.result(probe.sockets)
  if (Result.isFailure(sockets)) return Observation.Unobserved({ reason: sockets.failure.reason })
  for (const socket of sockets.success) silent.add(socket)
  const asked = yield* Effect.forEach(
    sockets.success,
    (socket): Effect.Effect<Observation.Asked> =>
      probe.ask(socket).pipe(
        Effect.mapError(({ reason }) => reason),
        Effect.result,
        Effect.map((answer) => {
          silent.delete(socket)
          return { socket, answer }
        })
      ),
    { concurrency: socketConcurrency }
  )
  for (let look = 1; ; look++) {
    const observation = yield* joinWithProcesses(asked)
    if (look === unheardLooks || !isUnheard(observation)) return observation
    yield* Effect.sleep(unheardPause)
  }
})

const isUnheard = (observation: Observation.Observation): boolean =>
  observation._tag === "Unobserved" && observation.reason._tag === "UnheardServer"

const joinWithProcesses = Effect.fnUntraced(function* (asked: ReadonlyArray<Observation.Asked>) {
  const table = yield* ProcessTable
  const looked = yield* Effect.result(table.snapshot)
  return Result.match(looked, {
    onFailure: (error) =>
      Observation.Unobserved({ reason: Observation.Reason.ProcessTable({ detail: error.message }) }),
    onSuccess: (list) => Observation.join(asked, list._tag === "Listed" ? list : undefined)
  })
})

const waitedFor = (silent: ReadonlySet<string>): string =>
  silent.size === 0 ? "the look" : [...silent].sort().join(", ")

/**
 * The Claude registry judged against the process table, or `undefined` when it is not consulted. One that cannot be read
 * or judged, or not within `Bound.Observation`, is consulted, empty and unread.
 */
const claudeRegistry: Effect.Effect<ClaudeRegistry.ClaudeRegistry | undefined, never, ProcessTable | ClaudeSessions> =
  Effect.gen(function* () {
    const table = yield* ProcessTable
    const sessions = yield* ClaudeSessions
    const processes = yield* table.snapshot
    if (processes._tag === "Listed" && !Processes.holdsSelf(processes)) {
      return ClaudeRegistry.failed("the list of processes was cut off, so that its entries cannot be judged")
    }
    const list = processes._tag === "Listed" ? processes.processes : []
    const looked = yield* sessions.snapshot(list)
    if (looked._tag === "NotConsulted") return undefined
    return processes._tag === "Listed"
      ? ClaudeRegistry.assemble(looked.entries, list, looked.transcripts)
      : ClaudeRegistry.failed("no process table is consulted, so that its entries cannot be judged")
  }).pipe(
    FailOpen.foldsTo({
      program: "WorkspaceClaims.workspaceClaims",
      answer: "the Claude registry could not be judged, so it proves no end",
      bound: Bound.Observation,
      safe: (why) => ClaudeRegistry.failed(why)
    })
  )

interface Seen {
  readonly observation: Observation.Observation
  readonly observedAt: number
  readonly registry: ClaudeRegistry.ClaudeRegistry | undefined
  readonly history: LinkHistory.LinkHistory
}

const judge = Effect.fnUntraced(function* (
  { records, undecoded }: SessionRecord.StoredRecords,
  { observation, observedAt, registry, history }: Seen,
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
      liveness: Liveness.livenessOf(observation, { ...record, process: processOf(record.id) }, observedAt, options),
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
        : `the record(s) ${lost.map((key) => JSON.stringify(Text.escape(key))).join(", ")} do not decode and name no workspace; mend them, or dismiss them by id`,
    dismissed: [...dismissed].sort()
  }
})

const newest = ({ createdAt, lastActivityAt }: SessionRecord.SessionRecord): number | undefined =>
  createdAt === undefined && lastActivityAt === undefined
    ? undefined
    : Math.max(createdAt ?? -Infinity, lastActivityAt ?? -Infinity)
