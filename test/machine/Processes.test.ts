import { assert, describe, it } from "@effect/vitest"
import { Processes } from "../../src/index.ts"
import { processOf } from "./processOf.ts"

/** As process 7 sees it: each of `pairs` is a pid and its parent. */
const tree = (...pairs: ReadonlyArray<readonly [pid: number, parent: number]>): Processes.ProcessList => ({
  self: { pid: 7, user: 1000 },
  bootedAt: 0,
  processes: pairs.map(([pid, parent]) => processOf({ pid, parent }))
})

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
      const process = processOf({ executable: `/usr/bin/${before[0]}`, args: [...before, script, ...after] })
      assert.strictEqual(Processes.isClaude(process), is)
    })
  }
})

describe("Processes.isClaude, by a path", () => {
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
    ["/usr/bin/claudette", false],
    ["/usr/bin/claude.js.bak", false],
    ["/usr/bin/my-claude", false],
    ["/w/claude/notes", false]
  ]
  for (const [path, is] of cases) {
    it(`${path} is ${is ? "one" : "none"}`, () => {
      assert.strictEqual(Processes.isClaude(processOf({ executable: path, args: ["x"] })), is, "as its executable")
      assert.strictEqual(Processes.isClaude(processOf({ args: [path] })), is, "as its command")
      assert.strictEqual(Processes.isClaude(processOf({ args: ["node", path] })), is, "as its script")
    })
  }

  it("a script of the working directory is one", () =>
    assert.isTrue(Processes.isClaude(processOf({ executable: "/usr/bin/node", args: ["node", "claude.js"] }))))

  it("a zombie is none, whatever it was", () =>
    assert.isFalse(Processes.isClaude(processOf({ executable: "/usr/bin/claude", state: "Z" }))))
})

describe("Processes.isClaude, of a process that calls itself claude", () => {
  const cases: ReadonlyArray<readonly [executable: string | undefined, is: boolean]> = [
    ["/usr/bin/node", true],
    ["/usr/bin/node (deleted)", true],
    ["/usr/bin/nodejs", true],
    ["/usr/bin/node-22.1", true],
    ["/usr/bin/bun", true],
    ["/usr/bin/deno", true],
    ["/usr/bin/xnode", false],
    ["/usr/bin/node-gyp", false],
    ["/usr/bin/vim", false],
    [undefined, false]
  ]
  for (const [executable, is] of cases) {
    it(`${executable ?? "what cannot be read"} ${is ? "may hide its script" : "does not make it one"}`, () =>
      assert.strictEqual(Processes.isClaude(processOf({ executable, args: ["claude"] })), is))
  }

  it("another name hides nothing", () =>
    assert.isFalse(Processes.isClaude(processOf({ executable: "/usr/bin/node", args: ["vite"] }))))
})

describe("Processes.isClaude, of its own helpers", () => {
  const cases: ReadonlyArray<readonly [args: string, is: boolean]> = [
    ["", true],
    ["mcp serve", false],
    ["mcp list", true],
    ["-p serve", true],
    ["daemon run", false],
    ["daemon status", true],
    ["-p run", true],
    ["--bg-spare", false],
    ["--verbose --bg-pty-host", false]
  ]
  for (const [args, is] of cases) {
    it(`claude ${args} is ${is ? "a session" : "none"}`, () => {
      const process = processOf({ executable: "/usr/bin/claude", args: ["claude", ...args.split(" ")] })
      assert.strictEqual(Processes.isClaude(process), is)
    })
  }
})

describe("Processes.isTmuxServer, by the name of its program", () => {
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
      assert.strictEqual(Processes.isTmuxServer(processOf({ executable: `/usr/bin/${program}` })), is)
      assert.strictEqual(Processes.isTmuxServer(processOf({ args: [program] })), is)
    })
  }
})

describe("Processes.isZombie", () => {
  for (const [state, is] of [
    ["Z", true],
    ["Z+", true],
    ["X", true],
    ["X+", true],
    ["S", false],
    ["R+", false]
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

describe("Processes.unheardServers", () => {
  const servers = (...pids: ReadonlyArray<number>): Processes.ProcessList => ({
    ...tree(),
    processes: pids.map((pid) => processOf({ pid, name: "tmux: server" }))
  })

  it("come smallest first, in whatever order they are listed", () => {
    for (const pids of [
      [9, 10, 100],
      [100, 10, 9],
      [10, 100, 9]
    ])
      assert.deepStrictEqual(Processes.unheardServers(servers(...pids), new Set()), [9, 10, 100])
  })

  it("are without those that were heard", () =>
    assert.deepStrictEqual(Processes.unheardServers(servers(9, 10), new Set([9])), [10]))
})

describe("Processes.counted", () => {
  // 1 started 5, which started the asking process 7, which started 8; beside them a tmux server, and what it started.
  const list: Processes.ProcessList = {
    ...tree(),
    processes: [
      ...tree([1, 0], [5, 1], [7, 5], [8, 7], [21, 20]).processes,
      processOf({ pid: 20, name: "tmux: server" })
    ]
  }
  const heard = new Set([20, 21])
  const cases: ReadonlyArray<readonly [name: string, pid: number, kind: Processes.PathUse["kind"], counts: boolean]> = [
    ["a file that the asking process has open does not", 7, "open file", false],
    ["a working directory of what it started does not", 8, "working directory", false],
    ["a command line of what it started does not", 8, "command line", false],
    ["a command line of what started it does not", 5, "command line", false],
    ["a working directory of what started it does", 5, "working directory", true],
    ["a mount of what it started does not", 8, "mount", false],
    ["a mount of what started it does", 5, "mount", true],
    ["a mount of another process does", 21, "mount", true],
    ["a command line of another process does", 21, "command line", true],
    ["a working directory of a server that was heard does not", 20, "working directory", false],
    ["a root of a server that was heard does", 20, "root", true],
    ["a command line of a server that was heard does", 20, "command line", true],
    ["a working directory of no server does, though its pid was heard elsewhere", 21, "working directory", true]
  ]
  for (const [name, pid, kind, counts] of cases) {
    it(name, () => {
      const use = { pid, kind, path: "/w/a" }
      assert.deepStrictEqual(Processes.counted(list, [use], heard), counts ? [use] : [])
    })
  }

  it("a working directory of a server that was not heard does", () => {
    const use: Processes.PathUse = { pid: 20, kind: "working directory", path: "/w/a" }
    assert.deepStrictEqual(Processes.counted(list, [use], new Set()), [use])
  })
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
    [["--root=/w/a b"], ["/w/a b", "/w/a"]],
    [["/w/a=b"], ["/w/a=b", "/w/a"]],
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
