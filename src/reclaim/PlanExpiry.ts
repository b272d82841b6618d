import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type { Repository } from "../verdict/Git.ts"
import { failed } from "../verdict/GitCommand.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import * as Period from "../shared/core/Period.ts"
import * as Quiet from "../verdict/core/Quiet.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import type * as ExpiryPlan from "./core/ExpiryPlan.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import type { ReclaimRecord } from "./core/ReclaimRecord.ts"
import { type Failure, foundIn, lookAt, pathOf } from "./Guarded.ts"
import { judgeAnew, type JudgedAnew } from "./JudgeAnew.ts"
import type { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { bounded, kept, listed, ofEach, type Outcome, type Reading } from "./Services.ts"

const { Obstacle } = ReclaimOutcome

/**
 * Which worktrees that lie reclaimed to remove for good.
 */
export interface Options extends ReclaimPlan.Settings, Regenerable.Settings {
  readonly repositories: ReadonlyArray<string>
  /** How long one must have lain there: 7 days unless given. */
  readonly olderThan?: Duration.Input | undefined
  /** The same for one that was only settled: 14 days unless given. */
  readonly settledOlderThan?: Duration.Input | undefined
}

/** How long a worktree lies reclaimed before it expires, unless given, in milliseconds. */
export const defaultOlderThan: number = 7 * Quiet.day

/** The same for one that was only settled. */
export const defaultSettledOlderThan: number = 14 * Quiet.day

/**
 * Judges what lies reclaimed, with the claims on its old path, and changes nothing. What holds ignored files that cannot
 * be made again is kept. Ends within `Bound.Survey`.
 */
export const planExpiry = (options: Options): Effect.Effect<ExpiryPlan.ExpiryPlan, never, Reading | ReclaimedTrees> => {
  const { repositories: paths, olderThan: _older, settledOlderThan: _settled, ...settings } = options
  return Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { repositories, unlisted } = yield* listed(paths)
    const planned = yield* ofEach(repositories, (repository) =>
      Effect.flatMap(lookAt(repository), (leftovers) =>
        Effect.forEach(
          foundIn(leftovers).filter(({ lies }) => lies),
          (found) => planOne(settings, repository, found, dueOf(options, found.entry.record), at)
        )
      )
    )
    return {
      at,
      settings,
      repositories: repositories.map(({ commonDirectory }) => commonDirectory),
      items: planned.items.toSorted((a, b) => a.record.at - b.record.at),
      unlisted: [...unlisted, ...planned.unlisted]
    }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.planExpiry",
      bound: Bound.Survey,
      safe: (reason): ExpiryPlan.ExpiryPlan => ({
        at: 0,
        settings,
        repositories: [],
        items: [],
        unlisted: paths.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.tap(({ items, unlisted }) => Effect.annotateCurrentSpan({ items: items.length, unlisted: unlisted.length })),
    Effect.withSpan("Reclaim.planExpiry", { attributes: { repositories: paths.length } })
  )
}

const planOne = (
  settings: ExpiryPlan.ExpiryPlan["settings"],
  repository: Repository,
  found: Leftover.Found,
  due: number,
  now: number
): Effect.Effect<ExpiryPlan.Item, never, Reading> => {
  const { record } = found.entry
  const item = { repository: repository.commonDirectory, path: pathOf(repository, found), record, due }
  const keep = (
    gate: Extract<ExpiryPlan.Item["decision"], { _tag: "Keep" }>["gate"],
    reason: string
  ): ExpiryPlan.Item => ({
    ...item,
    decision: { _tag: "Keep", gate, reason }
  })
  return Effect.match(examined(settings, repository.commonDirectory, found, item.path, due, now), {
    // What cannot be looked at stays, and hides none of the others.
    onFailure: ({ message }) => keep("Plan", message),
    onSuccess: (judged): ExpiryPlan.Item => {
      if ("judged" in judged) return { ...item, decision: { _tag: "Remove", leftovers: judged.judged.harmless } }
      return judged._tag === "Kept" ? keep(judged.gate, judged.reason) : keep("Plan", "")
    }
  })
}

/**
 * What keeps it, or how it was judged where it lies.
 */
export const examined = Effect.fnUntraced(function* (
  settings: ExpiryPlan.ExpiryPlan["settings"],
  commonDirectory: string,
  found: Leftover.Found,
  path: string,
  due: number,
  now: number
): Effect.fn.Return<Outcome | JudgedAnew, Failure, Reading> {
  const { record } = found.entry
  const why = Leftover.obstacle(found)
  if (why !== undefined) return kept(path, Obstacle.NotOurs({ why }))
  if (!(now >= due)) return kept(path, Obstacle.NotDue({ until: due }))
  const anew = yield* judgeAnew(settings, commonDirectory, path, record)
  if (anew === undefined) return kept(path, Obstacle.Unlisted())
  const { judged } = anew
  if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
  const fs = yield* FileSystem.FileSystem
  const precious = yield* IgnoredPaths.unremovable(fs, path, judged.ignored, settings).pipe(
    Effect.mapError((cause) => failed(path, cause.message)),
    bounded("the look at what is ignored")
  )
  if (precious.length > 0) return kept(path, Obstacle.Precious({ paths: precious }))
  return judged.identity?.adminDirectory === found.adminDirectory
    ? anew
    : kept(path, Obstacle.NoAdminDirectory({ path }))
})

const dueOf = (options: Options, { at, settledOnly }: ReclaimRecord): number => {
  const plain = Period.milliseconds(options.olderThan, defaultOlderThan)
  const settled = Period.milliseconds(options.settledOlderThan, Math.max(plain, defaultSettledOlderThan))
  return at + (settledOnly ? settled : plain)
}
