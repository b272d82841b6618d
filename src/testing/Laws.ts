/**
 * Every law, to be checked on layers of somebody's own under any test runner.
 *
 * @example
 * ```ts
 * import { it } from "@effect/vitest"
 * import { Effect } from "effect"
 * import { FakeTmux, Laws, SweepFakes, SweepLaws } from "session-liveness/testing"
 *
 * const mine: Laws.Subject = {
 *   sweep: SweepLaws.replacing((world, corruptions) => FakeTmux.layer(() => SweepFakes.toTmux(world()), corruptions))
 * }
 *
 * // With @effect/vitest, one test per law:
 * Laws.tests(it.live, mine)
 *
 * // With any other runner, one promise, which is rejected with a report:
 * await Effect.runPromise(Laws.check(mine))
 * ```
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Law from "./Law.ts"
import * as LinkLaws from "./links/LinkLaws.ts"
import * as SweepLaws from "./sweep/SweepLaws.ts"

/**
 * Layers under test: of the link programs, of the programs that judge, or both. What is not given is not checked.
 */
export interface Subject {
  readonly links?: LinkLaws.Subject | undefined
  readonly sweep?: SweepLaws.Subject | undefined
}

/** What this library itself is: its layers over a file system, and fakes of what is no file. */
export const library: Subject = { links: LinkLaws.layers, sweep: SweepLaws.fakes }

/** `laws` are names, or numbers as in `L4`; all of them unless given. `runs` are cases per law, 1,000 unless given. */
export interface Options extends Arbitrary.CheckOptions {
  readonly laws?: ReadonlyArray<string> | undefined
  readonly onOutcome?: ((outcome: Law.Outcome) => void) | undefined
}

/** Some laws do not hold. The message tells each in words: the world, the faults, and how to see it again. */
export class LawsBroken extends Data.TaggedError("LawsBroken")<{ readonly outcomes: ReadonlyArray<Law.Outcome> }> {
  override get message(): string {
    return this.outcomes.map(Law.explain).join("\n")
  }
}

const onLinks = (law: Law.Law<LinkLaws.Subject>): Law.Law<Subject> => ({
  ...law,
  check: ({ links }, options) => law.check(links ?? LinkLaws.layers, options)
})

const onSweep = (law: Law.Law<SweepLaws.Subject>): Law.Law<Subject> => ({
  ...law,
  check: ({ sweep }, options) => law.check(sweep ?? SweepLaws.fakes, options)
})

const numberOf = ({ name }: { readonly name: string }): number => Number.parseInt(name.slice(1))

const inOrder = (laws: ReadonlyArray<Law.Law<Subject>>): ReadonlyArray<Law.Law<Subject>> =>
  [...laws].sort((a, b) => numberOf(a) - numberOf(b))

/** L1 to L14. A subject that lacks what a law needs is completed by what this library itself is. */
export const all: ReadonlyArray<Law.Law<Subject>> = inOrder([
  ...LinkLaws.all.map(onLinks),
  ...SweepLaws.all.map(onSweep)
])

/** The laws of the layers that are given, by name or number. */
export const of = (subject: Subject, names?: ReadonlyArray<string> | undefined): ReadonlyArray<Law.Law<Subject>> =>
  inOrder([
    ...(subject.links === undefined ? [] : LinkLaws.all.map(onLinks)),
    ...(subject.sweep === undefined ? [] : SweepLaws.all.map(onSweep))
  ]).filter(
    ({ name }) => names === undefined || names.some((wanted) => name === wanted || name.startsWith(`${wanted} `))
  )

/** What is asked for and checks nothing; no law at all is one such thing. */
const unknown = (subject: Subject, names: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  of(subject, names).length === 0 && (names ?? []).length === 0
    ? ["no law at all, neither of `links` nor of `sweep`"]
    : (names ?? []).filter((name) => of(subject, [name]).length === 0)

/**
 * Checks the laws one after another and gives what came of each; fails, after the last, if any does not hold.
 */
export const check = Effect.fnUntraced(function* (
  subject: Subject,
  { laws, onOutcome, ...options }: Options = {}
): Effect.fn.Return<ReadonlyArray<Law.Outcome>, LawsBroken> {
  const outcomes: Array<Law.Outcome> = unknown(subject, laws).map((law) =>
    Law.Outcome.Undecided({
      law,
      why: all.some(({ name }) => name === law || name.startsWith(`${law} `))
        ? "it needs other layers than those that are given"
        : "there is no such law"
    })
  )
  for (const law of of(subject, laws)) {
    const outcome = yield* law.check(subject, { runs: 1000, ...options })
    onOutcome?.(outcome)
    outcomes.push(outcome)
  }
  const broken = outcomes.filter(({ _tag }) => _tag !== "Held")
  return broken.length === 0 ? outcomes : yield* new LawsBroken({ outcomes: broken })
})

/**
 * One test per law, for `it.live` of `@effect/vitest` or whatever else takes a name, an effect and a time limit in
 * milliseconds.
 */
export const tests = (
  it: (name: string, effect: () => Effect.Effect<void, LawsBroken>, timeLimit: number) => void,
  subject: Subject,
  options?: Options | undefined
): void => {
  for (const name of unknown(subject, options?.laws)) {
    it(name, () => Effect.asVoid(check(subject, { ...options, laws: [name] })), 120_000)
  }
  for (const { name, sentence } of of(subject, options?.laws)) {
    it(`${name}: ${sentence}`, () => Effect.asVoid(check(subject, { ...options, laws: [name] })), 120_000)
  }
}
