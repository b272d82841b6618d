import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ProcessStat } from "../../src/internal.ts"
import * as Cases from "../Cases.ts"

const fields = "7 (zsh) S 4 7 7 34816 -1 4194304 101 0 0 0 1 2 0 0 20 0 3 0 155590 3133440 383".split(" ")

/** A line of a shell, with some fields `changed`, by their numbers in proc(5), where the pid is field 1. */
const line = (changed: Readonly<Record<number, string>> = {}) =>
  `${fields.map((field, index) => changed[index + 1] ?? field).join(" ")}\n`

describe("ProcessStat.parse", () => {
  const cases = Cases.read<
    ReadonlyArray<{
      readonly name: string
      readonly stat: string
      readonly expect: { readonly state: string; readonly startTicks: string; readonly kernel?: boolean } | null
    }>
  >("proc-stat")
  for (const { name, stat, expect } of cases) {
    it(name, () => {
      const parsed = Option.getOrNull(ProcessStat.parse(stat))
      assert.deepStrictEqual(
        parsed && { state: parsed.state, startTicks: parsed.startTicks, kernel: parsed.kernel },
        expect && { kernel: false, ...expect }
      )
    })
  }

  it("reads every field that is used", () => {
    assert.deepStrictEqual(Option.getOrNull(ProcessStat.parse(line())), {
      name: "zsh",
      state: "S",
      kernel: false,
      parent: 4,
      terminal: 34816,
      threads: 3,
      startTicks: "155590"
    })
  })

  it("tells threads of the kernel by a flag that no process can give itself", () => {
    const isKernel = (flags: string) => Option.getOrThrow(ProcessStat.parse(line({ 9: flags }))).kernel
    assert.deepStrictEqual(["2129984", "69238880", "4194304", "4194560", "0"].map(isKernel), [
      true,
      true,
      false,
      false,
      false
    ])
  })

  for (const name of ["a) S 1 (b", "((", "))", "a\nb c", ""]) {
    it(`the name ${JSON.stringify(name)} is whatever its brackets hold`, () => {
      const parsed = Option.getOrThrow(ProcessStat.parse(line({ 2: `(${name})` })))
      assert.deepInclude(parsed, { name, state: "S", parent: 4 })
    })
  }

  it("keeps ticks that are larger than a number holds", () => {
    const startTicks = "18446744073709551615"
    assert.strictEqual(Option.getOrThrow(ProcessStat.parse(line({ 22: startTicks }))).startTicks, startTicks)
  })

  const used = { state: 3, parent: 4, terminal: 7, flags: 9, threads: 20, startTicks: 22 }
  const wrong = ["x1", "1x", "-", "SS", "S1", "1S"]
  for (const [name, field] of Object.entries(used)) {
    it(`is none when its ${name} is no such thing`, () => {
      for (const text of wrong) assert.isTrue(Option.isNone(ProcessStat.parse(line({ [field]: text }))), text)
    })
  }

  it("is none when it ends before the ticks", () => {
    for (let end = 0; end < used.startTicks; end++)
      assert.isTrue(Option.isNone(ProcessStat.parse(fields.slice(0, end).join(" "))), `${end} fields`)
  })

  it("is none when its name does not begin, or ends before it begins", () => {
    assert.isTrue(Option.isNone(ProcessStat.parse(line({ 2: "zsh)" }))))
    assert.isTrue(Option.isNone(ProcessStat.parse(`${line({ 2: ")" })}(`)))
  })
})

describe("ProcessStat.bootTime", () => {
  const cases: ReadonlyArray<readonly [name: string, text: string, at: number | undefined]> = [
    ["is read among other lines", "cpu  1 2 3\nctxt 5\nbtime 1700000000\nprocesses 7\n", 1_700_000_000_000],
    ["is not known without its line", "cpu  1 2 3\nprocesses 7\n", undefined],
    ["is not known by a line of another name", "xbtime 1700000000\n", undefined],
    ["is not known by a line that says more", "btime 1700000000.5\n", undefined]
  ]
  for (const [name, text, at] of cases) {
    it(name, () => assert.strictEqual(ProcessStat.bootTime(text), at))
  }
})

it("ProcessStat.startedAt: a hundred ticks after the boot are a second after it", () => {
  assert.strictEqual(ProcessStat.startedAt({ startTicks: "0" }, 5_000), 5_000)
  assert.strictEqual(ProcessStat.startedAt({ startTicks: "100" }, 5_000), 6_000)
  assert.strictEqual(ProcessStat.startedAt({ startTicks: "155590" }, 5_000), 1_560_900)
})
