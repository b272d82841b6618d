/**
 * A `TmuxProbe` of your own, and one with a classic mistake: it reads an error as an empty list. The laws tell them apart.
 *
 *     node examples/own-probe.ts
 */
import { Effect, Layer, Result } from "effect"
import { type Observation, TmuxProbe } from "session-liveness"
import { FakeTmux, Laws, SweepLaws, SweepFakes } from "session-liveness/testing"

/** What one server answers, made from what your multiplexer says. Here a fake tmux is asked. */
type Read = (
  asked: Effect.Effect<Observation.Answer, TmuxProbe.TmuxProbeError>
) => Effect.Effect<Observation.Answer, TmuxProbe.TmuxProbeError>

const careful: Read = (asked) => asked

const mistaken: Read = Effect.orElseSucceed(() => ({ server: { pid: 201, startTime: 0 }, names: [] }))

const subject = (read: Read): Laws.Subject => ({
  sweep: SweepLaws.replacing((world, faults) =>
    Layer.effect(
      TmuxProbe.TmuxProbe,
      Effect.map(TmuxProbe.TmuxProbe, (fake) =>
        TmuxProbe.TmuxProbe.of({ ...fake, ask: (socket) => read(fake.ask(socket)) })
      )
    ).pipe(Layer.provide(FakeTmux.layer(() => SweepFakes.toTmux(world()), faults)))
  )
})

const options = { laws: ["L4"], runs: 40, seed: "own-probe" }

for (const [name, read] of Object.entries({ careful, mistaken })) {
  const checked = await Effect.runPromise(Effect.result(Laws.check(subject(read), options)))
  console.log(
    Result.match(checked, {
      onSuccess: () => `${name}: keeps every law`,
      onFailure: ({ message }) => `${name}: ${message}`
    })
  )
}
