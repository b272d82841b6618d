import { assert, describe, it } from "@effect/vitest"
import { Verdict } from "../../src/internal.ts"
import type { Candidate } from "../../src/reclaim/core/ReclaimPlan.ts"
import * as SlimGate from "../../src/reclaim/core/SlimGate.ts"
import * as Facts from "../verdict/Facts.ts"

const { day } = Facts
const minute = 60_000

/** A worktree that was judged by facts of which none speaks against slimming it, except for what is given. */
const candidate = (facts: Partial<Verdict.Facts> = {}, given: Partial<Candidate> = {}): Candidate => {
  const all = { ...Facts.free, ...facts }
  return {
    repository: all.repository,
    path: all.path,
    branch: undefined,
    head: undefined,
    verdict: Verdict.judge(all),
    gates: Verdict.explain(all),
    ends: [],
    lastSign: all.lastSign,
    signs: [],
    quietForMs: all.lastSign._tag === "Known" ? all.now - all.lastSign.value.at : null,
    restsOnSettled: false,
    landed: all.landed,
    ignored: [],
    untracked: undefined,
    harmless: [],
    inSessionWorkspace: false,
    locked: undefined,
    identity: { directory: "1:2", adminDirectory: "/w/r/.git/worktrees/a" },
    ...given
  }
}

const asked = (given: Candidate, ...gates: ReadonlyArray<Verdict.Gate>): Candidate => ({
  ...given,
  gates: given.gates.filter(({ gate }) => gates.includes(gate))
})

const beforeGit = ["Claim", "Owner", "Occupied", "Vantage", "Quiet"] as const

describe("SlimGate.refusal", () => {
  const gateOf = (given: Candidate, reclaimedFor?: number) => {
    const refusal = SlimGate.refusal(given, reclaimedFor)
    assert.notStrictEqual(refusal?.reason, "")
    return refusal?.gate
  }

  it("lets pass what nobody works in, whatever git says of its own files", () => {
    assert.isUndefined(gateOf(candidate()))
    assert.isUndefined(gateOf(candidate(Facts.withGit({ dirty: ["?? x"] }))))
    assert.isUndefined(gateOf(candidate({ landed: Facts.notLanded })))
    assert.isUndefined(gateOf(asked(candidate(), ...beforeGit)))
  })

  const refused: ReadonlyArray<readonly [gate: Verdict.Gate, facts: Partial<Verdict.Facts>]> = [
    ["Claim", { claim: Facts.claimOf("Foreign") }],
    ["Owner", { sentinel: { _tag: "Unreadable", why: "half of it" } }],
    ["Occupied", { occupants: Facts.unknown("no table") }],
    ["Vantage", { vantage: Facts.known("Network") }],
    ["Quiet", { lastSign: Facts.since(1) }]
  ]
  for (const [gate, facts] of refused) {
    it(`refuses what the gate ${gate} refuses, and says why`, () => {
      const given = candidate(facts)
      const reason = given.gates.find((step) => step.gate === gate)?.refusal
      assert.isDefined(reason)
      assert.deepStrictEqual(SlimGate.refusal(given, undefined), { gate, reason: reason ?? "" })
    })

    it(`refuses where the gate ${gate} was not asked`, () => {
      const others = beforeGit.filter((other) => other !== gate)
      assert.strictEqual(gateOf(asked(candidate(), ...others)), "Plan")
      assert.strictEqual(gateOf(asked(candidate(facts), ...others)), gate, "and names the gate that refused first")
    })
  }

  it("takes what lies reclaimed for quiet since before that, up to what reclaiming takes", () => {
    const quietFor = (ms: number) => candidate({ lastSign: Facts.since(ms) })
    assert.isUndefined(gateOf(quietFor(1), 5 * minute + 1))
    assert.strictEqual(gateOf(quietFor(1), 5 * minute + 2), "Quiet")
    assert.strictEqual(gateOf(quietFor(1)), "Quiet")
    assert.strictEqual(gateOf(candidate({ lastSign: Facts.unknown("no log") }), minute), "Quiet")
    const used = candidate({ lastSign: Facts.since(1), occupants: Facts.unknown("no table") })
    assert.strictEqual(gateOf(used, minute), "Occupied")
  })

  it("refuses a directory of which it is not known which one it is", () => {
    assert.strictEqual(gateOf(candidate({}, { identity: undefined })), "Plan")
    assert.strictEqual(gateOf(candidate(Facts.withGit({ dirty: ["x"] }), { identity: undefined })), "Git")
  })

  it("refuses a locked one, unless the lock is ours", () => {
    for (const locked of ["mine", ""]) {
      assert.strictEqual(gateOf(candidate({}, { locked })), "Git")
      assert.isUndefined(gateOf(candidate({}, { locked }), minute))
    }
  })

  it("refuses one in another session's workspace until it is quiet for seven days", () => {
    const inside = (quietForMs: number | null) => gateOf(candidate({}, { inSessionWorkspace: true, quietForMs }))
    assert.strictEqual(inside(7 * day - 1), "Claim")
    assert.isUndefined(inside(7 * day))
    assert.strictEqual(inside(null), "Claim")
  })
})
