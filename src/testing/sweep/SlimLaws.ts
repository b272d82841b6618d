/**
 * The law of what is removed while the worktree around it stays.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as ReclaimOutcome from "../../reclaim/core/ReclaimOutcome.ts"
import type * as SlimPlan from "../../reclaim/core/SlimPlan.ts"
import * as Reclaim from "../../reclaim/Reclaim.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"
import * as FaultArbitraries from "../FaultArbitraries.ts"
import type * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import type * as Law from "../Law.ts"
import { show } from "../Law.ts"
import * as Profiles from "../Profiles.ts"
import { isExcused } from "./ReclaimPrograms.ts"
import * as SlimWorld from "./SlimWorld.ts"
import { calm, close } from "./SweepCases.ts"
import { law } from "./SweepStage.ts"
import type { Program } from "./SweepPrograms.ts"
import type { Subject, World } from "./SweepSubject.ts"
import * as WorktreeTruth from "./WorktreeTruth.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepWorld from "./SweepWorld.ts"

type Files = Readonly<Record<string, FakeFileSystem.Seen>>

const patience = Duration.hours(1)

const planning = (world: World): Program<SlimPlan.SlimPlan> => ({
  name: "planSlim",
  bound: patience,
  effect: Reclaim.planSlim({
    repositories: SweepPlaces.repositoryPaths,
    caller: world.caller,
    dismiss: world.dismiss,
    ...SlimWorld.settings
  })
})

const slimming = (plan: SlimPlan.SlimPlan): Program<ReadonlyArray<ReclaimOutcome.ReclaimOutcome>> => ({
  name: "slim",
  bound: patience,
  effect: Reclaim.slim(plan)
})

const faults: Arbitrary.Arbitrary<Faults.Schedule> = Gen.oneOf<Faults.Schedule>(
  Gen.element([[]]),
  FaultArbitraries.schedule({ methods: [...Profiles.sweepMethods, ...Profiles.stepMethods], maxFaults: 2, maxAt: 30 })
)

/** In most of them nobody is there, so that what a directory is decides. */
const world: Arbitrary.Arbitrary<World> = Gen.oneOf(
  Gen.constant(SweepWorld.quiet),
  Gen.constant(SweepWorld.quiet),
  Gen.constant(SweepWorld.quiet),
  Gen.map(close, (given) => given.world)
)

/** The gates that say whether somebody works in a tree come before this one. */
const passes = (world: World, worktree: SweepWorld.Worktree): boolean =>
  worktree.lock === undefined && ["Git", "Settled", "Permit"].includes(WorktreeTruth.gate(world, worktree))

const ours = /\/(reclaimed|\.slimmed)(\/|$)/

/** What a file or a directory is, and its time unless something was made or removed in it. */
const sameAs = (one: FakeFileSystem.Seen | undefined, other: FakeFileSystem.Seen | undefined): boolean =>
  one !== undefined && other !== undefined && Equal.equals({ ...one, mtime: 0 }, { ...other, mtime: 0 })

const slimTakesOnlyWhatIsRegenerable = law(
  "L14 slim takes only what is regenerable",
  "What is removed was ignored as a whole, under a vouched name, in a tree that passed its gates; all else stays as it was.",
  Gen.struct({ world, specimens: Gen.array(SlimWorld.specimen, { minLength: 1, maxLength: 6 }), faults }),
  Effect.fnUntraced(function* ({ world: plain, specimens, faults }, stage, must) {
    const [first, ...others] = plain.worktrees
    if (first === undefined) return
    const worktree = { ...first, specimens }
    const world: World = { ...plain, worktrees: [worktree, ...others] }
    const { path } = worktree
    const staged = yield* stage(world, { ...calm, faults })
    staged.injector.stop()
    const plan = yield* staged.run(planning(world))
    const before = staged.files().snapshot()
    staged.injector.start()
    const ending = yield* staged.attempt(slimming(plan))
    staged.injector.stop()
    yield* staged.run(slimming({ ...plan, trees: plan.trees.map(kept) }))
    const after = staged.files().snapshot()

    const root = SweepPlaces.truePath(path)
    const free = specimens.flatMap((each, index) =>
      SlimWorld.mayGo(each) && passes(world, worktree) ? [`${root}/${SlimWorld.placeOf(each, index)}`] : []
    )
    const caches = world.worktrees.flatMap((each) =>
      each.ignored && passes(world, each) ? [`${SweepPlaces.truePath(each.path)}/__pycache__`] : []
    )
    const inside = (file: string) => [...free, ...caches].find((each) => file === each || file.startsWith(`${each}/`))
    for (const [file, seen] of Object.entries(before)) {
      if (ours.test(file) || sameAs(seen, after[file])) continue
      yield* must(inside(file) !== undefined, () => `${file} was removed or changed`)
      yield* must(after[file] === undefined, () => `${file} was changed`)
    }
    // A removal that never ends keeps its guard, as a living sweep does, and nothing is cleared below it.
    if (ending._tag === "Late") return yield* must(isExcused(staged.injector), () => "slim has no end")
    for (const directory of free) {
      const left = filesIn(after, directory)
      yield* must(
        left === 0 || left === filesIn(before, directory),
        () => `${directory} is there in part, after the next run`
      )
      yield* must(
        left === 0 || faults.length > 0 || WorktreeTruth.gate(world, worktree) !== "Permit",
        () => `${directory} stays: ${show(ending)} of ${show(plan)}`
      )
    }
    const place = Object.keys(after).filter((file) => /\/\.slimmed\/./.test(file))
    yield* must(place.length === 0, () => `left in our place: ${show(place)}`)
  })
)

const kept = (tree: SlimPlan.Tree): SlimPlan.Tree => ({
  ...tree,
  decision: { _tag: "Keep", gate: "Plan", reason: "nothing is planned" }
})

const filesIn = (files: Files, directory: string): number =>
  Object.keys(files).filter((file) => file === directory || file.startsWith(`${directory}/`)).length

export const all: ReadonlyArray<Law.Law<Subject>> = [slimTakesOnlyWhatIsRegenerable]
