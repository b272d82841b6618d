/**
 * Flags, and output that neither a closed pipe nor a hostile name can break.
 */
import { writeSync } from "node:fs"
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import { Text } from "../../src/internal.ts"

const common = { help: { type: "boolean", short: "h" } } as const

/**
 * The flags of this process. `--help` prints `help` and ends the process; wrong usage is told on stderr and ends it with 2.
 */
export const flags = <const Options extends ParseArgsOptionsConfig>(help: string, options: Options) => {
  try {
    const { values } = parseArgs({ options: { ...options, ...common } as Options & typeof common, strict: true })
    if (!("help" in values)) return values
  } catch (error) {
    // What follows the first sentence is advice on words that begin with a dash.
    return fail(`${reasonOf(error).split(". ", 1)[0]}`, 2)
  }
  out(help)
  return process.exit(0)
}

/** What an error says, whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Says what was asked for wrongly and ends the process. */
export const fail = (message: string, exitCode: number): never => {
  err(message)
  err("Try --help.")
  return process.exit(exitCode)
}

/** Lines on stdout, as they are. False when nobody reads them. */
export const out = (text: string): boolean => write(1, `${text}\n`)

/** One line on stderr, fit for a terminal whatever names it quotes. */
export const err = (text: string): boolean => write(2, `${Text.escape(text)}\n`)

/** A sentence of the library, which has escaped the names in it already, fit for one line of a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(unprintable("Cs"), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/**
 * Synchronous, because `process.stdout` costs a short-lived process a tenth of its life; a reader that has gone is no
 * failure of the writer. False when it has gone.
 */
export const write = (fd: 1 | 2, text: string): boolean => {
  const bytes = Buffer.from(text)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
    return true
  } catch {
    return false
  }
}

/**
 * `value` as JSON that a terminal can be shown: whatever could move the cursor or turn the reading direction is escaped
 * inside its string.
 */
export const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unprintable(), (character) =>
    Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
  )

/** Not a literal, whose sets of characters every program would build when it is loaded. */
const unprintable = (...more: ReadonlyArray<string>): RegExp =>
  new RegExp(`[${["Cc", "Cf", "Zl", "Zp", ...more].map((set) => `\\p{${set}}`).join("")}]`, "gu")
