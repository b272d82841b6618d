/**
 * One linked worktree, judged, as data.
 */
import type * as Liveness from "../../claims/core/Liveness.ts"
import type * as SessionEnd from "../../claims/core/SessionEnd.ts"
import type * as Known from "../../shared/core/Known.ts"
import type * as Facts from "./Facts.ts"
import type * as Landed from "./Landed.ts"
import type * as Regenerable from "./Regenerable.ts"
import type * as SignOfWork from "./SignOfWork.ts"
import type * as Verdict from "./Verdict.ts"

/**
 * What a person or an embedder said when a worktree was judged, and what holds when the plan is carried out.
 */
export interface Settings extends Liveness.Settings, Facts.Settings, Regenerable.Settings {
  /** The managed session that asks. */
  readonly caller?: string | undefined
  /** Records whose claims are not to be counted, by id. */
  readonly dismiss?: ReadonlyArray<string> | undefined
  /** The default branch, where it is another than the repository names. */
  readonly base?: string | undefined
  /** Branches besides the usual ones whose worktrees are kept; a `*` at the end stands for any text. */
  readonly keepBranches?: ReadonlyArray<string> | undefined
}

export interface Candidate {
  /** The repository's common git directory. */
  readonly repository: string
  readonly path: string
  readonly branch: string | undefined
  readonly head: string | undefined
  readonly verdict: Verdict.Verdict
  /** Each gate that was asked with what it says by itself: all of them, or those up to the first that refuses. */
  readonly gates: ReadonlyArray<Verdict.Step>
  /** The end of each session that the sentinel names, where it was asked. */
  readonly ends: ReadonlyArray<readonly [string, SessionEnd.SessionEnd]>
  /** The last sign of work in it, where it was looked for. */
  readonly lastSign: Known.Known<SignOfWork.SignOfWork>
  /** Every place where work shows, with its newest time. */
  readonly signs: ReadonlyArray<Known.Known<SignOfWork.SignOfWork>>
  /** Milliseconds since the last sign of work, or `null` where it is not known. */
  readonly quietForMs: number | null
  /** Whether nobody vouches that its work is over, so that it is kept longer when it lies reclaimed. */
  readonly restsOnSettled: boolean
  /** Whether its work is in a default branch, where that was asked. */
  readonly landed: Landed.Landed
  /** Ignored paths, directories as one. */
  readonly ignored: ReadonlyArray<string>
  /** Untracked paths, where git was asked. */
  readonly untracked: ReadonlyArray<string> | undefined
  /** Those of them that hold nothing: symbolic links and empty files. */
  readonly harmless: ReadonlyArray<string>
  /** Whether it lies in another live session's workspace. */
  readonly inSessionWorkspace: boolean
  /** The reason of its lock, or `undefined` when it is not locked. */
  readonly locked: string | undefined
  /** Device and inode of the directory, and its git admin directory; `undefined` where they were not asked or not told. */
  readonly identity: { readonly directory: string; readonly adminDirectory: string } | undefined
}
