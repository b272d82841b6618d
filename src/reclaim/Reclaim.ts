/**
 * Reclaims worktrees that nobody needs: by moving them aside, never by deleting work. Whatever fails, a worktree stays.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as GitList from "../verdict/core/GitList.ts"
import * as Quiet from "../verdict/core/Quiet.ts"
import * as ReclaimLeft from "./core/ReclaimLeft.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "./core/ReclaimPlan.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import * as ReclaimStep from "./core/ReclaimStep.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import * as SweepGuard from "./core/SweepGuard.ts"
import * as Text from "../shared/core/Text.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"
import * as Judgement from "./Judgement.ts"
import { judge, look } from "./Judgement.ts"
import * as Bound from "../shared/Bound.ts"
import { Git, type GitError, type Repository } from "../verdict/Git.ts"
import { GitChanges } from "./GitChanges.ts"
import { ProcessTable } from "../machine/ProcessTable.ts"
import * as RegularFile from "../shared/RegularFile.ts"

export { measure, type MeasureOptions, type Size, type Sizes, type Tree } from "./Sizes.ts"

/**
 * What the programs that change something need: what a survey needs, and who carries out the steps.
 */
export type Services = Judgement.Services | GitChanges

type Outcome = ReclaimOutcome.ReclaimOutcome
type Outcomes = ReadonlyArray<Outcome>

/** How many worktrees are looked at side by side: each of them runs git. */
const concurrency = 4

/**
 * Which worktrees to survey, and what a person or an embedder may say about them.
 */
export interface Options extends ReclaimPlan.Settings {
  /** Paths of repositories, or of any worktree of them. */
  readonly repositories: ReadonlyArray<string>
  /** Is told of every candidate as it has been judged, for a progress line. */
  readonly onJudged?: ((done: number, all: number) => Effect.Effect<void>) | undefined
}

/**
 * Judges every linked worktree of the repositories and changes nothing. A repository that cannot be listed is told as
 * such. Ends within `Bound.Survey`.
 */
export const survey = (options: Options): Effect.Effect<ReclaimPlan.Plan, never, Judgement.Services> => {
  const { repositories: paths, onJudged, ...settings } = options
  return Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { repositories, unlisted } = yield* listed(paths)
    const world = yield* look(settings)
    const linked = repositories.flatMap((repository) =>
      linkedWorktrees(repository).map((worktree) => ({ repository, worktree }))
    )
    let done = 0
    const candidates = yield* Effect.forEach(
      linked,
      ({ repository, worktree }) =>
        Effect.tap(judge(world, settings, repository, worktree), () =>
          onJudged === undefined ? Effect.void : onJudged(++done, linked.length)
        ),
      { concurrency }
    )
    return { at, settings, candidates: candidates.sort(byPath), unlisted }
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.survey",
      bound: Bound.Survey,
      safe: (reason): ReclaimPlan.Plan => ({
        at: 0,
        settings,
        candidates: [],
        unlisted: paths.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.tap(({ candidates, unlisted }) =>
      Effect.annotateCurrentSpan({
        candidates: candidates.length,
        permitted: candidates.filter(({ verdict }) => verdict._tag === "Permit").length,
        unlisted: unlisted.length
      })
    ),
    Effect.withSpan("Reclaim.survey", { attributes: { repositories: paths.length } })
  )
}

/**
 * Moves the permitted candidates of a plan aside, one after another: each is observed and judged anew, must still be the
 * same directory, and is looked at once more when its lock is taken. Nothing is deleted. Gives an outcome for every
 * candidate, and for what an earlier sweep that died had left.
 */
export const apply = (plan: ReclaimPlan.Plan): Effect.Effect<Outcomes, never, Services> =>
  forEachRepository(
    plan.candidates,
    ({ repository }) => repository,
    (repository, candidates) =>
      guarded(
        "Reclaim.apply",
        repository,
        candidates.map(({ path }) => path),
        Effect.forEach(candidates, (candidate) => moveAside(plan.settings, repository, candidate))
      )
  ).pipe(
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.apply", { attributes: { candidates: plan.candidates.length } })
  )

/**
 * Puts a worktree back that was moved aside: `path` is where it was, or where it lies. Refuses when anything but the file
 * that was left stands at its old path. `repositories` are searched when that file is gone.
 */
export const restore = (
  path: string,
  options: { readonly repositories?: ReadonlyArray<string> | undefined } = {}
): Effect.Effect<Outcome, never, Services> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const git = yield* Git
    const left = yield* RegularFile.read(fs, path, maxTombstoneBytes)
    const tombstone = left._tag === "File" ? ReclaimRecord.parseTombstone(left.text) : Option.none()
    const place = Option.match(tombstone, { onNone: () => path, onSome: ({ aside }) => aside })
    const found = yield* Effect.forEach([place, ...(options.repositories ?? [])], (at) =>
      Effect.option(git.repository(at))
    )
    for (const repository of found.flatMap(Option.toArray)) {
      const outcomes = yield* guarded(
        "Reclaim.restore",
        repository.commonDirectory,
        [path],
        Effect.map(putBack(repository.commonDirectory, place), (outcome) => [outcome])
      )
      // A sweep that died may have been about to put back just this one.
      const healed = outcomes.find((outcome) => outcome._tag === "Healed" && outcome.path === path)
      const outcome = outcomes.at(-1)
      if (outcome !== undefined && !isNotHere(outcome)) return outcome
      if (healed !== undefined) return healed
    }
    return hindered(path, Hindrance.NotAside())
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.restore",
      bound: undefined,
      safe: (reason): Outcome => ReclaimOutcome.Failed({ path, step: "look", reason })
    }),
    Effect.tap(({ _tag }) => Effect.annotateCurrentSpan("outcome", _tag)),
    Effect.withSpan("Reclaim.restore", { attributes: { path: Text.escape(path) } })
  )

