import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TmuxProbe } from "../../src/internal.ts"
import { Law, Laws, LinkLaws, Narrative, SweepLaws } from "../../src/testing/index.ts"

/** A probe whose errors are empty lists. */
const mistaken: Laws.Subject = {
  sweep: SweepLaws.replacing(() =>
    Layer.effect(
      TmuxProbe.TmuxProbe,
      Effect.map(TmuxProbe.TmuxProbe, (probe) => ({
        ...probe,
        ask: (socket) =>
          Effect.orElseSucceed(probe.ask(socket), () => ({ server: { pid: 201, startTime: 0 }, names: [] }))
      }))
    )
  )
}

describe("Laws", () => {
  it("has every number from L1 to L14, and no name twice", () => {
    const names = Laws.all.map(({ name }) => name)
    assert.deepStrictEqual(
      [...new Set(names.map((name) => name.split(" ", 1)[0]))],
      Array.from({ length: 14 }, (_, index) => `L${index + 1}`)
    )
    assert.strictEqual(new Set(names).size, names.length)
  })

  it.live("tells a broken law in words, and draws its case again by the token", () =>
    Effect.gen(function* () {
      const options = { laws: ["L4 one way to gone"], runs: 500, seed: "words" }
      const { message, outcomes } = yield* Effect.flip(Laws.check(mistaken, options))
      const [outcome] = outcomes
      assert(outcome?._tag === "Broken")
      assert.match(message, /^L4 one way to gone: broken\n {2}promised: livenessOf is SessionGone exactly under/)
      assert.match(message, /\n {2}instead: {2}tmux is /)
      assert.match(message, /\n {4}(server|stray) 1: /)
      assert.match(message, /\n {2}again: {4}replay \[1,"words",/)

      const replayed = yield* Effect.flip(Laws.check(mistaken, { laws: options.laws, replay: outcome.replay }))
      const [again] = replayed.outcomes
      assert(again?._tag === "Broken")
      assert.deepStrictEqual(again.counterexample, outcome.counterexample)

      const mended = yield* Effect.flip(Laws.check(Laws.library, { laws: options.laws, replay: outcome.replay }))
      assert.deepStrictEqual(
        mended.outcomes.map(({ _tag }) => _tag),
        ["Undecided"]
      )
    })
  )

  it.live("checks the laws of what is given, and no others", () =>
    Effect.gen(function* () {
      const links = yield* Laws.check({ links: LinkLaws.layers }, { runs: 1, seed: "given" })
      assert.deepStrictEqual(
        links.map(({ law }) => law),
        LinkLaws.all.map(({ name }) => name)
      )
      const seen: Array<Law.Outcome> = []
      yield* Laws.check(Laws.library, {
        runs: 1,
        laws: ["L5"],
        seed: "given",
        onOutcome: (outcome) => seen.push(outcome)
      })
      assert.deepStrictEqual(seen.map(Law.explain), [
        "L5 faults only refuse to prune: holds in 1 cases",
        "L5 faults only refuse: holds in 1 cases",
        "L5 no answer from a part: holds in 1 cases",
        "L5 faults only refuse to move: holds in 1 cases",
        "L5 faults only refuse to remove: holds in 1 cases"
      ])
    })
  )

  it.live("does not pass a law that it does not know", () =>
    Effect.gen(function* () {
      const unknown = yield* Effect.result(Laws.check(Laws.library, { laws: ["L99"] }))
      assert.isTrue(Result.isFailure(unknown))
      const elsewhere = yield* Effect.result(Laws.check({ links: LinkLaws.layers }, { laws: ["L4"] }))
      assert.isTrue(Result.isFailure(elsewhere))
      for (const nothing of [Laws.check({}), Laws.check(Laws.library, { laws: [] })]) {
        assert.isTrue(Result.isFailure(yield* Effect.result(nothing)))
      }
    })
  )

  it.live(
    "does not wait for layers that never finish being built",
    () =>
      Effect.gen(function* () {
        for (const never of [Effect.never, Effect.uninterruptible(Effect.never)]) {
          const hanging: Laws.Subject = { sweep: SweepLaws.replacing(() => Layer.effect(TmuxProbe.TmuxProbe, never)) }
          const { message } = yield* Effect.flip(Laws.check(hanging, { laws: ["L10"], runs: 3 }))
          assert.match(message, /instead: {2}the layers were not built within 10s/)
        }
      }),
    60_000
  )

  it.live("does not check again by a token that is none", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Laws.check(Laws.library, { laws: ["L10"], replay: "xyz" }))
      assert.strictEqual(message, "L10 the caller keeps its ground: not checked, the replay token is none")
    })
  )

  it.live("does not pass layers that replace nothing, or that die while they are built", () =>
    Effect.gen(function* () {
      const empty: Laws.Subject = { sweep: SweepLaws.replacing(() => Layer.empty) }
      const dying: Laws.Subject = {
        sweep: SweepLaws.replacing(() =>
          Layer.effect(TmuxProbe.TmuxProbe, Effect.die(new Error("no such multiplexer")))
        )
      }
      const why = (subject: Laws.Subject) =>
        Effect.map(Effect.flip(Laws.check(subject, { laws: ["L10"], runs: 1 })), ({ message }) => message)
      assert.match(
        yield* why(empty),
        /instead: {2}the layers came to nothing while they were built: none of them is one of .*TmuxProbe/
      )
      assert.match(
        yield* why(dying),
        /instead: {2}the layers came to nothing while they were built: no such multiplexer/
      )
    })
  )

  it.live("makes a test that fails of a law that is not there", () => {
    const made: Array<Effect.Effect<void, Laws.LawsBroken>> = []
    Laws.tests((_, effect) => made.push(effect()), Laws.library, { laws: ["L99"] })
    assert.lengthOf(made, 1)
    return Effect.asVoid(Effect.flip(made[0] ?? Effect.void))
  })

  it("makes one test of each law", () => {
    const names: Array<string> = []
    Laws.tests((name) => names.push(name), Laws.library)
    assert.deepStrictEqual(
      names,
      Laws.all.map(({ name, sentence }) => `${name}: ${sentence}`)
    )
  })
})

describe("Narrative", () => {
  it("tells what is unusual, and the faults in words", () => {
    assert.deepStrictEqual(
      Narrative.of({
        world: {
          clock: 0,
          store: "Missing",
          repositories: ["Listed"],
          records: [{ key: "m1", flaw: "None", tmuxName: "a b" }]
        },
        path: "/w",
        faults: [
          { at: 1, on: "TmuxProbe.ask", lasting: false, kind: { _tag: "Hangs" } },
          { at: 12, on: undefined, lasting: true, kind: { _tag: "CutOff", bytes: 3 } }
        ],
        tail: Uint8Array.of(0x63, 0x0a)
      }),
      [
        "store: missing",
        "repository 1: listed",
        'record 1: key "m1", tmux name "a b"',
        'asked about "/w"',
        "fault: the 1st call of TmuxProbe.ask hangs",
        "fault: every call from the 12th on of whatever is called is cut off, bytes 3",
        'tail: bytes "c\\n"'
      ]
    )
    assert.deepStrictEqual(Narrative.of({ clock: 0, faults: [] }), ["nothing is there"])
  })
})
