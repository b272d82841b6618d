/**
 * What became of each worktree, for a person and for a program.
 */
import { Effect } from "effect"
import { DiskUsage, ReclaimOutcome } from "../internal.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

export type Outcome = ReclaimOutcome.ReclaimOutcome

/** The one table of outcomes: the word for each, and what is to be said of it. */
export const say: (outcome: Outcome) => { readonly word: string; readonly what: string } = ReclaimOutcome.$match({
  Moved: ({ to, notes }) => ({ word: "moved", what: [`lies at ${Paths.shown(to)}`, ...notes].join("; ") }),
  Kept: ({ gate, reason }) => ({ word: "kept", what: gate === "Plan" ? reason : `${gate}: ${reason}` }),
  Restored: ({ notes }) => ({ word: "restored", what: ["stands there now", ...notes].join("; ") }),
  Removed: ({ from }) => ({
    word: "removed",
    what: `is gone; its commits stay as refs/reclaimed/${Screen.name(from.replace(/^.*\//, ""))}`
  }),
  RemovedEmpty: () => ({ word: "removed", what: "was empty, and no repository knew it" }),
  Slimmed: ({ freed, directories }) => ({
    word: "slimmed",
    what: `${DiskUsage.format(freed)} freed: ${directories.join(", ")}`
  }),
  Recovered: ({ what }) => ({ word: "recovered", what }),
  Failed: ({ step, reason }) => ({ word: "failed", what: `${reason} (${step})` })
})

const styles: Readonly<Record<string, (text: string) => string>> = {
  Kept: Screen.yellow,
  Failed: Screen.red
}

const indent = 10

/** Prints each outcome. */
export const print = (outcomes: ReadonlyArray<Outcome>, json: boolean): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const outcome of outcomes) Screen.out(json ? line(outcome) : text(outcome))
  })

const line = ({ _tag, ...rest }: Outcome): string => Screen.json({ outcome: _tag, ...rest })

/** One outcome as a person reads it. */
export const text = (outcome: Outcome): string => {
  const { word, what } = say(outcome)
  const style = styles[outcome._tag] ?? Screen.green
  const sentence = Screen.printable(`${Paths.shown(outcome.path)}: ${what}`)
  return `${style(word)}${" ".repeat(indent - word.length)}${Table.wrap(sentence, Screen.width, indent)}`
}

/** How many outcomes have this tag. */
export const count = (outcomes: ReadonlyArray<Outcome>, tag: Outcome["_tag"]): number =>
  outcomes.filter(({ _tag }) => _tag === tag).length

/** `planned`: the paths that the plan had promised to change. */
export const exitCode = (outcomes: ReadonlyArray<Outcome>, planned: ReadonlySet<string>): number =>
  outcomes.some(({ _tag, path }) => _tag === "Failed" || (_tag === "Kept" && planned.has(path)))
    ? ExitCode.refused
    : ExitCode.done
