/**
 * Which worktrees may go, and why not the others; `--apply` moves them out of the way.
 */
import { Duration, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Reclaim, type ReclaimPlan } from "../../internal.ts"
import * as Advice from "../Advice.ts"
import * as Ask from "../Ask.ts"
import * as Asked from "../Asked.ts"
import * as Candidates from "../Candidates.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Lost from "../Lost.ts"
import * as Only from "../Only.ts"
import * as Outcomes from "../Outcomes.ts"
import * as Paths from "../Paths.ts"
import * as Progress from "../Progress.ts"
import * as Screen from "../Screen.ts"
import * as Sizes from "../Sizes.ts"
import * as Slim from "../Slim.ts"

export const apply = Judging.toggle("apply", "ask, then do it")

export const yes = Judging.toggle("yes", "with --apply: do not ask")

export const repositories = Paths.argument(
  "repo",
  "repositories, by the path of any of their worktrees (default: the one around the working directory)"
).pipe(Argument.variadic())

/** The repositories that are meant. */
export const meant = (repos: ReadonlyArray<string>): ReadonlyArray<string> =>
  repos.length === 0 ? [Paths.absolute(".")] : repos.map(Paths.absolute)

export const milliseconds = (age: Duration.Duration | undefined): number | undefined =>
  age === undefined ? undefined : Duration.toMillis(age)

export const sweep = Command.make(
  "sweep",
  {
    repositories,
    apply,
    yes,
    asked: Asked.flags,
    slim: Slim.flag,
    store: Lost.stores,
    json: Judging.json,
    names: Sizes.flags,
    claims: Judging.flags
  },
  ({ repositories, apply, yes, asked, slim, store, json, names, claims }) =>
    Judging.run(
      { ...claims, ...asked, ...names, repositories, store },
      Effect.gen(function* () {
        yield* Ask.mustBePossible(apply, yes)
        const options = {
          ...(yield* Judging.claimOptions(claims)),
          repositories: meant(repositories),
          ...asked
        }
        const lost = { repositories: options.repositories, stores: store.map(Paths.absolute) }
        const { survey, plan, empty } = yield* Effect.gen(function* () {
          const survey = yield* Reclaim.survey({
            ...options,
            onJudged: (done, all) => Progress.say(`judged ${done} of ${Judging.count(all, "worktree")} …`)
          })
          yield* Progress.done
          const plan = { ...survey, candidates: survey.candidates.filter((one) => !Candidates.isReclaimed(one)) }
          const sizes = yield* Sizes.measure({ trees: plan.candidates, ...names })
          printPlan(plan, sizes, survey.candidates.length - plan.candidates.length, json)
          return { survey, plan, empty: yield* Lost.print({ ...lost, ...options }, json) }
        }).pipe(Only.once)
        const judged = Candidates.exitCode(plan)
        const verdict = judged === ExitCode.done && empty > 0 ? ExitCode.wouldChange : judged
        const clear = empty > 0 ? Reclaim.removeEmpty({ ...options, ...lost }) : Effect.succeed([])
        const code = apply ? yield* move(survey, plan, verdict, { yes, json, empty, clear }) : verdict
        const slimmed = slim ? yield* Slim.run({ ...options, ...names }, { apply, yes, json }) : ExitCode.done
        if (!apply && !json && survey.unlisted.length === 0) printHints(verdict, plan)
        return [code, slimmed].includes(ExitCode.refused) ? ExitCode.refused : Math.max(code, slimmed)
      })
    )
).pipe(
  Help.says({
    line: "says which worktrees may go, and why the others stay",
    also: "--apply",
    more: '--apply moves those that may go to reclaimed/ in the common git directory, whole: nothing is deleted, their branches are free, and `restore` puts them back. A worktree stays unless every gate permits; "keep?" marks what stays only because something is unknown. Without --apply it exits with 10 where something may go.',
    examples: [
      ["the repository around the working directory", "sweep"],
      ["ask, then move what has been quiet for three days", "sweep --quiet-for 3d --apply"],
      ["what node_modules, target and their kin would give back", "sweep --slim"]
    ]
  })
)

