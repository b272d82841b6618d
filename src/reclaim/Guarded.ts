/**
 * Changes one repository at a time, while no other sweep does, after recovering what a sweep that died has left in it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ProcessTable } from "../machine/ProcessTable.ts"
import * as Mounts from "../machine/core/Mounts.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import type { Repository } from "../verdict/Git.ts"
import type { GitError } from "../verdict/GitCommand.ts"
import type { JournalEntry } from "./core/JournalEntry.ts"
import * as Leftover from "./core/Leftover.ts"
import * as ReclaimOutcome from "./core/ReclaimOutcome.ts"
import { reclaimedAt, type ReclaimStep } from "./core/ReclaimStep.ts"
import * as SweepGuard from "./core/SweepGuard.ts"
import { GitChanges } from "./GitChanges.ts"
import { ReclaimedTrees } from "./ReclaimedTrees.ts"
import { type JournalError, ReclaimJournal } from "./ReclaimJournal.ts"
import { bounded, kept, type NoAnswer, type Outcome, type Outcomes, repositoryAt } from "./Services.ts"

export type Failure = GitError | JournalError | NoAnswer

/**
 * Without the guard every path is kept. `change` gets the repository as it is after the recovery.
 */
export const guarded = <R>(
  program: FailOpen.Program,
  commonDirectory: string,
  paths: ReadonlyArray<string>,
  change: (repository: Repository) => Effect.Effect<Outcomes, Failure, R>
): Effect.Effect<
  Outcomes,
  never,
  R | Effect.Services<ReturnType<typeof repositoryAt>> | GitChanges | ReclaimedTrees | ReclaimJournal | ProcessTable
> =>
  Effect.gen(function* () {
    const changes = yield* GitChanges
    const known = yield* repositoryAt(commonDirectory)
    const { fileSystem } = known
    if (fileSystem === undefined || Mounts.isNetwork(fileSystem)) {
      return paths.map((path) => kept(path, ReclaimOutcome.Obstacle.Network({ fileSystem })))
    }
    const own = SweepGuard.own(yield* bounded("the process table")(processList))
    const services = yield* Effect.context<ProcessTable>()
    yield* changes
      .guard(known, own, (holder) =>
        bounded("the process table")(processList).pipe(
          Effect.map(({ processes }) => SweepGuard.isAbandoned(holder, processes, known.commonDirectory)),
          Effect.orElseSucceed(() => false),
          Effect.provideContext(services)
        )
      )
      .pipe(bounded("the guard of the repository"))
    const recovered = yield* recover(known)
    const cleared = yield* recoverSlims(known)
    return [...recovered, ...cleared, ...(yield* change(yield* repositoryAt(commonDirectory)))]
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
  if (looked._tag === "NotConsulted") return yield* new NoProcessTable()
  return looked
})

class NoProcessTable extends Schema.TaggedError<NoProcessTable>()("NoProcessTable", {}) {
  override readonly message = "no process table is consulted, so that another sweep may be at work unseen"
}

/**
 * Carries out steps up to the first that fails. The bound of a step that only moves or removes is git's own patience.
 */
export const carryOut = Effect.fnUntraced(function* (
  repository: Repository,
  steps: ReadonlyArray<ReclaimStep>
): Effect.fn.Return<ReadonlyArray<string>, GitError | NoAnswer, GitChanges> {
  const changes = yield* GitChanges
  const notes = yield* Effect.forEach(steps, (step) =>
    step._tag === "Move" || step._tag === "Remove" || step._tag === "RemoveMoved"
      ? changes.carryOut(repository, step)
      : bounded(`the step ${step._tag}`)(changes.carryOut(repository, step))
  )
  return notes.flat()
})

export const lookAt = (repository: Repository) =>
  Effect.flatMap(ReclaimedTrees, (trees) => trees.look(repository)).pipe(bounded("the look at what lies reclaimed"))

/** The entries of the journal, each with what the files say about it. */
export const foundIn = (leftovers: ReadonlyArray<Leftover.Leftover>): ReadonlyArray<Leftover.Found> =>
  leftovers.flatMap((leftover) => (leftover._tag === "Journalled" ? [leftover.found] : []))

