import { assert, describe, it } from "@effect/vitest"
import { Liveness, Observation } from "../../src/internal.ts"
import * as Cases from "../Cases.ts"

interface Case {
  readonly name: string
  readonly observation:
    | { readonly tag: "Answered"; readonly names: ReadonlyArray<string> }
    | { readonly tag: "Unobserved" }
  readonly record: Liveness.Facts
  readonly observedAt: number
  readonly expect: { readonly tag: "SessionGone" } | { readonly tag: "Live"; readonly because: string }
}

const observed = (observation: Case["observation"]): Observation.Observation =>
  observation.tag === "Answered"
    ? Observation.Answered({ servers: [], names: observation.names })
    : Observation.Unobserved({ reason: Observation.Reason.UnheardServer({ pid: 1 }) })

const gone: Liveness.Facts = { tmuxName: "tm-a", createdAt: 0, lastActivityAt: 0, process: "None" }
const answered = Observation.Answered({ servers: [], names: [] })

describe("Liveness.livenessOf", () => {
  for (const { name, observation, record, observedAt, expect } of Cases.read<ReadonlyArray<Case>>("liveness")) {
    it(name, () => {
      const liveness = Liveness.livenessOf(observed(observation), record, observedAt)
      assert.deepStrictEqual(
        liveness._tag === "Live" ? { tag: liveness._tag, because: liveness.because._tag } : { tag: liveness._tag },
        expect
      )
    })
  }

  it("takes a grace and prefixes that a person sets", () => {
    const tag = (record: Partial<Liveness.Facts>, at: number, settings: Liveness.Settings) => {
      const liveness = Liveness.livenessOf(answered, { ...gone, ...record }, at, settings)
      return liveness._tag === "Live" ? liveness.because._tag : liveness._tag
    }
    assert.strictEqual(tag({}, 4999, { grace: 5000 }), "Young")
    assert.strictEqual(tag({}, 5000, { grace: "5 seconds" }), "SessionGone")
    assert.strictEqual(tag({}, 1e9, { grace: NaN }), "Young")
    assert.strictEqual(tag({ tmuxName: "my-a" }, 1e9, { prefixes: ["my-"] }), "SessionGone")
    assert.strictEqual(tag({}, 1e9, { prefixes: ["my-"] }), "NotManaged")
  })

  it("says why it was not observed, and whether what tmux lists is idle", () => {
    const because = (observation: Observation.Observation, idle?: boolean) =>
      Liveness.livenessOf(observation, { ...gone, idle }, 1e9)
    const reason = Observation.Reason.UnheardServer({ pid: 1 })
    const unobserved = Liveness.Because.Unobserved({ reason })
    assert.deepStrictEqual(because(Observation.Unobserved({ reason })), Liveness.Live({ because: unobserved }))
    const listed = Observation.Answered({ servers: [], names: [gone.tmuxName] })
    for (const [told, idle] of [
      [undefined, false],
      [false, false],
      [true, true]
    ] as const) {
      assert.deepStrictEqual(because(listed, told), Liveness.Live({ because: Liveness.Because.Listed({ idle }) }))
    }
  })

  it("keeps what time cannot tell", () => {
    const liveness = Liveness.livenessOf(answered, { ...gone, createdAt: NaN }, 1e9)
    assert.isTrue(liveness._tag === "Live" && liveness.because._tag === "Young")
  })
})
