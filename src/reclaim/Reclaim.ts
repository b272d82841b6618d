/**
 * Reclaims worktrees that nobody needs: by moving them out of the way, never by deleting work. Whatever fails, a worktree
 * stays.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Reclaim } from "session-liveness"
 * import { layer } from "session-liveness/node"
 *
 * // Surveys, moves what may go, and plans what to remove of that a week later.
 * const program = Effect.gen(function* () {
 *   const plan = yield* Reclaim.survey({ repositories: ["."] })
 *   const outcomes = yield* Reclaim.apply(plan)
 *   return { outcomes, later: yield* Reclaim.planExpiry({ repositories: ["."], olderThan: "7 days" }) }
 * }).pipe(Effect.provide(layer()))
 * ```
 */
export { apply } from "./Apply.ts"
export { expire } from "./Expire.ts"
export { defaultOlderThan, defaultSettledOlderThan, type Options as ExpiryOptions, planExpiry } from "./PlanExpiry.ts"
export { list, type Listing, type Reclaimed } from "./List.ts"
export { type Options as RemoveEmptyOptions, removeEmpty } from "./RemoveEmpty.ts"
export { restore, type Options as RestoreOptions } from "./Restore.ts"
export type { Reading, Services } from "./Services.ts"
export { type Options, survey } from "./Survey.ts"
export { measure, type MeasureOptions, type Size, type Sizes, type Tree } from "./Sizes.ts"
export { type Options as SlimOptions, planSlim } from "./PlanSlim.ts"
export { slim } from "./Slim.ts"
export { type Gone, lost, type Lost, type Options as LostOptions } from "./Lost.ts"
