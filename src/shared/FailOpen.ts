/**
 * Where a typed failure becomes the fail-open answer.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Text from "./core/Text.ts"
import * as Bound from "./Bound.ts"

/** What the safe answer of each program comes to, in words that begin a sentence. */
const answers = {
  "SessionLinks.recordLink": "no link was recorded",
  "SessionLinks.linkedClaudeIds": "no siblings could be told",
  "SessionLinks.linkHistory": "the link history is not whole",
  "SessionLinks.heal": "no torn tail was closed",
  "SessionLinks.planPrune": "no link file is planned to be moved",
  "SessionLinks.applyPrune": "a link file was not moved",
  "SavingsLedger.total": "the savings could not be summed",
  "WorkspaceClaims.observe": "tmux was not observed, so every session counts as live",
  "WorkspaceClaims.workspaceClaims": "the claims could not be gathered, so every removal is refused",
  "WorkspaceClaims.locate": "a path could not be placed, so its removal is refused",
  "WorkspaceClaims.identifyCaller": "the caller could not be told, so every claim counts as another's",
  "Reclaim.survey": "no worktree could be judged, so all stay",
  "Reclaim.apply": "a worktree stays where it is",
  "Reclaim.restore": "a worktree was not put back",
  "Reclaim.expire": "what lies aside stays",
  "Reclaim.list": "what lies aside could not be listed"
}

export type Program = keyof typeof answers

/**
 * Gives a program the error channel `never`: whatever fails, dies or outlasts `bound` becomes `fallback` of the reason,
 * which is told once.
 */
export const orElse =
  <B>(options: {
    readonly program: Program
    /** What the safe answer comes to where it is that of a part of the program. */
    readonly answer?: string | undefined
    /** `undefined` for what must not be left half-done: it may take as long as it takes. */
    readonly bound: Context.Reference<Duration.Input> | undefined
    readonly fallback: (reason: string) => B
  }) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R> => {
    const { program, answer, fallback } = options
    const fold = (reason: string, detail: string) =>
      Effect.as(tell({ program, answer, reason, detail }), fallback(detail))
    return Effect.gen(function* () {
      if (options.bound === undefined) return yield* self
      const bound = yield* options.bound
      const answer = yield* Bound.within(bound)(self)
      return Option.isSome(answer) ? answer.value : yield* fold("TimedOut", `no answer within ${Bound.format(bound)}`)
    }).pipe(Effect.catchCause((cause) => fold(reasonOf(cause), describe(cause))))
  }

const folds = Metric.counter("session_liveness_folds_total", {
  description: "Failures that became the safe answer of a program",
  incremental: true
})

/**
 * Says as a warning that a program gives its safe answer, and counts it. `reason` is one of a few; the details are in the
 * message alone.
 */
export const tell = (fold: {
  readonly program: Program
  readonly answer?: string | undefined
  readonly reason: string
  readonly detail: string
}): Effect.Effect<void> => {
  const { program, answer = answers[program], reason, detail } = fold
  return Effect.andThen(
    Metric.update(Metric.withAttributes(folds, { program, reason }), 1),
    Effect.annotateLogs(Effect.logWarning(`${answer}: ${Text.escape(detail)}`), { program, reason })
  )
}

/** The kind of failure, without any of its details: the tags of an error, or what else happened. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  if (Cause.hasInterruptsOnly(cause)) return "Interrupted"
  const [failure] = cause.reasons.filter(Cause.isFailReason)
  return failure === undefined ? "Defect" : tagsOf(failure.error)
}

const tagsOf = (error: unknown): string => {
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : "Failure"
  return Predicate.hasProperty(error, "reason") && Predicate.hasProperty(error.reason, "_tag")
    ? `${tag}.${String(error.reason._tag)}`
    : tag
}

/**
 * What went wrong, in the words of the error itself. A defect can be anything, even what throws when it is made text.
 */
export const describe = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return "an error that cannot be put into words"
  }
}
