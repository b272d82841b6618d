/**
 * Asks a person.
 */
import { Effect } from "effect"
import * as readline from "node:readline"
import * as tty from "node:tty"
import * as Cli from "../cli.ts"

/** Whether somebody reads stderr and types. */
export const isPossible: boolean = tty.isatty(0) && tty.isatty(2)

/** Asks once; whatever is not `y` or `yes`, the end of the input too, is no. */
export const isYes = (question: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    Cli.write(2, `${question} [y/N] `)
    // Without raw mode, so that Ctrl-C stays an interrupt.
    const lines = readline.createInterface({ input: process.stdin, terminal: false })
    lines.once("line", (line) => resume(Effect.succeed(/^y(es)?$/i.test(line.trim()))))
    lines.once("close", () => resume(Effect.succeed(false)))
    return Effect.sync(() => lines.close())
  })
