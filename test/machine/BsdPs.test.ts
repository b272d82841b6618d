import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as ClaudeProcess from "../../src/machine/core/ClaudeProcess.ts"
import * as BsdPs from "../../src/machine/core/BsdPs.ts"

/** A line as macOS prints it, `args` last. */
const row = (
  args: string,
  { name = "node", state = "S", terminal = "??", user = "501" }: Readonly<Record<string, string>> = {}
): string => {
  const padding = " ".repeat(Math.max(0, 16 - new TextEncoder().encode(name).length))
  return `  702     1   ${user} ${state.padEnd(4)} ${terminal.padEnd(8)} Tue Dec  1 09:15:00 2026     ${name}${padding} ${args}\n`
}

const all = (text: string) => Result.getOrElse(BsdPs.parse(text), () => undefined)

const only = (text: string) => all(text)?.[0]

describe("BsdPs.parse", () => {
  it("reads a line", () =>
    assert.deepStrictEqual(all(row("/usr/bin/vim /w/My File", { terminal: "ttys003", state: "S+", name: "vim" })), [
      {
        pid: 702,
        parent: 1,
        user: 501,
        name: "vim",
        executable: undefined,
        terminal: true,
        innerPids: [],
        state: "S+",
        startTicks: null,
        startedAt: Date.UTC(2026, 11, 1, 9, 15),
        args: ["/usr/bin/vim", "/w/My", "File"]
      }
    ]))

  it("reads names that hold spaces, are long, or are not ASCII", () => {
    const names = ["Google Chrome He", "a  b", "", "Тест", "Привет!"]
    for (const name of names) {
      assert.deepInclude(only(row("/bin/x --y", { name })), { name, args: ["/bin/x", "--y"] }, name)
    }
    const cut = row("/bin/x", { name: "Приветa\uFFFD" })
    assert.deepInclude(only(cut), { name: "Приветa\uFFFD", args: ["/bin/x"] })
  })

  it("tells no arguments where there are none but the name in brackets", () => {
    assert.deepStrictEqual(only(row("(node)"))?.args, [])
    assert.deepStrictEqual(only(row(""))?.args, [])
    assert.deepStrictEqual(only(row("(other)"))?.args, ["(other)"])
  })

  it("counts a user below zero as the system does", () =>
    assert.strictEqual(only(row("httpd", { user: "-2" }))?.user, 4294967294))

  it("reads a line that ends in a way that is not its own", () =>
    assert.deepStrictEqual(only(row("vim \u2028 a"))?.args, ["vim", "\u2028", "a"]))

  it("keeps every sign of the arguments", () => {
    const args = "/bin/sh -c  echo  'a b' é M-CM-) \\012"
    assert.strictEqual(only(row(args))?.args.join(" "), args)
  })

  const whole = row("/sbin/launchd") + row("node")
  const hostile: ReadonlyArray<readonly [string, string]> = [
    ["is empty", ""],
    ["was cut off in its last line", whole.slice(0, -1)],
    ["was cut off inside a line", `${whole.slice(0, -20)}\n`],
    ["has a header", `  PID  PPID   UID STAT TTY      STARTED                      UCOMM            ARGS\n${whole}`],
    ["has an empty line", `${whole}\n`],
    ["has a complaint in it", `ps: sysctl: Operation not permitted\n${whole}`],
    ["lacks a column", whole.replaceAll(" ??       ", " ")],
    ["speaks another language", whole.replaceAll("Tue Dec  1", "вт  1 дек")],
    ["puts the day before the month", whole.replaceAll("Tue Dec  1", "Tue  1 Dec")],
    ["has a day that never was", whole.replaceAll("Dec  1", "Feb 30")]
  ]
  for (const [name, text] of hostile) {
    it(`is no table when it ${name}`, () => assert.isUndefined(all(text)))
  }

  it("says which line is none, and nothing of a command line", () => {
    const said = Result.flip(BsdPs.parse(`${row("x --token hunter2").replace("Dec", "дек")}`))
    assert.match(Result.getOrThrow(said), / 702 .*дек/)
    assert.notMatch(Result.getOrThrow(said), /token/)
  })

  it("is not held up by a long line", () => assert.lengthOf(all(row("/a /b".repeat(200_000))) ?? [], 1))
})

