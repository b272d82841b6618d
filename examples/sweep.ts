#!/usr/bin/env node
/**
 * Moves linked worktrees aside that nobody needs any more, puts them back, and removes them in the end.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Reclaim, type ReclaimOutcome, type ReclaimPlan } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Judging from "./Judging.ts"
import * as Only from "./Only.ts"
import * as Progress from "./Progress.ts"
import * as Aside from "./sweep/Aside.ts"
import * as Ask from "./sweep/Ask.ts"
import * as ExitCode from "./sweep/ExitCode.ts"
import * as Flags from "./sweep/Flags.ts"
import * as Outcome from "./sweep/Outcome.ts"
import * as Report from "./sweep/Report.ts"
import * as Size from "./sweep/Size.ts"
import * as Table from "./Table.ts"

type Outcomes = ReadonlyArray<ReclaimOutcome.ReclaimOutcome>

const flags = Flags.parse()
const { mode, repositories, quiet, apply, yes, wide, json } = flags

const survey = Effect.gen(function* () {
  const { candidates, ...rest } = yield* Reclaim.survey({
    ...(yield* Judging.claimOptions(flags.judging)),
    repositories,
    quiet,
    onJudged: (done, all) => Effect.sync(() => Progress.tell(`judged ${done} of ${all} worktrees …`))
  })
  Progress.done()
  const plan = { ...rest, candidates: candidates.filter((candidate) => !Report.liesAside(candidate)) }
  const verdict = ExitCode.ofPlan(plan, Judging.warned())
  printPlan(plan, candidates.length - plan.candidates.length)
  if (!apply) return verdict
  const permitted = plan.candidates.filter(({ verdict }) => verdict._tag === "Permit")
  if (!(yield* isMeant(permitted.length, "moved aside"))) return verdict
  // What stays goes first, and at once: carrying that out mends what an earlier sweep has left, and no more.
  const stays = candidates.filter(({ verdict }) => verdict._tag === "Refuse")
  const planned = new Set(permitted.map(({ path }) => path))
  const outcomes = yield* carryOut(planned, [stays, ...permitted.map((candidate) => [candidate])], (candidates) =>
    Reclaim.apply({ ...plan, candidates })
  )
  printDone(outcomes, "Moved", "moved aside", "`node examples/sweep.ts --restore PATH` puts one back")
  return verdict === ExitCode.notDone || Judging.warned() ? ExitCode.notDone : ExitCode.ofOutcomes(outcomes, planned)
})

const printPlan = (plan: ReclaimPlan.Plan, aside: number): void => {
  const { candidates, unlisted } = plan
  if (json) for (const candidate of candidates) Cli.out(Report.line(candidate))
  else if (candidates.length > 0 || unlisted.length === 0) {
    if (candidates.length > 0) {
      for (const line of Report.table(candidates, wide ? undefined : Table.terminal())) Cli.out(line)
      Cli.out("")
    }
    Cli.out(`${Report.summary(plan, aside)}.${apply ? "" : " Nothing was changed."}`)
  }
  tellUnlisted(unlisted)
}

const tellUnlisted = (unlisted: ReadonlyArray<ReclaimPlan.Unlisted>): void => {
  for (const { repository, reason } of unlisted) Cli.err(`sweep: ${repository} could not be listed: ${reason}`)
}

/** Whether the plan is to be carried out; a person who was asked and says no is told that nothing was changed. */
const isMeant = Effect.fnUntraced(function* (many: number, what: string) {
  if (many === 0 || yes) return true
  const meant = yield* Ask.isYes(`${Judging.count(many, "worktree")} will be ${what}. Go on?`)
  if (!meant) Cli.err("Nothing was changed.")
  return meant
})

/**
 * Carries out a plan part by part, so that each outcome is told as it comes. Of what the plan keeps nothing more is said.
 */
const carryOut = Effect.fnUntraced(
  function* <A, R>(
    planned: ReadonlySet<string>,
    parts: ReadonlyArray<A>,
    change: (part: A) => Effect.Effect<Outcomes, never, R>
  ) {
    const told = new Map<string, Outcomes[number]>()
    for (const [index, part] of parts.entries()) {
      Progress.tell(`${index} of ${parts.length} steps done …`)
      const outcomes = yield* change(part)
      Progress.done()
      for (const outcome of outcomes) {
        const line = Outcome.line(outcome)
        // What only a person can mend is found again with every part.
        if (told.has(line) || (outcome._tag === "Kept" && !planned.has(outcome.path))) continue
        told.set(line, outcome)
        Cli.out(json ? line : Outcome.text(outcome, width))
      }
    }
    return [...told.values()]
  },
  Effect.onInterrupt(() =>
    Effect.sync(() =>
      Cli.err("sweep: interrupted; what was under way is finished or undone. --list shows what lies aside.")
    )
  )
)

