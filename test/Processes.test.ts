import { assert, describe, it } from "@effect/vitest"
import { Processes } from "../src/index.ts"

describe("Processes.isClaude, by the script of a runtime", () => {
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
      const process = {
        pid: 5,
        parent: 1,
        user: 0,
        name: "node",
        executable: `/usr/bin/${before[0]}`,
        terminal: true,
        innerPids: [],
        state: "S",
        startTicks: "1",
        startedAt: 1,
        args: [...before, script, ...after]
      }
      assert.strictEqual(Processes.isClaude(process), is)
    })
  }
})

describe("Processes.pathsOf", () => {
  const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, paths: ReadonlyArray<string>]> = [
    [["/w/a"], ["/w/a"]],
    [
      ["--root=/w/a", "X=/w/b"],
      ["/w/a", "/w/b"]
    ],
    [["cd '/w/a' && rm /w/b;"], ["/w/a", "/w/b"]],
    [["/w/a b"], ["/w/a b", "/w/a"]],
    [["w/a", "", "a@/w/b"], ["/w/b"]],
    [["/w/a", "/w/a"], ["/w/a"]],
    [[`/${"a".repeat(4095)}`], [`/${"a".repeat(4095)}`]],
    [[`/${"a".repeat(4096)}`], []]
  ]
  for (const [args, paths] of cases) {
    it(JSON.stringify(args).slice(0, 40), () => {
      assert.deepStrictEqual(Processes.pathsOf(args), paths)
    })
  }
})