/**
 * Which worktrees that lie aside to remove for good.
 */
export interface ExpireOptions extends ReclaimPlan.Settings, Regenerable.Settings {
  readonly repositories: ReadonlyArray<string>
  /** How long one must have lain aside: 7 days unless given. */
  readonly olderThan?: Duration.Input | undefined
  /** The same for one that was only settled: 14 days unless given. */
  readonly settledOlderThan?: Duration.Input | undefined
}

/**
 * Removes worktrees that have lain aside for long, by `git worktree remove` and never by force: each is judged once more,
 * with the claims on its old path, and kept when it holds ignored files that cannot be made again. Branches, and the refs
 * that keep its commits, stay.
 */
export const expire = (options: ExpireOptions): Effect.Effect<Outcomes, never, Services> =>
  Effect.gen(function* () {
    const { repositories, unlisted } = yield* listed(options.repositories)
    const outcomes = yield* Effect.forEach(repositories, ({ commonDirectory }) =>
      guarded(
        "Reclaim.expire",
        commonDirectory,
        [commonDirectory],
        Effect.gen(function* () {
          const lying = yield* asides(commonDirectory)
          return yield* Effect.forEach(lying, (aside) => removeExpired(options, commonDirectory, aside))
        })
      )
    )
    return [...outcomes.flat(), ...unlisted.map(({ repository, reason }) => notListed(repository, reason))]
  }).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.expire",
      bound: undefined,
      safe: (reason): Outcomes => options.repositories.map((repository) => notListed(repository, reason))
    }),
    Effect.tap(annotateOutcomes),
    Effect.withSpan("Reclaim.expire", { attributes: { repositories: options.repositories.length } })
  )

const annotateOutcomes = (outcomes: Outcomes): Effect.Effect<void> => {
  const count = (...tags: ReadonlyArray<Outcome["_tag"]>) => outcomes.filter(({ _tag }) => tags.includes(_tag)).length
  return Effect.annotateCurrentSpan({
    done: count("Moved", "Healed", "Removed"),
    kept: count("Kept"),
    failed: count("Failed")
  })
}

const notListed = (path: string, reason: string): Outcome => ReclaimOutcome.Failed({ path, step: "list", reason })

/**
 * A worktree that lies aside.
 */
