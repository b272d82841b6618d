/**
 * Which regenerable directories may be removed, as data: the same whether it is printed or carried out.
 */
import type * as DiskUsage from "../../verdict/core/DiskUsage.ts"
import type * as Regenerable from "../../verdict/core/Regenerable.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import type { Settings, Unlisted } from "./ReclaimPlan.ts"

export interface SlimPlan {
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number
  readonly settings: Settings & Regenerable.Settings
  readonly trees: ReadonlyArray<Tree>
  readonly unlisted: ReadonlyArray<Unlisted>
}

/**
 * One linked worktree.
 */
export interface Tree {
  /** The repository's common git directory. */
  readonly repository: string
  readonly path: string
  /** What is known of one that lies reclaimed. */
  readonly record: ReclaimRecord | undefined
  readonly decision: Decision
}

export type Decision =
  | { readonly _tag: "Slim"; readonly directories: ReadonlyArray<Directory> }
  | { readonly _tag: "Keep"; readonly gate: Verdict.Gate | "Plan"; readonly reason: string }

/**
 * One regenerable directory of a worktree that may be slimmed.
 */
export interface Directory extends Regenerable.Covering {
  readonly usage: DiskUsage.DiskUsage
  /** Why it stays, or `undefined` when it may go. */
  readonly heldBack: string | undefined
}
