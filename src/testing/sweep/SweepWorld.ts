/**
 * A machine on which agent sessions run, described by what is true of it: records, link files, tmux servers, processes,
 * the Claude registry, worktrees, and who asks. `SweepTruth` tells the right answers without running the library.
 */
import type * as OwnerSentinel from "../../verdict/core/OwnerSentinel.ts"
import type * as PathUses from "../../machine/core/PathUses.ts"
import type * as Processes from "../../machine/core/Processes.ts"
import * as Root from "../../shared/core/Root.ts"
import type * as FakeClaudeSessions from "../FakeClaudeSessions.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as SlimWorld from "./SlimWorld.ts"
import type * as FakeGit from "../FakeGit.ts"
import type * as FakeProcessTable from "../FakeProcessTable.ts"
import type * as FakeSessionStore from "../FakeSessionStore.ts"
import type * as FakeTmux from "../FakeTmux.ts"

/** The root that every world lies under. */
export const root = "/root"

/** The config directory of Claude Code. */
export const configDirectory = "/home/.claude"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** When a world is looked at whose `clock` is 0, in milliseconds since the epoch. */
export const now = 400 * day

/**
 * How long ago something was, in milliseconds. All lie so far from the limits of the rules that no delay of a few minutes
 * crosses one.
 */
export const ages = {
  overMonth: 31 * day,
  overWeek: 7 * day + hour,
  almostWeek: 7 * day - hour,
  overDay: day + hour,
  almostDay: day - hour,
  moment: 5 * second,
  ahead: -2 * day
}

export type Age = keyof typeof ages

/** The instant that lies so long ago. */
export const at = (age: Age): number => now - ages[age]

/**
 * By how much the clock may be ahead of `now`, in milliseconds: to each side of the limits. A look may take some seconds
 * before it comes to how long a worktree has been quiet.
 */
export const clocks: ReadonlyArray<number> = [0, 55 * second - 1, 55 * second, hour - minute, hour]

/**
 * One stored record. `WrongKey` and `BadName` do not decode and keep their workspace; `BadWorkspace` and `NoObject` keep
 * none.
 */
export interface SessionRecord {
  readonly key: string
  readonly flaw: "None" | "WrongKey" | "BadName" | "BadWorkspace" | "NoObject"
  readonly tmuxName: string
  readonly created: Age | undefined
  readonly active: Age | undefined
  readonly workspace: string | undefined
  readonly claudeId: string | undefined
}

/**
 * One link file.
 */
export interface LinkFile {
  readonly name: string
  readonly ids: ReadonlyArray<string>
  readonly flaw: "None" | "Torn" | "Damaged" | "Forbidden"
}

/**
 * One tmux server. `Deleted`: it lives and its socket file is gone. `Below`: in a pid namespace below ours.
 */
export interface Server {
  readonly pid: number
  readonly socket: "Listening" | "Deleted" | "Stopped"
  readonly sessions: ReadonlyArray<{ readonly name: string; readonly panes: ReadonlyArray<number> }>
  /** By what the process table shows it to be a server. */
  readonly shows: "Title" | "CutTitle" | "Executable" | "Argument"
  readonly whose: "Ours" | "Other" | "Below"
  /** When it says that it started. */
  readonly started: Age
  readonly uses: ReadonlyArray<Use>
}

/** A socket without a living server of ours behind it, by how it answers. */
export type Stray = "Dead" | "Refuses" | "Mismatched" | "Silent" | "Babbles" | "Fails"

export interface Use {
  readonly kind: PathUses.PathUse["kind"]
  readonly path: string
}

/**
 * One process that is neither a tmux server nor the one that asks.
 */
