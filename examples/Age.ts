/**
 * Spans of time on a command line.
 */
import { Duration } from "effect"
import * as Cli from "./cli.ts"

const units: Readonly<Record<string, Duration.Duration>> = {
  h: Duration.hours(1),
  d: Duration.days(1),
  w: Duration.weeks(1)
}

/** Reads `12h`, `30d` or `8w`; anything else is wrong usage of `flag`. */
export const parse = (flag: string, text: string): Duration.Duration => {
  const [, count, unit = ""] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const one = units[unit]
  return one === undefined
    ? Cli.fail(`${flag} "${text}" is no age; write it as 12h, 30d or 8w.`, 2)
    : Duration.times(one, Number(count))
}
