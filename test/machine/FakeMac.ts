/**
 * A Mac in recorded output: three Claude sessions in tmux, iTerm, an editor.
 */
import type { MacTools } from "../../src/machine/MacTools.ts"
import * as Tools from "./MacTools.ts"

/** The process that asks, which the recorded tables hold. */
export const self = { pid: 900, user: 501 }

export interface Recorded {
  readonly ps: string
  readonly lsof: string
  readonly mount: string
  readonly sysctl: string
}

export interface Row {
  /** A number, or what stands for one that is filled in later. */
  readonly pid: number | string
  readonly parent: number | string
  readonly user?: number
  /** When it started, as `ctime` in UTC. */
  readonly started?: string
  readonly state?: string
  readonly terminal?: string
  readonly name: string
  readonly args: string
}

export const rows: ReadonlyArray<Row> = [
  { pid: 1, parent: 0, user: 0, name: "launchd", args: "/sbin/launchd" },
  { pid: 400, parent: 1, user: -2, name: "httpd", args: "/usr/sbin/httpd -D FOREGROUND" },
  { pid: 577, parent: 1, name: "iTerm2", args: "/Applications/iTerm.app/Contents/MacOS/iTerm2" },
  { pid: 650, parent: 577, terminal: "ttys001", state: "Ss", name: "zsh", args: "-zsh" },
  { pid: 701, parent: 650, terminal: "ttys001", state: "S+", name: "tmux", args: "tmux attach -t tm-a" },
  { pid: 702, parent: 1, state: "Ss", name: "tmux", args: "tmux new-session -d -s tm-a -c /Users/me/My Work" },
  { pid: 703, parent: 1, state: "S", name: "tmux", args: "tmux -C attach" },
  { pid: 711, parent: 702, terminal: "ttys003", state: "S+", name: "2.1.3", args: "claude --resume" },
  { pid: 712, parent: 702, terminal: "ttys004", state: "S+", name: "node", args: "node /opt/homebrew/bin/claude" },
  { pid: 713, parent: 702, terminal: "ttys005", state: "S+", name: "claude", args: "claude -c" },
  { pid: 714, parent: 713, name: "claude", args: "claude mcp serve" },
  { pid: 800, parent: 577, name: "Code Helper (Ren", args: "/Applications/VS Code.app/Code Helper (Renderer)" },
  { pid: 801, parent: 1, state: "Z", name: "git", args: "(git)" },
  { pid: 802, parent: 1, state: "SEs", name: "node", args: "(node)" },
  { pid: 900, parent: 650, terminal: "ttys001", state: "S+", name: "node", args: "node session-liveness sweep" }
]

const usual = "Tue Dec  1 09:15:00 2026"

export const psOf = (rows: ReadonlyArray<Row>): string =>
  rows
    .map(({ pid, parent, user = 501, state = "S", terminal = "??", started = usual, name, args }) =>
      [
        `${pid}`.padStart(5),
        `${parent}`.padStart(5),
        `${user}`.padStart(5),
        state.padEnd(4),
        terminal.padEnd(8),
        `${started}    `,
        `${name}${" ".repeat(Math.max(0, 16 - Buffer.byteLength(name)))}`,
        `${args}\n`
      ].join(" ")
    )
    .join("")

export const file = (
  f: string,
  t: string,
  n: string,
  more: ReadonlyArray<string> = ["D0x100000f", "i42", "k1"]
): string => [`f${f}`, ...(t === "" ? [] : [`t${t}`]), ...more, `n${n}`].map((field) => `${field}\0`).join("")

/** What `lsof` shows of every process of ours that runs, and `more` of some of them. */
export const lsofOf = (
  rows: ReadonlyArray<Row>,
  more: Readonly<Record<number | string, ReadonlyArray<string>>> = {},
  own = 501
): string =>
  rows
    .filter(({ user = 501, state = "S" }) => user === own && !/^Z|E/.test(state))
    .map(({ pid, name }) =>
      [`p${pid}\0c${name}\0u${own}\0`, file("cwd", "DIR", "/"), ...(more[pid] ?? [])]
        .map((line) => `${line}\n`)
        .join("")
    )
    .join("")

/** A path as `lsof` prints it under the C locale. */
export const printed = (path: string): string =>
  Array.from(Buffer.from(path.replaceAll("\\", "\\\\")), (byte) =>
    byte < 0x20 || byte > 0x7e ? `\\x${byte.toString(16).padStart(2, "0")}` : String.fromCharCode(byte)
  ).join("")

export const held = {
  702: [file("3u", "unix", "/private/tmp/tmux-501/default", ["D0xabc"])],
  703: [file("3u", "unix", "->0xdef", ["D0xabd"])],
  711: [file("cwd", "DIR", "/Users/me/My Work/\\xd0\\xb4\\xd0\\xb5\\xd0\\xbb\\xd0\\xbe")],
  800: [file("21r", "REG", "/Users/me/My Work/a.ts"), file("22u", "PSXSHM", "shared"), file("23", "", "(revoked)", [])]
}

export const calm: Recorded = {
  ps: psOf(rows),
  lsof: lsofOf(rows, held),
  mount: `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /nowhere/Data (apfs, local, journaled, nobrowse, protect)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//me@nas/share on /Volumes/share (smbfs, nodev, nosuid, mounted by me)
`,
  sysctl: "{ sec = 1764489672, usec = 123 } Sun Nov 30 08:01:12 2025\n"
}

export const write = (directory: string, recorded: Recorded): MacTools =>
  Tools.write(directory, {
    ps: { prints: recorded.ps },
    lsof: { prints: recorded.lsof },
    mount: { prints: recorded.mount },
    sysctl: { prints: recorded.sysctl }
  })
