/**
 * Where a typed failure becomes the fail-open answer.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
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
  "SessionLinks.linkedClaudeIds": "no siblings are known",
  "SessionLinks.linkHistory": "the link history is not whole",
  "SessionLinks.heal": "no torn tail was closed",
  "SessionLinks.planPrune": "no link file is planned to be moved",
  "SessionLinks.applyPrune": "a link file was not moved",
  "SavingsLedger.total": "the savings could not be summed",
  "WorkspaceClaims.observe": "tmux was not observed, so every session counts as live",
  "WorkspaceClaims.workspaceClaims": "the claims could not be gathered, so every removal is refused",
  "WorkspaceClaims.locate": "a path could not be placed, so its removal is refused",
  "WorkspaceClaims.identifyCaller": "the caller is not known, so every claim counts as another's",
  "Reclaim.survey": "no worktree could be judged, so all stay",
  "Reclaim.apply": "a worktree stays where it is",
  "Reclaim.restore": "a worktree was not put back",
  "Reclaim.planExpiry": "nothing is planned to be removed",
  "Reclaim.expire": "the reclaimed worktrees stay",
  "Reclaim.list": "the reclaimed worktrees could not be listed",
  "Reclaim.lost": "worktrees that are gone and directories that no repository knows could not be listed",
  "Reclaim.removeEmpty": "empty directories stay",
  "Reclaim.planSlim": "no directory is planned to be removed",
  "Reclaim.slim": "the directories that a tool makes again stay in a worktree",
  "Reclaim.measure": "some worktrees were not measured",
  Elsewhere: "other hosts could not be asked, so that no session of theirs has ended",
  "Heartbeat.beat": "no heartbeat was written",
  "Fleet.overview": "the fleet could not be read"
}

export type Program = keyof typeof answers

/**
 * A failure that became the safe answer.
 */
export interface Folded<E> {
  /** The kind of failure, one of a few: the tags of an error, `TimedOut`, `Defect` or `Interrupted`. */
  readonly kind: string
  /** The failure in its own words. */
  readonly detail: string
  /** The typed error, when it was one. */
  readonly error: Option.Option<E>
}

/**
 * The one place where a failure becomes the safe answer. Whatever fails, dies or outlasts `bound` becomes `safe` of it,
 * and one warning says so: the program's error channel is `never`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Bound, FailOpen } from "session-liveness"
 *
 * const siblings: Effect.Effect<ReadonlyArray<string>> = Effect.fail("the disk is away").pipe(
 *   FailOpen.foldsTo({ program: "SessionLinks.linkedClaudeIds", bound: Bound.Links, safe: () => [] })
 * )
 * ```
 */
export const foldsTo =
  <B, E = unknown>(options: {
    readonly program: Program
    /** What the safe answer comes to where it is that of a part of the program. */
    readonly answer?: string | undefined
    /** `undefined` only for what must not be left half-done: it may take as long as it takes. */
    readonly bound: Context.Reference<Duration.Input> | undefined
    readonly safe: (detail: string, folded: Folded<E>) => B
  }) =>
  <A, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R> => {
    const { program, answer, bound, safe } = options
    const fold = (folded: Folded<E>) => Effect.as(tell({ program, answer, ...folded }), safe(folded.detail, folded))
    if (bound === undefined) return Effect.catchCause(self, (cause) => fold(foldedOf(cause)))
    return Effect.flatMap(bound, (limit) =>
      self.pipe(
        (running) => Bound.detached(running, Effect.timeout(limit)),
        Effect.catchCause((cause) => fold(foldedOf(cause, limit)))
      )
    )
  }

const folds = Metric.counter("session_liveness_folds_total", {
  description: "Failures that became the safe answer of a program",
  incremental: true
})

/**
 * Says as a warning that a program gives its safe answer, and counts it. `kind` is one of a few; the details are in the
 * message alone.
 */
export const tell = (fold: {
  readonly program: Program
  readonly answer?: string | undefined
  readonly kind: string
  readonly detail: string
}): Effect.Effect<void> => {
  const { program, answer = answers[program], kind: reason, detail } = fold
  const warning = Effect.andThen(
    Metric.update(Metric.withAttributes(folds, { program, reason }), 1),
    Effect.annotateLogs(Effect.logWarning(`${answer}: ${Text.escape(detail)}`), { program, reason })
  )
  return Effect.flatMap(Held, (held) => (held === undefined ? warning : Effect.sync(() => void held.push(warning))))
}

const Held = Context.Reference<Array<Effect.Effect<void>> | undefined>("session-liveness/FailOpen/Held", {
  defaultValue: () => undefined
})

/**
 * Runs it, and gives what says its warnings and then its answer: what runs side by side is to be told in one order,
 * whichever ends first.
 */
export const holding = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A>, E, R> =>
  Effect.suspend(() => {
    const held: Array<Effect.Effect<void>> = []
    return Effect.map(Effect.provideService(self, Held, held), (answer) =>
      Effect.as(Effect.all(held, { discard: true }), answer)
    )
  })

const foldedOf = <E>(cause: Cause.Cause<E | Cause.TimeoutError>, limit?: Duration.Input): Folded<E> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (limit !== undefined && Cause.isTimeoutError(failure)) {
    return { kind: "TimedOut", detail: `no answer within ${Bound.format(limit)}`, error: Option.none() }
  }
  const detail = describe(cause)
  if (Cause.hasInterruptsOnly(cause)) return { kind: "Interrupted", detail, error: Option.none() }
  if (failure === undefined) return { kind: "Defect", detail, error: Option.none() }
  return { kind: tagsOf(failure), detail, error: Option.some(failure as E) }
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
