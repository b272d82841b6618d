/**
 * The laws, checked on a probe of somebody's own, and on the same probe with one classic mistake.
 */
import { Effect, Result } from "effect"
import { Law, Laws, SweepLaws } from "session-liveness/testing"
import * as Layer from "effect/Layer"
import * as Cli from "./cli.ts"
import * as FakeKitty from "./own-probe/FakeKitty.ts"
import * as KittyProbe from "./own-probe/KittyProbe.ts"
import * as Progress from "./Progress.ts"

const help = `usage: node examples/own-probe.ts [--runs N] [--seed S]

Checks the laws on a probe for kitty instead of tmux (examples/own-probe/KittyProbe.ts), then on the same probe with one
classic mistake: an error is read as an empty list. The laws catch it, and the counterexample is shown.

  --runs N    cases per law (500 unless given)
  --seed S    what the cases are drawn from ("own-probe" unless given)
  --help, -h  this text

exit code: 0 the probe keeps every law and the mistake is caught, 1 otherwise, 2 wrong usage`

const flags = Cli.flags(help, {
  runs: { type: "string", default: "500" },
  seed: { type: "string", default: "own-probe" }
})
if (!/^[1-9][0-9]{0,8}$/.test(flags.runs)) Cli.fail(`--runs takes a whole number above 0, not ${flags.runs}`, 2)
const options = { runs: Number(flags.runs), seed: flags.seed }

/** The laws of what rests on the probe, over the fakes of this library for everything else. */
const subject = (read: typeof KittyProbe.tabsOf): Laws.Subject => ({
  sweep: SweepLaws.replacing((world, spoils) => Layer.provide(KittyProbe.layer(read), FakeKitty.layer(world, spoils)))
})

const mistaken: typeof KittyProbe.tabsOf = (call) => Result.orElse(KittyProbe.tabsOf(call), () => Result.succeed([]))

const program = Effect.gen(function* () {
  const right = yield* Effect.result(
    Laws.check(subject(KittyProbe.tabsOf), {
      ...options,
      onOutcome: ({ law }) => Progress.tell(`checked ${law} …`)
    })
  )
  Progress.done()
  Cli.out("A probe for kitty:")
  Cli.out(
    Result.match(right, {
      onSuccess: (outcomes) => outcomes.map((outcome) => `  ${Law.explain(outcome)}`).join("\n"),
      onFailure: ({ message }) => message
    })
  )
  const wrong = yield* Effect.result(Laws.check(subject(mistaken), { ...options, laws: ["L4"] }))
  Cli.out('\nThe same probe, but an error is read as an empty list ("nobody is there"):')
  const caught = Result.isFailure(wrong)
  Cli.out(caught ? wrong.failure.message : "  no law notices; try more --runs")
  return Result.isSuccess(right) && caught
})

process.exit((await Effect.runPromise(program)) ? 0 : 1)
