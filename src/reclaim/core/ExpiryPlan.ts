/**
 * What lies reclaimed and may be removed for good, as data: the same whether it is printed or carried out.
 */
import type * as Regenerable from "../../verdict/core/Regenerable.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"
import type { Settings, Unlisted } from "./ReclaimPlan.ts"
import type { ReclaimRecord } from "./ReclaimRecord.ts"

export interface ExpiryPlan {
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number
  readonly settings: Settings & Regenerable.Settings
  /** The common git directories that were looked at: what a sweep that died has left in them is recovered first. */
  readonly repositories: ReadonlyArray<string>
  readonly items: ReadonlyArray<Item>
  readonly unlisted: ReadonlyArray<Unlisted>
}

/**
 * One worktree that lies reclaimed.
 */
export interface Item {
  /** The repository's common git directory. */
  readonly repository: string
  /** Where it lies. */
  readonly path: string
  readonly record: ReclaimRecord
  /** When it has lain there for long enough, in milliseconds since the epoch. */
  readonly due: number
  readonly decision:
    /** `leftovers`: untracked symbolic links and empty files in it, which are unlinked first. */
    | { readonly _tag: "Remove"; readonly leftovers: ReadonlyArray<string> }
    | { readonly _tag: "Keep"; readonly gate: Verdict.Gate | "Plan"; readonly reason: string }
}
