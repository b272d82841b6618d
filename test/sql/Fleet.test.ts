import { assert, describe, it } from "@effect/vitest"
import * as Elsewhere from "../../src/sql/core/Elsewhere.ts"
import * as Fleet from "../../src/sql/core/Fleet.ts"
import type { Heartbeat } from "../../src/sql/core/Heartbeat.ts"

const told = (sessions: Readonly<Record<string, boolean>>, reclaimable: ReadonlyArray<string> | null): Heartbeat => ({
  observed: true,
  incomplete: null,
  sessions: Object.fromEntries(Object.entries(sessions).map(([id, gone]) => [id, { gone, why: "" }])),
  reclaimable: reclaimable?.map((path) => ({ path, bytes: path === "/x" ? 7 : null })) ?? null
})

describe("the evidence of another host's heartbeat", () => {
  for (const [heartbeatAgeMs, gone, says] of [
    [0, true, "Ended"],
    [60_000, true, "Ended"],
    [60_001, true, "Undeterminable"],
    [-1, true, "Undeterminable"],
    [Number.NaN, true, "Undeterminable"],
    [null, true, "Undeterminable"],
    [0, false, "Undeterminable"],
    [0, null, "Undeterminable"],
    [null, null, "Undeterminable"]
  ] as const) {
    it(`${heartbeatAgeMs} ms old and saying gone: ${gone} is ${says}`, () => {
      const [evidence] = Elsewhere.evidenceOf([{ host: "h", managedId: "m", heartbeatAgeMs, gone }])
      assert.strictEqual(evidence?.says, says)
    })
  }
})

describe("Fleet.of", () => {
  it("sums what is heard, and only shows what is silent", () => {
    const { hosts, sums } = Fleet.of([
      { host: "silent", records: 9, ageMs: 60_001, told: told({ a: true }, ["/w"]) },
      { host: "heard", records: 2, ageMs: 5, told: told({ a: true, b: false }, ["/w", "/x"]) },
      { host: "unsurveyed", records: 1, ageMs: 5, told: told({ c: false }, null) },
      { host: "never", records: 0, ageMs: null, told: null },
      { host: "foreign", records: 4, ageMs: 5, told: { sessions: 7 } }
    ])
    assert.deepStrictEqual(
      hosts.map(({ host, silent }) => [host, silent]),
      [
        ["foreign", true],
        ["heard", false],
        ["never", true],
        ["silent", true],
        ["unsurveyed", false]
      ]
    )
    assert.deepStrictEqual(sums, {
      hosts: 5,
      silent: 3,
      records: 16,
      live: 2,
      gone: 1,
      reclaimable: 2,
      reclaimableBytes: 7
    })
  })
})
