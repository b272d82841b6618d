/**
 * A case of a law in words, line by line: the world, what is asked, and what goes wrong.
 */
import type * as Faults from "./Faults.ts"

/**
 * Fields of a world that say nothing unusual are left out.
 */
export const of = (given: unknown): ReadonlyArray<string> => {
  const lines = fields(given)
  return lines.length === 0 ? ["nothing is there"] : lines
}

const fields = (given: unknown): ReadonlyArray<string> =>
  isRecord(given) ? Object.entries(given).flatMap(([name, value]) => field(name, value)) : [words(given)]

const field = (name: string, value: unknown): ReadonlyArray<string> => {
  if (name === "case" || name === "world" || name === "trouble") return fields(value)
  if (name === "faults") return (value as Faults.Schedule).map(fault)
  if (name === "path" && typeof value === "string") return [`asked about ${quoted(value)}`]
  if (isUsual(name, value)) return []
  if (!Array.isArray(value)) return [`${spaced(name)}: ${words(value)}`]
  return value.map((item, index) => `${singular(name)} ${index + 1}: ${words(item)}`)
}

/** What a field holds in a world in which nothing is wrong. */
const usual: Readonly<Record<string, unknown>> = {
  clock: 0,
  store: "Read",
  sidecar: "Listed",
  reach: "Here",
  table: "Listed",
  uses: "Known",
  registry: "Found",
  directory: "Present",
  flaw: "None",
  readable: true,
  later: 0,
  before: "",
  after: ""
}

const isUsual = (name: string, value: unknown): boolean =>
  value === undefined ||
  (name in usual && value === usual[name]) ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Uint8Array && value.length === 0)

const fault = ({ at, on, lasting, kind: { _tag, ...details } }: Faults.Fault): string => {
  const which = lasting ? `every call from the ${ordinal(at)} on` : `the ${ordinal(at)} call`
  const detail = Object.entries(details).map(([name, value]) => `${spaced(name)} ${words(value)}`)
  return `fault: ${which} of ${on ?? "whatever is called"} ${[does[_tag], ...detail].join(", ")}`
}

const does: Readonly<Record<Faults.Kind["_tag"], string>> = {
  Fails: "fails",
  Dies: "dies",
  Throws: "throws",
  Hangs: "hangs",
  HangsForGood: "hangs and ignores interruption",
  Interrupts: "interrupts itself",
  CutOff: "is cut off",
  Short: "gives less than was asked for",
  Delayed: "is late"
}

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")
  return `${n}${ending}`
}

const words = (value: unknown): string => {
  if (value instanceof Uint8Array) return `bytes ${JSON.stringify(String.fromCharCode(...value))}`
  if (Array.isArray(value)) return value.length === 0 ? "none" : `[${value.map(words).join("; ")}]`
  if (typeof value === "string") return isTag(value) ? spaced(value) : quoted(value)
  if (!isRecord(value)) return String(value)
  const { _tag, ...rest } = value
  const fields = Object.entries(rest).flatMap(([name, value]) =>
    isUsual(name, value) ? [] : [`${spaced(name)} ${words(value)}`]
  )
  return [...(typeof _tag === "string" ? [spaced(_tag)] : []), ...fields].join(", ")
}

const isTag = (text: string): boolean => /^[A-Z][A-Za-z]+$|^[a-z]+([A-Z][a-z]+)+$/.test(text)

/** `HangsForGood` as "hangs for good". */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

const singular = (name: string): string => spaced(name).replace(/ies$/, "y").replace(/s$/, "")

const quoted = (text: string): string => JSON.stringify(text)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
