/**
 * What the savings ledger says of a set of Claude ids.
 */
import * as Lines from "../../shared/core/Lines.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * Sums over the rows of the ids asked for. `skipped` counts the lines that could not be counted: those that do not
 * parse, name no session, or are a bad row of an id asked for.
 */
export interface SavingsTotal {
  readonly tokensSaved: number
  /** In US dollars. */
  readonly costSavedUsd: number
  readonly rows: number
  readonly skipped: number
}

export const zero: SavingsTotal = { tokensSaved: 0, costSavedUsd: 0, rows: 0, skipped: 0 }

/**
 * One row that counts, as appended to the ledger.
 */
export interface Row {
  readonly ts: string
  readonly session_id: string
  readonly technique: string
  /** A positive integer. */
  readonly tokens_saved: number
  /** Positive and finite, in US dollars. */
  readonly cost_saved_usd: number
  readonly basis: string
}

/**
 * What one line of the ledger is.
 */
export type Line =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Unreadable" }
  | { readonly _tag: "BadRow"; readonly sessionId: string }
  | { readonly _tag: "Row"; readonly sessionId: string; readonly tokensSaved: number; readonly costSavedUsd: number }

/**
 * Reads one finished line, without its newline.
 */
export const readLine = (line: string): Line => {
  if (line.endsWith("\u0018")) return { _tag: "Nothing" }
  const text = Text.trim(line)
  if (text === "") return { _tag: "Nothing" }
  const row = parseObject(text)
  if (row === undefined || typeof row["session_id"] !== "string") return { _tag: "Unreadable" }
  const sessionId = Text.trim(row["session_id"])
  if (sessionId === "") return { _tag: "Unreadable" }
  const tokensSaved = row["tokens_saved"]
  const costSavedUsd = row["cost_saved_usd"]
  return typeof tokensSaved === "number" &&
    Number.isInteger(tokensSaved) &&
    tokensSaved > 0 &&
    typeof costSavedUsd === "number" &&
    Number.isFinite(costSavedUsd) &&
    costSavedUsd > 0
    ? { _tag: "Row", sessionId, tokensSaved, costSavedUsd }
    : { _tag: "BadRow", sessionId }
}

/**
 * Sums a ledger that comes in pieces. Sums are exact, so that the order of rows changes nothing.
 */
export interface Fold {
  readonly push: (piece: string) => void
  /** The sums, once every piece was pushed. What stands behind the last newline is a write that did not finish. */
  readonly end: () => SavingsTotal
}

/**
 * Begins a fold over the rows of `ids`.
 */
export const begin = (ids: Iterable<string>): Fold => {
  const wanted = new Set(Array.from(ids, Text.trim))
  const foreign = foreignRows(wanted)
  let tokens = 0n
  let cost = 0n
  let rows = 0
  let skipped = 0
  const lines = Lines.split((text) => {
    const line = readLine(text)
    if (line._tag === "Unreadable") skipped++
    else if (line._tag === "BadRow" && wanted.has(line.sessionId)) skipped++
    else if (line._tag === "Row" && wanted.has(line.sessionId)) {
      rows++
      tokens += BigInt(line.tokensSaved)
      cost += scaled(line.costSavedUsd, places)
    }
  })
  return {
    push: (piece) => lines.push(piece, foreign),
    end: () => {
      if (Text.trim(lines.rest()) !== "") skipped++
      return { tokensSaved: finite(Number(tokens)), costSavedUsd: finite(toNumber(cost)), rows, skipped }
    }
  }
}

/**
 * Sums the rows of `ids` in a whole ledger. Never throws.
 */
export const fold = (text: string, ids: Iterable<string>): SavingsTotal => {
  const sums = begin(ids)
  sums.push(text)
  return sums.end()
}

/**
 * The status-line segment: dollars from one cent up, else tokens, else nothing. It never states `$0.00`, and states
 * nothing where the sums are too large for a number to hold every cent and every token.
 */
export const segment = ({ tokensSaved, costSavedUsd }: Pick<SavingsTotal, "tokensSaved" | "costSavedUsd">): string => {
  if (!(costSavedUsd <= mostUsd && tokensSaved <= Number.MAX_SAFE_INTEGER)) return ""
  const cents = scaled(costSavedUsd, 9) / 10n ** 7n
  if (cents >= 1n) return `💸~$${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`
  if (tokensSaved >= 1000) return `💸~${Math.floor(tokensSaved / 1000)}k tok`
  return tokensSaved >= 1 ? `💸~${Math.floor(tokensSaved)} tok` : ""
}

/** Up to here any two amounts that differ by a cent are two numbers. */
const mostUsd = 2 ** 46

/**
 * Finished rows as they are written, without escapes, whose session is none of `ids`: they parse for certain and name a
 * session in plain sight, so that they add nothing and are not skipped. This measured path spares them the parser. How
 * many are matched at once is bounded, as is the memory of a pattern.
 */
const foreignRows = (ids: Iterable<string>): RegExp | undefined => {
  const plain = '[^"\\\\\\x00-\\x1f]*'
  const number = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?"
  const asked = Array.from(ids, literal).join("|")
  if (asked.length > longestPattern) return undefined
  const fields = [
    `"ts": ?"${plain}"`,
    `"session_id": ?"${asked === "" ? "" : `(?!${asked})`}[a-zA-Z0-9]${plain}"`,
    `"technique": ?"${plain}"`,
    `"tokens_saved": ?${number}`,
    `"cost_saved_usd": ?${number}`,
    `"basis": ?"${plain}"`
  ]
  return new RegExp(`(?:\\{${fields.join(", ?")}\\}\\n){1,64}`, "y")
}

/** Some three hundred ids; what is far longer may be more than a pattern can be. */
const longestPattern = 16_384

/** A pattern that matches `text` alone. */
const literal = (text: string): string =>
  text.replace(/[^a-zA-Z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** How many decimal places a sum keeps. */
const places = 15

/**
 * `value` in units of 10 to the power of minus `places`, rounded. It is taken as the decimal that was written, the
 * shortest that names this double, and not as its binary fraction.
 */
const scaled = (value: number, places: number): bigint => {
  const [digits = "", exponent] = value.toExponential().split("e")
  const [whole = "", fraction = ""] = digits.split(".")
  const shift = Number(exponent) - fraction.length + places
  const units = BigInt(whole + fraction)
  if (shift >= 0) return units * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return (units + divisor / 2n) / divisor
}

const toNumber = (units: bigint): number => Number(`${units}e-${places}`)

const finite = (value: number): number => Math.min(value, Number.MAX_VALUE)

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
