import { assert, describe, it } from "@effect/vitest"
import * as IdleSessions from "../../src/claims/core/IdleSessions.ts"
import { processOf } from "../machine/processOf.ts"

describe("IdleSessions.of", () => {
  const shell = (pid: number, parent = 1) => processOf({ pid, parent, executable: "/usr/bin/zsh", args: ["-zsh"] })
  const agent = (pid: number, parent = 1) => processOf({ pid, parent, executable: "/usr/bin/claude", args: ["claude"] })
  const pane = (pid: number, session: string) => ({ id: `%${pid}`, pid, session })
  const processes = [shell(10), shell(20), agent(21, 20), agent(30), shell(40), shell(41, 40), shell(50)]
  const panes = [
    pane(10, "shell"),
    pane(20, "below"),
    pane(30, "agent"),
    pane(40, "nested"),
    pane(50, "two"),
    pane(30, "two"),
    pane(99, "unknown")
  ]

  it("are those in which nothing but shells runs, and those whose panes are all dead", () =>
    assert.deepStrictEqual(
      [...IdleSessions.of(["shell", "below", "agent", "nested", "two", "unknown", "dead"], panes, { processes })],
      ["shell", "nested", "dead"]
    ))
})
