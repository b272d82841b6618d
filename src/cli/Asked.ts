/**
 * What a person may ask of a worktree before it goes.
 */
import type { Duration } from "effect"
import { Flag } from "effect/cli"
import * as Ages from "./Ages.ts"
import * as Judging from "./Judging.ts"

export const flags = {
  quietFor: Ages.flag("quiet-for", "how long a worktree must have been quiet (default: 24h)"),
  settledFor: Ages.flag(
    "settled-for",
    "how long a worktree must have been quiet when nobody says that its work is over (default: 7d)"
  ),
  base: Judging.optional("base", "BRANCH", "the default branch, if the repository names another"),
  keepBranches: Judging.several(
    "keep-branch",
    "BRANCH",
    "keep the worktree of this branch; a * at the end stands for any text"
  ).pipe(Flag.map((names): ReadonlyArray<string> => names))
}

export interface Asked {
  readonly quietFor: Duration.Duration | undefined
  readonly settledFor: Duration.Duration | undefined
  readonly base: string | undefined
  readonly keepBranches: ReadonlyArray<string>
}
