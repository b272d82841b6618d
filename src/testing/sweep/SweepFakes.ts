/**
 * A world as tmux, the store, the Claude registry and the sentinels tell it.
 */
import type * as OwnerSentinel from "../../verdict/core/OwnerSentinel.ts"
import type * as FakeClaudeSessions from "../FakeClaudeSessions.ts"
import type * as FakeSessionStore from "../FakeSessionStore.ts"
import type * as FakeTmux from "../FakeTmux.ts"
import * as SweepFiles from "./SweepFiles.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import * as SweepWorld from "./SweepWorld.ts"

/**
 * The tmux servers of a world, as they answer.
 */
export const toTmux = (world: SweepWorld.SweepWorld): FakeTmux.FakeTmux => ({
  reach: world.reach,
  sockets: [
    ...world.servers.flatMap((server): ReadonlyArray<FakeTmux.Socket> => {
      if (server.socket === "Deleted") return []
      const { sessions } = server
      // A server below is known to itself by another pid than to us.
      const pid = server.whose === "Below" ? SweepProcesses.innerPid - 1 : server.pid
      return [
        {
          path: `/tmp/tmux-1000/s${server.pid}`,
          answers:
            server.socket === "Stopped"
              ? "Never"
              : { pid, startTime: SweepTime.at(server.started) / SweepTime.second, sessions }
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

const said: Readonly<Record<Exclude<SweepWorld.Stray, "Silent">, FakeTmux.Socket["answers"]>> = {
  Dead: failing("error connecting to /tmp/tmux-1000/t (Connection refused)\n"),
  Refuses: failing("error connecting to /tmp/tmux-1000/t (Permission denied)\n"),
  Mismatched: failing("protocol version mismatch (client 8, server 7)\n"),
  Fails: failing("lost server\n"),
  Babbles: { exitCode: 0, stdout: "Welcome!\n", stderr: "" }
}

/**
 * The records of a world, as a store gives them.
 */
export const toStore = ({ store, records }: SweepWorld.SweepWorld): FakeSessionStore.FakeSessionStore => ({
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
            createdAt: created === undefined ? undefined : SweepTime.at(created),
            lastActivityAt: active === undefined ? undefined : SweepTime.at(active)
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
            workspacePath: SweepWorld.keepsWorkspace(flaw) ? workspace : undefined,
            tmuxName: SweepWorld.keepsName(flaw) ? tmuxName : undefined
          }
        ]
  )
})

/**
 * The Claude registry of a world, as its files tell it.
 */
export const toClaudeSessions = (world: SweepWorld.SweepWorld): FakeClaudeSessions.FakeClaudeSessions => ({
  registry: world.registry,
  entries: world.entries.map((entry) => ({
    path: `${SweepPlaces.configDirectory}/sessions/${entry.pid}.json`,
    pid: entry.pid,
    content:
      entry.state === "Forbidden" ? { unreadable: "may not be read" } : { text: SweepFiles.entryText(world, entry) }
  })),
  transcripts: world.transcripts
})

/**
 * Whom the sentinels of a world name, by the path of the worktree.
 */
export const toSentinels = ({ worktrees }: SweepWorld.SweepWorld): ReadonlyMap<string, OwnerSentinel.Sentinel> =>
  new Map(worktrees.map(({ path, sentinel }) => [path, toSentinel(sentinel)]))

const toSentinel = (sentinel: SweepWorld.Sentinel): OwnerSentinel.Sentinel => {
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
        createdAt: SweepTime.at(sentinel.created),
        agent:
          sentinel.parent === undefined
            ? undefined
            : {
                agentId: "agent",
                delegationId: "delegation",
                parent: sentinel.parent,
                endedAt: sentinel.agentEnded ? SweepTime.at("almostWeek") : undefined
              }
      }
  }
}
