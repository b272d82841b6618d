/**
 * Looks at every tmux server. Whatever fails, the answer is `Unobserved`, under which every session counts as live.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ProcessTable, type ProcessTableError, type Snapshot } from "../machine/ProcessTable.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Observation from "./core/Observation.ts"
import { TmuxProbe, TmuxProbeError } from "./TmuxProbe.ts"

/** How many sockets are asked side by side. */
export const socketConcurrency = 8

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

/** A server process may be a client that has not yet taken its name, or a server that has ended: it is looked at again before it counts. */
const unheardLooks = 3
const unheardPause = "100 millis"

const lookAtAll = Effect.fnUntraced(function* (
  silent: Set<string>
): Effect.fn.Return<Observation.Observation, never, TmuxProbe | ProcessTable> {
  const probe = yield* TmuxProbe
  // The processes are listed before the clients start that ask.
  const [first, sockets] = yield* Effect.all([serverProcesses, Effect.result(probe.sockets)], { concurrency: 2 })
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
  let observation = join(asked, first)
  for (let look = 1; look <= unheardLooks && isUnheard(observation); look++) {
    if (look > 1) yield* Effect.sleep(unheardPause)
    observation = join(asked, yield* serverProcesses)
  }
  return observation
})

const isUnheard = (observation: Observation.Observation): boolean =>
  observation._tag === "Unobserved" && observation.reason._tag === "UnheardServer"

type Processes = Result.Result<Snapshot, ProcessTableError>

const serverProcesses: Effect.Effect<Processes, never, ProcessTable> = Effect.flatMap(
  ProcessTable,
  ({ servers, snapshot }) => Effect.result(servers ?? snapshot)
)

const join = (asked: ReadonlyArray<Observation.Asked>, processes: Processes): Observation.Observation =>
  Result.match(processes, {
    onFailure: (error) =>
      Observation.Unobserved({ reason: Observation.Reason.ProcessTable({ detail: error.message }) }),
    onSuccess: (list) => Observation.join(asked, list._tag === "Listed" ? list : undefined)
  })

const waitedFor = (silent: ReadonlySet<string>): string =>
  silent.size === 0 ? "the look" : [...silent].sort().join(", ")