export interface Process {
  readonly pid: number
  readonly role: "Other" | "Ancestor" | "Descendant"
  readonly looks:
    | "Shell"
    | "Claude"
    | "ClaudeScript"
    | "ClaudeDeleted"
    | "ClaudeHelper"
    /** Named like Claude Code, and something else. */
    | "Namesake"
    | "TmuxClient"
    | "TmuxOnTerminal"
    | "ZombieServer"
    | "ZombieClaude"
  readonly user: "Ours" | "Other"
  readonly started: Age
  /** How much later than that, in milliseconds. */
  readonly later: number
  /** Its pids in namespaces below ours. */
  readonly inner: ReadonlyArray<number>
  readonly uses: ReadonlyArray<Use>
}

/**
 * One entry of the Claude registry. `start` is what it records, as against the start of the process at its pid; `Ctime…`
 * is text, and names a start that is the same, an hour before or 16 hours before.
 */
export interface Entry {
  readonly pid: number
  readonly sessionId: string
  readonly start: "Ticks" | "OtherTicks" | "None" | "Ctime" | "CtimeHour" | "CtimeDay"
  readonly state: "Whole" | "Half" | "Forbidden"
}

/**
 * Whom a worktree's sentinel names. `OldMark` is an empty file in the worktree itself.
 */
export type Sentinel =
  | { readonly _tag: "Nothing" | "OldMark" | "EmptyInAdmin" | "Half" | "NamesNobody" | "Forbidden" }
  | {
      readonly _tag: "Names"
      /** Where it lies: in the admin directory, or in the worktree itself. */
      readonly lies: "Admin" | "Worktree"
      readonly owner: string | undefined
      readonly parent: string | undefined
      readonly agentEnded: boolean
      readonly created: Age
    }

/** What git holds against a worktree, besides where its `HEAD` is. */
export const obstacles = [
  "LongLived",
  "Nested",
  "Mounts",
  "Immovable",
  "LedTo",
  "Submodules",
  "Dirty",
  "Flagged",
  "Operation",
  "IndexLock",
  "IgnoredWrite"
] as const

export type Obstacle = (typeof obstacles)[number]

export type Lock =
  | { readonly _tag: "Person" }
  | { readonly _tag: "Harness"; readonly pid: number; readonly start: "Ticks" | "OtherTicks" | "None" }

/**
 * One linked worktree.
 */
export interface Worktree {
  readonly path: string
  /** The repository it belongs to, by its place in `repositories`. */
  readonly repository: number
  readonly sentinel: Sentinel
  /** The last sign of git at work; not known unless given. */
  readonly active: Age | undefined
  /** Whether git can tell anything of it. */
  readonly readable: boolean
  readonly obstacle: Obstacle | undefined
  /** Where the work is: in the default branch, in its own branch alone, in none. */
  readonly head: "Landed" | "OwnBranch" | "Nowhere"
  readonly lock: Lock | undefined
  readonly owner: "Ours" | "Other" | undefined
  readonly fileSystem: string | undefined
  readonly ignored: boolean
  /** Directories as tools and people leave them. */
  readonly specimens?: ReadonlyArray<SlimWorld.Specimen> | undefined
}

export interface SweepWorld {
  /** How far the clock is ahead of `now`, in milliseconds. */
  readonly clock: number
  readonly caller: string | undefined
  readonly dismiss: ReadonlyArray<string>
  readonly store: "Read" | "Missing" | "Malformed" | "Forbidden"
  /** Keys are unique. */
  readonly records: ReadonlyArray<SessionRecord>
  readonly sidecar: "Listed" | "Absent" | "NotConsulted"
  /** Names are unique. */
  readonly linkFiles: ReadonlyArray<LinkFile>
  /** Whether tmux can be asked from here at all. */
  readonly reach: "Here" | "ForeignVantage" | "SocketDirMissing"
  readonly servers: ReadonlyArray<Server>
  /** No two are alike. */
  readonly strays: ReadonlyArray<Stray>
  readonly table: "Listed" | "NotConsulted" | "Fails" | "WithoutSelf"
  readonly uses: "Known" | "Fail"
  readonly booted: Age | undefined
  /** The pid of the tmux server that the asking process descends from. */
  readonly hostedBy: number | undefined
  /** Pids are unique, those of servers and `self` included. */
  readonly processes: ReadonlyArray<Process>
  readonly registry: "Found" | "NotConsulted" | "Fails"
  /** Pids are unique. */
  readonly entries: ReadonlyArray<Entry>
  readonly transcripts: ReadonlyArray<string>
  readonly repositories: ReadonlyArray<"Listed" | "Unlisted">
  /** No two are the same place. */
  readonly worktrees: ReadonlyArray<Worktree>
}

