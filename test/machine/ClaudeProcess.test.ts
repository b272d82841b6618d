import { assert, describe, it } from "@effect/vitest"
import * as ClaudeProcess from "../../src/machine/core/ClaudeProcess.ts"
import { processOf } from "./processOf.ts"

const isSession = (given: Parameters<typeof processOf>[0]): boolean =>
  ClaudeProcess.roleOf(processOf(given)) === "Session"

describe("ClaudeProcess.roleOf, by the script of a runtime", () => {
  const script = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"
  const cases: ReadonlyArray<readonly [before: ReadonlyArray<string>, after: ReadonlyArray<string>, is: boolean]> = [
    [["node"], [], true],
    [["node", "--no-warnings"], [], true],
    [["node", "--require", "/x.js"], [], true],
    [["node", "--dns-result-order", "ipv4first"], [], true],
    [["node", "--unhandled-rejections", "strict", "--disable-warning", "DEP0040"], [], true],
    [["node", "--env-file-if-exists", ".env", "--input-type", "module", "--inspect-port", "9230"], [], true],
    [["node", "--import=tsx", "--stack-trace-limit", "50"], [], true],
    [["bun", "run"], [], true],
    [["deno", "run", "-A"], [], true],
    [["node", "/srv/app.js"], [], false],
    [["node"], ["mcp", "serve"], false]
  ]
  for (const [before, after, is] of cases) {
    it([...before, "cli.js", ...after].join(" "), () => {
      const process = processOf({ executable: `/usr/bin/${before[0]}`, args: [...before, script, ...after] })
      assert.strictEqual(ClaudeProcess.roleOf(process) === "Session", is)
    })
  }
})

describe("ClaudeProcess.roleOf, by a path", () => {
  const cases: ReadonlyArray<readonly [path: string, is: boolean]> = [
    ["/usr/bin/claude", true],
    ["/usr/bin/claude (deleted)", true],
    ["/usr/bin/claude-code", true],
    ["/w/claude.exe", true],
    ["/w/claude.js", true],
    ["/w/claude.cjs", true],
    ["/w/claude-code.mjs", true],
    ["/home/me/.local/share/claude/versions/2.1.0", true],
    ["/w/node_modules/@anthropic-ai/claude-code/cli.js", true],
    ["/w/node_modules/@anthropic-ai/claude-agent-sdk/cli.js", true],
    ["/nix/store/x-claude-code-2.1.0/bin/.claude-wrapped", true],
    ["/opt/.claude-unwrapped", true],
    ["/opt/.claude-wrapped_", true],
    ["/opt/claude-2.1.260", true],
    ["/opt/claude-2.1.260 (deleted)", true],
    ["/opt/.claude-2.1.260-wrapped", true],
    ["/home/me/.claude/remote/ccd-cli/2.1.271", true],
    ["/opt/ccd-cli/2.1.271", true],
    ["/usr/bin/claude-squad", false],
    ["/usr/bin/.claude", true],
    ["/usr/bin/claudette", false],
    ["/usr/bin/claude.js.bak", false],
    ["/usr/bin/my-claude", false],
    ["/w/claude/notes", false]
  ]
  for (const [path, is] of cases) {
    it(`${path} is ${is ? "one" : "none"}`, () => {
      assert.strictEqual(isSession({ executable: path, args: ["x"] }), is, "as its executable")
      assert.strictEqual(isSession({ args: [path] }), is, "as its command")
      assert.strictEqual(isSession({ args: ["node", path] }), is, "as its script")
    })
  }

  it("a script of the working directory is one", () =>
    assert.isTrue(isSession({ executable: "/usr/bin/node", args: ["node", "claude.js"] })))

  it("a zombie is none, whatever it was", () =>
    assert.isFalse(isSession({ executable: "/usr/bin/claude", state: "Z" })))
})

describe("ClaudeProcess.roleOf, of a process that calls itself claude", () => {
  for (const executable of ["/usr/bin/node", "/usr/bin/node (deleted)", "/usr/bin/bun", undefined]) {
    it(`${executable ?? "what cannot be read"} may hide its script`, () =>
      assert.isTrue(isSession({ executable, args: ["claude"] })))
  }

  it("another name hides nothing", () => assert.isFalse(isSession({ executable: "/usr/bin/node", args: ["vite"] })))

  it("a program that is known to be another hides nothing", () =>
    assert.isFalse(isSession({ executable: "/usr/bin/python3", args: ["claude"] })))

  it("the kernel's name alone makes it none", () =>
    assert.isFalse(isSession({ name: "claude", executable: "/usr/bin/vim", args: ["vim"] })))
})

describe("ClaudeProcess.roleOf, of one that waits", () =>
  it("is a spare", () =>
    assert.strictEqual(
      ClaudeProcess.roleOf(processOf({ executable: "/usr/bin/claude", args: ["claude", "--bg-spare"] })),
      "Spare"
    )))

describe("ClaudeProcess.roleOf, of its own helpers", () => {
  const cases: ReadonlyArray<readonly [args: string, is: boolean]> = [
    ["", true],
    ["mcp serve", false],
    ["mcp list", true],
    ["-p serve", true],
    ["daemon run", false],
    ["daemon status", true],
    ["-p run", true],
    ["--chrome-native-host", false],
    ["--claude-in-chrome-mcp", false],
    ["--bg-spare", false],
    ["--verbose --bg-pty-host", false]
  ]
  for (const [args, is] of cases) {
    it(`claude ${args} is ${is ? "a session" : "none"}`, () => {
      const process = processOf({ executable: "/usr/bin/claude", args: ["claude", ...args.split(" ")] })
      assert.strictEqual(ClaudeProcess.roleOf(process) === "Session", is)
    })
  }
})
