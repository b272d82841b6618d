/**
 * The laws of the programs that change something: what they move away, put back and remove.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import type * as GitList from "../../verdict/core/GitList.ts"
import { added, evidence, newProcess } from "./Evidence.ts"
import * as FaultArbitraries from "../FaultArbitraries.ts"
import type * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import type * as Law from "../Law.ts"
import { show } from "../Law.ts"
import * as Profiles from "../Profiles.ts"
import {
  isExcused,
  applying,
  bytesOf,
  expiring,
  type Files,
  isIn,
  moveAway,
  type Moved,
  restoring,
  worktreesOf
} from "./ReclaimPrograms.ts"
import { calm, close } from "./SweepCases.ts"
import { law } from "./SweepStage.ts"
import { permitted, programs } from "./SweepPrograms.ts"
import type { Subject, World } from "./SweepSubject.ts"
import * as WorktreeTruth from "./WorktreeTruth.ts"
import * as SweepPlaces from "./SweepPlaces.ts"

const faultsOnlyRefuseToMove = law(
  "L5 faults only refuse to move",
  "What is moved was planned and would be permitted now without faults; nothing is lost, and each outcome is so.",
  Gen.struct({ case: close, evidence, meanwhile: Gen.element(["nothing", "comes", "goes"]) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, evidence, meanwhile }, stage, must) {
    const earlier = meanwhile === "goes" ? added(world, evidence) : world
    const plan = yield* (yield* stage(earlier)).run(programs(earlier, path).survey)
    const now = meanwhile === "comes" ? added(world, evidence) : world
    const movable = permitted(yield* (yield* stage(now)).run(programs(now, path).survey))
    const { attempt, files, injector } = yield* stage(now, trouble)
    const before = files().snapshot()
    const ending = yield* attempt(applying(plan))
    const after = files().snapshot()
    const marks = now.worktrees
      .map(({ path }) => ({ path, mark: `${SweepPlaces.truePath(path)}/.git` }))
      .filter(({ mark }) => mark in before)
    const moved = marks.filter(({ mark }) => !(mark in after)).map(({ path }) => path)
    for (const { path, mark } of marks) {
      const seen = Object.values(after).some((there) => Equal.equals(bytesOf(there), bytesOf(before[mark])))
      yield* must(seen, () => `${path} is lost`)
    }
    for (const path of moved) {
      yield* must(permitted(plan).includes(path), () => `${path} was moved and not planned`)
      yield* must(movable.includes(path), () => `${path} was moved, and now it would not be permitted`)
    }
    if (ending._tag === "Late") return yield* must(isExcused(injector), () => "apply has no end")
    const { exit } = ending
    if (Exit.isFailure(exit)) return yield* must(false, () => `apply ended in ${show(exit)}`)
    for (const outcome of exit.value) {
      yield* must(
        outcome._tag !== "Moved" || moved.includes(outcome.path),
        () => `${outcome.path} is said to have moved`
      )
    }
    if (
      injector.injected.length > 0 ||
      trouble.corruptions.length > 0 ||
      trouble.tornReads.length > 0 ||
      meanwhile === "comes"
    )
      return
    // To move one may make a path that leads through it lead nowhere, so that more is refused.
    const [only, ...others] = permitted(plan)
    yield* must(
      only === undefined || others.length > 0 || moved.includes(only),
      () => `without faults ${show(moved)} were moved, ${show(permitted(plan))} planned: ${show(exit.value)}`
    )
  })
)

/** What goes wrong while something is put back or removed: in what is looked at, and in the steps themselves. */
const faultsOfSteps: Arbitrary.Arbitrary<Faults.Schedule> = FaultArbitraries.schedule({
  methods: [...Profiles.sweepMethods, ...Profiles.stepMethods, ...Profiles.stepMethods],
  maxFaults: 2,
  maxAt: 20
})

const day = 24 * 60 * 60 * 1000

const faultsOnlyRefuseToRemove = law(
  "L5 faults only refuse to remove",
  "What is removed lay reclaimed, was due and would be removed now without faults; everything else stays as it was.",
  Gen.struct({
    case: close,
    evidence,
    meanwhile: Gen.element(["nothing", "comes", "goes"]),
    daysReclaimed: Gen.element([15, 8, 6]),
    visited: Gen.element([false, false, true]),
    keep: Gen.element(["nothing", "__pycache__"]),
    faults: faultsOfSteps
  }),
  Effect.fnUntraced(function* (
    { case: { world, path }, evidence, meanwhile, daysReclaimed, visited, keep, faults },
    stage,
    must
  ) {
    const earlier = meanwhile === "goes" ? added(world, evidence) : world
    const now = meanwhile === "comes" ? added(world, evidence) : world
    const later: World = { ...now, clock: world.clock + daysReclaimed * day }

    const remove = Effect.fnUntraced(function* (faults: Faults.Schedule) {
      const staged = yield* stage(earlier, { ...calm, faults })
      const reclaimed = yield* moveAway(staged, earlier, path)
      const visitedAt = visited ? reclaimed.at(-1)?.to : undefined
      yield* staged.goOn(visitedAt === undefined ? later : withVisitor(later, visitedAt))
      const before = staged.files().snapshot()
      staged.injector.start()
      const ending = yield* staged.attempt(expiring(later, keep))
      const after = staged.files().snapshot()
      yield* must(ending._tag !== "Late" || isExcused(staged.injector), () => "expire has no end")
      const gone = reclaimed.filter(({ to }) => ![to, outOfReach(to)].some((at) => `${at}/.git` in after))
      return { reclaimed, visitedAt, before, after, gone, ending }
    })

    const without = yield* remove([])
    const seen = WorktreeTruth.afterMoving(
      later,
      without.reclaimed.map(({ path }) => path)
    )
    const due = (tree: Moved): boolean => {
      const worktree = now.worktrees.find(({ path }) => path === tree.path)
      return (
        worktree !== undefined &&
        WorktreeTruth.gate(seen, worktree) === "Permit" &&
        tree.to !== without.visitedAt &&
        (keep === "nothing" || !worktree.ignored)
      )
    }
    for (const tree of without.reclaimed) {
      const isGone = without.gone.includes(tree)
      yield* must(!isGone || daysReclaimed > 6, () => `${tree.path} was removed after ${daysReclaimed} days`)
      yield* must(!isGone || due(tree), () => `${tree.path} was removed, and it should have stayed`)
      yield* must(
        isGone || daysReclaimed < 15 || !due(tree) || isInTheWay(later, without.reclaimed),
        () => `${tree.path} was not removed: ${show(without.ending)}`
      )
    }

    const under = yield* remove(faults)
    for (const { path, to } of under.gone) {
      yield* must(
        without.gone.some((other) => other.to === to),
        () => `${path} was removed under the faults, and is not without`
      )
    }
    for (const removal of [without, under]) {
      yield* must(nothingElseGone(removal), () => `more is gone than ${show(removal.gone)}`)
    }
    const { ending } = under
    if (ending._tag === "Late") return
    if (Exit.isFailure(ending.exit)) return yield* must(false, () => `expire ended in ${show(ending.exit)}`)
    for (const outcome of ending.exit.value) {
      yield* must(
        outcome._tag !== "Removed" || under.gone.some(({ to }) => to === outcome.from),
        () => `${outcome.path} is said to have been removed`
      )
    }
  })
)