/** A world in which everything is as it should be for the one worktree to go. */
export const quiet: SweepWorld = {
  clock: 0,
  caller: undefined,
  dismiss: [],
  store: "Read",
  records: [
    {
      key: "m1",
      flaw: "None",
      tmuxName: "tm-a",
      created: "overWeek",
      active: "overWeek",
      workspace: "/w/b",
      claudeId: "c1"
    }
  ],
  sidecar: "Listed",
  linkFiles: [],
  reach: "Here",
  servers: [
    { pid: 201, socket: "Listening", sessions: [], shows: "Title", whose: "Ours", started: "overMonth", uses: [] }
  ],
  strays: [],
  table: "Listed",
  uses: "Known",
  booted: "overWeek",
  hostedBy: 201,
  processes: [],
  registry: "Found",
  entries: [],
  transcripts: [],
  repositories: ["Listed", "Listed"],
  worktrees: [
    {
      path: "/w/b",
      repository: 0,
      sentinel: { _tag: "Nothing" },
      active: "overWeek",
      readable: true,
      obstacle: undefined,
      head: "Landed",
      lock: undefined,
      owner: "Ours",
      fileSystem: "ext4",
      ignored: false
    }
  ]
}

/**
 * The names that records use: whether a manager would have given them, and whether tmux lists such a session exactly so.
 */
export const names: Readonly<Record<string, { readonly managed: boolean; readonly listable: boolean }>> = {
  "tm-a": { managed: true, listable: true },
  "tm-b": { managed: true, listable: true },
  "tm-ab": { managed: true, listable: true },
  "tmpm-c_1": { managed: true, listable: true },
  "trusty-mpm-d": { managed: true, listable: true },
  "tm-a.b": { managed: true, listable: false },
  "tm-a b": { managed: true, listable: false },
  "tm-é": { managed: true, listable: false },
  "tm-#{pid}": { managed: true, listable: false },
  "TM-a": { managed: false, listable: true },
  "my-tm-a": { managed: false, listable: true },
  work: { managed: false, listable: true },
  "": { managed: false, listable: false }
}

/** What a server may list besides: a name with white space around it, by the name within. */
export const padded: Readonly<Record<string, string>> = { " tm-a": "tm-a", "tm-b\u3000": "tm-b" }

/** The process that asks. */
export const self = 100

/** The pid namespaces below ours use these pids too. */
export const innerPid = 7

/**
 * Every path that a world uses, with the places it may be taken for: as it is spelled and, where that leads elsewhere, as
 * the file system follows it. `undefined`: it cannot be placed, and is told by its spelling alone.
 */
export const places: Readonly<Record<string, ReadonlyArray<string> | undefined>> = {
  "/w/a": ["/w/a"],
  "/w/b": ["/w/b"],
  "/w/ab": ["/w/ab"],
  "/w/a/in": ["/w/a/in"],
  "/w/é": ["/w/é"],
  "/w/r/.claude/worktrees/x": ["/w/r/.claude/worktrees/x"],
  "/w/a/.claude/worktrees/y": ["/w/a/.claude/worktrees/y"],
  "/w/r/.git/reclaimed/t-x": ["/w/r/.git/reclaimed/t-x"],
  "/l/b": ["/l/b", "/w/b"],
  "/w": ["/w"],
  "/w/A": ["/w/A"],
  "/x": ["/x"],
  "/": [""],
  "/w/a/": ["/w/a"],
  "/w/./ab/../a": ["/w/a"],
  "/w/a/gone/deep": ["/w/a/gone/deep"],
  "/w/e\u0301": ["/w/é"],
  "/l/w/a": ["/l/w/a", "/w/a"],
  "/l/w": ["/l/w", "/w"],
  "/l/in/../ab": ["/l/ab", "/w/a/ab"],
  "/l/dangling": ["/l/dangling", "/w/gone"],
  "/l/b/deep": ["/l/b/deep", "/w/b/deep"],
  "/w/a/file": ["/w/a/file"],
  "": undefined,
  "w/a": undefined,
  "/w/a\0": undefined,
  "/l/loop": undefined,
  "/l/loop/x": undefined,
  "/shut/x": undefined,
  "/w/a/file/x": undefined
}

