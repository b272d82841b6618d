/**
 * A machine on which agent sessions run, described by what is true of it: records, link files, tmux servers, processes,
 * the Claude registry, worktrees, and who asks. `SessionTruth` and `WorktreeTruth` tell the right answers without running
 * the library.
 */
import type * as PathUses from "../../machine/core/PathUses.ts"
import type * as SlimWorld from "./SlimWorld.ts"
import type * as SweepTime from "./SweepTime.ts"

/**
 * One stored record. `WrongKey` and `BadName` do not decode and keep their workspace; `BadWorkspace` and `NoObject` keep
 * none.
 */
export interface SessionRecord {
  readonly key: string
  readonly flaw: "None" | "WrongKey" | "BadName" | "BadWorkspace" | "NoObject"
  readonly tmuxName: string
  readonly created: SweepTime.Age | undefined
  readonly active: SweepTime.Age | undefined
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
  readonly started: SweepTime.Age
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
  readonly started: SweepTime.Age
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
      readonly created: SweepTime.Age
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
  "Untracked",
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
  readonly active: SweepTime.Age | undefined
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
  /** Where `darwin`, its processes are told by what the programs of macOS print. */
  readonly platform?: "darwin" | undefined
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
  readonly booted: SweepTime.Age | undefined
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

/** What git says of a worktree that may go. */
export const clean = {
  active: "overWeek",
  readable: true,
  obstacle: undefined,
  head: "Landed",
  lock: undefined,
  owner: "Ours",
  fileSystem: "ext4"
} as const

/** A linked worktree that may go where nobody is there. */
export const quietWorktree: Worktree = {
  path: "/w/b",
  repository: 0,
  sentinel: { _tag: "Nothing" },
  ignored: false,
  ...clean
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
  worktrees: [quietWorktree]
}

/** Whether a record of that flaw still tells its workspace. */
export const keepsWorkspace = (flaw: SessionRecord["flaw"]): boolean => flaw !== "BadWorkspace" && flaw !== "NoObject"

/** Whether a record of that flaw still tells its tmux name. */
export const keepsName = (flaw: SessionRecord["flaw"]): boolean => flaw !== "BadName" && flaw !== "NoObject"
