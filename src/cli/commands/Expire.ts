/**
 * Removes for good what has lain reclaimed for long enough.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { type ExpiryPlan, Reclaim } from "../../internal.ts"
import * as Advice from "../Advice.ts"
import * as Ask from "../Ask.ts"
import * as Asked from "../Asked.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Outcomes from "../Outcomes.ts"
import * as Progress from "../Progress.ts"
import * as Reclaimed from "../Reclaimed.ts"
import * as Screen from "../Screen.ts"
import { expiryOf, olderThan } from "./List.ts"
import { apply, meant, printUnlisted, repositories, yes } from "./Sweep.ts"

export const expire = Command.make(
  "expire",
  { repositories, apply, yes, olderThan, asked: Asked.flags, json: Judging.json, claims: Judging.flags },
  ({ repositories, apply, yes, olderThan, asked, json, claims }) =>
    Judging.run(
      { ...claims, ...asked, repositories, olderThan },
      Effect.gen(function* () {
        yield* Ask.mustBePossible(apply, yes)
        const expiry = expiryOf(olderThan)
        const options = {
          ...(yield* Judging.claimOptions(claims)),
          ...asked,
          repositories: meant(repositories),
          olderThan: expiry.plain,
          settledOlderThan: expiry.settled
        }
        const plan = yield* Reclaim.planExpiry(options).pipe(Progress.during("judging …"))
        const due = new Set(plan.items.filter(({ decision }) => decision._tag === "Remove").map(({ path }) => path))
        printPlan(plan, expiry, json)
        const isUnknown = () => plan.unlisted.length > 0 || Judging.warned()
        const verdict = isUnknown() ? ExitCode.refused : due.size > 0 ? ExitCode.wouldChange : ExitCode.done
        if (!json && !apply && plan.items.length > 0) Screen.out(unchanged(due.size))
        const question = `Remove ${Judging.count(due.size, "worktree")} for good?`
        if (!apply || due.size === 0 || !(yield* Ask.isMeant(question, yes))) return verdict
        const outcomes = yield* Reclaim.expire({ ...plan, items: plan.items.filter(({ path }) => due.has(path)) }).pipe(
          Progress.during("removing …")
        )
        yield* Outcomes.print(outcomes, json)
        const removed = Outcomes.count(outcomes, "Removed")
        if (!json) Screen.out(`\n${Judging.count(removed, "worktree")} removed for good. Branches and commits stay.`)
        return isUnknown() ? ExitCode.refused : Outcomes.exitCode(outcomes, due)
      })
    )
).pipe(
  Help.says({
    line: "removes what has lain reclaimed for long enough",
    also: "--apply does it",
    more: "Without --apply it says which are old enough. --apply removes them, by `git worktree remove` and never by force, after each was judged once more. Branches and commits stay, and so does what holds ignored files that no tool makes again.",
    examples: [
      ["which would go", "expire"],
      ["ask, then remove what has lain there for thirty days", "expire --older-than 30d --apply"]
    ]
  })
)

const unchanged = (due: number): string =>
  due === 0
    ? "Nothing was changed."
    : `Nothing was changed. \`${Advice.command("expire", "--apply")}\` removes ${Judging.count(due, "worktree")} for good.`

const printPlan = ({ items, unlisted }: ExpiryPlan.ExpiryPlan, expiry: Reclaimed.Expiry, json: boolean): void => {
  const due = items.filter(({ decision }) => decision._tag === "Remove").length
  if (json) {
    for (const item of items) {
      const more = { verdict: item.decision._tag, reason: Reclaimed.why(item) }
      Screen.out(Screen.json(Reclaimed.json({ ...item, obstacle: undefined }, expiry, more)))
    }
  } else if (items.length > 0) {
    Screen.out(`${Reclaimed.expiry(items).join("\n")}\n`)
    Screen.out(`${Judging.countOf(due, items.length, "reclaimed worktree")} may be removed for good.`)
  } else if (unlisted.length === 0) Screen.out("Nothing lies reclaimed.")
  printUnlisted(unlisted)
}
