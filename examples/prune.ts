#!/usr/bin/env node
/**
 * Moves the link files that nobody needs any more into a quarantine, and closes torn tails.
 */
import { Clock, Duration, Effect, Layer, Logger, References } from "effect"
import { Bound, LinkHistory, PrunePlan, SessionLinks, SessionStore, Text } from "session-liveness"
import { defaultRoot, layer } from "session-liveness/node"
import * as Age from "./Age.ts"
import * as Cli from "./cli.ts"
import * as Manager from "./Manager.ts"
import * as Progress from "./Progress.ts"

const help = `prune: moves link files aside that no stored record names and no ledger row mentions

Usage: node examples/prune.ts [--apply] [--heal] [--older-than AGE] [--no-manager] [--json] [--root DIR]

  --apply           move the planned files into a dated quarantine directory beside the sidecar;
                    without it the plan is printed and nothing is touched
  --heal            first close every torn tail, by appending; with or without --apply
  --older-than AGE  plan only files last written longer ago: 12h, 30d, 8w (default: 30d)
  --no-manager      there is no manager here, so that no record store is expected
  --json            print the plan and what became of it as one JSON object
  --root DIR        where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  -h, --help        print this

Nothing is deleted, and every file is looked at once more before it is moved. To undo, move it back.

Exit codes: 0 all done, or nothing to do; 1 the plan was refused, a planned file was kept, or the link
history is not whole after --heal; 2 wrong usage.`

const {
  root: rootFlag,
  apply = false,
  heal = false,
  json = false,
  "older-than": age,
  "no-manager": noManager = false
} = Cli.flags(help, {
  apply: { type: "boolean" },
  ...Cli.root,
  heal: { type: "boolean" },
  json: { type: "boolean" },
  "older-than": { type: "string" },
  "no-manager": { type: "boolean" }
})

const olderThan = age === undefined ? Duration.millis(PrunePlan.defaultOlderThan) : Age.parse("--older-than", age)
const root = defaultRoot(rootFlag)

if (noManager) Manager.mustNotBeThere(root)

const prune = Effect.gen(function* () {
  const healed = heal
    ? yield* SessionLinks.heal.pipe(Effect.provideService(References.MinimumLogLevel, "Warn"))
    : undefined
  const history = heal ? yield* SessionLinks.linkHistory : LinkHistory.Absent()
  const plan = yield* SessionLinks.planPrune({ now: yield* Clock.currentTimeMillis, olderThan })
  const outcomes = apply ? yield* SessionLinks.applyPrune(plan) : undefined
  Progress.done()
  if (json) {
    Cli.out(Cli.json({ plan, healed, outcomes }))
  } else {
    if (healed !== undefined) printHealed(healed)
    printPlan(plan)
    if (outcomes !== undefined) printOutcomes(plan, outcomes)
  }
  if (plan.refused !== undefined) {
    Cli.err(`prune: nothing can be planned: ${plan.refused}`)
    if (!Manager.isThere(root)) Cli.err("Where no manager keeps records, say so with --no-manager.")
  }
  const unreadable = LinkHistory.$is("Unreadable")(history)
  if (unreadable) Cli.err(`prune: the link history is still not whole: ${history.reason}`)
  const kept = outcomes?.some(({ _tag }) => _tag === "Kept") ?? false
  return plan.refused !== undefined || kept || unreadable ? 1 : 0
})

const quote = (name: string) => Text.escape(name)

const count = (files: number) => `${files} link ${files === 1 ? "file" : "files"}`

const printHealed = (healed: ReadonlyArray<string>) =>
  Cli.out(
    healed.length === 0
      ? "No link file has a torn tail that could be closed."
      : `Closed the torn tail of ${count(healed.length)}: ${healed.map(quote).join(", ")}`
  )

const printPlan = (plan: PrunePlan.PrunePlan) => {
  if (plan.refused !== undefined) return
  const aged = `last written more than ${Duration.format(olderThan)} ago`
  if (plan.moves.length === 0) {
    Cli.out(`Nothing to prune under ${quote(root)}: every whole link file ${aged} has a record or a ledger row.`)
    return
  }
  Cli.out(`${count(plan.moves.length)} that no record names and no ledger row mentions, ${aged}:\n`)
  Cli.out("  last written   ids  managed session")
  for (const { managedId, claudeIds, modifiedAt } of plan.moves) {
    const day = new Date(modifiedAt).toISOString().slice(0, 10)
    Cli.out(`  ${day}  ${String(claudeIds.length).padStart(6)}  ${quote(managedId)}`)
  }
  if (!apply) Cli.out(`\nNothing was moved. --apply moves them to ${quote(quarantineOf(plan))}`)
}

const printOutcomes = (plan: PrunePlan.PrunePlan, outcomes: ReadonlyArray<PrunePlan.Outcome>) => {
  const moved = outcomes.filter(({ _tag }) => _tag === "Moved").length
  if (moved > 0) Cli.out(`\nMoved ${count(moved)} to ${quote(quarantineOf(plan))}`)
  for (const outcome of outcomes) {
    if (outcome._tag === "Kept") Cli.err(`prune: kept "${outcome.managedId}": ${outcome.because}`)
  }
}

const quarantineOf = (plan: PrunePlan.PrunePlan) => `${root}/usage/${plan.quarantine}`

const services = Progress.layer.pipe(Layer.provideMerge(layer({ root })))

/** Effect's own logger prints to stdout, which is the plan. */
const toStderr = Logger.make<unknown, void>(({ message }) => Cli.log("prune", message))

process.exitCode = await prune.pipe(
  noManager ? Effect.provide(SessionStore.layerNone) : (self) => self,
  Effect.provide(services),
  Effect.provideService(Bound.Links, "60 seconds"),
  Effect.provideService(References.CurrentLoggers, new Set([toStderr])),
  // A refused plan and a kept file carry their reason, which is told once.
  Effect.provideService(References.MinimumLogLevel, "None"),
  Effect.runPromise
)
