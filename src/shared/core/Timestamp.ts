/**
 * Instants as text.
 */

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Milliseconds since the epoch of an RFC 3339 instant, or `undefined` for any other text and for a day, hour or
 * second that does not exist. Digits beyond the millisecond are cut off.
 */
export const parseRfc3339 = (text: string): number | undefined => {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match
  const wall = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // A day that does not exist is taken for one of the next month, and the hour 24 for one of the next day.
  if (wall.getUTCDate() !== Number(day)) return undefined
  const offset = parseOffset(zone)
  if (offset === undefined) return undefined
  return wall.getTime() + Number(fraction.slice(1, 4).padEnd(3, "0")) - offset
}

/** `Z` has neither hours nor minutes. */
const parseOffset = (zone: string): number | undefined => {
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

const ctime =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ 0-3]?\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/**
 * Milliseconds since the epoch of what C's `ctime` prints in the C locale, taken as UTC, or `undefined` for any other
 * text.
 */
export const parseCtime = (text: string): number | undefined => {
  const match = ctime.exec(text)
  if (match === null) return undefined
  const [, month = "", day = "", time, year] = match
  const number = String(months.indexOf(month) + 1).padStart(2, "0")
  return parseRfc3339(`${year}-${number}-${day.trim().padStart(2, "0")}T${time}Z`)
}

/**
 * The time as C's `ctime` prints it in the C locale, in UTC and whole seconds.
 */
export const formatCtime = (time: number): string => {
  const [weekday = "", day = "", month, year, clock] = new Date(time).toUTCString().split(" ")
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, " ")} ${clock} ${year}`
}
