/**
 * Gathers what processes use, so that each candidate can be asked who occupies it. Whatever fails, the answer is
 * `Unknown`, which refuses.
 */
import * as Effect from "effect/Effect"
import * as Processes from "../machine/core/Processes.ts"
import { ProcessTable, type ProcessTableError } from "../machine/ProcessTable.ts"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Known from "../shared/core/Known.ts"
import * as Occupants from "./core/Occupants.ts"
import type * as LiveClaims from "./core/LiveClaims.ts"
import type * as Place from "./core/Place.ts"
import type * as PathResolver from "./PathResolver.ts"

/**
 * Every process of this machine. A list that was cut off, or that nobody consults, is `Unknown`.
 */
export const listProcesses: Effect.Effect<Known.Known<Processes.ProcessList>, never, ProcessTable> = Effect.gen(
  function* () {
    const table = yield* ProcessTable
    const looked = yield* table.snapshot
    if (looked._tag === "NotConsulted") return Known.unknown("no process table is consulted")
    return Processes.holdsSelf(looked) ? Known.known(looked) : Known.unknown("the list of processes was cut off")
  }
).pipe(
  FailOpen.foldsTo({
    program: "Reclaim.survey",
    answer: "the processes could not be listed, so every worktree stays",
    bound: Bound.Git,
    safe: Known.unknown
  })
)

/**
 * What these processes use, each path looked up. A path of which it cannot be told where it leads makes the whole
 * `Unknown`.
 */
export const gather = (
  processes: Known.Known<Processes.ProcessList>,
  claims: LiveClaims.LiveClaims,
  lookup: PathResolver.PathResolver
): Effect.Effect<Known.Known<Occupants.Gathered>, never, ProcessTable> =>
  processes._tag === "Unknown"
    ? Effect.succeed(processes)
    : gatherUses(processes.value, claims, lookup).pipe(
        FailOpen.foldsTo({
          program: "Reclaim.survey",
          answer: "what processes use could not be told, so every worktree stays",
          bound: Bound.Git,
          safe: Known.unknown
        })
      )

/**
 * Who occupies what lies at any of these places: a worktree may be known by an old path and a new one.
 */
export const of = (
  gathered: Known.Known<Occupants.Gathered>,
  places: ReadonlyArray<Place.Place>
): Effect.Effect<Known.Known<ReadonlyArray<Occupants.Occupant>>> =>
  Effect.succeed(gathered._tag === "Unknown" ? gathered : Known.known(Occupants.of(gathered.value, places)))

const gatherUses = Effect.fnUntraced(function* (
  list: Processes.ProcessList,
  claims: LiveClaims.LiveClaims,
  lookup: PathResolver.PathResolver
): Effect.fn.Return<Known.Known<Occupants.Gathered>, ProcessTableError, ProcessTable> {
  const table = yield* ProcessTable
  const heard = claims.observation._tag === "Answered" ? claims.observation.servers.map(({ pid }) => pid) : []
  const counted = Processes.counted(list, yield* table.uses(list), new Set(heard))
  const uses = yield* Effect.forEach(
    counted,
    (use) => Effect.map(lookup(use.path), (place): Occupants.ResolvedUse => ({ use, place })),
    { concurrency: 16 }
  )
  const lost = uses.find(({ place }) => place._tag === "Unresolvable" && place.untold === true)
  return lost === undefined
    ? Known.known({ uses: uses.map(({ use, place }) => ({ use, place: Occupants.atLeast(place) })) })
    : Known.unknown(`what process ${lost.use.pid} uses could not be looked up: ${lost.use.path}`)
})
