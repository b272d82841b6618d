/**
 * What became of one worktree, for a person and for a program.
 */
import { ReclaimOutcome, Text } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Table from "../Table.ts"

type Outcome = ReclaimOutcome.ReclaimOutcome

const indent = 10

/** One outcome, in lines that fit `width`. */
export const text = (outcome: Outcome, width: number): string =>
  `${words[outcome._tag].padEnd(indent)}${Table.wrap(`${Text.escape(outcome.path)}: ${what(outcome)}`, width, indent)}`

/** One outcome as one line of JSON. */
export const line = ({ _tag, ...rest }: Outcome): string => Cli.json({ outcome: _tag, ...rest })

const words: Readonly<Record<Outcome["_tag"], string>> = {
  Moved: "moved",
  Kept: "kept",
  Restored: "restored",
  Removed: "removed",
  Healed: "healed",
  Failed: "failed"
}

/** What is to be said of one. */
export const what: (outcome: Outcome) => string = ReclaimOutcome.$match({
  Moved: ({ to, notes }) => [`lies at ${Text.escape(to)}`, ...notes.map(Cli.printable)].join("; "),
  Kept: ({ gate, reason }) => Cli.printable(gate === "Plan" ? reason : `${gate}: ${reason}`),
  Restored: ({ notes }) => ["stands where it was, and counts as used now", ...notes.map(Cli.printable)].join("; "),
  Removed: ({ from }) => `is gone; its commits stay as refs/reclaimed/${Text.escape(from.replace(/^.*\//, ""))}`,
  Healed: ({ what }) => Cli.printable(what),
  Failed: ({ step, reason }) => `${Cli.printable(reason)} (${step})`
})
