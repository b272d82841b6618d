/**
 * Removes the empty directories that agents left in their stores.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { ChildProcessSpawner } from "effect/process"
import * as ClaimState from "../claims/core/ClaimState.ts"
import * as LiveClaims from "../claims/core/LiveClaims.ts"
import * as Occupants from "../claims/core/Occupants.ts"
import * as GatherOccupants from "../claims/Occupants.ts"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as JudgeWorktree from "../verdict/JudgeWorktree.ts"
import * as Orphan from "./core/Orphan.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import type { Options as LostOptions } from "./Lost.ts"
import * as Orphans from "./Orphans.ts"
import { bounded, listed, type Outcome, type Outcomes, type Reading } from "./Services.ts"

/**
 * Where to look, and what a person or an embedder may say about claims and quiet.
 */
export interface Options extends LostOptions, ReclaimPlan.Settings {}

/**
 * Removes each directory in the store of an agent that no repository registers and that is empty, by an `rmdir`, which
 * removes nothing else: one that belongs to this user, has been quiet, that no session claims and no process uses. Gives
 * an outcome for each that is empty. Whatever cannot be told keeps them; each look ends within `Bound.Survey`.
 */
export const removeEmpty = (
  options: Options
): Effect.Effect<Outcomes, never, Reading | ChildProcessSpawner.ChildProcessSpawner> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const observed = yield* bounded("the look at sessions and processes")(JudgeWorktree.gather(options))
    const { repositories, unlisted } = yield* listed(options.repositories)
    const orphans = yield* bounded("the file system")(Orphans.gather(fs, repositories, options.stores ?? []))
    const outcomes = yield* Effect.forEach(
      orphans.filter(({ kind }) => kind === "Empty"),
      (orphan) =>
        removeOne(observed, options, orphan).pipe(
          FailOpen.foldsTo({
            program: "Reclaim.removeEmpty",
            bound: Bound.Survey,
            safe: (reason) => keep(orphan.path, reason)
          })
        )
    )
    return [...outcomes, ...unlisted.map(({ repository, reason }) => keep(repository, reason))]
  }).pipe(
    FailOpen.foldsTo({ program: "Reclaim.removeEmpty", bound: undefined, safe: (): Outcomes => [] }),
    Effect.withSpan("Reclaim.removeEmpty", { attributes: { repositories: options.repositories.length } })
  )

const keep = (path: string, reason: string): Outcome => ReclaimOutcome.Kept({ path, gate: "Plan", reason })

const removeOne = Effect.fnUntraced(function* (
  observed: JudgeWorktree.Observed,
  settings: ReclaimPlan.Settings,
  orphan: Orphan.Orphan
): Effect.fn.Return<Outcome, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> {
  const { path } = orphan
  const why = Orphan.keeps(orphan, userOf(observed), observed.now, settings) ?? (yield* heldBy(observed, path))
  if (why !== undefined) return why
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  return yield* Command.run(spawner, {
    command: "rmdir",
    args: ["--", path],
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin:/run/current-system/sw/bin" },
    maxBytes: 65_536,
    bound: Bound.Git
  }).pipe(
    Effect.map(({ exitCode, stderr }): Outcome =>
      exitCode === 0
        ? ReclaimOutcome.RemovedEmpty({ path })
        : ReclaimOutcome.Failed({ path, step: "RemoveEmpty", reason: stderr.trim() })
    ),
    Effect.catch(({ message }) => Effect.succeed(ReclaimOutcome.Failed({ path, step: "RemoveEmpty", reason: message })))
  )
})

const userOf = ({ processes }: JudgeWorktree.Observed): number | undefined =>
  processes._tag === "Known" ? processes.value.self.user : undefined

/** The session or the process that stands in the way. */
const heldBy = Effect.fnUntraced(function* (
  { claims, occupants, resolve }: JudgeWorktree.Observed,
  path: string
): Effect.fn.Return<Outcome | undefined, never, FileSystem.FileSystem> {
  const place = yield* resolve(path)
  const state = LiveClaims.claimState(claims, place)
  if (!ClaimState.permits(state)) {
    return ReclaimOutcome.Kept({ path, gate: "Claim", reason: ClaimState.explain(state) })
  }
  const nothingInside = GatherOccupants.inside(path, () => false)
  const used = Occupants.explain(yield* GatherOccupants.of(occupants, [place], nothingInside))
  return used === undefined ? undefined : ReclaimOutcome.Kept({ path, gate: "Occupied", reason: used })
})
