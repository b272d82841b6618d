/**
 * What a survey found, as data: the same whether it is printed or carried out.
 */
import type { Candidate, Settings } from "../../verdict/core/Candidate.ts"

export type { Candidate, Settings } from "../../verdict/core/Candidate.ts"

/**
 * A repository whose worktrees could not be listed.
 */
export interface Unlisted {
  readonly repository: string
  readonly reason: string
}

export interface Plan {
  /** When the survey began, in milliseconds since the epoch. */
  readonly at: number
  readonly settings: Settings
  readonly candidates: ReadonlyArray<Candidate>
  readonly unlisted: ReadonlyArray<Unlisted>
  /** What holds for every verdict, such as why no session claims anything. */
  readonly notes: ReadonlyArray<string>
}
