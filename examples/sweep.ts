#!/usr/bin/env node
/**
 * Which linked worktrees of some repositories could be reclaimed.
 */
import { Duration, Effect } from "effect"
import { Reclaim, type ReclaimPlan } from "session-liveness"
import * as Age from "./Age.ts"
import * as Cli from "./cli.ts"
import * as Judging from "./Judging.ts"
import * as Progress from "./Progress.ts"
import * as ExitCode from "./sweep/ExitCode.ts"
import * as Report from "./sweep/Report.ts"
import * as Table from "./Table.ts"

const help = `sweep: says of every linked worktree whether it may be moved aside, and why not

Usage: sweep [REPO…] [--quiet-for AGE] [--wide] [--json] [--caller ID] [--dismiss ID] [--here] [--socket NAME]
             [--root DIR]

  REPO            repositories, by the path of any of their worktrees (default: the one around the working
                  directory)
  --quiet-for AGE how long nothing must have happened in a worktree: 12h, 7d, 2w (default: 24h)
  --wide          cut nothing, whatever the width of the terminal
  --json          print one line of JSON for each worktree
${Judging.help}

This is a report: nothing is changed. A worktree stays unless every gate permits; \`explain PATH\` shows all
gates of one. "keep?" marks what is kept only because something could not be told.

Exit codes: 0 nothing to do; 10 at least one would be moved, and all could be told; 1 something could not be
told: a repository could not be listed, tmux or the processes could not be observed, or a refusal rests on a
fact that could not be told; 2 wrong usage; 130 interrupted.`

const { values: flags, positionals } = Cli.flagsAndPaths(help, {
  ...Judging.options,
  "quiet-for": { type: "string" },
  wide: { type: "boolean" },
  json: { type: "boolean" }
})
const { wide = false, json = false, "quiet-for": quietFor } = flags

if (positionals.includes("")) Cli.fail("A repository has no name.\nTry --help.", 2)

const repositories = positionals.length === 0 ? [process.cwd()] : positionals.map(Judging.absolute)
const quiet = quietFor === undefined ? undefined : Duration.toMillis(Age.parse("--quiet-for", quietFor))

const sweep = Effect.gen(function* () {
  const plan = yield* Reclaim.survey({
    ...(yield* Judging.claimOptions(flags)),
    repositories,
    quiet,
    onJudged: (done, all) => Effect.sync(() => Progress.tell(`judged ${done} of ${all} worktrees …`))
  })
  Progress.done()
  if (json) for (const candidate of plan.candidates) Cli.out(Report.line(candidate))
  else print(plan)
  for (const { repository, reason } of plan.unlisted) Cli.err(`sweep: ${repository} could not be listed: ${reason}`)
  return ExitCode.of(plan, Judging.warned())
})

const print = (plan: ReclaimPlan.Plan): void => {
  if (plan.candidates.length > 0) {
    for (const line of Report.table(plan.candidates, wide ? undefined : Table.terminal())) Cli.out(line)
    Cli.out("")
  }
  if (plan.candidates.length > 0 || plan.unlisted.length === 0) Cli.out(`${Report.summary(plan)}. Nothing was changed.`)
}

Judging.run("sweep", flags, sweep)