export interface Aside {
  readonly repository: string
  readonly worktree: GitList.Worktree
  readonly record: ReclaimRecord.ReclaimRecord
}

/**
 * Everything that lies aside in the repositories, oldest first, and the repositories that could not be listed.
 */
export interface Asides {
  readonly asides: ReadonlyArray<Aside>
  readonly unlisted: ReadonlyArray<ReclaimPlan.Unlisted>
}

/**
 * Lists what lies aside and changes nothing. Ends within `Bound.Survey`.
 */
export const list = (options: { readonly repositories: ReadonlyArray<string> }): Effect.Effect<Asides, never, Git> =>
  Effect.map(listed(options.repositories), ({ repositories, unlisted }): Asides => ({
    asides: repositories.flatMap(asidesIn).sort((a, b) => a.record.at - b.record.at),
    unlisted
  })).pipe(
    FailOpen.foldsTo({
      program: "Reclaim.list",
      bound: Bound.Survey,
      safe: (reason): Asides => ({
        asides: [],
        unlisted: options.repositories.map((repository) => ({ repository, reason }))
      })
    }),
    Effect.tap(({ asides, unlisted }) =>
      Effect.annotateCurrentSpan({ asides: asides.length, unlisted: unlisted.length })
    ),
    Effect.withSpan("Reclaim.list", { attributes: { repositories: options.repositories.length } })
  )

/** How long a worktree lies aside before it expires, unless given, in milliseconds. */
export const defaultOlderThan: number = 7 * Quiet.day

/** The same for one that was only settled. */
export const defaultSettledOlderThan: number = 14 * Quiet.day

const maxTombstoneBytes = 64 * 1024

const { Hindrance } = ReclaimOutcome

const hindered = (path: string, hindrance: ReclaimOutcome.Hindrance): Outcome =>
  ReclaimOutcome.Kept({ path, gate: "Plan", reason: ReclaimOutcome.explain(hindrance) })

const isNotHere = (outcome: Outcome): boolean =>
  outcome._tag === "Kept" && outcome.reason === ReclaimOutcome.explain(Hindrance.NotAside())

const byPath = (a: ReclaimPlan.Candidate, b: ReclaimPlan.Candidate): number =>
  Text.compare(a.path, b.path) || Text.compare(a.repository, b.repository)

const linkedWorktrees = (repository: Repository): ReadonlyArray<GitList.Worktree> =>
  repository.worktrees.filter(({ main, bare }) => !main && !bare)

const listed = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const git = yield* Git
  const results = yield* Effect.forEach(
    paths,
    (path) => Effect.map(Effect.result(git.repository(path)), (result) => ({ path, result })),
    { concurrency }
  )
  const repositories = new Map(
    results.flatMap(({ result }) =>
      Result.isSuccess(result) ? [[result.success.commonDirectory, result.success] as const] : []
    )
  )
  const unlisted = results.flatMap(({ path, result }): ReadonlyArray<ReclaimPlan.Unlisted> =>
    Result.isFailure(result) ? [{ repository: path, reason: result.failure.message }] : []
  )
  return { repositories: [...repositories.values()], unlisted }
})

const forEachRepository = <A, R>(
  items: ReadonlyArray<A>,
  repositoryOf: (item: A) => string,
  use: (repository: string, items: ReadonlyArray<A>) => Effect.Effect<Outcomes, never, R>
): Effect.Effect<Outcomes, never, R> =>
  Effect.map(
    Effect.forEach(Map.groupBy(items, repositoryOf), ([repository, group]) => use(repository, group)),
    (outcomes) => outcomes.flat()
  )

/**
 * Changes one repository while no other sweep does, after mending what one that died has left. Without the guard every
 * path is kept.
 */
