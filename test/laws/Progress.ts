/**
 * One line on stderr while something takes long: at once on a terminal, in a log only now and then.
 */
import * as Cli from "./Cli.ts"

const isTerminal = process.stderr.isTTY
/** Milliseconds until the first line, and from one line to the next. */
const pace = isTerminal ? 200 : 5_000

let next = performance.now() + pace
let shown = false

/** Says how far it is, if it is time to say so. */
export const tell = (line: string): void => {
  const now = performance.now()
  if (now < next) return
  next = now + pace
  shown = true
  Cli.write(2, isTerminal ? `\r${line}\u001b[K` : `${line}\n`)
}

/** Wipes the line. */
export const done = (): void => {
  if (shown && isTerminal) Cli.write(2, "\r\u001b[K")
  shown = false
}
