/**
 * The signs of work in a worktree, wherever work shows. What fails is unknown, and may be the newest.
 */
import * as Effect from "effect/Effect"
import * as LiveClaims from "../claims/core/LiveClaims.ts"
import * as Bound from "../shared/Bound.ts"
import * as Known from "../shared/core/Known.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type * as Facts from "./core/Facts.ts"
import type * as GitList from "./core/GitList.ts"
import type * as Sentinel from "./core/OwnerSentinel.ts"
import * as SignOfWork from "./core/SignOfWork.ts"
import { Git, type Repository, type WorktreeFiles } from "./Git.ts"
import type { Services } from "./JudgeWorktree.ts"
import * as Transcripts from "./Transcripts.ts"
import { Restorations } from "./Restorations.ts"
import { type Asking, oldPathOf } from "./AskedWorktree.ts"

/** The files that were looked at, and every place where work shows, with its newest time. */
export interface Shown extends Pick<Facts.Facts, "lastSign"> {
  readonly files: Known.Known<WorktreeFiles>
  readonly signs: ReadonlyArray<Known.Known<SignOfWork.SignOfWork>>
}

export const signsOf = Effect.fnUntraced(function* (asking: Asking): Effect.fn.Return<Shown, never, Services> {
  const { observed, settings, repository, worktree, places } = asking
  const git = yield* Git
  const files = yield* git.files(repository, worktree, settings).pipe(
    Effect.map((files): Known.Known<WorktreeFiles> => Known.known(files)),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "the files of a worktree could not be looked at, so it stays",
      bound: Bound.Survey,
      safe: (reason): Known.Known<WorktreeFiles> => Known.unknown(reason)
    })
  )
  const records = places
    .flatMap((place) => LiveClaims.lastSigns(observed.claims, place))
    .map((at) =>
      at === null
        ? Known.unknown("a record that claims it tells no time")
        : Known.known({ what: "a record that claims it", at })
    )
  const restored = yield* restoration(repository, worktree)
  const talked = yield* Transcripts.newest(
    observed.transcripts,
    [worktree.path, oldPathOf(asking)],
    places,
    observed.resolve
  )
  const signs = [...(files._tag === "Known" ? files.value.signs : [files]), ...records, ...restored, ...talked]
  return { files, signs, lastSign: SignOfWork.newest(signs) }
})

/** Whoever put it back wanted it. */
const restoration = (
  { commonDirectory }: Repository,
  { path }: GitList.Worktree
): Effect.Effect<ReadonlyArray<Known.Known<SignOfWork.SignOfWork>>, never, Restorations> =>
  Effect.flatMap(Restorations, ({ restoredAt }) => restoredAt({ commonDirectory, path })).pipe(
    Effect.map((at) => (at === undefined ? [] : [Known.known({ what: "its restoration", at })])),
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      answer: "it is not known whether a worktree was put back, so it stays",
      bound: Bound.Git,
      safe: (reason): ReadonlyArray<Known.Known<SignOfWork.SignOfWork>> => [Known.unknown(reason)]
    })
  )

/** An agent that was given the worktree a moment ago has not yet left a sign. */
export const assignment = (
  sentinel: Extract<Sentinel.Sentinel, { readonly _tag: "Named" }>,
  ends: Facts.Facts["ends"]
): ReadonlyArray<Known.Known<SignOfWork.SignOfWork>> => {
  const { agent, createdAt } = sentinel
  return agent === undefined || agent.endedAt !== undefined || ends.get(agent.parent)?._tag === "Ended"
    ? []
    : [Known.known({ what: "the sentinel that gives it to an agent", at: createdAt })]
}
