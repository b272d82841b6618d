/**
 * Puts a worktree back.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Reclaim } from "../../internal.ts"
import * as Advice from "../Advice.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Outcomes from "../Outcomes.ts"
import * as Paths from "../Paths.ts"

const path = Paths.argument("path", "where it was, or where it lies")

const to = Flag.String("to").pipe(
  Flag.withMetavar("PATH"),
  Flag.withDescription("where to put it instead: what the journal does not know goes back only so"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const repository = Flag.String("repo").pipe(
  Flag.atLeast(0),
  Flag.withMetavar("REPO"),
  Flag.withDescription("repositories to look in besides the one around the working directory")
)

export const restore = Command.make(
  "restore",
  { path, to, repository, json: Judging.json, here: Judging.flags.here },
  ({ path, to, repository, json, here }) =>
    Judging.run(
      { here, repositories: repository },
      Effect.gen(function* () {
        const outcomes = yield* Reclaim.restore(Paths.canonical(path), {
          to: to === undefined ? undefined : Paths.canonical(to),
          repositories: [...repository, "."].map(Paths.absolute)
        })
        yield* Outcomes.print(outcomes, json)
        const stands = outcomes.at(-1)?._tag === "Restored"
        if (!stands) Judging.say(`nothing was put back; \`${Advice.command("list")}\` shows what lies reclaimed`)
        return stands ? ExitCode.done : ExitCode.refused
      })
    )
).pipe(
  Help.says({
    line: "puts a reclaimed worktree back",
    more: "Its branch, its index and its files are as they were. It refuses where anything stands at the path.",
    examples: [
      ["by where it was", "restore .claude/worktrees/fix"],
      ["elsewhere", "restore .claude/worktrees/fix --to ../fix"]
    ]
  })
)
