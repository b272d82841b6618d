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
      cost += toUnits(line.costSavedUsd)
    }
  })
  return {
    push: (piece) => lines.push(piece, foreign),
    end: () => {
      if (Text.trim(lines.rest()) !== "") skipped++
      return { tokensSaved: finite(Number(tokens)), costSavedUsd: finite(fromUnits(cost)), rows, skipped }
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
 * The status-line segment: dollars from one cent up, else tokens, else nothing. It never states `$0.00`.
 */
export const segment = (total: Pick<SavingsTotal, "tokensSaved" | "costSavedUsd">): string => {
  const dollars = total.costSavedUsd.toFixed(9).slice(0, -7)
  if (Number(dollars) >= 0.01) return `💸~$${dollars}`
  if (total.tokensSaved >= 1000) return `💸~${Math.floor(total.tokensSaved / 1000)}k tok`
  return total.tokensSaved > 0 ? `💸~${total.tokensSaved} tok` : ""
}

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

const digits = 15
const unit = 10n ** BigInt(digits)

const toUnits = (usd: number): bigint => {
  const whole = Math.trunc(usd)
  return BigInt(whole) * unit + BigInt(Math.round((usd - whole) * Number(unit)))
}

const fromUnits = (units: bigint): number => Number(`${units / unit}.${String(units % unit).padStart(digits, "0")}`)

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