describe("a server of tmux", () => {
  const cases: ReadonlyArray<readonly [name: string, args: string, terminal: string, may: boolean]> = [
    ["tmux", "tmux new-session -d -s tm-main -c /Users/me/My Work", "??", true],
    ["tmux", "/Applications/My Tools.app/bin/tmux new -d", "??", true],
    ["tmate", "/opt/local/bin/tmate -F", "??", true],
    ["login", "-tmux", "??", true],
    ["tmux", "", "??", true],
    ["tmux", "tmux attach -t tm-main", "ttys001", false],
    ["tmux", "tmux -D", "ttys001", true],
    ["tmux", "tmux -vD -L other", "ttys001", true],
    ["tmux", "tmux -L other -D new", "ttys001", true],
    ["tmux", "tmux -f /Users/me/My Files/tmux.conf -D", "ttys001", true],
    ["tmux", "tmux new -A -s main", "ttys001", false],
    ["TMUX", "Tmux new -d", "??", true],
    ["tmux-3.5a", "/opt/tmux-3.5a new -d", "??", true],
    [".tmux-wrapped", "x", "??", true],
    ["vim", "vim /usr/bin/tmux", "??", false],
    ["sh", "sh -c tmux", "??", false],
    ["sh", "t-mux", "??", false],
    ["sh", "-tmux", "??", true],
    ["tmux", "tmux new -s a-D", "ttys001", false],
    ["tmuxinator", "tmuxinator start", "??", false]
  ]
  for (const [name, args, terminal, may] of cases) {
    it(`${may ? "may be" : "is not"} ${args || name} on ${terminal}`, () => {
      const process = only(row(args, { name, terminal }))
      assert.strictEqual(process && BsdPs.mayBeTmuxServer(process), may)
    })
  }

  it("is none that is ending", () => {
    for (const state of ["Z", "SEs", "S<E"]) {
      const process = only(row("tmux new -d", { name: "tmux", state }))
      assert.isFalse(process === undefined || BsdPs.mayBeTmuxServer(process), state)
    }
  })
})

describe("a process of Claude Code", () => {
  const cases: ReadonlyArray<readonly [name: string, args: string, is: boolean]> = [
    ["node", "claude", true],
    ["node", "claude --resume", true],
    ["node", "/opt/homebrew/bin/claude -c", true],
    ["node", "node /opt/homebrew/bin/claude -c", true],
    ["2.1.3", "something", true],
    ["claude", "", true],
    ["claude.exe", "x", true],
    [".claude-wrapped", "x", true],
    ["node", "node /Users/me/My Tools/bin/claude -c", true],
    ["node", "node --import /a b/c.js /Users/me/My Tools/bin/claude fix it", true],
    ["node", "/opt/my node/bin/node --no-warnings /Users/me/My Tools/claude-code/cli.js", true],
    ["x", "/Users/me/Application Support/Claude/claude --print", true],
    ["node", "node /w/serve.js --root /w/claude", false],
    ["node", "node /w/.bin/vite /w/claude", false],
    ["node", "(node)", true],
    ["zsh", "(zsh)", false],
    ["claude", "claude mcp serve", false],
    ["bash", "bash /w/claude/run.sh", false],
    ["claudette", "claudette", false]
  ]
  for (const [name, args, is] of cases) {
    it(`is ${is ? "" : "not "}${args || name} (${name})`, () => {
      const process = only(row(args, { name }))
      assert.strictEqual(process && ClaudeProcess.roleOf(process) !== "None", is)
    })
  }
})

describe("BsdPs.parse, of what may be Claude Code", () => {
  const names: ReadonlyArray<readonly [name: string, is: boolean]> = [
    ["2.1.7", true],
    ["v22.10.33", true],
    ["2.1.0-beta.12", true],
    ["x2.1.7", false],
    ["2.1.7 x", false],
    ["2.1.7-", false],
    ["2", false]
  ]
  for (const [name, is] of names) {
    it(`a process that is named ${name} ${is ? "may be" : "is not"} it`, () =>
      assert.strictEqual(only(row("x --y", { name }))?.executable, is ? "claude" : undefined))
  }
})

describe("BsdPs.bootTime", () => {
  it("reads what sysctl prints, in any language", () => {
    assert.strictEqual(BsdPs.bootTime("{ sec = 1764489672, usec = 123 } Sun Nov 30 08:01:12 2026\n"), 1764489672000)
    assert.strictEqual(BsdPs.bootTime("{ sec = 1764489672, usec = 123 } вс 30 ноя 08:01:12 2026\n"), 1764489672000)
  })
  it("tells nothing of anything else", () => {
    for (const text of [
      "",
      "{ sec = 1764489672, usec = 1 }",
      "x{ sec = 1764489672, usec = 1 }\n",
      "{ sec = 1764489672, usec = 1 }\n\n",
      "1764489672\n",
      "sysctl: unknown oid 'kern.boottime'\n"
    ]) {
      assert.isUndefined(BsdPs.bootTime(text), text)
    }
  })
})