/** An outcome is one line, unless a person reads it. */
const width = wide || !process.stdout.isTTY ? Infinity : Table.terminal()

const printDone = (outcomes: Outcomes, tag: Outcomes[number]["_tag"], what: string, hint: string): void => {
  const done = outcomes.filter(({ _tag }) => _tag === tag).length
  if (json) return
  Cli.out(
    `\n${Judging.count(done, "worktree")} ${done === 1 ? "was" : "were"} ${what}.${done === 0 ? "" : ` ${hint}.`}`
  )
}

const restore = Effect.gen(function* () {
  const outcome = yield* Reclaim.restore(canonical(flags.restore), { repositories })
  Cli.out(json ? Outcome.line(outcome) : Outcome.text(outcome, width))
  const stands = outcome._tag === "Restored" || outcome._tag === "Healed"
  if (!stands) Cli.err("sweep: nothing was put back; --list shows what lies aside.")
  return stands ? ExitCode.done : ExitCode.notDone
})

/** As git spells it: the directory around it without links, which may be all that is there. */
const canonical = (given: string): string => {
  const absolute = Judging.absolute(given)
  try {
    return path.join(fs.realpathSync(path.dirname(absolute)), path.basename(absolute))
  } catch {
    return absolute
  }
}

const list = Effect.gen(function* () {
  const found = yield* Reclaim.list({ repositories })
  let measured = 0
  const sized = yield* Effect.forEach(found.asides, (aside) =>
    Effect.map(Size.of(aside.worktree.path), (size) => {
      Progress.tell(`measured ${++measured} of ${found.asides.length} worktrees …`)
      return [aside, size] as const
    })
  )
  Progress.done()
  if (json) for (const [aside, { bytes, whole }] of sized) Cli.out(Aside.line(aside, flags, { bytes, whole }))
  else if (sized.length > 0) {
    for (const line of Aside.list(sized, flags)) Cli.out(line)
    Cli.out(`\nThey lie in reclaimed/ of their repository. \`node examples/sweep.ts --restore FROM\` puts one back.`)
  } else if (found.unlisted.length === 0) Cli.out("Nothing lies aside.")
  tellUnlisted(found.unlisted)
  return found.unlisted.length > 0 || Judging.warned() ? ExitCode.notDone : ExitCode.done
})

const expire = Effect.gen(function* () {
  const found = yield* Reclaim.list({ repositories })
  const options = {
    ...(yield* Judging.claimOptions(flags.judging)),
    quiet,
    repositories,
    olderThan: flags.olderThan.plain,
    settledOlderThan: flags.olderThan.settled
  }
  const judged = found.asides.map(Aside.judged(yield* Reclaim.expire(options).pipe(Only.looking)))
  printExpiry(judged, found.unlisted)
  const due = judged.filter(({ removes }) => removes).map(({ aside }) => aside.worktree.path)
  const untold = found.unlisted.length > 0 || Judging.warned()
  const verdict = untold ? ExitCode.notDone : due.length > 0 ? ExitCode.wouldChange : ExitCode.done
  if (!apply || !(yield* isMeant(due.length, "removed for good"))) return verdict
  const planned = new Set(due)
  const outcomes = yield* carryOut(planned, [[], ...due.map((path) => [path])], (paths) =>
    Reclaim.expire(options).pipe(Only.worktrees(new Set(paths)))
  )
  printDone(outcomes, "Removed", "removed for good", "Branches and commits stay")
  return verdict === ExitCode.notDone || Judging.warned() ? ExitCode.notDone : ExitCode.ofOutcomes(outcomes, planned)
})

const printExpiry = (judged: ReadonlyArray<Aside.Judged>, unlisted: ReadonlyArray<ReclaimPlan.Unlisted>): void => {
  if (json) {
    for (const { aside, removes, why } of judged) {
      Cli.out(Aside.line(aside, flags, { verdict: removes ? "Remove" : "Keep", reason: why }))
    }
  } else if (judged.length > 0) {
    for (const line of Aside.expiry(judged, flags)) Cli.out(line)
    const due = judged.filter(({ removes }) => removes).length
    Cli.out(`\n${due} of ${judged.length} that lie aside would be removed.${apply ? "" : " Nothing was changed."}`)
  } else if (unlisted.length === 0) Cli.out("Nothing lies aside.")
  tellUnlisted(unlisted)
}

const programs = { survey, restore, list, expire }

Judging.run("sweep", flags.judging, programs[mode])
