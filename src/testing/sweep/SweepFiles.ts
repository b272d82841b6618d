/**
 * A world as a tree of files: all that is not a process.
 */
import * as Root from "../../shared/core/Root.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"
import * as SlimWorld from "./SlimWorld.ts"
import * as SweepGit from "./SweepGit.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

/**
 * The world as a tree of files: all that is not a process.
 */
export const toTree = (world: SweepWorld.SweepWorld): FakeFileSystem.Tree => ({
  ...SweepPlaces.layout,
  [SweepPlaces.root]: { dir: true },
  ...storeNodes(world),
  ...sidecarNodes(world),
  ...registryNodes(world),
  ...Object.assign({}, ...world.worktrees.map(worktreeNodes))
})

const storeNodes = ({ store, records }: SweepWorld.SweepWorld): FakeFileSystem.Tree => {
  if (store === "Missing") return {}
  const document = JSON.stringify({
    sessions: Object.fromEntries(records.map((record) => [record.key, stored(record)]))
  })
  return {
    [Root.store(SweepPlaces.root)]: {
      text: store === "Malformed" ? document.slice(0, -1) : document,
      mode: store === "Forbidden" ? 0 : 0o600
    }
  }
}

const time = (age: SweepTime.Age | undefined): string | null =>
  age === undefined ? null : new Date(SweepTime.at(age)).toISOString()

const stored = ({ key, flaw, tmuxName, workspace, claudeId, created, active }: SweepWorld.SessionRecord): unknown =>
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

const sidecarNodes = ({ sidecar, linkFiles }: SweepWorld.SweepWorld): FakeFileSystem.Tree => {
  if (sidecar !== "Listed") return {}
  const directory = Root.sidecar(SweepPlaces.root)
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

const registryNodes = (world: SweepWorld.SweepWorld): FakeFileSystem.Tree => ({
  [`${SweepPlaces.configDirectory}/sessions`]: { dir: true, mode: world.registry === "Fails" ? 0 : 0o700 },
  ...Object.fromEntries(
    world.entries.map((entry) => [
      `${SweepPlaces.configDirectory}/sessions/${entry.pid}.json`,
      { text: entryText(world, entry), mode: entry.state === "Forbidden" ? 0 : 0o600 }
    ])
  ),
  [`${SweepPlaces.configDirectory}/sessions/README.json`]: { text: "" },
  ...Object.fromEntries(
    world.transcripts.map((id) => [`${SweepPlaces.configDirectory}/projects/p/${id}.jsonl`, { text: "{}\n" }])
  )
})

/** The text of a registry entry, and whether it can be read. */
export const entryText = (world: SweepWorld.SweepWorld, entry: SweepWorld.Entry): string => {
  const process = world.processes.find(({ pid }) => pid === entry.pid)
  const started = process === undefined ? SweepTime.at("overWeek") : SweepProcesses.startedAt(process)
  const text = JSON.stringify({
    pid: entry.pid,
    sessionId: entry.sessionId,
    ...(entry.start === "None" ? {} : { procStart: recordedStart(entry.start, started, world.platform) }),
    tmux: "elsewhere"
  })
  return entry.state === "Half" ? text.slice(0, -5) : text
}

/** A Mac has no ticks. */
const recordedStart = (
  start: Exclude<SweepWorld.Entry["start"], "None">,
  started: number,
  platform: SweepWorld.SweepWorld["platform"]
): string =>
  ({
    Ticks: platform === "darwin" ? ctime(started) : SweepProcesses.ticksOf(started),
    OtherTicks: platform === "darwin" ? ctime(started - SweepTime.day) : `${SweepProcesses.ticksOf(started)}1`,
    Ctime: ctime(started),
    CtimeHour: ctime(started - SweepTime.hour),
    CtimeDay: ctime(started - 16 * SweepTime.hour)
  })[start]

const ctime = (instant: number): string => {
  const [weekday = "", date = "", month = "", year = "", clock = ""] = new Date(instant).toUTCString().split(/[ ,]+/)
  return `${weekday} ${month} ${String(Number(date)).padStart(2, " ")} ${clock} ${year}`
}

const worktreeNodes = (worktree: SweepWorld.Worktree): FakeFileSystem.Tree => {
  const directory = SweepPlaces.truePath(worktree.path)
  const admin = SweepGit.adminDirectory(worktree)
  const inAdmin = `${admin}/.trusty-mpm-worktree`
  const inWorktree = `${directory}/.trusty-mpm-worktree`
  const specimens = worktree.specimens ?? []
  const nodes: FakeFileSystem.Tree = {
    ...SlimWorld.nodesOf(directory, specimens, SweepProcesses.user),
    ...SlimWorld.linksOf(SweepPlaces.repositoryPaths[worktree.repository] ?? "/w/r", directory, specimens),
    ...(worktree.obstacle === "Untracked" ? { [`${directory}/notes.md`]: { text: "notes" } } : {}),
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

const sentinelText = (sentinel: Extract<SweepWorld.Sentinel, { _tag: "Names" }>): string =>
  JSON.stringify({
    ...(sentinel.owner === undefined ? {} : { owner_session_id: sentinel.owner }),
    created_at: new Date(SweepTime.at(sentinel.created)).toISOString(),
    ...(sentinel.parent === undefined
      ? {}
      : {
          agent: {
            agent_id: "agent",
            delegation_id: "delegation",
            parent_session_id: sentinel.parent,
            ...(sentinel.agentEnded ? { ended_at: new Date(SweepTime.at("almostWeek")).toISOString() } : {})
          }
        })
  })