/** Moves what may go and removes what is empty, after asking. Gives the exit code. */
const move = Effect.fnUntraced(function* <R>(
  survey: ReclaimPlan.Plan,
  { candidates }: ReclaimPlan.Plan,
  verdict: number,
  { yes, json, empty, clear }: Move<R>
) {
  const go = candidates.filter(({ verdict }) => verdict._tag === "Permit").map(({ path }) => path)
  const question = [
    ...(go.length > 0 ? [`move ${Judging.count(go.length, "worktree")} out of the way`] : []),
    ...(empty > 0 ? [`remove ${empty === 1 ? "1 empty directory" : `${empty} empty directories`}`] : [])
  ].join(" and ")
  if (question !== "" && !(yield* Ask.isMeant(`${question[0]?.toUpperCase()}${question.slice(1)}?`, yes)))
    return verdict
  const outcomes = [...(yield* carryOut(survey, new Set(go))), ...(yield* clear)]
  yield* Outcomes.print(outcomes, json)
  if (!json && (go.length > 0 || empty === 0)) printDone(Outcomes.count(outcomes, "Moved"))
  const isUnknown = verdict === ExitCode.refused || Judging.warned()
  return isUnknown ? ExitCode.refused : Outcomes.exitCode(outcomes, new Set(go))
})

interface Move<R> {
  readonly yes: boolean
  readonly json: boolean
  readonly empty: number
  readonly clear: Effect.Effect<ReadonlyArray<Outcomes.Outcome>, never, R>
}

const printPlan = (plan: ReclaimPlan.Plan, sizes: Reclaim.Sizes, reclaimed: number, json: boolean): void => {
  const { candidates, unlisted, notes } = plan
  const byPath = Sizes.byPath(sizes)
  if (json) {
    for (const candidate of candidates) {
      Screen.out(Screen.json({ ...Candidates.json(candidate), ...Sizes.fields(byPath.get(candidate.path)) }))
    }
  } else if (candidates.length > 0 || unlisted.length === 0) {
    if (candidates.length > 0) Screen.out(`${Candidates.table(candidates, byPath).join("\n")}\n`)
    Screen.out(Candidates.summary(candidates, reclaimed))
    if (candidates.length > 0) Screen.out(Sizes.sum(sizes))
  }
  printUnlisted(unlisted)
  if (candidates.length > 0) Judging.note(notes, !json)
  // What a terminal cuts.
  if (!json && Screen.width !== undefined && candidates.some(({ verdict }) => verdict._tag === "Refuse")) {
    Screen.out(`\`${Advice.command("explain", "PATH")}\` shows all that is known of one.`)
  }
}

export const printUnlisted = (unlisted: ReadonlyArray<ReclaimPlan.Unlisted>): void => {
  for (const { repository, reason } of unlisted) {
    Judging.say(`${Paths.shown(repository)} could not be listed: ${reason}`)
  }
}

const printHints = (code: number, { candidates }: ReclaimPlan.Plan): void => {
  const go = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
  const rest = candidates.some(Candidates.isUnfinished) ? "recovers what a sweep left" : "removes what is empty"
  const what = go > 0 ? `moves ${Judging.count(go, "worktree")} out of the way` : rest
  Screen.out(
    code === ExitCode.wouldChange
      ? `Nothing was changed. \`${Advice.command("sweep", "--apply")}\` ${what}.`
      : "Nothing was changed."
  )
}

/** Of what the plan keeps nothing more is said. */
const carryOut = (survey: ReclaimPlan.Plan, planned: ReadonlySet<string>) =>
  Reclaim.apply(survey).pipe(
    Progress.during(`moving ${Judging.count(planned.size, "worktree")} …`),
    Effect.map((outcomes) => outcomes.filter(({ _tag, path }) => _tag !== "Kept" || planned.has(path))),
    Effect.onInterrupt(() =>
      Effect.sync(() =>
        Judging.say(
          `interrupted; each worktree is moved whole or not at all. \`${Advice.command("list")}\` shows what lies reclaimed.`
        )
      )
    )
  )

const printDone = (moved: number): void => {
  const hint = moved === 0 ? "" : ` \`${Advice.command("restore", "PATH")}\` puts one back.`
  Screen.out(`\n${Judging.count(moved, "worktree")} ${moved === 1 ? "was" : "were"} moved out of the way.${hint}`)
}
