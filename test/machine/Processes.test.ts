import { assert, describe, it } from "@effect/vitest"
import { Processes } from "../../src/internal.ts"
import { processOf } from "./processOf.ts"

/** As process 7 sees it: each of `pairs` is a pid and its parent. */
const tree = (...pairs: ReadonlyArray<readonly [pid: number, parent: number]>): Processes.ProcessList => ({
  self: { pid: 7, user: 1000 },
  bootedAt: 0,
  processes: pairs.map(([pid, parent]) => processOf({ pid, parent }))
})

describe("Processes.isZombie", () => {
  for (const [state, is] of [
    ["Z", true],
    ["Z+", true],
    ["X", true],
    ["X+", true],
    ["S", false],
    ["R+", false],
    ["SE", true],
    ["S<E+", true],
    ["UNXEs", true],
    ["E", false],
    ["SsE", false]
  ] as const) {
    it(`${state} ${is ? "has ended" : "has not"}`, () => assert.strictEqual(Processes.isZombie({ state }), is))
  }
})

describe("Processes.find", () => {
  const own = processOf({ pid: 12 })
  const below = processOf({ pid: 4711, innerPids: [310, 1] })

  it("is the process of that pid, or none", () => {
    assert.strictEqual(Processes.find([below, own], 12), own)
    assert.strictEqual(Processes.find([below, own], 4711), below)
    assert.isNull(Processes.find([below, own], 13))
  })

  it("cannot tell whose pid it is when a process below ours has it, too", () => {
    assert.strictEqual(Processes.find([below, own], 1), "unreadable")
    assert.strictEqual(Processes.find([processOf({ pid: 310 }), below], 310), "unreadable")
  })
})

describe("Processes.descendants", () => {
  const cases: ReadonlyArray<readonly [name: string, list: Processes.ProcessList, own: ReadonlyArray<number>]> = [
    ["are itself alone when it started nothing", tree([1, 0], [7, 1], [8, 1]), [7]],
    ["hold itself when the list does not", tree(), [7]],
    ["are all it started, however deep and in whatever order", tree([10, 9], [9, 8], [8, 7], [7, 1]), [7, 8, 9, 10]],
    ["end at a cycle", tree([7, 9], [8, 7], [9, 8]), [7, 8, 9]],
    [
      "are itself alone of the process that gets every orphan",
      { ...tree([1, 0], [7, 1], [8, 7]), self: { pid: 1, user: 1000 } },
      [1]
    ]
  ]
  for (const [name, list, own] of cases) {
    it(name, () =>
      assert.deepStrictEqual(
        [...Processes.descendants(list)].sort((a, b) => a - b),
        own
      )
    )
  }
})

describe("Processes.ancestors", () => {
  const cases: ReadonlyArray<readonly [name: string, list: Processes.ProcessList, above: ReadonlyArray<number>]> = [
    ["go up to the first process", tree([1, 0], [8, 7], [7, 5], [5, 1]), [7, 5, 1]],
    ["end where the parent is not listed", tree([7, 5], [5, 3]), [7, 5, 3]],
    ["are itself alone in an empty list", tree(), [7]],
    ["end at a cycle", tree([7, 5], [5, 3], [3, 7]), [7, 5, 3]]
  ]
  for (const [name, list, above] of cases) {
    it(name, () => assert.deepStrictEqual(Processes.ancestors(list), above))
  }
})
