/**
 * Whether what a worktree's `HEAD` holds is in a default branch too, by whatever way it got there.
 */
import * as Data from "effect/Data"
import type * as History from "./History.ts"

/**
 * `NotLanded` is the answer to everything that is not known, and says why.
 */
export type Landed = Data.TaggedEnum<{
  Landed: { readonly into: string; readonly how: string }
  NotLanded: {
    readonly why: string
    /** How many commits of `HEAD` the default branch lacks, where that was counted. */
    readonly commits: number | undefined
    /** Whether it had landed, and was undone there. */
    readonly isReverted: boolean
  }
}>

const constructors = Data.taggedEnum<Landed>()
export const { NotLanded, $is, $match } = constructors

/**
 * What is known of the worktree itself.
 */
export interface Work {
  readonly head: string
  /** The commit that it was made at, by the first entry of its `HEAD` log. */
  readonly madeAt: string | undefined
  /** Whether anything was committed in it since. */
  readonly committed: boolean
  /** Whether it lies in a store that agents work in. */
  readonly agentStore: boolean
}

/**
 * What has to be compared before it can be decided: whether any of `against` is the inverse of one of `own`, or, where
 * `own` was not merged, the same. Each is a commit, or a commit with the one it is compared to.
 */
export interface Comparison {
  readonly own: ReadonlyArray<Compared>
  readonly against: ReadonlyArray<string>
}

/** A commit, compared to its parent unless another is given. */
export interface Compared {
  readonly commit: string
  readonly to?: string | undefined
}

/**
 * What a step comes to: an answer, or what it needs to know next.
 */
export type Step =
  | { readonly _tag: "Answer"; readonly landed: Landed }
  | {
      readonly _tag: "Compare"
      readonly comparison: Comparison
      readonly decide: (digests: Digests) => Landed
    }

/**
 * The digests that were asked for, in the order of the comparison; `undefined` for what has none.
 */
export interface Digests {
  readonly own: ReadonlyArray<string | undefined>
  /** Of the inverse changes of the same. */
  readonly inverse: ReadonlyArray<string | undefined>
  readonly against: ReadonlyArray<string | undefined>
}

const answer = (landed: Landed): Step => ({ _tag: "Answer", landed })

const notLanded = (why: string, commits?: number): Landed => constructors.NotLanded({ why, commits, isReverted: false })

const undone = (into: string, commit: string, commits: number): Landed =>
  constructors.NotLanded({
    why: `${into} has reverted it since, by ${commit.slice(0, 12)}`,
    commits,
    isReverted: true
  })

/** Of a `HEAD` that was not merged, where contents are not to be compared. */
export const notMerged = ({ into }: Pick<History.History, "into">): Landed =>
  notLanded(`its commits themselves are not in ${into}`)

/**
 * The answer that several default branches allow together: landed in one, unless another has undone it.
 */
export const strictest = (answers: ReadonlyArray<Landed>): Landed =>
  answers.find((answer) => answer._tag === "NotLanded" && answer.isReverted) ??
  answers.find(({ _tag }) => _tag === "Landed") ??
  answers[0] ??
  notLanded("nothing was compared")

/** The one place where something is found to have landed. */
const landed = (into: string, how: string): Landed => constructors.Landed({ into, how })

/**
 * Of a `HEAD` that the default branch contains.
 */
export const ofMerged = (history: History.History, work: Work): Step => {
  const { into } = history
  if ((!work.committed || work.head === work.madeAt) && !work.agentStore) {
    return answer(notLanded("nothing was committed in it yet", 0))
  }
  if (!history.has(work.head)) return answer(notLanded(stopped(history), 0))
  const merge = history.mergeOf(work.head)
  const own = history.own(work.head, work.madeAt, merge)
  const after = history.notIn(work.head)
  const names = [...own.map(({ id }) => id), ...(merge === undefined ? [] : [merge.id])]
  const revert = revertOf(after, names)
  if (revert !== undefined) return answer(undone(into, revert, 0))
  const how = merge === undefined ? "it is part of it" : "it was merged"
  const whole: ReadonlyArray<Compared> =
    merge?.parents[0] === undefined ? [] : [{ commit: merge.id, to: merge.parents[0] }]
  const keys = new Set([...own.map(keyOf), keyOf({ changes: own.flatMap(({ changes }) => changes) })])
  const against = after.filter((commit) => commit.changes.length > 0 && keys.has(keyOf(commit)))
  if (against.length === 0) return answer(landed(into, how))
  return {
    _tag: "Compare",
    comparison: {
      own: [...whole, ...own.map(({ id }) => ({ commit: id }))],
      against: against.map(({ id }) => id)
    },
    decide: (digests) => {
      const inverse = inverseIn(against, digests)
      return inverse === undefined ? landed(into, how) : undone(into, inverse.id, 0)
    }
  }
}

