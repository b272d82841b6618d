/**
 * Spans of time: as a person gives them, and as they are shown.
 */
import { Duration, Option } from "effect"
import { Flag } from "effect/cli"

const units: Readonly<Record<string, Duration.Duration>> = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1),
  w: Duration.weeks(1)
}

/** A flag such as `--quiet-for 12h`, which may be left out. */
export const flag = (name: string, description: string): Flag.Flag<Duration.Duration | undefined> =>
  Flag.String(name).pipe(
    Flag.filterMap(parse, () => "an age, such as 0, 90m, 12h, 7d or 2w"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
    Flag.withMetavar("AGE"),
    Flag.withDescription(description)
  )

/** Reads `20s`, `90m`, `12h`, `30d`, `8w` or `0`. */
export const parse = (text: string): Option.Option<Duration.Duration> => {
  if (text === "0") return Option.some(Duration.zero)
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const one = units[unit]
  return one === undefined ? Option.none() : Option.some(Duration.times(one, Number(count)))
}

const minute = 60_000

/** As `parse` reads it. */
export const print = (age: Duration.Duration): string => {
  const ms = Duration.toMillis(age)
  if (ms === 0) return "0"
  const hours = ms / (60 * minute)
  if (!Number.isInteger(hours)) return `${ms / minute}m`
  return hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`
}

/** A span for a person, to the unit that matters: `40 min`, `5 h`, `12 days`. */
export const text = (ms: number): string => {
  const minutes = Math.floor(ms / minute)
  if (minutes < 1) return "less than a minute"
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`
}
