/**
 * Output that neither a closed pipe nor a hostile name can break. Answers go to stdout, everything else to stderr.
 */
import { writeSync } from "node:fs"
import { Text } from "../internal.ts"

/** How many columns a line may take, or `undefined` where nothing is to be cut because no terminal shows it. */
export const width: number | undefined = process.stdout.isTTY ? process.stdout.columns || 80 : undefined

/** Whether a person reads stderr and types. */
export const canAsk: boolean = Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Whether a terminal knows more than to print lines. */
export const isSmart: boolean = process.env["TERM"] !== "dumb"

/** Whether nobody has asked for none, as `NO_COLOR` does. */
export const wantsColors: boolean = !process.env["NO_COLOR"]

/** Whether the terminal wants colours. */
export const hasColors: boolean = Boolean(process.stdout.isTTY && wantsColors && isSmart)

/** What wipes a screen that is drawn again and again, where one can be wiped. */
export const wipe: string = process.stdout.isTTY && isSmart ? "\u001b[2J\u001b[3J\u001b[H" : ""

const styled =
  (code: number) =>
  (text: string): string =>
    hasColors ? `\u001b[${code}m${text}\u001b[0m` : text

export const bold = styled(1)
export const dim = styled(2)
export const red = styled(31)
export const green = styled(32)
export const yellow = styled(33)

/** Lines on stdout, as they are. False when nobody reads them any more. */
export const out = (text: string): boolean => write(1, `${text}\n`)

/** One line on stderr, fit for a terminal whatever names it quotes. */
export const err = (text: string): boolean => write(2, `${printable(text)}\n`)

/** What an error says, whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A sentence in which names are escaped already, fit for one line of a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(unprintable("Cs"), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** A name as it is shown. */
export const name: (text: string) => string = Text.escape

/**
 * `value` as JSON that a terminal can be shown: whatever could move the cursor or turn the reading direction is escaped
 * inside its string.
 */
export const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unprintable(), (character) =>
    Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
  )

/** Not a literal, whose sets of characters would be built whenever the program is loaded. */
const unprintable = (...more: ReadonlyArray<string>): RegExp =>
  new RegExp(`[${["Cc", "Cf", "Zl", "Zp", ...more].map((set) => `\\p{${set}}`).join("")}]`, "gu")

/**
 * Synchronous, so that nothing is lost when the process ends. A reader that has gone is no failure of the writer: false
 * then. A reader that is slow is waited for.
 */
export const write = (fd: 1 | 2, text: string): boolean => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
  return true
}