const guarded = <R>(
  program: FailOpen.Program,
  repository: string,
  paths: ReadonlyArray<string>,
  change: Effect.Effect<Outcomes, GitError, R>
): Effect.Effect<Outcomes, never, R | Git | GitChanges | ProcessTable | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const changes = yield* GitChanges
    const known = yield* git.repository(repository)
    const own = SweepGuard.own(yield* processList)
    const services = yield* Effect.context<ProcessTable>()
    yield* changes.guard(known, own, (holder) =>
      processList.pipe(
        Effect.map(({ processes }) => SweepGuard.isAbandoned(holder, processes, known.commonDirectory)),
        Effect.orElseSucceed(() => false),
        Effect.provideContext(services)
      )
    )
    const mended = yield* mend(known)
    return [...mended, ...(yield* change)]
  }).pipe(
    Effect.scoped,
    FailOpen.foldsTo({
      program,
      bound: undefined,
      safe: (reason): Outcomes => paths.map((path) => ReclaimOutcome.Kept({ path, gate: "Plan", reason }))
    })
  )

const processList = Effect.gen(function* () {
  const table = yield* ProcessTable
  const looked = yield* table.snapshot
  if (looked._tag === "NotConsulted") return yield* Effect.fail(new NoProcessTable())
  return looked
})

class NoProcessTable extends Error {
  override readonly message =
    "no process table is consulted, so that it cannot be told whether another sweep is at work"
}

/**
 * Carries out steps up to the first that fails.
 */
const carryOut = Effect.fnUntraced(function* (
  repository: Repository,
  steps: ReadonlyArray<ReclaimStep.ReclaimStep>
): Effect.fn.Return<ReadonlyArray<string>, GitError, GitChanges> {
  const changes = yield* GitChanges
  const notes = yield* Effect.forEach(steps, (step) => changes.carryOut(repository, step))
  return notes.flat()
})

/**
 * Makes good what a sweep that died has left.
 */
const mend = Effect.fnUntraced(function* (repository: Repository): Effect.fn.Return<Outcomes, GitError, GitChanges> {
  const changes = yield* GitChanges
  const left = yield* changes.left(repository)
  const outcomes = yield* Effect.forEach(left, (each) => mendOne(repository, each))
  return outcomes.flatMap(Option.toArray)
})

const mendOne = (
  repository: Repository,
  left: ReclaimLeft.ReclaimLeft
): Effect.Effect<Option.Option<Outcome>, never, GitChanges> => {
  const mending = ReclaimLeft.mend(repository.commonDirectory, left)
  switch (mending._tag) {
    case "Nothing":
      return Effect.succeedNone
    case "Report": {
      const { path, reason } = mending
      return Effect.succeedSome(ReclaimOutcome.Failed({ path, step: "mend", reason }))
    }
    case "Steps": {
      const { path, what, steps } = mending
      return carryOut(repository, steps).pipe(
        Effect.match({
          onSuccess: () => ReclaimOutcome.Healed({ path, what }),
          onFailure: (error) => ReclaimOutcome.Failed({ path, step: "mend", reason: error.message })
        }),
        Effect.asSome,
        Effect.uninterruptible
      )
    }
  }
}

/**
 * Makes one worktree good after a step that failed. It goes by what is there: a step that failed may have been half done.
 */
const recover = (repository: Repository, adminDirectory: string): Effect.Effect<void, never, GitChanges> =>
  Effect.gen(function* () {
    const changes = yield* GitChanges
    for (const left of yield* changes.left(repository)) {
      if (left._tag !== "Remains" && left.adminDirectory === adminDirectory) yield* mendOne(repository, left)
    }
  }).pipe(Effect.ignore)

const moveAside = (
  settings: ReclaimPlan.Settings,
  commonDirectory: string,
  candidate: ReclaimPlan.Candidate
): Effect.Effect<Outcome, never, Services> => {
  const { path } = candidate
  if (candidate.verdict._tag === "Refuse") return Effect.succeed(ReclaimOutcome.Kept({ path, ...candidate.verdict }))
  const kept = (reason: string) => ReclaimOutcome.Kept({ path, gate: "Plan", reason })
  return Effect.gen(function* () {
    const now = yield* judgeAnew(settings, commonDirectory, path)
    if (now === undefined) return hindered(path, Hindrance.Unlisted())
    const { judged, repository, worktree } = now
    if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
    const { identity } = judged
    if (identity === undefined || worktree.head === undefined || !isSame(identity, candidate.identity)) {
      return hindered(path, Hindrance.Replaced())
    }
    const at = yield* Clock.currentTimeMillis
    const record: ReclaimRecord.ReclaimRecord = {
      name: ReclaimRecord.nameOf(identity.adminDirectory, at),
      path,
      branch: worktree.branch,
      head: worktree.head,
      at,
      settledOnly: judged.restsOnSettled,
      priorLock: worktree.locked
    }
    return yield* carryOutMove(settings, repository, record, identity)
  }).pipe(FailOpen.foldsTo({ program: "Reclaim.apply", bound: undefined, safe: (reason): Outcome => kept(reason) }))
}

