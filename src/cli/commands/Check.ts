/**
 * The whole verdict on worktrees, for scripts.
 */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Asked from "../Asked.ts"
import * as Candidates from "../Candidates.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Progress from "../Progress.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"
import * as Worktrees from "../Worktrees.ts"

export const check = Command.make(
  "check",
  {
    paths: Paths.argument("path", "linked worktrees").pipe(Argument.variadic({ min: 1 })),
    asked: Asked.flags,
    json: Judging.json,
    claims: Judging.flags
  },
  ({ paths, asked, json, claims }) =>
    Judging.run(
      { ...claims, ...asked },
      Effect.gen(function* () {
        const { judged, notes } = yield* Worktrees.judge(paths, asked, claims).pipe(
          Progress.during("gathering evidence …")
        )
        for (const one of judged) Screen.out(json ? line(one) : text(one))
        Judging.note(notes, false)
        return judged.every(isPermitted) ? ExitCode.done : ExitCode.refused
      })
    )
).pipe(
  Help.says({
    line: "exit code 0 only where every gate permits: for scripts",
    more: "It prints the whole verdict on each path, a line each. Nothing is changed.",
    examples: [["free what can be made again, where nobody needs it", "check . && rm -rf node_modules"]]
  })
)

const isPermitted = (one: Worktrees.Judged): boolean =>
  one._tag === "Candidate" && one.candidate.verdict._tag === "Permit"

const line = (one: Worktrees.Judged): string =>
  Screen.json(
    one._tag === "Candidate"
      ? Candidates.json(one.candidate)
      : { path: one.path, verdict: "Refuse", gate: null, reason: one.reason }
  )

const text = (one: Worktrees.Judged): string => {
  const [path, why] =
    one._tag === "Candidate" ? [one.candidate.path, Candidates.why(one.candidate)] : [one.path, one.reason]
  const word = isPermitted(one) ? Screen.green("permitted") : Screen.yellow("refused")
  const sentence = Screen.printable(`${Paths.shown(path)}: ${why}`)
  return `${word}${" ".repeat(isPermitted(one) ? 2 : 4)}${Table.wrap(sentence, Screen.width, 11)}`
}
