/**
 * What is known of one candidate, and what a person may set.
 */
import type * as Duration from "effect/Duration"
import type * as ClaimState from "../../claims/core/ClaimState.ts"
import type * as Occupants from "../../claims/core/Occupants.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import type * as Known from "../../shared/core/Known.ts"
import * as Period from "../../shared/core/Period.ts"
import type * as GitFacts from "./GitFacts.ts"
import type * as Landed from "./Landed.ts"
import type * as OwnerSentinel from "./OwnerSentinel.ts"
import * as Quiet from "./Quiet.ts"
import type * as SignOfWork from "./SignOfWork.ts"

/** Whose it is, and where it lies. */
export type Vantage = "Own" | "OtherUser" | "Network"

export interface Facts {
  readonly path: string
  /** The repository's common git directory. */
  readonly repository: string
  /** Times are milliseconds since the epoch. */
  readonly now: number
  readonly claim: ClaimState.ClaimState
  readonly sentinel: OwnerSentinel.Sentinel
  /** The end of each session that the sentinel names. */
  readonly ends: ReadonlyMap<string, SessionEnd.SessionEnd>
  /** Those of them that a manager keeps in tmux. */
  readonly managed: ReadonlySet<string>
  readonly occupants: Known.Known<ReadonlyArray<Occupants.Occupant>>
  readonly vantage: Known.Known<Vantage>
  readonly lastSign: Known.Known<SignOfWork.SignOfWork>
  readonly bootedAt: Known.Known<number>
  /** When each tmux server that was heard started. */
  readonly serversStartedAt: Known.Known<ReadonlyArray<number>>
  readonly registered: GitFacts.Registered
  readonly git: Known.Known<GitFacts.GitFacts>
  readonly landed: Landed.Landed
}

/**
 * What a person may set.
 */
export interface Settings {
  /** How long a candidate must have been quiet: a day unless set. */
  readonly quietFor?: Duration.Input | undefined
  /** After how long a quiet that nobody vouches for is settled: seven days unless set. */
  readonly settledFor?: Duration.Input | undefined
}

export const quietFor = ({ quietFor }: Settings): number => Period.milliseconds(quietFor, Quiet.day)

export const settledFor = ({ settledFor }: Settings): number => Period.milliseconds(settledFor, 7 * Quiet.day)
