import * as Effect from "effect/Effect"
import * as Bound from "../shared/Bound.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type { Git, Repository } from "../verdict/Git.ts"
import * as Leftover from "./core/Leftover.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import type { ReclaimRecord } from "./core/ReclaimRecord.ts"
import { lookAt, pathOf } from "./Guarded.ts"
import type { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { listed } from "./Services.ts"

/**
 * A worktree that lies reclaimed.
 */
export interface Reclaimed {
  /** The repository's common git directory. */
  readonly repository: string
  /** Where it lies. */
  readonly path: string
  /** From where, since when; `undefined` where the journal does not say. */
  readonly record: ReclaimRecord | undefined
  /**
   * Why it is neither put back where it was nor removed; `undefined` where it can be. It may still go back to a path that a
   * person names.
   */
  readonly obstacle: string | undefined
}

/**
 * Everything that lies reclaimed in the repositories, oldest first, and the repositories that could not be listed.
 */
export interface Listing {
  readonly reclaimed: ReadonlyArray<Reclaimed>
  readonly unlisted: ReadonlyArray<ReclaimPlan.Unlisted>
}

/**
 * Lists what lies reclaimed and changes nothing. Ends within `Bound.Survey`.
 */
export const list = (options: {
  readonly repositories: ReadonlyArray<string>
}): Effect.Effect<Listing, never, Git | ReclaimedTrees> =>
  Effect.gen(function* () {
    const { repositories, unlisted } = yield* listed(options.repositories)
    const found = yield* Effect.forEach(repositories, (repository) =>
      Effect.match(lookAt(repository), {
        onSuccess: (leftovers) => ({ reclaimed: leftovers.flatMap(lying(repository)), unlisted: [] }),
        onFailure: ({ message }) => ({
          reclaimed: [],
          unlisted: [{ repository: repository.commonDirectory, reason: message }]
        })
      })
    )
    return {
      reclaimed: found.flatMap(({ reclaimed }) => reclaimed).sort((a, b) => since(a) - since(b)),
      unlisted: [...unlisted, ...found.flatMap((each) => each.unlisted)]
    }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.list",
      bound: Bound.Survey,
      safe: (reason): Listing => ({
        reclaimed: [],
        unlisted: options.repositories.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.tap(({ reclaimed, unlisted }) =>
      Effect.annotateCurrentSpan({ reclaimed: reclaimed.length, unlisted: unlisted.length })
    ),
    Effect.withSpan("Reclaim.list", { attributes: { repositories: options.repositories.length } })
  )

const since = ({ record }: Reclaimed): number => record?.at ?? -1

const lying =
  (repository: Repository) =>
  (leftover: Leftover.Leftover): ReadonlyArray<Reclaimed> => {
    const { commonDirectory } = repository
    if (leftover._tag === "Stranger") {
      const { path, adminDirectory } = leftover
      return [{ repository: commonDirectory, path, record: undefined, obstacle: strange(adminDirectory) }]
    }
    const { found } = leftover
    if (!found.lies && found.withdrawn === undefined && found.taken === undefined) return []
    return [
      {
        repository: commonDirectory,
        path: pathOf(repository, found),
        record: found.lies || found.withdrawn !== undefined ? found.entry.record : undefined,
        obstacle: Leftover.obstacle(found)
      }
    ]
  }

/** Why something of which the journal knows nothing stays. */
export const strange = (adminDirectory: string | undefined): string =>
  adminDirectory === undefined
    ? "the journal of this user knows nothing about it, and no registration of this repository names it"
    : "the journal of this user knows nothing about it"
