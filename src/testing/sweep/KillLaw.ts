/**
 * The law of what a sweep leaves that is killed.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { GitChanges } from "../../reclaim/GitChanges.ts"
import type * as GitList from "../../verdict/core/GitList.ts"
import { Git } from "../../verdict/Git.ts"
import * as Gen from "../Gen.ts"
import type * as Law from "../Law.ts"
import { show } from "../Law.ts"
import {
  applying,
  bytesOf,
  expiring,
  isIn,
  moveAway,
  patience,
  recovering,
  restoring,
  worktreesOf
} from "./ReclaimPrograms.ts"
import { close } from "./SweepCases.ts"
import { law } from "./SweepStage.ts"
import { permitted, type Program, programs } from "./SweepPrograms.ts"
import type { Subject, World } from "./SweepSubject.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepWorld from "./SweepWorld.ts"

/** Where a program is killed: at which of its steps, and whether that was done by then. */
interface Kill {
  readonly at: number
  readonly done: boolean
}

/** Nothing of it runs on, and the guard that it leaves is no living sweep's. */
const killed = <A>(program: Program<A>, { at, done }: Kill): Program<void> => ({
  ...program,
  effect: Effect.gen(function* () {
    const over = yield* Deferred.make<void>()
    const die = Effect.andThen(Deferred.succeed(over, undefined), Effect.never)
    let left = at
    yield* program.effect.pipe(
      Effect.updateService(GitChanges, (real) => ({
        guard: () => Effect.void,
        carryOut: (repository, step) =>
          Effect.suspend(() => {
            const carryOut = real.carryOut(repository, step)
            if (left-- > 0) return carryOut
            return done ? Effect.andThen(carryOut, die) : die
          })
      })),
      Effect.andThen(Deferred.succeed(over, undefined)),
      Effect.forkDetach
    )
    yield* Deferred.await(over)
  })
})

/** What its owner does to a worktree meanwhile; git may refuse it. */
const changing = ({ path }: GitList.Worktree, how: "moved" | "removed"): Program<void> => ({
  name: "changes",
  bound: patience,
  effect: Effect.gen(function* () {
    const git = yield* Git
    const { carryOut } = yield* GitChanges
    const repository = yield* git.repository(path)
    yield* carryOut(
      repository,
      how === "moved" ? { _tag: "Move", from: path, to: `${path}-moved` } : { _tag: "Remove", path }
    )
  }).pipe(Effect.ignore)
})

const killIn = (steps: number) => Gen.struct({ at: Gen.int(0, steps), done: Gen.element([true, false]) })

const day = 24 * 60 * 60 * 1000

const whatAKillLeavesComesBack = law(
  "L12 what a kill leaves comes back",
  "Wherever a sweep, a restoration or an expiry is killed, and its recovery too, each worktree comes back whole.",
  Gen.struct({
    world: Gen.oneOf(
      Gen.constant(SweepWorld.quiet),
      Gen.map(close, (given) => given.world)
    ),
    path: Gen.element(SweepPlaces.worktreePaths),
    program: Gen.element(["apply", "restore", "expire"] as const),
    kill: killIn(12),
    // A recovery is short.
    again: Gen.oneOf(Gen.constant(undefined), killIn(4)),
    meanwhile: Gen.element(["nothing", "moved", "removed"] as const)
  }),
  Effect.fnUntraced(function* ({ world, path, program, kill, again, meanwhile }, stage, must) {
    const staged = yield* stage(world)
    const worktrees = worktreesOf(staged)
    const [filesBefore, before] = [staged.files().snapshot(), yield* worktrees]
    const plan = yield* staged.run(programs(world, path).survey)
    const planned = permitted(plan)
    const other = before.find(
      (each) => !each.main && !planned.some((mine) => isIn(mine, each.path) || isIn(each.path, mine))
    )
    if (program !== "apply") yield* moveAway(staged, world, path)
    const later: World = { ...world, clock: world.clock + 15 * day }
    if (program === "expire") yield* staged.goOn(later)
    const last = planned.at(-1) ?? path
    const killing = { apply: applying(plan), restore: restoring(last), expire: expiring(later, "nothing") }[program]
    yield* staged.run(killed<unknown>(killing, kill))
    if (meanwhile !== "nothing" && other !== undefined) yield* staged.run(changing(other, meanwhile))
    if (again !== undefined) yield* staged.run(killed(restoring(last), again))

    const known = new Set(before.flatMap((each) => [each.path, `${each.path}-moved`]))
    yield* staged.run(recovering)
    for (const { path, locked } of yield* worktrees) {
      const lies = path.includes("/.git/reclaimed/") && !known.has(path)
      yield* must(!lies || locked !== undefined, () => `${path} lies reclaimed without a lock`)
    }

    // One that lay in another was moved first.
    const said = yield* Effect.forEach(planned.toReversed(), (each) => staged.run(restoring(each)))
    const [files, after] = [staged.files().snapshot(), yield* worktrees]
    const find = (list: ReadonlyArray<GitList.Worktree>, at: string) => list.find((worktree) => worktree.path === at)
    const removed = program === "expire" ? planned.filter((each) => find(after, each) === undefined) : []
    for (const each of planned) {
      yield* must(
        removed.includes(each) || Equal.equals(find(after, each), find(before, each)),
        () => `${each} is ${show(find(after, each))} instead of ${show(find(before, each))}: ${show(said)}`
      )
    }
    for (const file of Object.keys({ ...filesBefore, ...files })) {
      const isTheirs = [...removed, ...(other === undefined ? [] : [other.path, `${other.path}-moved`])].some((each) =>
        isIn(file, SweepPlaces.truePath(each))
      )
      yield* must(
        isTheirs || Equal.equals(bytesOf(files[file]), bytesOf(filesBefore[file])),
        () => `${file} is not as it was: ${show(said)}`
      )
    }
  })
)

export const all: ReadonlyArray<Law.Law<Subject>> = [whatAKillLeavesComesBack]
