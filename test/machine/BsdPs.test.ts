import { assert, describe, it } from "@effect/vitest"
import * as BsdPs from "../../src/machine/core/BsdPs.ts"

/** A line as macOS prints it, `args` last. */
const row = (
  args: string,
  { name = "node", state = "S", terminal = "??", user = "501" }: Readonly<Record<string, string>> = {}
): string => {
  const padding = " ".repeat(Math.max(0, 16 - new TextEncoder().encode(name).length))
  return `  702     1   ${user} ${state.padEnd(4)} ${terminal.padEnd(8)} Tue Dec  1 09:15:00 2026     ${name}${padding} ${args}\n`
}

const only = (text: string) => BsdPs.parse(text)?.[0]

describe("BsdPs.parse", () => {
  it("reads a line", () =>
    assert.deepStrictEqual(
      BsdPs.parse(row("/usr/bin/vim /w/My File", { terminal: "ttys003", state: "S+", name: "vim" })),
      [
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
      ]
    ))

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
    it(`is no table when it ${name}`, () => assert.isUndefined(BsdPs.parse(text)))
  }

  it("is not held up by a long line", () => assert.lengthOf(BsdPs.parse(row("/a /b".repeat(200_000))) ?? [], 1))
})
