/**
 * The programs that change something, as the laws ask them.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as ReclaimOutcome from "../../reclaim/core/ReclaimOutcome.ts"
import * as Reclaim from "../../reclaim/Reclaim.ts"
import type * as GitList from "../../verdict/core/GitList.ts"
import { Git } from "../../verdict/Git.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"
import type { Broken } from "../Law.ts"
import type * as Faults from "../Faults.ts"
import { type Program, programs } from "./SweepPrograms.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import type { Stage } from "./SweepStage.ts"
import type { World } from "./SweepSubject.ts"

export type Outcomes = ReadonlyArray<ReclaimOutcome.ReclaimOutcome>
export type Moved = Extract<ReclaimOutcome.ReclaimOutcome, { _tag: "Moved" }>
export type Files = Readonly<Record<string, FakeFileSystem.Seen>>

/** A move and a removal are not given up half-way, so that one that hangs for good has no end. All else has one. */
export const patience = Duration.hours(24)

export const applying = (plan: Parameters<typeof Reclaim.apply>[0]): Program<Outcomes> => ({
  name: "apply",
  bound: patience,
  effect: Reclaim.apply(plan)
})

export const restoring = (path: string): Program<Outcomes> => ({
  name: "restore",
  bound: patience,
  effect: Reclaim.restore(path, { repositories: SweepPlaces.repositoryPaths })
})

export const expiring = (world: World, keep: string): Program<Outcomes> => ({
  name: "expire",
  bound: patience,
  effect: Effect.flatMap(
    Reclaim.planExpiry({
      repositories: SweepPlaces.repositoryPaths,
      caller: world.caller,
      dismiss: world.dismiss,
      keep: [keep]
    }),
    Reclaim.expire
  )
})

/** Removes nothing, and recovers what was left half done. */
export const recovering: Program<Outcomes> = {
  name: "recover",
  bound: patience,
  effect: Reclaim.expire({
    at: 0,
    settings: {},
    repositories: SweepPlaces.repositoryPaths.map((_, index) => SweepPlaces.commonDirectory(index)),
    items: [],
    unlisted: []
  })
}

export const bytesOf = (seen: FakeFileSystem.Seen | undefined): Uint8Array | undefined =>
  seen !== undefined && "bytes" in seen ? seen.bytes : undefined

/** Moves what may go out of the way, without faults. */
export const moveAway = Effect.fnUntraced(function* (
  { run, injector }: Stage,
  world: World,
  path: string
): Effect.fn.Return<ReadonlyArray<Moved>, Broken> {
  injector.stop()
  const outcomes = yield* run(applying(yield* run(programs(world, path).survey)))
  return outcomes.filter((outcome) => outcome._tag === "Moved")
})

export const isIn = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`)

export const worktreesOf = ({ run }: Stage): Effect.Effect<ReadonlyArray<GitList.Worktree>, Broken> =>
  run({
    name: "worktrees",
    bound: patience,
    effect: Effect.flatMap(Git, (git) =>
      Effect.forEach(SweepPlaces.repositoryPaths, (path) =>
        Effect.match(git.repository(path), { onSuccess: ({ worktrees }) => worktrees, onFailure: () => [] })
      )
    ).pipe(Effect.map((lists) => lists.flat()))
  })

/** What runs to its end, or does not: the steps, and what of the file system they use. */
const mayHang = /^(GitChanges\.carryOut|FileSystem\.(exists|makeDirectory|rename|remove))$/

export const isExcused = (injector: Faults.Injector): boolean =>
  injector.injected.some(({ method }) => mayHang.test(method))
