/**
 * The processes of a world.
 */
import type * as Processes from "../../machine/core/Processes.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import type * as FakeProcessTable from "../FakeProcessTable.ts"
import * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

/** The process that asks. */
export const self = 100

/** The pid namespaces below ours use these pids too. */
export const innerPid = 7

/**
 * The process table of a world.
 */
export const toProcessTable = (world: SweepWorld.SweepWorld): FakeProcessTable.FakeProcessTable => ({
  table: world.table === "WithoutSelf" ? "Listed" : world.table,
  uses: world.uses,
  list: {
    self: { pid: self, user },
    bootedAt: world.booted === undefined ? null : SweepTime.at(world.booted),
    processes: [
      ...(world.table === "WithoutSelf" ? [] : [selfProcess(world)]),
      ...world.servers.map(serverProcess),
      ...world.processes.map((process) => toProcess(world, process))
    ]
  },
  used: [
    { pid: self, kind: "working directory", path: "/w" },
    ...[...world.servers, ...world.processes].flatMap(({ pid, uses }) => uses.map((use) => ({ pid, ...use })))
  ]
})

/** A shell of ours that uses nothing. */
export const idle: SweepWorld.Process = {
  pid: 398,
  role: "Other",
  looks: "Shell",
  user: "Ours",
  started: "overWeek",
  later: 0,
  inner: [],
  uses: []
}

/** What a process may use a path as. */
export const useKinds: ReadonlyArray<SweepWorld.Use["kind"]> = [
  "working directory",
  "root",
  "executable",
  "open file",
  "command line",
  "mount"
]

/** When a process started, in milliseconds since the epoch. */
export const startedAt = ({ started, later }: Pick<SweepWorld.Process, "started" | "later">): number =>
  SweepTime.at(started) + later

/** Clock ticks as the kernel would count them, if it had booted at the epoch. */
export const ticksOf = (started: number): string => String(Math.floor(started / 10))

/** Who asks, and whose worktrees and processes are ours. */
export const user = FakeFileSystem.defaultUser

const plain = {
  user,
  terminal: false,
  innerPids: [],
  state: "S",
  startTicks: ticksOf(SweepTime.at("overWeek")),
  startedAt: SweepTime.at("overWeek")
}

const selfProcess = (world: SweepWorld.SweepWorld): Processes.Process => ({
  ...plain,
  pid: self,
  parent: parentsOf(world).get(self) ?? 1,
  name: "node",
  executable: "/usr/bin/node",
  args: ["node", "sweep"]
})

/** From the asking process upwards, and from it downwards, each process is the child of the one before, by their pids. */
const parentsOf = (world: SweepWorld.SweepWorld): ReadonlyMap<number, number> => {
  const role = (wanted: SweepWorld.Process["role"]) =>
    world.processes.flatMap(({ pid, role }) => (role === wanted ? [pid] : [])).toSorted((a, b) => a - b)
  const upwards = [self, ...role("Ancestor"), world.hostedBy ?? 1]
  const downwards = [self, ...role("Descendant")]
  return new Map([
    ...upwards.slice(0, -1).map((pid, index) => [pid, upwards[index + 1] ?? 1] as const),
    ...downwards.slice(1).map((pid, index) => [pid, downwards[index] ?? 1] as const)
  ])
}

const serverProcess = ({ pid, shows, whose }: SweepWorld.Server): Processes.Process => ({
  ...plain,
  pid,
  parent: 1,
  user: whose === "Other" ? plain.user + 1 : plain.user,
  innerPids: whose === "Below" ? [innerPid - 1] : [],
  ...{
    Title: { name: "tmux: server", executable: undefined, args: [] },
    CutTitle: { name: "tmux-next: serv", executable: undefined, args: [] },
    Executable: { name: "main", executable: "/usr/bin/tmux (deleted)", args: ["main"] },
    Argument: { name: "main", executable: undefined, args: ["/opt/bin/tmux-3.5a", "-L", "work"] }
  }[shows]
})

const toProcess = (world: SweepWorld.SweepWorld, process: SweepWorld.Process): Processes.Process => ({
  ...plain,
  pid: process.pid,
  parent: parentsOf(world).get(process.pid) ?? 1,
  user: process.user === "Other" ? plain.user + 1 : plain.user,
  innerPids: process.inner,
  startTicks: ticksOf(startedAt(process)),
  startedAt: startedAt(process),
  ...lookOf[process.looks]
})

type Look = Partial<Processes.Process> & Pick<Processes.Process, "name" | "executable" | "args">

const lookOf: Readonly<Record<SweepWorld.Process["looks"], Look>> = {
  Shell: { name: "bash", executable: "/usr/bin/bash", args: ["bash"] },
  Claude: { name: "claude", executable: "/home/.local/share/claude/versions/2.1.0", args: ["claude"] },
  ClaudeScript: {
    name: "node",
    executable: "/usr/bin/node",
    args: ["node", "--no-warnings", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "--continue"]
  },
  ClaudeDeleted: { name: "claude", executable: "/home/.local/bin/claude (deleted)", args: ["claude"] },
  ClaudeHelper: { name: "claude", executable: "/home/.local/bin/claude", args: ["claude", "mcp", "serve"] },
  Namesake: { name: "claude", executable: "/usr/bin/python3", args: ["claude"] },
  TmuxClient: { name: "tmux: client", executable: "/usr/bin/tmux", args: ["tmux", "attach"] },
  TmuxOnTerminal: { name: "tmux", executable: "/usr/bin/tmux", args: ["tmux", "attach"], terminal: true },
  ZombieServer: { name: "tmux: server", executable: undefined, args: [], state: "Z" },
  ZombieClaude: { name: "claude", executable: "/home/.local/bin/claude", args: ["claude"], state: "Z" }
}
