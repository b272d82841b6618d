/**
 * One law: a sentence that layers of somebody's own must keep, and what comes of checking it over random cases.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Narrative from "./Narrative.ts"

/**
 * What comes of checking a law. `Undecided`: no case could be drawn, or the replay token is one of another law or version.
 */
export type Outcome = Data.TaggedEnum<{
  Held: { readonly law: string; readonly cases: number }
  Broken: {
    readonly law: string
    readonly sentence: string
    readonly why: string
    /** The smallest case that was found to break the law, as data and line by line in words. */
    readonly counterexample: unknown
    readonly narrative: ReadonlyArray<string>
    readonly cases: number
    readonly shrinks: number
    /** Makes `check` draw the same case again. */
    readonly replay: Arbitrary.Replay
  }
  Undecided: { readonly law: string; readonly why: string }
}>

export const Outcome = Data.taggedEnum<Outcome>()

/**
 * One law. `check` draws cases, runs the programs on them and gives the smallest counterexample it finds.
 */
export interface Law<in Subject> {
  readonly name: string
  readonly sentence: string
  readonly check: (subject: Subject, options?: Arbitrary.CheckOptions) => Effect.Effect<Outcome>
}

/** Why a law does not hold for one case. */
export class Broken extends Data.TaggedError("Broken")<{ readonly law: string; readonly why: string }> {
  override get message(): string {
    return `${this.law} is broken: ${this.why}`
  }
}

/** Breaks the law unless the condition holds. */
export type Must = (condition: boolean, why: () => string) => Effect.Effect<void, Broken>

/** A value as the reason of a broken law names it. */
export const show = (value: unknown): string => JSON.stringify(value) ?? String(value)

/**
 * A law over cases of one kind. Every case has a clock of its own, and logs nothing. A case that dies, be it while the
 * layers are built, breaks the law.
 */
export const make = <Subject, Case>(
  name: string,
  sentence: string,
  cases: Arbitrary.Arbitrary<Case>,
  holds: (given: Case, subject: Subject, must: Must) => Effect.Effect<void, Broken, Scope.Scope>
): Law<Subject> => {
  const must: Must = (condition, why) => (condition ? Effect.void : Effect.fail(new Broken({ law: name, why: why() })))
  return {
    name,
    sentence,
    check: (subject, options) =>
      Effect.map(
        Arbitrary.checkEffect(
          cases,
          (given) =>
            holds(given, subject, must).pipe(
              Effect.catchDefect((defect) =>
                Effect.fail(new Broken({ law: name, why: `it died: ${FailOpen.describe(Cause.die(defect))}` }))
              ),
              Effect.as(true),
              Effect.scoped,
              Effect.provide(Layer.merge(TestClock.layer(), Logger.layer([])))
            ),
          options
        ),
        (result) => outcome(name, sentence, result)
      ).pipe(
        // What a case comes to is told above: what is left is a token that is none.
        Effect.catchDefect((defect) =>
          options?.replay === undefined
            ? Effect.die(defect)
            : Effect.succeed(Outcome.Undecided({ law: name, why: "the replay token is none" }))
        )
      )
  }
}

const outcome = (law: string, sentence: string, result: Arbitrary.CheckResult<unknown, Broken>): Outcome => {
  switch (result._tag) {
    case "Passed":
      return Outcome.Held({ law, cases: result.runs })
    case "Falsified":
      return Outcome.Broken({
        law,
        sentence,
        why: result.failure._tag === "PropertyError" ? result.failure.error.why : "it does not hold",
        counterexample: result.shrunkInput,
        narrative: Narrative.of(result.shrunkInput),
        cases: result.runs,
        shrinks: result.shrinks,
        replay: result.replay
      })
    case "Exhausted":
      return Outcome.Undecided({ law, why: `no case could be drawn with the seed ${result.seed}` })
    case "ReplayMismatch":
      return Outcome.Undecided({
        law,
        why:
          result.reason === "PropertyPassed" || result.reason === "ShrinkPassed"
            ? "the case of the replay token keeps the law now"
            : `the replay token does not lead there any more: ${result.reason}`
      })
  }
}

/**
 * The outcome in words: one line where the law holds, otherwise what was promised, what came, in which world, under
 * which faults, and how to see it again.
 */
export const explain: (outcome: Outcome) => string = Outcome.$match({
  Held: ({ law, cases }) => `${law}: holds in ${cases} cases`,
  Undecided: ({ law, why }) => `${law}: not checked, ${why}`,
  Broken: ({ law, sentence, why, narrative, cases, shrinks, replay }) =>
    [
      `${law}: broken`,
      `  promised: ${sentence}`,
      `  instead:  ${why}`,
      `  in this world (case ${cases}, made smaller ${shrinks} times):`,
      ...narrative.map((line) => `    ${line}`),
      `  again:    replay ${replay}`
    ].join("\n")
})
