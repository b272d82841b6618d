import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Processes from "../machine/core/Processes.ts"
import { ProcessTable } from "../machine/ProcessTable.ts"
import { SessionStore } from "../records/SessionStore.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type * as Observation from "./core/Observation.ts"
import * as Manager from "./Manager.ts"
import { socketConcurrency } from "./Observe.ts"
import { TmuxProbe, type TmuxProbeError } from "./TmuxProbe.ts"

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
  const stored = yield* Manager.records(store)
  if (stored === "NoManager" || stored.records.length === 0) return Option.none()
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
  const [only, ...others] = stored.records.filter(({ tmuxName }) => names.has(tmuxName))
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