/**
 * What git tells of a `HEAD` that the default branch does not contain.
 */
export interface Apart {
  readonly base: string
  /** What changed from the merge base to `HEAD`. */
  readonly changes: ReadonlyArray<History.Change>
  /** The paths that differ between `HEAD` and the default branch. */
  readonly differing: ReadonlySet<string>
  /** The commits of `HEAD` that the default branch lacks, as far as they were looked through. */
  readonly own: ReadonlyArray<History.Commit>
}

/** How many commits may be looked for one by one. */
const fewCommits = 50

export const ofApart = (history: History.History, work: Work, { base, changes, differing, own }: Apart): Step => {
  const { into } = history
  const count = own.length
  if (changes.length > 0 && changes.every(({ path }) => !differing.has(path))) {
    return answer(landed(into, "each path that it changes is the same there"))
  }
  const since = history.notIn(base)
  const lacking = `${count} ${count === 1 ? "commit" : "commits"} of it ${count === 1 ? "is" : "are"} not in ${into}${
    history.isWhole ? "" : `, of which the newest ${history.limit} commits were looked through`
  }`
  // A merge has no digest that another commit could have.
  const picked =
    own.length < fewCommits ? own.filter(({ parents, changes }) => parents.length > 1 || changes.length > 0) : []
  const keys = new Set([keyOf({ changes }), ...picked.map(keyOf)])
  const against = since.filter((commit) => commit.changes.length > 0 && keys.has(keyOf(commit)))
  if (against.length === 0) return answer(notLanded(lacking, count))
  return {
    _tag: "Compare",
    comparison: {
      own: [{ commit: work.head, to: base }, ...picked.map(({ id }) => ({ commit: id }))],
      against: against.map(({ id }) => id)
    },
    decide: (digests) => {
      const [whole, ...each] = digests.own
      const matches = (digest: string | undefined) =>
        digest === undefined ? [] : against.filter((_, index) => digests.against[index] === digest)
      const squash = matches(whole)
      const picks = each.map(matches)
      const isPicked =
        each.length > 0 &&
        // One commit there stands for one here.
        each.every((digest, index) => (picks[index]?.length ?? 0) >= each.filter((other) => other === digest).length)
      if (squash.length === 0 && !isPicked) return notLanded(lacking, count)
      const names = [...own, ...squash, ...picks.flat()].map(({ id }) => id)
      const revert = revertOf(since, names) ?? inverseIn(against, digests)?.id
      if (revert !== undefined) return undone(into, revert, count)
      return landed(into, squash.length > 0 ? "its whole change is one commit there" : "each of its commits is there")
    }
  }
}

/** The commit that says that it reverts one of these. */
const revertOf = (commits: ReadonlyArray<History.Commit>, names: ReadonlyArray<string>): string | undefined =>
  commits.find(({ reverts }) => reverts.some((reverted) => names.some((name) => name.startsWith(reverted))))?.id

/** The commit whose change is the inverse of one of the others. */
const inverseIn = (commits: ReadonlyArray<History.Commit>, digests: Digests): History.Commit | undefined => {
  const undoing = new Set(digests.inverse)
  return commits.find((_, index) => digests.against[index] !== undefined && undoing.has(digests.against[index]))
}

const stopped = ({ into, limit }: History.History): string =>
  `it is older than the newest ${limit} commits of ${into}, which were looked through for a revert of it`

/** The paths that a change is of: what has others is another change. */
const keyOf = ({ changes }: Pick<History.Commit, "changes">): string =>
  [...new Set(changes.map(({ path }) => path))].sort().join("\0")
