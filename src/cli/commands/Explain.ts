/**
 * Why one worktree may go, or may not.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Asked from "../Asked.ts"
import * as Evidence from "../Evidence.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Progress from "../Progress.ts"
import * as Screen from "../Screen.ts"
import * as Worktrees from "../Worktrees.ts"
import { milliseconds } from "./Sweep.ts"

export const explain = Command.make(
  "explain",
  { path: Paths.argument("path", "a linked worktree"), asked: Asked.flags, json: Judging.json, claims: Judging.flags },
  ({ path, asked, json, claims }) =>
    Judging.run(
      { ...claims, ...asked },
      Effect.gen(function* () {
        const {
          judged: [judged],
          notes
        } = yield* Worktrees.judge([path], asked, claims).pipe(Progress.during("gathering evidence …"))
        if (judged?._tag !== "Candidate") {
          const { path: at, reason } = judged ?? { path, reason: "nothing is there" }
          if (json) Screen.out(Screen.json({ path: at, verdict: "Refuse", gate: null, reason }))
          else Judging.say(`${Paths.shown(at)}: ${reason}`)
          return ExitCode.refused
        }
        const { candidate } = judged
        if (json) Screen.out(Screen.json(Evidence.json(candidate)))
        else for (const line of Evidence.lines(candidate, milliseconds(asked.quietFor))) Screen.out(line)
        Judging.note(notes, !json)
        return candidate.verdict._tag === "Permit" ? ExitCode.done : ExitCode.refused
      })
    )
).pipe(
  Help.says({
    line: "the whole chain of evidence on one worktree",
    more: "Every gate is asked, also behind the first that refuses, which gives the verdict. Nothing is changed.",
    examples: [
      ["the worktree around the working directory", "explain ."],
      ["as it would stand with less patience", "explain . --quiet-for 2h --settled-for 2d"]
    ]
  })
)