type Identity = NonNullable<ReclaimPlan.Candidate["identity"]>

const isSame = (identity: Identity, other: Identity | undefined): boolean =>
  identity.directory === other?.directory && identity.adminDirectory === other.adminDirectory

const judgeAnew = Effect.fnUntraced(function* (
  settings: ReclaimPlan.Settings,
  commonDirectory: string,
  path: string,
  record?: ReclaimRecord.ReclaimRecord
) {
  const git = yield* Git
  const world = yield* look(settings)
  const repository = yield* git.repository(commonDirectory)
  const worktree = linkedWorktrees(repository).find((worktree) => worktree.path === path)
  if (worktree === undefined) return undefined
  return {
    repository,
    worktree,
    judged: yield* judge(
      world,
      settings,
      repository,
      worktree,
      record && { path: record.path, lock: ReclaimRecord.printLock(record) }
    )
  }
})

/**
 * From the first change to the last. The last look falls between the lock and the move; it alone may be interrupted, and
 * then the lock is given back. What fails is made good.
 */
const carryOutMove = (
  settings: ReclaimPlan.Settings,
  repository: Repository,
  record: ReclaimRecord.ReclaimRecord,
  identity: Identity
): Effect.Effect<Outcome, GitError, Services> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { path } = record
      const { adminDirectory } = identity
      const aside = ReclaimStep.asideOf(repository.commonDirectory, record.name)
      const moved = yield* carryOut(repository, ReclaimStep.prepare(record, adminDirectory)).pipe(
        Effect.andThen(restore(judgeAnew(settings, repository.commonDirectory, path, record))),
        Effect.map((last) => refusalOf(last, record, identity)),
        Effect.tap((refusal) =>
          refusal === undefined ? carryOut(repository, ReclaimStep.move(record, adminDirectory, aside)) : Effect.void
        ),
        Effect.onExit((exit) =>
          Exit.isSuccess(exit) && exit.value === undefined ? Effect.void : recover(repository, adminDirectory)
        ),
        Effect.result
      )
      if (Result.isFailure(moved)) {
        return ReclaimOutcome.Failed({ path, step: "move", reason: moved.failure.message })
      }
      if (moved.success !== undefined) return moved.success
      const notes = yield* Effect.forEach(ReclaimStep.leave(record, aside), (step) =>
        carryOut(repository, [step]).pipe(
          Effect.catch((error) => Effect.succeed([`not all could be left at its old path: ${error.message}`]))
        )
      )
      return ReclaimOutcome.Moved({ path, to: aside, notes: notes.flat() })
    })
  )

/**
 * Why a worktree that is locked by us stays after all.
 */
const refusalOf = (
  last: Effect.Success<ReturnType<typeof judgeAnew>>,
  record: ReclaimRecord.ReclaimRecord,
  identity: Identity
): Outcome | undefined => {
  const { path } = record
  if (last === undefined) return hindered(path, Hindrance.Unlisted())
  const { judged, worktree } = last
  if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
  if (judged.identity === undefined || !isSame(judged.identity, identity)) {
    return hindered(path, Hindrance.Replaced())
  }
  return worktree.head === record.head && worktree.branch === record.branch
    ? undefined
    : hindered(path, Hindrance.SwitchedBranch())
}

const asidesIn = (repository: Repository): ReadonlyArray<Aside> =>
  linkedWorktrees(repository).flatMap((worktree) =>
    Option.match(Option.flatMap(Option.fromUndefinedOr(worktree.locked), ReclaimRecord.parseLock), {
      onNone: () => [],
      onSome: (record) =>
        worktree.path === ReclaimStep.asideOf(repository.commonDirectory, record.name)
          ? [{ repository: repository.commonDirectory, worktree, record }]
          : []
    })
  )

