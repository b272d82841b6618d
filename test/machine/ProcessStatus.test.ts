import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as ProcessStatus from "../../src/machine/core/ProcessStatus.ts"

const status = ({ name = "node", user = "Uid:\t0\t0\t0\t0\n", pids = "NSpid:\t4711\n" }) =>
  `Name:\t${name}\nUmask:\t0022\nState:\tS (sleeping)\nPid:\t4711\n${user}Gid:\t0\t0\t0\t0\n${pids}VmPeak:\t 1 kB\n`

describe("ProcessStatus.parse", () => {
  const cases: ReadonlyArray<
    readonly [name: string, given: Parameters<typeof status>[0], expected: ProcessStatus.ProcessStatus | null]
  > = [
    ["the effective user is the second", { user: "Uid:\t1000\t2000\t3000\t4000\n" }, { user: 2000, innerPids: [] }],
    ["without a user it is none", { user: "" }, null],
    ["a process of our own namespace has no inner pid", { pids: "NSpid:\t4711\n" }, { user: 0, innerPids: [] }],
    ["one of a namespace below has another", { pids: "NSpid:\t4711\t12\n" }, { user: 0, innerPids: [12] }],
    ["the outermost comes first", { pids: "NSpid:\t4711\t310\t1\n" }, { user: 0, innerPids: [310, 1] }],
    ["a kernel that tells no pids has no namespaces", { pids: "" }, { user: 0, innerPids: [] }],
    ["a name cannot set the user", { name: "Uid:\t7\t7\t" }, { user: 0, innerPids: [] }],
    ["a name cannot stand for a user", { name: "Uid:\t7\t7\t", user: "" }, null],
    ["a name cannot set the pids", { name: "NSpid:\t1\t2" }, { user: 0, innerPids: [] }]
  ]
  for (const [name, given, expected] of cases) {
    it(name, () => assert.deepStrictEqual(Option.getOrNull(ProcessStatus.parse(status(given))), expected))
  }
})
