/**
 * What a person asks of a sweep.
 */
import { Duration } from "effect"
import { Reclaim } from "session-liveness"
import * as Age from "../Age.ts"
import * as Cli from "../cli.ts"
import * as Judging from "../Judging.ts"
import * as Ask from "./Ask.ts"

const help = `sweep: moves linked worktrees aside that nobody needs any more, and puts them back

Usage: node examples/sweep.ts [REPO…] [what to do] [flags]

  nothing to do            say which may be moved aside, and why not the others; change nothing
  --apply [--yes]          say so, ask, and move them aside
  --list                   show what lies aside
  --restore PATH           put one back: by where it was, or by where it lies
  --expire                 say what lies aside long enough to be removed; change nothing
  --expire --apply [--yes] say so, ask, and remove it for good

  REPO            repositories, by the path of any of their worktrees (default: the one around the working
                  directory)
  --yes           do not ask; needed where there is no terminal
  --quiet-for AGE how long nothing must have happened in a worktree: 12h, 7d, 2w (default: 24h)
  --older-than AGE  how long a worktree must have lain aside to expire, with --expire or --list (default: 7d;
                  14d, or AGE if that is longer, for one whose owner is not known to have ended)
  --wide          cut nothing, whatever the width of the terminal; a pipe counts as 100 columns
  --json          print one line of JSON for each worktree, and one for each outcome
${Judging.help}
${Judging.noManagerHelp}

A worktree stays unless every gate permits; \`node examples/explain.ts PATH\` shows all gates of one. "keep?" marks what is kept
only because something could not be told.

Moving aside deletes nothing: the whole tree goes to reclaimed/ in the common git directory, its branch is free,
its commits are kept as refs/reclaimed/…, and a file at the old path says how to get it back. Every worktree is
judged anew just before it is moved or removed. --apply first mends what a sweep that died has left.

Exit codes: 0 nothing to do, or all done; 10 at least one would be moved, mended or removed; 1 something failed,
was kept though it had been planned, or could not be told: a repository could not be listed, tmux or the
processes could not be observed, or a refusal rests on a fact that could not be told; 2 wrong usage;
130 interrupted.`

const options = {
  ...Judging.options,
  ...Judging.noManager,
  apply: { type: "boolean" },
  yes: { type: "boolean" },
  restore: { type: "string" },
  expire: { type: "boolean" },
  list: { type: "boolean" },
  "older-than": { type: "string" },
  "quiet-for": { type: "string" },
  wide: { type: "boolean" },
  json: { type: "boolean" }
} as const

const modes = ["restore", "expire", "list"] as const

export type Mode = (typeof modes)[number] | "survey"

/** Which flags mean something in some modes only. */
const meantFor: ReadonlyArray<readonly [flag: keyof typeof options, modes: ReadonlyArray<Mode>, words: string]> = [
  ["apply", ["survey", "expire"], "alone or with --expire"],
  ["older-than", ["expire", "list"], "with --expire or --list"],
  ["quiet-for", ["survey", "expire"], "with neither --list nor --restore"],
  ["caller", ["survey", "expire"], "with neither --list nor --restore"],
  ["dismiss", ["survey", "expire"], "with neither --list nor --restore"],
  ["wide", ["survey", "expire", "list"], "without --restore"]
]

/**
 * The flags of this process; what does not go together ends it.
 */
export const parse = () => {
  const { values, positionals } = Cli.flagsAndPaths(help, options)
  const wrong = (message: string) => Cli.fail(`${message}`, 2)
  const asked = modes.filter((mode) => values[mode] !== undefined)
  const [mode = "survey", other] = asked
  if (other !== undefined) wrong(`--${mode} and --${other} do not go together.`)
  for (const [flag, modes, words] of meantFor) {
    if (values[flag] !== undefined && !modes.includes(mode))
      wrong(`--${flag} goes ${words}${mode === "survey" ? "" : `, not with --${mode}`}.`)
  }
  const { apply = false, yes = false, wide = false, json = false, restore } = values
  if (yes && !apply) wrong("--yes goes with --apply: without it nothing is changed.")
  if (apply && !yes && !Ask.isPossible) {
    wrong("--apply asks before it changes anything, and here is nobody to ask; add --yes to have it done at once.")
  }
  if (positionals.includes("")) wrong("A repository has no name.")
  if (restore === "") wrong("The worktree to be restored has no name.")
  const { "quiet-for": quietFor, "older-than": age } = values
  const olderThan = age === undefined ? Reclaim.defaultOlderThan : Duration.toMillis(Age.parse("--older-than", age))
  return {
    judging: values,
    mode: mode satisfies Mode as Mode,
    repositories: positionals.length === 0 ? [process.cwd()] : positionals.map(Judging.absolute),
    restore: restore ?? "",
    quiet: quietFor === undefined ? undefined : Duration.toMillis(Age.parse("--quiet-for", quietFor)),
    /** In milliseconds, for one that was not and for one that was only settled. */
    olderThan: { plain: olderThan, settled: Math.max(olderThan, Reclaim.defaultSettledOlderThan) },
    apply,
    yes,
    wide,
    json
  }
}

export type Flags = ReturnType<typeof parse>
