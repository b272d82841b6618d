import { assert, describe, it } from "@effect/vitest"
import * as PsTable from "../../src/machine/core/PsTable.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"

/** As macOS prints it under the C locale, for what `PsTable.args` asks. */
const recorded = `    1     0     0 Ss   ??       Mon Nov 30 08:01:12 2026 /sbin/launchd
  312     1     0 Ss   ??       Mon Nov 30 08:01:20 2026 /usr/libexec/logd
  577     1   501 S    ??       Mon Nov 30 08:02:01 2026 /Applications/Google Chrome.app/Contents/MacOS/Google Chrome
  601     1    -2 S    ??       Mon Nov 30 08:02:03 2026 /usr/sbin/httpd -D FOREGROUND
  702     1   501 Ss   ??       Tue Dec  1 09:15:00 2026 tmux new-session -d -s tm-main -c /Users/me/My Work
  703   702   501 Ss   ttys003  Tue Dec  1 09:15:00 2026 -zsh
  704   703   501 S+   ttys003  Tue Dec  1 09:15:04 2026 claude --resume
  711   650   501 S+   ttys001  Tue Dec  1 09:16:40 2026 tmux attach -t tm-main
  720     1   501 Ss   ??       Tue Dec  1 09:17:10 2026 /opt/homebrew/bin/tmux -L other new -d
  721     1   501 Z    ??       Tue Dec  1 09:17:11 2026 (tmux)
  722     1   501 Z    ??       Tue Dec  1 09:17:11 2026 <defunct>
  723     1   502 Ss   ??       Tue Dec  1 09:17:12 2026 tmux new -d
  724     1   501 Ss   ??       Tue Dec  1 09:17:13 2026 /Applications/My Tools.app/bin/tmux new -d
  725     1   501 Ss   ??       Tue Dec  1 09:17:14 2026 /opt/homebrew/Cellar/tmux/3.5a/bin/tmux-3.5a
  726     1   501 Ss   ??       Tue Dec  1 09:17:14 2026 /opt/local/bin/tmate -F
  801   704   501 S    ??       Tue Dec  1 09:20:00 2026 node
  802   704   501 R    ??       Tue Dec  1 09:20:01 2026
`

/** As FreeBSD prints it, where tmux writes its title. */
const titled = `  702     1   501 Is   -        Tue Dec  1 09:15:00 2026 tmux: server (/tmp/tmux-501/default) (tmux)
  711   650   501 S    -        Tue Dec  1 09:16:40 2026 tmux: client (/tmp/tmux-501/default) (tmux)
  712   650   501 Is   -        Tue Dec  1 09:16:40 2026 tmux-next: server (/tmp/tmux-501/next) (tmux-next)
  801   704   501 S    0        Tue Dec  1 09:20:00 2026 node
`

const unheard = (text: string, heard: ReadonlyArray<number>, user = 501) =>
  TmuxServer.unheard({ self: { pid: 801, user }, bootedAt: null, processes: PsTable.parse(text) ?? [] }, new Set(heard))

describe("PsTable.parse", () => {
  it("reads every line, whatever stands in the arguments", () => {
    const processes = PsTable.parse(recorded)
    assert.lengthOf(processes ?? [], recorded.trimEnd().split("\n").length)
    const [tmux] = processes?.filter(({ pid }) => pid === 702) ?? []
    assert.deepInclude(tmux, { parent: 1, user: 501, name: "tmux", terminal: false, state: "Ss" })
    assert.strictEqual(tmux?.startedAt, Date.UTC(2026, 11, 1, 9, 15))
    assert.isTrue(processes?.find(({ pid }) => pid === 704)?.terminal)
    assert.deepStrictEqual(processes?.find(({ pid }) => pid === 802)?.args, [])
  })

  it("tells a terminal from what stands for none on this or that system", () => {
    const terminal = (name: string) =>
      PsTable.parse(`  801   704   501 S    ${name} Tue Dec  1 09:20:00 2026 node\n`)?.[0]?.terminal
    for (const name of ["?", "??", "-"]) assert.isFalse(terminal(name), name)
    for (const name of ["ttys003", "pts/3", "0", "v0"]) assert.isTrue(terminal(name), name)
  })

  it("counts a user below zero as the system does", () =>
    assert.strictEqual(PsTable.parse(recorded)?.find(({ pid }) => pid === 601)?.user, 4294967294))

  it("finds this user's tmux servers, and no client with a terminal, zombie or other user's", () => {
    assert.deepStrictEqual(unheard(recorded, []), [702, 720, 724, 725, 726])
    assert.deepStrictEqual(unheard(recorded, [702, 720, 724, 725]), [726])
    assert.deepStrictEqual(unheard(recorded, [], 502), [723])
    assert.deepStrictEqual(unheard(titled, []), [702, 712])
  })

  it("takes no other program for one that has a tmux among its arguments", () => {
    for (const command of [
      "vim /usr/bin/tmux",
      "/bin/cat /opt/homebrew/bin/tmux",
      "/usr/bin/env -i /opt/homebrew/bin/tmux attach",
      "sh -c tmux",
      "/opt/homebrew/bin/tmux-resurrect",
      "tmuxinator start",
      "/Users/me/tmux/build"
    ]) {
      const line = `  702     1   501 Ss   ??       Tue Dec  1 09:15:00 2026 ${command}\n`
      assert.deepStrictEqual(unheard(line, []), [], command)
    }
  })

  const hostile: ReadonlyArray<readonly [string, string]> = [
    ["is empty", ""],
    ["was cut off in its last line", recorded.slice(0, -1)],
    ["was cut off in its last command", titled.slice(0, -2)],
    ["was cut off inside a line", `${recorded.slice(0, -40)}\n`],
    ["has a header", `  PID  PPID   UID STAT TTY                       STARTED COMMAND\n${recorded}`],
    ["has an empty line", `${recorded}\n`],
    ["has a complaint in it", `ps: sysctl: Operation not permitted\n${recorded}`],
    ["has a line feed inside a command", recorded.replace("claude --resume", "claude -p a\nb")],
    ["has a carriage return at its ends", recorded.replaceAll("\n", "\r\n").replace("node\r", "no\rde\r")],
    ["lacks a column", recorded.replace(" ??       Mon Nov 30 08:01:12 2026 ", " Mon Nov 30 08:01:12 2026 ")],
    ["speaks another language", recorded.replace("Mon Nov 30 08:01:12 2026", "Mo 30 Nov 08:01:12 2026")]
  ]
  for (const [name, text] of hostile) {
    it(`is no table when it ${name}`, () => assert.isUndefined(PsTable.parse(text)))
  }

  it("is not held up by a long line", () => {
    const line = `  702     1   501 Ss   ??       Tue Dec  1 09:15:00 2026 /${"a /b".repeat(200_000)}\n`
    assert.lengthOf(PsTable.parse(line) ?? [], 1)
  })

  it("cannot be made to hide a server by what other processes call themselves", () => {
    const injected = recorded.replace(
      "claude --resume",
      "x\n  702     1   501 Z    ??       Tue Dec  1 09:15:00 2026 (tmux)"
    )
    assert.include(unheard(injected, []), 702)
  })
})
