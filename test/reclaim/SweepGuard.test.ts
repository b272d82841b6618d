import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as SweepGuard from "../../src/reclaim/core/SweepGuard.ts"
import type { Processes } from "../../src/internal.ts"
import { processOf } from "../machine/processOf.ts"

describe("SweepGuard.parse", () => {
  for (const start of ["50", null]) {
    for (const pidNamespace of ["pid:[1]", null]) {
      it(`reads what was printed of a holder that started at ${start} in ${pidNamespace}`, () => {
        const guard = { host: start === null ? null : "a", pid: 7, start, pidNamespace }
        assert.deepStrictEqual(SweepGuard.parse(SweepGuard.print(guard)), Option.some(guard))
      })
    }
  }

  for (const text of [
    "",
    "7",
    "{}",
    '{"pid":7}',
    '{"pid":7,"start":null,"pidNamespace":null}',
    '{"pid":"7","start":null}',
    '{"pid":7,"start":50}',
    '{"pid":7,'
  ]) {
    it(`reads no holder in ${JSON.stringify(text)}`, () => assert.isTrue(Option.isNone(SweepGuard.parse(text))))
  }
})

describe("SweepGuard.own", () => {
  const other = processOf({ pid: 5, startTicks: "50" })
  const cases: ReadonlyArray<
    readonly [name: string, processes: ReadonlyArray<Processes.Process>, start: string | null]
  > = [
    ["names when the asking process started", [other, processOf({ pid: 7, startTicks: "70" })], "70"],
    [
      "names the start in words where no ticks are told",
      [other, processOf({ pid: 7, startTicks: null, startedAt: 26 * 60 * 60 * 1000 + 5_000 })],
      "Fri Jan  2 02:00:05 1970"
    ],
    ["names no start where none is told", [other, processOf({ pid: 7, startTicks: null, startedAt: null })], null],
    ["names no start of a process that is not listed", [other], null]
  ]
  for (const [name, processes, start] of cases) {
    it(name, () =>
      assert.deepStrictEqual(SweepGuard.own({ self: { pid: 7, user: 1000 }, bootedAt: 0, processes }), {
        pid: 7,
        start,
        pidNamespace: null
      })
    )
  }

  it("names the pid namespace where it is told", () => {
    const list = { self: { pid: 7, user: 1000 }, bootedAt: 0, pidNamespace: "pid:[1]", processes: [] }
    assert.deepStrictEqual(SweepGuard.own(list), { pid: 7, start: null, pidNamespace: "pid:[1]" })
  })
})

describe("SweepGuard.isElsewhere", () => {
  const one = { host: "a", pidNamespace: "pid:[1]" }
  const cases: ReadonlyArray<readonly [name: string, guard: typeof one | Where, own: Where, is: boolean]> = [
    ["both are on one host, in one pid namespace", one, one, false],
    ["they are on two hosts", { ...one, host: "b" }, one, true],
    ["the host of the holder is unknown", { ...one, host: null }, one, true],
    ["our own host is unknown", one, { ...one, host: null }, true],
    ["both hosts are unknown", { ...one, host: null }, { ...one, host: null }, true],
    ["they are in two pid namespaces", one, { ...one, pidNamespace: "pid:[2]" }, true],
    ["the namespace of the holder alone is known", one, { ...one, pidNamespace: null }, true],
    ["the namespace of the holder is unknown", { ...one, pidNamespace: null }, one, true],
    ["there are no pid namespaces", { ...one, pidNamespace: null }, { ...one, pidNamespace: null }, false]
  ]
  for (const [name, guard, own, is] of cases) {
    it(`is ${is} when ${name}`, () =>
      assert.strictEqual(
        SweepGuard.isElsewhere({ pid: 7, start: "70", ...guard }, { pid: 9, start: "90", ...own }),
        is
      ))
  }
})

interface Where {
  readonly host: string | null
  readonly pidNamespace: string | null
}

describe("SweepGuard.isAbandoned", () => {
  const holder = processOf({ pid: 7, startTicks: "70" })
  const git = (...args: ReadonlyArray<string>) => processOf({ pid: 9, name: "git", args: ["git", ...args] })

  const holders: ReadonlyArray<
    readonly [name: string, start: string | null, processes: ReadonlyArray<Processes.Process>, is: boolean]
  > = [
    ["its holder runs", "70", [holder], false],
    ["nothing runs", "70", [], true],
    ["only others run", "70", [processOf({ pid: 5, startTicks: "70" })], true],
    ["another process has its holder's pid", "69", [holder], true],
    ["its holder is a zombie", "70", [{ ...holder, state: "Z" }], true],
    ["a process has its pid, and it names no start", null, [holder], false],
    ["a process has its pid, whose start is not told", "70", [{ ...holder, startTicks: null }], false],
    ["no process has its pid, and it names no start", null, [], true],
    ["a process in a pid namespace below has its pid", "70", [processOf({ innerPids: [7] })], false]
  ]
  for (const [name, start, processes, is] of holders) {
    it(`is ${is} when ${name}`, () =>
      assert.strictEqual(SweepGuard.isAbandoned({ pid: 7, start, pidNamespace: null }, processes, "/r/.git"), is))
  }

  const gits: ReadonlyArray<readonly [name: string, left: Processes.Process, is: boolean]> = [
    ["a git is at work in the repository", git("--git-dir=/r/.git", "gc"), false],
    ["a git is at work in it, told by words", git("gc", "--git-dir=/r/.git", "x"), false],
    ["a git is at work in a worktree of it", git("--git-dir=/r/.git/worktrees/a", "status"), false],
    ["the git that was is a zombie", { ...git("--git-dir=/r/.git", "gc"), state: "Z" }, true],
    ["a git is at work in a repository that only begins like it", git("--git-dir=/r/.gitlab", "gc"), true],
    ["a git is at work in another repository, below which it lies", git("--git-dir=/r", "gc"), true],
    ["a process only names its path", processOf({ args: ["ls", "/r/.git", "/r/.git/worktrees"] }), true]
  ]
  for (const [name, left, is] of gits) {
    it(`is ${is} when its holder is gone and ${name}`, () =>
      assert.strictEqual(
        SweepGuard.isAbandoned(
          { pid: 7, start: "70", pidNamespace: null },
          [processOf({ args: ["vim"] }), left],
          "/r/.git"
        ),
        is
      ))
  }

  it("is false when its holder runs, whatever else does", () =>
    assert.isFalse(
      SweepGuard.isAbandoned({ pid: 7, start: "70", pidNamespace: null }, [processOf({}), holder], "/r/.git")
    ))
})

describe("a repository whose path has spaces", () => {
  it("is known in arguments that were split at them", () => {
    const left = processOf({ pid: 9, args: ["git", "--git-dir=/my", "r/.git", "gc"] })
    assert.isFalse(SweepGuard.isAbandoned({ pid: 7, start: "70", pidNamespace: null }, [left], "/my r/.git"))
  })
})