/** Somebody works in a directory that lies reclaimed. */
const withVisitor = (world: World, tree: string): World => ({
  ...world,
  processes: [...world.processes, { ...newProcess, pid: 398, uses: [{ kind: "open file", path: `${tree}/notes` }] }]
})

/** What was moved may make a path that leads through it lead nowhere, so that more is refused. */
const isInTheWay = ({ records }: World, reclaimed: ReadonlyArray<Moved>): boolean =>
  reclaimed.length > 1 ||
  records.some(({ workspace }) => workspace !== undefined && !SweepPlaces.worktreePaths.includes(workspace))

/** Where it lies from the last look on. Recovery that fails, too, leaves it there. */
const outOfReach = (to: string): string => to.replace(/[^/]+$/, ".removing-$&")

const nothingElseGone = ({
  before,
  after,
  reclaimed,
  gone
}: Readonly<Record<"before" | "after", Files>> &
  Readonly<Record<"reclaimed" | "gone", ReadonlyArray<Moved>>>): boolean =>
  Object.keys(before).every((path) => {
    const tree = reclaimed.find(({ to }) => isIn(path, to))
    if (tree !== undefined && gone.includes(tree)) return true
    const places = tree === undefined ? [path] : [path, `${outOfReach(tree.to)}${path.slice(tree.to.length)}`]
    return places.some((place) => Equal.equals(bytesOf(after[place]), bytesOf(before[path])))
  })

const whatLiesReclaimedComesBack = law(
  "L12 what lies reclaimed comes back",
  "Whatever fails while a worktree is put back, nothing of it is lost, and the next call puts it back as it was.",
  Gen.struct({ case: close, faults: faultsOfSteps }),
  Effect.fnUntraced(function* ({ case: { world, path }, faults }, stage, must) {
    const staged = yield* stage(world, { ...calm, faults })
    staged.injector.stop()
    const worktrees = worktreesOf(staged)
    const [filesBefore, before] = [staged.files().snapshot(), yield* worktrees]
    // What was moved after another one may have lain around it, so that it has to come back first.
    const moved = yield* moveAway(staged, world, path)
    const between = staged.files().snapshot()
    for (const there of Object.keys({ ...filesBefore, ...between })) {
      yield* must(
        Equal.equals(bytesOf(between[there]), bytesOf(filesBefore[there])) ||
          moved.some(({ path, to }) => isIn(there, path) || isIn(there, to)),
        () => `${there} is no part of what was moved, and was changed`
      )
      yield* must(
        !moved.some(({ path }) => isIn(there, path) && bytesOf(between[there]) !== undefined),
        () => `${there} was left where something was moved away`
      )
    }
    const last = moved.at(-1)
    if (last === undefined) return
    staged.injector.start()
    const ending = yield* staged.attempt(restoring(last.path))
    staged.injector.stop()
    if (ending._tag === "Late") return yield* must(isExcused(staged.injector), () => "restore has no end")
    yield* must(Exit.isSuccess(ending.exit), () => `restore ended in ${show(ending.exit)}`)
    const again = yield* staged.run(restoring(last.path))
    const files = staged.files().snapshot()
    for (const there of Object.keys(filesBefore).filter((there) => isIn(there, last.path))) {
      yield* must(
        Equal.equals(bytesOf(files[there]), bytesOf(filesBefore[there])),
        () => `${there} is not back: ${show(ending)}, then ${show(again)}`
      )
    }
    const entry = (list: ReadonlyArray<GitList.Worktree>) => list.find((worktree) => worktree.path === last.path)
    const after = yield* worktrees
    yield* must(
      Equal.equals(entry(after), entry(before)),
      () => `${last.path} is ${show(entry(after))} instead of ${show(entry(before))}: ${show(again)}`
    )
  })
)

/** Every law of the programs that change something. */
export const all: ReadonlyArray<Law.Law<Subject>> = [
  faultsOnlyRefuseToMove,
  faultsOnlyRefuseToRemove,
  whatLiesReclaimedComesBack
]
