/**
 * Puts a worktree back.
 */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Reclaim } from "../../index.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Judging from "../Judging.ts"
import * as Outcomes from "../Outcomes.ts"
import * as Paths from "../Paths.ts"

const path = Paths.argument("path", "where it was, or where it lies")

const repository = Flag.String("repo").pipe(
  Flag.atLeast(0),
  Flag.withMetavar("REPO"),
  Flag.withDescription("repositories to look in besides the one around the working directory")
)

export const restore = Command.make(
  "restore",
  { path, repository, json: Judging.json, here: Judging.flags.here },
  ({ path, repository, json, here }) =>
    Judging.run(
      { root: undefined, noManager: false, here },
      Effect.gen(function* () {
        const outcome = yield* Reclaim.restore(Paths.canonical(path), {
          repositories: [...repository, "."].map(Paths.absolute)
        })
        yield* Outcomes.print([outcome], json)
        const stands = outcome._tag === "Restored" || outcome._tag === "Healed"
        if (!stands) Judging.say(`nothing was put back; \`${Paths.program} list\` shows what lies reclaimed`)
        return stands ? ExitCode.done : ExitCode.refused
      })
    )
).pipe(
  Command.withDescription(
    "Puts a worktree back that was reclaimed, with its branch, its index and its files. It refuses where anything stands at the path."
  ),
  Command.withShortDescription("puts a reclaimed worktree back")
)
