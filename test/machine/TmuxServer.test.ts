import { assert, describe, it } from "@effect/vitest"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"
import type { Processes } from "../../src/internal.ts"
import { processOf } from "./processOf.ts"

describe("TmuxServer.is, by the name of its program", () => {
  const cases: ReadonlyArray<readonly [program: string, is: boolean]> = [
    ["tmux", true],
    ["tmate", true],
    ["tmux-3.5a", true],
    ["tmux_v3", true],
    ["tmux3", true],
    ["tmux: server", true],
    ["tmux: server (/tmp/tmux-1000/default)", true],
    ["xtmux", false],
    ["tmux-resurrect", false],
    ["tmuxinator", false],
    ["not tmux: ", false]
  ]
  for (const [program, is] of cases) {
    it(`${program} is ${is ? "one" : "none"}`, () => {
      assert.strictEqual(TmuxServer.is(processOf({ executable: `/usr/bin/${program}` })), is)
      assert.strictEqual(TmuxServer.is(processOf({ args: [program] })), is)
    })
  }
})

describe("TmuxServer.byName", () => {
  const cases: ReadonlyArray<readonly [name: string, terminal: boolean, is: ReturnType<typeof TmuxServer.byName>]> = [
    ["tmux: server", false, "Server"],
    ["tmux: server", true, "Server"],
    ["tmux-next: serv", false, "Server"],
    ["tmux-next: serv", true, "None"],
    ["tmux-nightly:", false, "Server"],
    [":tmux", false, "Unknown"],
    ["tmux: serv", false, "Unknown"],
    ["tmux", true, "None"],
    ["tmux: client", false, "None"],
    ["zsh", false, "Unknown"]
  ]
  for (const [name, terminal, is] of cases) {
    it(`${name}, ${terminal ? "on a" : "without a"} terminal: ${is}`, () =>
      assert.strictEqual(TmuxServer.byName(processOf({ name, terminal })), is))
  }

  it("is none that is ending", () =>
    assert.strictEqual(TmuxServer.byName(processOf({ name: "tmux: server", state: "Z" })), "None"))
})

describe("TmuxServer.unheard", () => {
  const servers = (...pids: ReadonlyArray<number>): Processes.ProcessList => ({
    self: { pid: 7, user: 1000 },
    bootedAt: 0,
    processes: pids.map((pid) => processOf({ pid, name: "tmux: server" }))
  })

  it("come smallest first, in whatever order they are listed", () => {
    for (const pids of [
      [9, 10, 100],
      [100, 10, 9],
      [10, 100, 9]
    ])
      assert.deepStrictEqual(TmuxServer.unheard(servers(...pids), new Set()), [9, 10, 100])
  })

  it("are without those that were heard", () =>
    assert.deepStrictEqual(TmuxServer.unheard(servers(9, 10), new Set([9])), [10]))
})
