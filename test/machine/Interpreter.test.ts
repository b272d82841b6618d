import { assert, describe, it } from "@effect/vitest"
import * as Interpreter from "../../src/machine/core/Interpreter.ts"
import { processOf } from "./processOf.ts"

describe("Interpreter", () => {
  const cases: ReadonlyArray<readonly [command: string, kind: "shell" | "runtime" | "other"]> = [
    ["/bin/sh", "shell"],
    ["-zsh", "shell"],
    ["bash-5.2", "shell"],
    ["/usr/bin/fish (deleted)", "shell"],
    ["ksh93", "shell"],
    ["/usr/bin/node", "runtime"],
    ["nodejs", "runtime"],
    ["node-24.1", "runtime"],
    ["bun", "runtime"],
    ["deno", "runtime"],
    ["/sh/vim", "other"],
    ["ssh", "other"],
    ["shadow", "other"],
    ["nodemon", "other"],
    ["my-node", "other"],
    ["python3", "other"]
  ]
  for (const [command, kind] of cases) {
    it(`takes ${command} for ${kind}`, () => {
      for (const told of [
        { executable: command, args: ["vim"] },
        { executable: undefined, args: [command, "x"] }
      ]) {
        const process = processOf(told)
        assert.strictEqual(Interpreter.isShellProcess(process), kind === "shell")
        assert.strictEqual(Interpreter.is(process), kind !== "other")
      }
      assert.strictEqual(Interpreter.isRuntime(command), kind === "runtime")
    })
  }

  it("takes a process of which no command can be read for neither", () => {
    assert.isFalse(Interpreter.is(processOf({ executable: undefined, args: [] })))
    assert.isFalse(Interpreter.isShellProcess(processOf({ executable: undefined, args: [] })))
    assert.isFalse(Interpreter.isRuntime(undefined))
  })
})