/** Where a worktree may stand. */
export const worktreePaths: ReadonlyArray<string> = Object.keys(places).slice(0, 9)

/** What a record may say of its workspace and can be placed. */
export const placeablePaths: ReadonlyArray<string> = Object.keys(places).filter((path) => places[path] !== undefined)

export const unplaceablePaths: ReadonlyArray<string> = Object.keys(places).filter((path) => places[path] === undefined)

/** Where the directory itself is, whatever links lead there. */
export const truePath = (path: string): string => places[path]?.at(-1) ?? path

/** Whether git can tell anything of a worktree. It tells nothing of one whose own path is a link. */
export const isReadable = ({ readable, path }: Worktree): boolean => readable && !(path in links)

/** The worktrees, of whatever repository, that lie inside another one. */
export const inside = ({ worktrees }: SweepWorld, around: Worktree): ReadonlyArray<string> =>
  worktrees
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${around.path}/`) || truePath(path).startsWith(`${truePath(around.path)}/`))

const links: FakeFileSystem.Tree = {
  "/l/b": { symlink: "/w/b" },
  "/l/w": { symlink: "../w" },
  "/l/in": { symlink: "/w/a/in" },
  "/l/dangling": { symlink: "/w/gone" },
  "/l/loop": { symlink: "loop" }
}

const layout: FakeFileSystem.Tree = {
  "/w/a/in": { dir: true },
  "/w/a/.claude/worktrees/y": { dir: true },
  "/w/a/file": { text: "" },
  "/w/b": { dir: true },
  "/w/ab": { dir: true },
  "/w/A": { dir: true },
  "/w/é": { dir: true },
  "/w/r/.claude/worktrees/x": { dir: true },
  "/w/r/.git/reclaimed/t-x": { dir: true },
  "/w/s/.git": { dir: true },
  "/x": { dir: true },
  "/shut": { dir: true, mode: 0 },
  ...links
}

/** Where a repository's main worktree stands. */
export const repositoryPaths: ReadonlyArray<string> = ["/w/r", "/w/s"]

const commonDirectory = (repository: number): string => `${repositoryPaths[repository] ?? "/w/r"}/.git`

const adminDirectory = ({ repository, path }: Worktree): string =>
  `${commonDirectory(repository)}/worktrees/${path.replaceAll(/[^A-Za-z0-9]/g, "-")}`

/**
 * The world as a tree of files: all that is not a process.
 */
export const toTree = (world: SweepWorld): FakeFileSystem.Tree => ({
  ...layout,
  [root]: { dir: true },
  ...storeNodes(world),
  ...sidecarNodes(world),
  ...registryNodes(world),
  ...Object.assign({}, ...world.worktrees.map(worktreeNodes))
})

/** The path of the one tmux server that listens there. */
const socketOf = (server: Server): string => `/tmp/tmux-1000/s${server.pid}`

/**
 * The tmux servers of a world, as they answer.
 */
export const toTmux = (world: SweepWorld): FakeTmux.FakeTmux => ({
  reach: world.reach,
  sockets: [
    ...world.servers.flatMap((server): ReadonlyArray<FakeTmux.Socket> => {
      if (server.socket === "Deleted") return []
      const { sessions } = server
      // A server below is known to itself by another pid than to us.
      const pid = server.whose === "Below" ? innerPid - 1 : server.pid
      return [
        {
          path: socketOf(server),
          answers: server.socket === "Stopped" ? "Never" : { pid, startTime: at(server.started) / second, sessions }
        }
      ]
    }),
    ...world.strays.map((stray): FakeTmux.Socket => ({
      path: `/tmp/tmux-1000/${stray}`,
      answers: stray === "Silent" ? "Never" : said[stray]
    }))
  ]
})

const failing = (stderr: string): FakeTmux.Socket["answers"] => ({ exitCode: 1, stdout: "", stderr })

const said: Readonly<Record<Exclude<Stray, "Silent">, FakeTmux.Socket["answers"]>> = {
  Dead: failing("error connecting to /tmp/tmux-1000/t (Connection refused)\n"),
  Refuses: failing("error connecting to /tmp/tmux-1000/t (Permission denied)\n"),
  Mismatched: failing("protocol version mismatch (client 8, server 7)\n"),
  Fails: failing("lost server\n"),
  Babbles: { exitCode: 0, stdout: "Welcome!\n", stderr: "" }
}

/**
 * The process table of a world.
 */
export const toProcessTable = (world: SweepWorld): FakeProcessTable.FakeProcessTable => ({
  table: world.table === "WithoutSelf" ? "Listed" : world.table,
  uses: world.uses,
  list: {
    self: { pid: self, user: FakeFileSystem.defaultUser },
    bootedAt: world.booted === undefined ? null : at(world.booted),
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

/** When a process started, in milliseconds since the epoch. */
export const startedAt = ({ started, later }: Pick<Process, "started" | "later">): number => at(started) + later

/** Clock ticks as the kernel would count them, if it had booted at the epoch. */
const ticksOf = (started: number): string => String(Math.floor(started / 10))

const plain = {
  user: FakeFileSystem.defaultUser,
  terminal: false,
  innerPids: [],
  state: "S",
  startTicks: ticksOf(at("overWeek")),
  startedAt: at("overWeek")
}

const selfProcess = (world: SweepWorld): Processes.Process => ({
  ...plain,
  pid: self,
  parent: parentsOf(world).get(self) ?? 1,
  name: "node",
  executable: "/usr/bin/node",
  args: ["node", "sweep"]
})

/** From the asking process upwards, and from it downwards, each process is the child of the one before. */
const parentsOf = (world: SweepWorld): ReadonlyMap<number, number> => {
  const role = (wanted: Process["role"]) => world.processes.filter(({ role }) => role === wanted).map(({ pid }) => pid)
  const upwards = [self, ...role("Ancestor"), world.hostedBy ?? 1]
  const downwards = [self, ...role("Descendant")]
  return new Map([
    ...upwards.slice(0, -1).map((pid, index) => [pid, upwards[index + 1] ?? 1] as const),
    ...downwards.slice(1).map((pid, index) => [pid, downwards[index] ?? 1] as const)
  ])
}

const serverProcess = ({ pid, shows, whose }: Server): Processes.Process => ({
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

const toProcess = (world: SweepWorld, process: Process): Processes.Process => ({
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

const lookOf: Readonly<Record<Process["looks"], Look>> = {
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

/**
 * The records of a world, as a store gives them.
 */
export const toStore = ({ store, records }: SweepWorld): FakeSessionStore.FakeSessionStore => ({
  store,
  records: records.flatMap(({ flaw, key, created, active, workspace, claudeId, tmuxName }) =>
    flaw !== "None"
      ? []
      : [
          {
            id: key,
            tmuxName,
            workspacePath: workspace,
            claudeId,
            createdAt: created === undefined ? undefined : at(created),
            lastActivityAt: active === undefined ? undefined : at(active)
          }
        ]
  ),
  undecoded: records.flatMap(({ flaw, key, workspace, tmuxName }) =>
    flaw === "None"
      ? []
      : [
          {
            key,
            why: flaw,
            workspacePath: keepsWorkspace(flaw) ? workspace : undefined,
            tmuxName: keepsName(flaw) ? tmuxName : undefined
          }
        ]
  )
})

/** Whether a record of that flaw still tells its workspace. */
export const keepsWorkspace = (flaw: SessionRecord["flaw"]): boolean => flaw !== "BadWorkspace" && flaw !== "NoObject"

/** Whether a record of that flaw still tells its tmux name. */
export const keepsName = (flaw: SessionRecord["flaw"]): boolean => flaw !== "BadName" && flaw !== "NoObject"

const storeNodes = ({ store, records }: SweepWorld): FakeFileSystem.Tree => {
  if (store === "Missing") return {}
  const document = JSON.stringify({
    sessions: Object.fromEntries(records.map((record) => [record.key, stored(record)]))
  })
  return {
    [Root.store(root)]: {
      text: store === "Malformed" ? document.slice(0, -1) : document,
      mode: store === "Forbidden" ? 0 : 0o600
    }
  }
}

const time = (age: Age | undefined): string | null => (age === undefined ? null : new Date(at(age)).toISOString())

const stored = ({ key, flaw, tmuxName, workspace, claudeId, created, active }: SessionRecord): unknown =>
  flaw === "NoObject"
    ? key
    : {
        id: flaw === "WrongKey" ? `${key}x` : key,
        tmux_name: flaw === "BadName" ? 7 : tmuxName,
        ...(workspace === undefined ? {} : { workspace_path: flaw === "BadWorkspace" ? [workspace] : workspace }),
        ...(workspace === undefined && flaw === "BadWorkspace" ? { workspace_path: 7 } : {}),
        claude_session_id: claudeId ?? null,
        created_at: time(created),
        last_activity_at: time(active),
        state: "deleted"
      }

const sidecarNodes = ({ sidecar, linkFiles }: SweepWorld): FakeFileSystem.Tree => {
  if (sidecar !== "Listed") return {}
  const directory = Root.sidecar(root)
  return {
    [directory]: { dir: true },
    ...Object.fromEntries(
      linkFiles.map(({ name, ids, flaw }) => [
        `${directory}/${name}`,
        {
          text: `${flaw === "Damaged" ? "\u0001\n" : ""}${ids.map((id) => `${id}\n`).join("")}${flaw === "Torn" ? "c" : ""}`,
          mode: flaw === "Forbidden" ? 0 : 0o600
        }
      ])
    )
  }
}

/** The text of a registry entry, and whether it can be read. */
export const entryText = (world: SweepWorld, entry: Entry): string => {
  const process = world.processes.find(({ pid }) => pid === entry.pid)
  const started = process === undefined ? at("overWeek") : startedAt(process)
  const text = JSON.stringify({
    pid: entry.pid,
    sessionId: entry.sessionId,
    ...(entry.start === "None" ? {} : { procStart: recordedStart(entry.start, started) }),
    tmux: "elsewhere"
  })
  return entry.state === "Half" ? text.slice(0, -5) : text
}

const recordedStart = (start: Exclude<Entry["start"], "None">, started: number): string =>
  ({
    Ticks: ticksOf(started),
    OtherTicks: `${ticksOf(started)}1`,
    Ctime: ctime(started),
    CtimeHour: ctime(started - hour),
    CtimeDay: ctime(started - 16 * hour)
  })[start]

const ctime = (instant: number): string => {
  const [weekday = "", date = "", month = "", year = "", clock = ""] = new Date(instant).toUTCString().split(/[ ,]+/)
  return `${weekday} ${month} ${String(Number(date)).padStart(2, " ")} ${clock} ${year}`
}

const registryNodes = (world: SweepWorld): FakeFileSystem.Tree => ({
  [`${configDirectory}/sessions`]: { dir: true, mode: world.registry === "Fails" ? 0 : 0o700 },
  ...Object.fromEntries(
    world.entries.map((entry) => [
      `${configDirectory}/sessions/${entry.pid}.json`,
      { text: entryText(world, entry), mode: entry.state === "Forbidden" ? 0 : 0o600 }
    ])
  ),
  [`${configDirectory}/sessions/README.json`]: { text: "" },
  ...Object.fromEntries(world.transcripts.map((id) => [`${configDirectory}/projects/p/${id}.jsonl`, { text: "{}\n" }]))
})

/**
 * The Claude registry of a world, as its files tell it.
 */
export const toClaudeSessions = (world: SweepWorld): FakeClaudeSessions.FakeClaudeSessions => ({
  registry: world.registry,
  entries: world.entries.map((entry) => ({
    path: `${configDirectory}/sessions/${entry.pid}.json`,
    pid: entry.pid,
    content: entry.state === "Forbidden" ? { unreadable: "may not be read" } : { text: entryText(world, entry) }
  })),
  transcripts: world.transcripts
})

/**
 * Whom the sentinels of a world name, by the path of the worktree.
 */
export const toSentinels = ({ worktrees }: SweepWorld): ReadonlyMap<string, OwnerSentinel.Sentinel> =>
  new Map(worktrees.map(({ path, sentinel }) => [path, toSentinel(sentinel)]))

const toSentinel = (sentinel: Sentinel): OwnerSentinel.Sentinel => {
  switch (sentinel._tag) {
    case "Nothing":
    case "OldMark":
      return { _tag: "Nobody" }
    case "EmptyInAdmin":
    case "Half":
    case "NamesNobody":
    case "Forbidden":
      return { _tag: "Unreadable", why: sentinel._tag }
    case "Names":
      return {
        _tag: "Named",
        owner: sentinel.owner,
        createdAt: at(sentinel.created),
        agent:
          sentinel.parent === undefined
            ? undefined
            : {
                agentId: "agent",
                delegationId: "delegation",
                parent: sentinel.parent,
                endedAt: sentinel.agentEnded ? at("overDay") : undefined
              }
      }
  }
}

const sentinelText = (sentinel: Extract<Sentinel, { _tag: "Names" }>): string =>
  JSON.stringify({
    ...(sentinel.owner === undefined ? {} : { owner_session_id: sentinel.owner }),
    created_at: new Date(at(sentinel.created)).toISOString(),
    ...(sentinel.parent === undefined
      ? {}
      : {
          agent: {
            agent_id: "agent",
            delegation_id: "delegation",
            parent_session_id: sentinel.parent,
            ...(sentinel.agentEnded ? { ended_at: new Date(at("overDay")).toISOString() } : {})
          }
        })
  })

const worktreeNodes = (worktree: Worktree): FakeFileSystem.Tree => {
  const directory = truePath(worktree.path)
  const admin = adminDirectory(worktree)
  const inAdmin = `${admin}/.trusty-mpm-worktree`
  const inWorktree = `${directory}/.trusty-mpm-worktree`
  const specimens = worktree.specimens ?? []
  const nodes: FakeFileSystem.Tree = {
    ...SlimWorld.nodesOf(directory, specimens, plain.user),
    ...SlimWorld.linksOf(repositoryPaths[worktree.repository] ?? "/w/r", directory, specimens),
    ...(worktree.ignored ? { [`${directory}/__pycache__/a.pyc`]: { text: "" } } : {}),
    [`${directory}/.git`]: { text: `gitdir: ${admin}\n` },
    [`${admin}/gitdir`]: { text: `${directory}/.git\n` }
  }
  switch (worktree.sentinel._tag) {
    case "Nothing":
      return nodes
    case "OldMark":
      return { ...nodes, [inWorktree]: { text: "" } }
    case "EmptyInAdmin":
      return { ...nodes, [inAdmin]: { text: "" } }
    case "Half":
      return { ...nodes, [inWorktree]: { text: '{"owner_session_id":"m1"' } }
    case "NamesNobody":
      return { ...nodes, [inAdmin]: { text: '{"created_at":"2026-01-01T00:00:00Z"}' } }
    case "Forbidden":
      return { ...nodes, [inAdmin]: { text: "", mode: 0 } }
    case "Names":
      return {
        ...nodes,
        [worktree.sentinel.lies === "Admin" ? inAdmin : inWorktree]: { text: sentinelText(worktree.sentinel) }
      }
  }
}

/**
 * The repositories of a world and what git tells of their worktrees.
 */
export const toGit = (world: SweepWorld): ReadonlyArray<FakeGit.Repository> =>
  world.repositories.map((state, index) => ({
    path: repositoryPaths[index] ?? "/w/r",
    commonDirectory: commonDirectory(index),
    listed: state === "Listed",
    worktrees: world.worktrees
      .filter(({ repository }) => repository === index)
      .map((worktree) => toWorktree(world, worktree))
  }))

const toWorktree = (world: SweepWorld, worktree: Worktree): FakeGit.Worktree => {
  const { path, obstacle, active, owner, specimens = [] } = worktree
  const branch = `refs/heads/${path.slice(path.lastIndexOf("/") + 1)}`
  return {
    path,
    branch,
    head: headOf(worktree),
    locked: worktree.lock === undefined ? undefined : lockReason(world, worktree.lock),
    adminDirectory: adminDirectory(worktree),
    content: SlimWorld.contentOf(specimens),
    facts: !isReadable(worktree)
      ? undefined
      : {
          files: {
            identity: `1:${path}`,
            isBesideRepository: obstacle !== "Immovable",
            mounts: [...(obstacle === "Mounts" ? [`${path}/mnt`] : []), ...SlimWorld.mountsOf(path, specimens)],
            repositories: obstacle === "Nested" ? [`${path}/clone`] : [],
            signs: [
              active === undefined
                ? { _tag: "Unknown", reason: "the HEAD log tells no time" }
                : { _tag: "Known", value: { what: "the HEAD log", at: at(active) } }
            ],
            headLog: { madeAt: undefined, commits: true },
            owner: owner === undefined ? undefined : owner === "Ours" ? plain.user : plain.user + 1,
            fileSystem: worktree.fileSystem
          },
          git: {
            longLived: obstacle === "LongLived",
            nested: [...inside(world, worktree), ...(obstacle === "Nested" ? [`${path}/clone`] : [])],
            mounts: [...(obstacle === "Mounts" ? [`${path}/mnt`] : []), ...SlimWorld.mountsOf(path, specimens)],
            immovable: obstacle === "Immovable" ? "it is on another device than its repository" : undefined,
            ledTo: obstacle === "LedTo" ? ["/w/s/shared"] : [],
            submodules: obstacle === "Submodules",
            dirty: obstacle === "Dirty" ? [" M changed.ts"] : [],
            harmless: [],
            flagged: obstacle === "Flagged" ? [{ path: "hidden.ts", flag: "assume-unchanged" }] : [],
            operation: obstacle === "Operation" ? "rebase" : undefined,
            indexLock: obstacle === "IndexLock",
            headContained: worktree.head !== "Nowhere",
            ignored: worktree.ignored ? ["__pycache__/"] : [],
            ignoredWrite: obstacle === "IgnoredWrite" ? { path: "data.sqlite", at: now } : undefined
          },
          landed:
            worktree.head === "Landed"
              ? { _tag: "Landed", into: "main", how: "it was merged" }
              : { _tag: "NotLanded", why: "1 commit of it is not in main", commits: 1, isReverted: false }
        }
  }
}

/** A commit of its own. */
const headOf = ({ path }: Worktree): string =>
  Array.from(path, (character) => character.charCodeAt(0).toString(16))
    .join("")
    .padStart(40, "0")
    .slice(-40)

const lockReason = (world: SweepWorld, lock: Lock): string => {
  if (lock._tag === "Person") return "keep this"
  const process = world.processes.find(({ pid }) => pid === lock.pid)
  const ticks = ticksOf(process === undefined ? at("overWeek") : startedAt(process))
  const start = { Ticks: ` start ${ticks}`, OtherTicks: ` start ${ticks}1`, None: "" }[lock.start]
  return `claude agent worker (pid ${lock.pid}${start})`
}
