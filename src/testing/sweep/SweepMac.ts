/**
 * A world as a Mac has it and as the programs of macOS print it.
 */
import * as Timestamp from "../../shared/core/Timestamp.ts"
import type * as FakeMacTools from "../FakeMacTools.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

/**
 * The world without what a Mac has not, or does not tell: namespaces, starts of less than a second, files that other users'
 * processes use, and scripts of processes that are known by their names.
 */
export const onMac = (world: SweepWorld.SweepWorld): SweepWorld.SweepWorld => ({
  ...world,
  platform: "darwin",
  table: world.table === "NotConsulted" ? "Listed" : world.table,
  booted: world.booted ?? "overWeek",
  servers: world.servers.map((server) => ({
    ...server,
    whose: server.whose === "Below" ? "Ours" : server.whose,
    uses: seen(server.uses, server.whose)
  })),
  processes: world.processes.map((process) => ({
    ...process,
    looks: process.looks === "ClaudeScript" ? "Claude" : process.looks,
    later: Math.ceil(process.later / SweepTime.second) * SweepTime.second,
    inner: [],
    uses: seen(process.uses, process.user)
  })),
  worktrees: world.worktrees.map((worktree) => ({
    ...worktree,
    lock: worktree.lock?._tag === "Harness" ? { ...worktree.lock, start: "None" } : worktree.lock
  }))
})

/** In a command line, another case would be another name on the file system of a world. */
const seen = (uses: ReadonlyArray<SweepWorld.Use>, whose: "Ours" | "Other" | "Below"): ReadonlyArray<SweepWorld.Use> =>
  uses.filter(({ kind, path }) => kind !== "mount" && (kind === "command line" ? path !== "/w/A" : whose !== "Other"))

/**
 * What the programs print of it.
 */
export const toTools = (world: SweepWorld.SweepWorld): FakeMacTools.FakeMacTools => {
  const { list } = SweepProcesses.toProcessTable(world)
  const rows = list.processes.map(({ pid, parent, user, startedAt }) => {
    const uses = [...world.servers, ...world.processes].find((each) => each.pid === pid)?.uses ?? []
    const look = lookOf(world, pid)
    const paths = uses.flatMap(({ kind, path }) => (kind === "command line" ? [path] : []))
    return { pid, parent, user, startedAt: startedAt ?? 0, uses, ...look, args: [look.args, ...paths].join(" ") }
  })
  const shown = rows.filter(({ user, state }) => user === SweepProcesses.user && state !== "Z")
  return {
    ps: world.table === "Fails" ? "Fails" : rows.map(psRow).join(""),
    lsof:
      world.uses === "Fail"
        ? "Fails"
        : shown
            .map(({ pid, uses, ...row }) => `${holder({ pid, ...row })}${filesOf(pid === SweepProcesses.self, uses)}`)
            .join(""),
    sockets: shown
      .flatMap((row) => (row.socket === undefined ? [] : [`${holder(row)}f3u\0tunix\0n${row.socket}\0\n`]))
      .join(""),
    mount: "/dev/disk3s1s1 on / (apfs, local)\n",
    sysctl: `{ sec = ${SweepTime.at(world.booted ?? "overWeek") / SweepTime.second}, usec = 0 } a day\n`
  }
}

interface Look {
  readonly name: string
  readonly args: string
  readonly state: "S" | "Z"
  readonly terminal: "??" | "ttys001"
  readonly socket: string | undefined
}

const lookOf = (world: SweepWorld.SweepWorld, pid: number): Look => {
  const plain: Look = { name: "node", args: "node sweep", state: "S", terminal: "??", socket: undefined }
  const server = world.servers.find((each) => each.pid === pid)
  if (server !== undefined) return { ...plain, socket: `/private/tmp/s${pid}`, ...serverLooks[server.shows] }
  const process = world.processes.find((each) => each.pid === pid)
  return process === undefined ? plain : { ...plain, ...looks[process.looks] }
}

const serverLooks: Readonly<Record<SweepWorld.Server["shows"], Pick<Look, "name" | "args">>> = {
  Title: { name: "tmux", args: "tmux new-session -d" },
  CutTitle: { name: "tmux", args: "(tmux)" },
  Executable: { name: "tmux", args: "main" },
  Argument: { name: "main", args: "/opt/bin/tmux-3.5a -L work" }
}

const looks: Readonly<Record<SweepWorld.Process["looks"], Partial<Look> & Pick<Look, "name" | "args">>> = {
  Shell: { name: "bash", args: "bash" },
  Claude: { name: "2.1.0", args: "claude" },
  ClaudeScript: { name: "node", args: "node /opt/my node/claude-code/cli.js" },
  ClaudeDeleted: { name: "claude", args: "claude" },
  ClaudeHelper: { name: "claude", args: "claude mcp serve" },
  Namesake: { name: "claudette", args: "claudette" },
  TmuxClient: { name: "tmux", args: "tmux -C attach", socket: "->0xabc" },
  TmuxOnTerminal: { name: "tmux", args: "tmux attach", terminal: "ttys001" },
  ZombieServer: { name: "tmux", args: "(tmux)", state: "Z" },
  ZombieClaude: { name: "claude", args: "(claude)", state: "Z" }
}

const psRow = (
  row: Look & { readonly pid: number; readonly parent: number; readonly user: number; readonly startedAt: number }
): string =>
  `${row.pid} ${row.parent} ${row.user} ${row.state} ${row.terminal} ${Timestamp.formatCtime(row.startedAt)}     ${row.name.padEnd(16)} ${row.args}\n`

const holder = ({ pid, name }: { readonly pid: number; readonly name: string }): string =>
  `p${pid}\0c${name}\0u${SweepProcesses.user}\0\n`

const descriptors: Readonly<Record<string, string>> = { "working directory": "cwd", root: "rtd", executable: "txt" }

const filesOf = (isSelf: boolean, uses: ReadonlyArray<SweepWorld.Use>): string =>
  [...(isSelf ? [{ kind: "working directory", path: "/w" }] : []), ...uses]
    .flatMap(({ kind, path }) =>
      kind === "command line" ? [] : [`f${descriptors[kind] ?? "5r"}\0tVREG\0k1\0n${printed(path)}\0\n`]
    )
    .join("")

const encoder = new TextEncoder()

const printed = (path: string): string =>
  Array.from(encoder.encode(path), (byte) =>
    byte > 0x7e ? `\\x${byte.toString(16)}` : String.fromCharCode(byte)
  ).join("")
