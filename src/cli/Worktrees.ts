/**
 * The verdict on worktrees that are named by their paths.
 */
import { Effect, Result } from "effect"
import { Git, Reclaim, ReclaimJournal } from "../internal.ts"
import type { Candidate } from "./Candidates.ts"
import type * as Asked from "./Asked.ts"
import * as Advice from "./Advice.ts"
import * as Judging from "./Judging.ts"
import * as Only from "./Only.ts"
import * as Paths from "./Paths.ts"

/** A worktree with its verdict, or why there is none on that path. */
export type Judged =
  | { readonly _tag: "Candidate"; readonly candidate: Candidate }
  | { readonly _tag: "NoCandidate"; readonly path: string; readonly reason: string }

/** Judges these and no others, and says what holds for every verdict. */
export const judge = (paths: ReadonlyArray<string>, asked: Asked.Asked, flags: Judging.Flags) =>
  Only.once(judgeOnly(paths, asked, flags))

const judgeOnly = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, asked: Asked.Asked, flags: Judging.Flags) {
  const found = yield* Effect.forEach(paths.map(Paths.absolute), find)
  const linked = found.filter((one) => one._tag === "Found")
  const worktrees = new Set(linked.map(({ worktree }) => worktree))
  const plan =
    worktrees.size === 0
      ? { candidates: [], unlisted: [], notes: [] }
      : yield* Reclaim.survey({
          ...(yield* Judging.claimOptions(flags)),
          repositories: [...new Set(linked.map(({ repository }) => repository))],
          everything: true,
          ...asked
        }).pipe(Only.worktrees(worktrees))
  const judged = found.map((one): Judged => {
    if (one._tag === "NoCandidate") return one
    const candidate = plan.candidates.find(({ path }) => path === one.worktree)
    if (candidate !== undefined) return { _tag: "Candidate", candidate }
    const [unlisted] = plan.unlisted
    return { _tag: "NoCandidate", path: one.path, reason: unlisted?.reason ?? "it has gone meanwhile" }
  })
  return { judged, notes: plan.notes }
})

export type Found =
  | { readonly _tag: "Found"; readonly path: string; readonly repository: string; readonly worktree: string }
  | Extract<Judged, { readonly _tag: "NoCandidate" }>

/** The linked worktree at a path. */
export const find = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<Found, never, Git.Git | ReclaimJournal.ReclaimJournal> {
  const none = (reason: string): Found => ({ _tag: "NoCandidate", path, reason })
  const git = yield* Git.Git
  const here = Paths.canonical(path)
  const listed = yield* Effect.result(git.repository(path))
  if (Result.isFailure(listed)) {
    const journal = yield* ReclaimJournal.ReclaimJournal
    const known = yield* Effect.orElseSucceed(journal.repositoriesOf(here), () => [])
    if (known.length > 0) return none(`it was reclaimed; ${restore(here)} puts it back`)
    return none(Paths.isMissing(path) ? "nothing is there" : listed.failure.message)
  }
  const { commonDirectory, worktrees } = listed.success
  const worktree = worktrees.find((worktree) => Paths.canonical(worktree.path) === here)
  if (worktree === undefined) return none("it is no worktree itself, but lies in one; name its top directory")
  if (worktree.path.startsWith(`${commonDirectory}/reclaimed/`)) {
    return none(`it lies reclaimed; ${restore(worktree.path)} puts it back`)
  }
  if (worktree.main) return none(`it is the main worktree of ${Paths.shown(commonDirectory)}, which is never reclaimed`)
  return { _tag: "Found", path, repository: commonDirectory, worktree: worktree.path }
})

const restore = (path: string): string => `\`${Advice.command("restore", Paths.pasted(path))}\``