const recover = Effect.fnUntraced(function* (repository: Repository) {
  const outcomes = yield* Effect.forEach(foundIn(yield* lookAt(repository)), (found) =>
    Effect.uninterruptible(recoverOne(repository, found))
  )
  return outcomes.flatMap(Option.toArray)
})

/**
 * What was moved out of a worktree goes back, unless its removal had begun.
 */
const recoverSlims = Effect.fnUntraced(function* (repository: Repository) {
  const journal = yield* ReclaimJournal
  const trees = yield* ReclaimedTrees
  const { repository: identity } = yield* bounded("the look at the repository")(
    trees.identify(repository, repository.commonDirectory)
  )
  const { slims } = yield* bounded("the journal")(journal.read(identity))
  return yield* Effect.forEach(slims, (slim): Effect.Effect<Outcome, never, GitChanges> => {
    const { entry } = slim
    const isMoving = entry.state === "Moving"
    const path = entry.worktree
    return carryOut(repository, [{ _tag: isMoving ? "MoveBack" : "RemoveMoved", entry }]).pipe(
      Effect.andThen(bounded("the journal")(journal.forgetSlims([slim]))),
      Effect.match({
        onSuccess: () =>
          ReclaimOutcome.Recovered({
            path,
            what: isMoving
              ? "directories that were to be removed from it are back"
              : "directories of it that can be made again are removed"
          }),
        onFailure: ({ message }) => ReclaimOutcome.Failed({ path, step: "recover", reason: message })
      })
    )
  })
})

const recoverOne = Effect.fnUntraced(function* (
  repository: Repository,
  found: Leftover.Found
): Effect.fn.Return<Option.Option<Outcome>, never, GitChanges | ReclaimJournal> {
  const { entry } = found
  const recovery = Leftover.recovery(repository.commonDirectory, found)
  const failed = (path: string, reason: string) => Option.some(ReclaimOutcome.Failed({ path, step: "recover", reason }))
  switch (recovery._tag) {
    case "Nothing":
      return Option.none()
    case "Report":
      return failed(recovery.path, recovery.reason)
    case "Forget":
      return yield* Effect.match(forget(entry), {
        onSuccess: () => Option.none(),
        onFailure: ({ message }) => failed(entry.record.path, message)
      })
    case "Steps": {
      const { path, what, steps } = recovery
      return yield* Effect.matchEffect(carryOut(repository, steps), {
        onSuccess: (notes) =>
          Effect.match(recovery.forget ? forget(entry) : stillThere(repository, entry), {
            onSuccess: () => Option.some(ReclaimOutcome.Recovered({ path, what: [what, ...notes].join("; ") })),
            onFailure: ({ message }) => failed(path, message)
          }),
        onFailure: ({ message }) => Effect.succeed(failed(path, message))
      })
    }
  }
})

/** The repository may have been moved since the entry was written. */
const stillThere = ({ commonDirectory }: Repository, entry: JournalEntry) =>
  commonDirectory === entry.commonDirectory ? Effect.void : put({ ...entry, commonDirectory })

export const put = (entry: JournalEntry) =>
  Effect.flatMap(ReclaimJournal, (journal) => journal.put(entry)).pipe(bounded("the journal"))

/** Takes an entry out. What began to be put back was put back: somebody wanted it. */
export const forget = (entry: JournalEntry) =>
  Effect.flatMap(ReclaimJournal, (journal) =>
    journal.forget(
      entry,
      entry.restoringSince === undefined
        ? undefined
        : { repository: entry.repository, tree: entry.tree, at: entry.restoringSince }
    )
  ).pipe(bounded("the journal"))

/**
 * Recovers one worktree after a step that failed. It goes by the files: a step that failed may have been half done.
 */
export const recoverAfter = (
  repository: Repository,
  { record }: JournalEntry
): Effect.Effect<void, never, GitChanges | ReclaimJournal | ReclaimedTrees> =>
  Effect.gen(function* () {
    const found = foundIn(yield* lookAt(repository)).find(({ entry }) => entry.record.name === record.name)
    if (found !== undefined) yield* recoverOne(repository, found)
  }).pipe(Effect.ignore)

export const pathOf = ({ commonDirectory }: Repository, { entry }: Leftover.Found): string =>
  reclaimedAt(commonDirectory, entry.record.name)
