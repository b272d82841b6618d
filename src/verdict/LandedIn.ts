/**
 * Asks git whether what a worktree's `HEAD` holds has landed. Nothing is fetched or written, and no driver runs.
 */
import * as Effect from "effect/Effect"
import * as Bound from "../shared/Bound.ts"
import * as Branches from "./core/Branches.ts"
import * as Digest from "./core/Digest.ts"
import * as History from "./core/History.ts"
import * as Landed from "./core/Landed.ts"
import type { Repository } from "./Git.ts"
import { failed, type GitCommand, type GitError, said } from "./GitCommand.ts"
import { log, orFail, type RepositoryFacts } from "./RepositoryFacts.ts"

interface Asked {
  readonly command: GitCommand
  readonly repository: Repository
  readonly facts: RepositoryFacts
  readonly work: Landed.Work
  readonly base: string | undefined
  /** Whether to compare contents where `HEAD` was not merged. */
  readonly thorough: boolean
}

export const landed = Effect.fnUntraced(function* (asked: Asked): Effect.fn.Return<Landed.Landed, GitError> {
  const { facts, base } = asked
  const defaults = yield* facts.defaults(base)
  if (defaults.length === 0) {
    const why = base === undefined ? "there is no default branch to compare it with" : `there is no branch ${base}`
    return Landed.NotLanded({ why, commits: undefined, isReverted: false })
  }
  const histories = yield* Effect.forEach(defaults, (ref) =>
    Effect.map(facts.history(ref), (history) => ({ ref, history }))
  )
  // One that another default branch contains is only behind it.
  const ahead = histories.filter(
    ({ ref }, index) =>
      !histories.some(
        (other, at) => at !== index && other.history.has(ref.object) && (at < index || other.ref.object !== ref.object)
      )
  )
  return Landed.strictest(yield* Effect.forEach(ahead, ({ ref, history }) => landedIn(asked, ref, history)))
})

const landedIn = Effect.fnUntraced(function* (
  asked: Asked,
  ref: Branches.Ref,
  history: History.History
): Effect.fn.Return<Landed.Landed, GitError> {
  const { work } = asked
  const isMerged = history.has(work.head) || (!history.isWhole && (yield* isAncestor(asked, ref)))
  if (isMerged) return yield* carryOut(asked, Landed.ofMerged(history, work))
  if (!asked.thorough) return Landed.notMerged(history)
  const apart = yield* compare(asked, ref)
  return typeof apart === "string"
    ? Landed.NotLanded({ why: `${apart} ${history.into}`, commits: undefined, isReverted: false })
    : yield* carryOut(asked, Landed.ofApart(history, work, apart))
})

const isAncestor = Effect.fnUntraced(function* (
  { command, repository: { commonDirectory }, work }: Asked,
  ref: Branches.Ref
): Effect.fn.Return<boolean, GitError> {
  const args = [`--git-dir=${commonDirectory}`, "merge-base", "--is-ancestor", work.head, ref.object]
  const { exitCode, stderr } = yield* command.run(commonDirectory, args, { bound: Bound.Git })
  if (exitCode === 0 || exitCode === 1) return exitCode === 0
  return yield* failed(commonDirectory, `git merge-base: ${said(exitCode, stderr)}`)
})

/**
 * What lies between `HEAD` and a branch that does not contain it, or in words why they cannot be compared.
 */
const compare = Effect.fnUntraced(function* (
  { command, repository: { commonDirectory }, work: { head } }: Asked,
  { object }: Branches.Ref
): Effect.fn.Return<Landed.Apart | string, GitError> {
  const at = [`--git-dir=${commonDirectory}`]
  const found = yield* command.run(commonDirectory, [...at, "merge-base", "--all", object, head], { bound: Bound.Git })
  if (found.exitCode === 1 && found.stdout === "") return "it has no commit in common with"
  if (found.exitCode !== 0) {
    return yield* failed(commonDirectory, `git merge-base: ${said(found.exitCode, found.stderr)}`)
  }
  const [base, ...others] = found.stdout.split("\n").filter((line) => line !== "")
  if (base === undefined || others.length > 0) return "there is more than one commit at which it parts from"
  const changesOf = (from: string, to: string) =>
    Effect.flatMap(
      command.run(commonDirectory, [...at, "diff-tree", "-z", ...History.rawOptions, from, to], { bound: Bound.Git }),
      ({ exitCode, stdout, stderr }) =>
        exitCode === 0
          ? orFail(commonDirectory, History.parseRaw(stdout), "git diff-tree")
          : Effect.fail(failed(commonDirectory, `git diff-tree: ${said(exitCode, stderr)}`))
    )
  return {
    base,
    changes: yield* changesOf(base, head),
    differing: new Set((yield* changesOf(object, head)).map(({ path }) => path)),
    own: yield* log(command, commonDirectory, [head, `^${object}`])
  }
})

const carryOut = Effect.fnUntraced(function* (
  asked: Asked,
  step: Landed.Step
): Effect.fn.Return<Landed.Landed, GitError> {
  if (step._tag === "Answer") return step.landed
  const { own, against } = step.comparison
  const forward = yield* digests(asked, [...own, ...against.map((commit) => ({ commit }))])
  return step.decide({
    own: forward.slice(0, own.length),
    against: forward.slice(own.length),
    inverse: yield* digests(asked, own, ["-R"])
  })
})

const digests = Effect.fnUntraced(function* (
  { command, repository: { commonDirectory } }: Asked,
  compared: ReadonlyArray<Landed.Compared>,
  options: ReadonlyArray<string> = []
): Effect.fn.Return<ReadonlyArray<string | undefined>, GitError> {
  const input = compared.map(({ commit, to }) => `${to === undefined ? commit : `${commit} ${to}`}\n`).join("")
  const args = [`--git-dir=${commonDirectory}`, "diff-tree", ...options, ...Digest.diffOptions]
  const { exitCode, stdout, stderr } = yield* command.run(commonDirectory, args, { bound: Bound.Git, input })
  if (exitCode !== 0) return yield* failed(commonDirectory, `git diff-tree: ${said(exitCode, stderr)}`)
  const asked = compared.map(({ commit }) => commit)
  return yield* orFail(commonDirectory, Digest.parse(stdout, asked), "git diff-tree")
})
