/**
 * In which tmux panes processes run. It only says more towards people: who cannot be asked shows none.
 */
import * as Effect from "effect/Effect"
import { ProcessTable } from "../machine/ProcessTable.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as IdleSessions from "./core/IdleSessions.ts"
import type * as Observation from "./core/Observation.ts"
import { socketConcurrency } from "./Observe.ts"
import { TmuxProbe } from "./TmuxProbe.ts"

/**
 * Every pane of every server that answers.
 */
export const all: Effect.Effect<ReadonlyArray<Observation.Pane>, never, TmuxProbe> = Effect.gen(function* () {
  const probe = yield* TmuxProbe
  const panes = yield* Effect.forEach(
    yield* probe.sockets,
    (socket) => Effect.orElseSucceed(probe.panes(socket), (): ReadonlyArray<Observation.Pane> => []),
    { concurrency: socketConcurrency }
  )
  return panes.flat()
}).pipe(
  FailOpen.foldsTo({
    program: "WorkspaceClaims.workspaceClaims",
    answer: "tmux was not asked in which panes processes run",
    bound: Bound.Observation,
    safe: () => []
  })
)

/**
 * Those of `names` in whose panes nothing but shells runs.
 */
export const idleSessions = (
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>, never, TmuxProbe | ProcessTable> =>
  names.length === 0
    ? Effect.succeed(new Set())
    : Effect.gen(function* () {
        const table = yield* ProcessTable
        const [panes, processes] = yield* Effect.all([all, table.snapshot], { concurrency: 2 })
        return processes._tag === "Listed" && panes.length > 0
          ? IdleSessions.of(names, panes, processes)
          : new Set<string>()
      }).pipe(
        FailOpen.foldsTo({
          program: "WorkspaceClaims.workspaceClaims",
          answer: "it is not known in which sessions nothing runs",
          bound: Bound.Observation,
          safe: () => new Set<string>()
        })
      )
