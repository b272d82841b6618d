/**
 * Reclaims worktrees that nobody needs: by moving them out of the way, never by deleting work. Whatever fails, a worktree
 * stays.
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
export { type Options as SlimOptions, planSlim, slim } from "./Slim.ts"
export { type Gone, lost, type Lost, type Options as LostOptions } from "./Lost.ts"
