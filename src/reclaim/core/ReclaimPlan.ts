/**
 * What a survey found, as data: the same whether it is printed or carried out.
 */
import type * as Liveness from "../../claims/core/Liveness.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import type * as Verdict from "../../verdict/core/Verdict.ts"

/**
 * What a person or an embedder said when the survey was made, and what holds when it is carried out.
 */
export interface Settings extends Liveness.Settings, Verdict.Settings {
  /** The managed session that asks. */
  readonly caller?: string | undefined
  /** Records whose claims are not to be counted, by id. */
  readonly dismiss?: ReadonlyArray<string> | undefined
}

/**
 * One linked worktree, judged.
 */
export interface Candidate {
  /** The repository's common git directory. */
  readonly repository: string
  readonly path: string
  readonly branch: string | undefined
  readonly head: string | undefined
  readonly verdict: Verdict.Verdict
  /** Each gate with what it says by itself. */
  readonly gates: ReadonlyArray<Verdict.Step>
  /** The end of each session that the sentinel names. */
  readonly ends: ReadonlyArray<readonly [string, SessionEnd.SessionEnd]>
  /** Milliseconds, or `null` where it is not known. */
  readonly quietForMs: number | null
  /** Whether only being settled lets it pass the owner's gates. */
  readonly restsOnSettled: boolean
  /** Ignored paths, directories as one. */
  readonly ignored: ReadonlyArray<string>
  /** Whether it lies in another live session's workspace. */
  readonly inSessionWorkspace: boolean
  /** The reason of its lock, or `undefined` when it is not locked. */
  readonly locked: string | undefined
  /** Device and inode of the directory, and its git admin directory; `undefined` where git could not tell. */
  readonly identity: { readonly directory: string; readonly adminDirectory: string } | undefined
}

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
}
