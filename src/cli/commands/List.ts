/**
 * What lies reclaimed.
 */
import { Duration, Effect } from "effect"
import { Command } from "effect/cli"
import { Reclaim } from "../../internal.ts"
import * as Advice from "../Advice.ts"
import * as Ages from "../Ages.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Reclaimed from "../Reclaimed.ts"
import * as Screen from "../Screen.ts"
import * as Sizes from "../Sizes.ts"
import { meant, printUnlisted, repositories } from "./Sweep.ts"

export const olderThan = Ages.flag(
  "older-than",
  "how long a worktree lies reclaimed before it expires (default: 7d, and 14d for one that was only settled)"
)

/** A person's own word goes for both. */
export const expiryOf = (age: Duration.Duration | undefined): Reclaimed.Expiry =>
  age === undefined
    ? { plain: Reclaim.defaultOlderThan, settled: Reclaim.defaultSettledOlderThan }
    : { plain: Duration.toMillis(age), settled: Duration.toMillis(age) }

export const list = Command.make(
  "list",
  { repositories, olderThan, json: Judging.json },
  ({ repositories, olderThan, json }) =>
    Judging.run(
      { repositories, olderThan },
      Effect.gen(function* () {
        const expiry = expiryOf(olderThan)
        const { reclaimed: found, unlisted } = yield* Reclaim.list({ repositories: meant(repositories) })
        const sizes = Sizes.byPath(yield* Sizes.measure({ trees: found }))
        if (json) {
          for (const reclaimed of found) {
            Screen.out(Screen.json(Reclaimed.json(reclaimed, expiry, Sizes.fields(sizes.get(reclaimed.path)))))
          }
        } else if (found.length > 0) {
          Screen.out(`${Reclaimed.list(found, sizes, expiry).join("\n")}\n`)
          Screen.out(`\`${Advice.command("restore", "PATH")}\` puts one back.`)
        } else if (unlisted.length === 0) Screen.out("Nothing lies reclaimed.")
        printUnlisted(unlisted)
        return unlisted.length > 0 || Judging.warned() ? ExitCode.refused : ExitCode.done
      })
    )
).pipe(
  Help.says({
    line: "what lies reclaimed, since when, and how large it is",
    more: "It names of each where it was, and from when `expire` removes it.",
    examples: [
      ["the repository around the working directory", "list"],
      ["one object a line, for a script", "list --json"]
    ]
  })
)
