/**
 * Random faults.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Faults from "./Faults.ts"
import * as Gen from "./Gen.ts"

/**
 * Schedules over the given methods that shrink to fewer, earlier and plainer faults.
 */
export const schedule = (options: {
  readonly methods: ReadonlyArray<string>
  readonly kinds?: Arbitrary.Arbitrary<Faults.Kind> | undefined
  readonly maxFaults?: number | undefined
  readonly maxAt?: number | undefined
}): Arbitrary.Arbitrary<Faults.Schedule> =>
  Gen.array(
    Gen.struct({
      at: Gen.oneOf(Gen.int(1, 2), Gen.int(1, options.maxAt ?? 12)),
      on: Gen.oneOf(Gen.constant(undefined), Gen.element<string | undefined>(options.methods)),
      lasting: Gen.element([false, false, false, true]),
      kind: options.kinds ?? anyKind
    }),
    { maxLength: options.maxFaults ?? 4 }
  )

const bytes = Gen.int(0, 40)

/** Typed failures, plainest first. */
export const failing: Arbitrary.Arbitrary<Faults.Kind> = Gen.map(Gen.int(0, 7), (choice) =>
  Faults.Kind.Fails({ choice })
)

/** Writes that stop half-way, and reads that do. */
export const cutting: Arbitrary.Arbitrary<Faults.Kind> = Gen.map(bytes, (bytes) => Faults.Kind.CutOff({ bytes }))

/** Calls that start late by up to ten seconds. */
const delaying: Arbitrary.Arbitrary<Faults.Kind> = Gen.map(Gen.int(1, 10_000), (millis) =>
  Faults.Kind.Delayed({ millis })
)

/** Every kind, each about as often as the others. */
export const anyKind: Arbitrary.Arbitrary<Faults.Kind> = Gen.oneOf<Faults.Kind>(
  failing,
  cutting,
  Gen.map(Gen.element(["Error", "Nothing", "Unprintable"] as const), (of) => Faults.Kind.Dies({ of })),
  Gen.constant(Faults.Kind.Throws()),
  Gen.constant(Faults.Kind.Hangs()),
  Gen.constant(Faults.Kind.HangsForGood()),
  Gen.constant(Faults.Kind.Interrupts()),
  Gen.map(bytes, (bytes) => Faults.Kind.Short({ bytes })),
  delaying
)
