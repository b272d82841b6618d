/**
 * Random cases: a world, a path to ask about, and what goes wrong meanwhile.
 */
import type * as Arbitrary from "effect/Arbitrary"
import type * as FakeTmux from "../FakeTmux.ts"
import * as FaultArbitraries from "../FaultArbitraries.ts"
import type * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import * as Profiles from "../Profiles.ts"
import * as SweepArbitraries from "./SweepArbitraries.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import type { SweepWorld } from "./SweepWorld.ts"

/**
 * What goes wrong while a world is looked at: calls, the text of tmux, and reads of files that hold one JSON document,
 * which give a part of it.
 */
export interface Trouble {
  readonly faults: Faults.Schedule
  readonly corruptions: ReadonlyArray<FakeTmux.Corruption>
  readonly tornReads: ReadonlyArray<TornRead>
}

/** The `at`-th read, counted from 1, gives the first `bytes` bytes, and never all. */
export interface TornRead {
  readonly at: number
  readonly bytes: number
}

export const calm: Trouble = { faults: [], corruptions: [], tornReads: [] }

/** Something that goes wrong with the text of tmux. */
export const corruption: Arbitrary.Arbitrary<FakeTmux.Corruption> = Gen.struct({
  at: Gen.int(1, 3),
  lasting: Gen.usually(2, false, true),
  how: Gen.element<FakeTmux.Corruption["how"]>(["CutOff", "Control", "Replacement", "Row", "Signal", "Exit"]),
  bytes: Gen.int(0, 60)
})

/** Mostly nothing of the kind. */
const corruptions: Arbitrary.Arbitrary<ReadonlyArray<FakeTmux.Corruption>> = Gen.mostly<
  ReadonlyArray<FakeTmux.Corruption>
>(2, Gen.constant([]), Gen.array(corruption, { minLength: 1, maxLength: 2 }))

/** A world, a path to ask about, and what goes wrong meanwhile. */
export interface Case {
  readonly world: SweepWorld
  readonly path: string
  readonly trouble: Trouble
}

const path = Gen.element(Object.keys(SweepPlaces.places))

/** One fault of one call: of looks at paths, and of those on which most depends, as often as of all. */
const aimed: Arbitrary.Arbitrary<Faults.Schedule> = Gen.map(
  Gen.struct({
    at: Gen.oneOf(Gen.int(1, 3), Gen.int(1, 30)),
    on: Gen.oneOf(
      Gen.element(Profiles.sweepMethods),
      Gen.element(["FileSystem.readLink", "FileSystem.lstat", "FileSystem.stat"]),
      Gen.element([
        "SessionStore.read",
        "TmuxProbe.sockets",
        "TmuxProbe.ask",
        "ProcessTable.snapshot",
        "ProcessTable.uses",
        "Git.files",
        "Git.inspect",
        "Git.landed"
      ])
    ),
    lasting: Gen.element([false, false, true]),
    kind: Gen.oneOf(FaultArbitraries.failing, FaultArbitraries.failing, FaultArbitraries.anyKind)
  }),
  (fault) => [fault]
)

export const trouble: Arbitrary.Arbitrary<Trouble> = Gen.struct({
  faults: Gen.oneOf(FaultArbitraries.schedule({ methods: Profiles.sweepMethods, maxFaults: 3, maxAt: 40 }), aimed),
  corruptions: corruptions,
  tornReads: Gen.oneOf<ReadonlyArray<TornRead>>(
    Gen.constant([]),
    Gen.constant([]),
    Gen.array(Gen.struct({ at: Gen.int(1, 6), bytes: Gen.oneOf(Gen.constant(0), Gen.int(0, 200)) }), { maxLength: 3 })
  )
})

export const cases: Arbitrary.Arbitrary<Case> = Gen.struct({ world: SweepArbitraries.sweepWorld, path, trouble })

/**
 * Cases in which a single thing decides. What goes wrong may take time, and on a clock ahead that would cross the limits
 * of the rules.
 */
export const close: Arbitrary.Arbitrary<Case> = Gen.struct({
  world: Gen.oneOf(
    SweepArbitraries.settledWorld,
    SweepArbitraries.settledWorld,
    Gen.map(SweepArbitraries.sweepWorld, (world) => ({ ...world, clock: 0 }))
  ),
  path,
  trouble
})
