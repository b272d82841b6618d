/**
 * How long a program may take, whatever the services below it do.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** The bound of one program that reads or records links: 3 seconds unless set. */
export const Links: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Links",
  {
    // Reading the text of a length takes as long as a system call.
    defaultValue: () => Duration.seconds(3)
  }
)

/** The bound of one look at tmux, all sockets and streams included: 3 seconds unless set. */
export const Observation: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Observation",
  { defaultValue: () => "3 seconds" }
)

/** The bound of one call of git that reads: 30 seconds unless set. A call that moves or removes has none. */
export const Git: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>("session-liveness/Bound/Git", {
  defaultValue: () => "30 seconds"
})

/** The bound of a survey of many worktrees: 10 minutes unless set. */
export const Survey: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Survey",
  { defaultValue: () => "10 minutes" }
)

/** The bound of measuring what worktrees take: 2 minutes unless set. */
export const Sizes: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Sizes",
  { defaultValue: () => "2 minutes" }
)

/** The bound of gathering all claims, the observation included: 10 seconds unless set. */
export const Claims: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Claims",
  { defaultValue: () => "10 seconds" }
)

/** The bound of a program that goes over the whole sidecar to mend or prune it: 60 seconds unless set. */
export const Upkeep: Context.Reference<Duration.Input> = Context.Reference<Duration.Input>(
  "session-liveness/Bound/Upkeep",
  {
    defaultValue: () => "60 seconds"
  }
)

/**
 * Runs `self` on a fiber of its own, so that whoever waits for it can be interrupted at once even if `self` cannot: then
 * it is interrupted and left behind. With `Effect.timeout` as `bounding` this bounds anything but synchronous work, which
 * no program can bound, and which is over before anybody waits.
 */
export const detached = <A, E, R, E2 = never>(
  self: Effect.Effect<A, E, R>,
  bounding: (waiting: Effect.Effect<A, E>) => Effect.Effect<A, E | E2> = (waiting) => waiting
): Effect.Effect<A, E | E2, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(Effect.interruptible(self), { startImmediately: true }),
      (fiber): Effect.Effect<A, E | E2> => {
        const done = fiber.pollUnsafe()
        return done !== undefined
          ? done
          : restore(bounding(Fiber.join(fiber))).pipe(Effect.onExit(() => Effect.sync(() => fiber.interruptUnsafe())))
      }
    )
  )

/**
 * A bound in words.
 */
export const format = (bound: Duration.Input): string => Duration.format(Duration.fromInputUnsafe(bound))