const asides = Effect.fnUntraced(function* (commonDirectory: string) {
  const git = yield* Git
  return asidesIn(yield* git.repository(commonDirectory))
})

const putBack = (commonDirectory: string, path: string): Effect.Effect<Outcome, GitError, Git | GitChanges> =>
  Effect.gen(function* () {
    const git = yield* Git
    const repository = yield* git.repository(commonDirectory)
    const found = asidesIn(repository)
      .filter(({ worktree, record }) => worktree.path === path || record.path === path)
      .sort((a, b) => b.record.at - a.record.at)[0]
    if (found === undefined) return hindered(path, Hindrance.NotAside())
    const { worktree, record } = found
    const left = yield* Effect.flatMap(GitChanges, (changes) => changes.left(repository))
    const taken = left.find((each) => each._tag === "Taken" && each.record.name === record.name)
    if (taken?._tag !== "Taken") {
      return hindered(path, Hindrance.NoAdminDirectory({ path: worktree.path }))
    }
    const restored = yield* Effect.result(
      carryOut(repository, ReclaimStep.restore(record, taken.adminDirectory, worktree.path))
    )
    if (Result.isSuccess(restored)) {
      return ReclaimOutcome.Restored({ path: record.path, from: worktree.path, notes: restored.success })
    }
    yield* recover(repository, taken.adminDirectory)
    return ReclaimOutcome.Failed({ path: record.path, step: "restore", reason: restored.failure.message })
  }).pipe(Effect.uninterruptible)

const removeExpired = (
  options: ExpireOptions,
  commonDirectory: string,
  { worktree, record }: Aside
): Effect.Effect<Outcome, never, Services> => {
  const { path } = worktree
  const kept = (reason: string): Outcome => ReclaimOutcome.Kept({ path, gate: "Plan", reason })
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = record.at + waitOf(options, record)
    if (!(now >= due)) return hindered(path, Hindrance.NotDue({ until: due }))
    const anew = yield* judgeAnew(options, commonDirectory, path, record)
    if (anew === undefined) return hindered(path, Hindrance.Unlisted())
    const { judged, repository } = anew
    if (judged.verdict._tag === "Refuse") return ReclaimOutcome.Kept({ path, ...judged.verdict })
    const precious = yield* IgnoredPaths.precious(yield* FileSystem.FileSystem, path, judged.ignored, options)
    if (precious.length > 0) {
      return hindered(path, Hindrance.Precious({ paths: precious }))
    }
    if (judged.identity === undefined) return hindered(path, Hindrance.NoAdminDirectory({ path }))
    return yield* Effect.uninterruptible(carryOutRemoval(repository, record, judged.identity.adminDirectory, path))
  }).pipe(FailOpen.foldsTo({ program: "Reclaim.expire", bound: undefined, safe: (reason): Outcome => kept(reason) }))
}

const waitOf = (options: ExpireOptions, { settledOnly }: ReclaimRecord.ReclaimRecord): number => {
  const plain = options.olderThan === undefined ? defaultOlderThan : Duration.toMillis(options.olderThan)
  if (!settledOnly) return plain
  return options.settledOlderThan === undefined
    ? Math.max(plain, defaultSettledOlderThan)
    : Duration.toMillis(options.settledOlderThan)
}

const carryOutRemoval = Effect.fnUntraced(function* (
  repository: Repository,
  record: ReclaimRecord.ReclaimRecord,
  adminDirectory: string,
  path: string
): Effect.fn.Return<Outcome, never, GitChanges> {
  const removed = yield* Effect.result(carryOut(repository, ReclaimStep.expire(record, adminDirectory, path)))
  if (Result.isSuccess(removed)) return ReclaimOutcome.Removed({ path: record.path, from: path })
  yield* recover(repository, adminDirectory)
  return ReclaimOutcome.Failed({ path, step: "remove", reason: removed.failure.message })
})
