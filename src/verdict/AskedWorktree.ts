/**
 * What is asked about: a worktree, and every place where it is or was.
 */
import * as Effect from "effect/Effect"
import type * as Place from "../claims/core/Place.ts"
import type * as Candidate from "./core/Candidate.ts"
import type * as GitList from "./core/GitList.ts"
import { type Repository } from "./Git.ts"
import type { Observed, Taken } from "./JudgeWorktree.ts"

/**
 * What is asked about.
 */
export interface Asking {
  readonly observed: Observed
  readonly settings: Candidate.Settings
  readonly repository: Repository
  readonly worktree: GitList.Worktree
  readonly taken: Taken | undefined
  /** Where it is, and where it was before we took it. */
  readonly places: ReadonlyArray<Place.Place>
}

export const asking = (given: Omit<Asking, "places">): Effect.Effect<Asking> =>
  Effect.map(Effect.forEach(new Set([given.worktree.path, oldPathOf(given)]), given.observed.resolve), (places) => ({
    ...given,
    places
  }))

export const oldPathOf = ({ worktree, taken }: Pick<Asking, "worktree" | "taken">): string =>
  taken?.path ?? worktree.path
