/**
 * What a tool makes again and nobody needs now: shown, and removed.
 */
import { Effect } from "effect"
import { DiskUsage, Reclaim, type SlimPlan } from "../internal.ts"
import * as Advice from "./Advice.ts"
import * as Ask from "./Ask.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Judging from "./Judging.ts"
import * as Outcomes from "./Outcomes.ts"
import * as Paths from "./Paths.ts"
import * as Progress from "./Progress.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

export const flag = Judging.toggle("slim", "also the directories that a tool makes again, where nobody works")

/** Plans and shows it; with `apply` it asks, and removes them. Gives the exit code. */
export const run = Effect.fnUntraced(function* (
  options: Reclaim.SlimOptions,
  { apply, yes, json }: { readonly apply: boolean; readonly yes: boolean; readonly json: boolean }
) {
  const plan = yield* Reclaim.planSlim(options).pipe(Progress.during("looking for what can be made again …"))
  const free = plan.trees.flatMap((tree) => freeIn(tree).map((directory) => ({ tree, directory })))
  const bytes = free.reduce((sum, { directory }) => sum + DiskUsage.freed(directory.usage), 0)
  print(plan, free, json)
  if (!apply && !json && free.length > 0) {
    Screen.out(
      `${DiskUsage.format(bytes)} would be freed. \`${Advice.command("sweep", "--slim", "--apply")}\` removes them.`
    )
  }
  if (plan.unlisted.length > 0) return ExitCode.refused
  if (free.length === 0) return ExitCode.done
  if (!apply) return ExitCode.wouldChange
  const directories = free.length === 1 ? "1 directory" : `${free.length} directories`
  if (!(yield* Ask.isMeant(`Remove ${directories} that can be made again (${DiskUsage.format(bytes)})?`, yes))) {
    return ExitCode.wouldChange
  }
  const planned = new Set(free.map(({ tree }) => tree.path))
  const outcomes = yield* Reclaim.slim(plan).pipe(Progress.during("removing what can be made again …"))
  const said = outcomes.filter(({ _tag, path }) => _tag !== "Kept" || planned.has(path))
  yield* Outcomes.print(said, json)
  const freed = said.reduce((sum, outcome) => sum + (outcome._tag === "Slimmed" ? outcome.freed : 0), 0)
  if (!json) Screen.out(`\n${DiskUsage.format(freed)} freed.`)
  return Outcomes.exitCode(said, planned)
})

const freeIn = ({ decision }: SlimPlan.Tree): ReadonlyArray<SlimPlan.Directory> =>
  decision._tag === "Slim" ? decision.directories.filter(({ heldBack }) => heldBack === undefined) : []

const columns: ReadonlyArray<Table.Column> = [
  { title: "size" },
  { title: "directory", cut: "start", share: 0.5 },
  { title: "made again by" }
]

/** Each reason is in the table of worktrees, or in `--json`. */
const keptBy = ({ trees }: SlimPlan.SlimPlan): string => {
  const gates = trees.flatMap(({ decision }) => (decision._tag === "Keep" ? [decision.gate] : []))
  const which = `${Judging.count(gates.length, "worktree")} ${gates.length === 1 ? "stays" : "stay"} untouched`
  return gates.length === 0 ? "" : `; ${which} (${[...new Set(gates)].join(", ")})`
}

const print = (
  plan: SlimPlan.SlimPlan,
  free: ReadonlyArray<{ readonly tree: SlimPlan.Tree; readonly directory: SlimPlan.Directory }>,
  json: boolean
): void => {
  if (json) for (const tree of plan.trees) Screen.out(Screen.json({ slim: tree.path, ...tree.decision }))
  else if (free.length === 0) Screen.out(`\nNo directory that a tool makes again may be removed${keptBy(plan)}.`)
  else {
    const rows = free.map(({ tree, directory }) => [
      DiskUsage.format(directory.usage.bytes),
      Paths.shown(`${tree.path}/${directory.path}`),
      directory.kind.madeBy
    ])
    Screen.out(`\n${Table.lines(columns, rows, Screen.width).join("\n")}\n`)
  }
  for (const { repository, reason } of plan.unlisted) {
    Judging.say(`${Paths.shown(repository)} could not be looked through: ${reason}`)
  }
}
