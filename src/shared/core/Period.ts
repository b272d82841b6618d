/**
 * How long a person wants something to wait.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/**
 * In milliseconds, or `unless` where nobody said. What is no length of time never ends: `Duration` itself reads `NaN` as
 * zero, and whoever asked for it did not ask to wait less.
 */
export const milliseconds = (asked: Duration.Input | undefined, unless: number): number => {
  if (asked === undefined) return unless
  const parts = typeof asked === "object" && !Duration.isDuration(asked) ? Object.values(asked) : [asked]
  if (parts.some(Number.isNaN)) return Infinity
  return Option.match(Duration.fromInput(asked), { onNone: () => Infinity, onSome: Duration.toMillis })
}
