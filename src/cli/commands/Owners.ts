/**
 * Whose a worktree is, and that its work is over.
 */
import { Clock, Effect, FileSystem, Option, References } from "effect"
import { Command, Flag } from "effect/cli"
import { OwnerSentinel, WorkspaceClaims } from "../../internal.ts"
import * as AdminDirectory from "../../verdict/AdminDirectory.ts"
import * as Advice from "../Advice.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Screen from "../Screen.ts"
import * as Worktrees from "../Worktrees.ts"

const path = Paths.argument("path", "a linked worktree")

const named = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (id) => id !== "",
      () => "an id that is not empty"
    ),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
    Flag.withMetavar("ID"),
    Flag.withDescription(description)
  )

export const adopt = Command.make(
  "adopt",
  {
    path,
    session: named("session", "the session that owns it (default: the managed session in whose pane this runs)"),
    agent: named("agent", "the agent that works in it; --parent names whose agent that is"),
    parent: named("parent", "the session that started the agent"),
    json: Judging.json,
    root: Judging.root
  },
  ({ path, session, agent, parent, json, root }) =>
    Judging.run(
      { root },
      Effect.gen(function* () {
        if ((agent === undefined) !== (parent === undefined))
          return yield* ExitCode.wrong("--agent and --parent go together")
        const owner = session ?? (agent === undefined ? yield* callerId : undefined)
        if (owner === undefined && agent === undefined) {
          return yield* ExitCode.wrong("name the owner: by --session, or by --agent and --parent")
        }
        const tree = yield* Worktrees.find(Paths.absolute(path))
        if (tree._tag === "NoCandidate") return failed(path, tree.reason, json)
        const at = tree.worktree
        const found = yield* Effect.flatMap(OwnerSentinel.OwnerSentinel, (sentinels) => sentinels.read(at))
        if (found._tag === "Unreadable") return failed(path, found.why, json)
        if (found._tag === "Named" && !isOver(found) && !isTheirs(found, owner, agent)) {
          return failed(
            path,
            `it belongs to ${says(found)}; \`${Advice.command("release", Paths.pasted(at))}\` first`,
            json
          )
        }
        const createdAt = yield* Clock.currentTimeMillis
        const sentinel = {
          owner,
          agent:
            agent === undefined || parent === undefined
              ? undefined
              : { agentId: agent, delegationId: agent, parent, endedAt: undefined },
          createdAt
        }
        return yield* OwnerSentinel.write(at, sentinel).pipe(
          Effect.match({
            onSuccess: () => done(path, `it belongs to ${says(sentinel)} now`, json),
            onFailure: ({ message }) => failed(path, message, json)
          })
        )
      })
    )
).pipe(
  Help.says({
    line: "says whose a worktree is",
    also: "--session, --agent, --parent",
    more: "A file of its git admin directory keeps that. The worktree stays as long as its owner has not ended.",
    examples: [
      ["it is that of a session", "adopt . --session harbor"],
      ["it is that of an agent, which a session started", "adopt . --agent a-7 --parent harbor"]
    ]
  })
)

export const release = Command.make("release", { path, json: Judging.json }, ({ path, json }) =>
  Judging.run(
    {},
    Effect.gen(function* () {
      const tree = yield* Worktrees.find(Paths.absolute(path))
      if (tree._tag === "NoCandidate") return failed(path, tree.reason, json)
      const at = tree.worktree
      const found = yield* Effect.flatMap(OwnerSentinel.OwnerSentinel, (sentinels) => sentinels.read(at))
      if (found._tag === "Nobody") return done(path, "it belongs to nobody, so nothing was changed", json)
      if (found._tag === "Unreadable") return failed(path, found.why, json)
      const now = yield* Clock.currentTimeMillis
      return yield* over(at, found, now).pipe(
        Effect.match({
          onSuccess: () => done(path, released(found), json),
          onFailure: ({ message }) => failed(path, message, json)
        })
      )
    })
  )
).pipe(
  Help.says({
    line: "says that the work in a worktree is over",
    more: "An agent is marked as ended, a session owns it no more. The worktree goes when every other gate permits.",
    examples: [["the worktree around the working directory", "release ."]]
  })
)

const callerId = Effect.map(WorkspaceClaims.identifyCaller, Option.getOrUndefined).pipe(
  Effect.provideService(References.MinimumLogLevel, "None")
)

type Named = Parameters<typeof OwnerSentinel.Named>[0]

const isTheirs = (found: Named, owner: string | undefined, agent: string | undefined): boolean =>
  found.owner === owner && found.agent?.agentId === agent

/** An agent that was released holds it against no other. */
const isOver = ({ owner, agent }: Named): boolean => owner === undefined && agent?.endedAt !== undefined

const sessionOf = ({ owner }: Named): ReadonlyArray<string> =>
  owner === undefined ? [] : [`session ${Screen.name(owner)}`]

const agentOf = ({ agent }: Named): ReadonlyArray<string> =>
  agent === undefined ? [] : [`agent ${Screen.name(agent.agentId)} of ${Screen.name(agent.parent)}`]

const says = (named: Named): string => [...sessionOf(named), ...agentOf(named)].join(" and ")

const released = (named: Named): string =>
  [
    ...sessionOf(named).map((session) => `it belongs to ${session} no more`),
    ...agentOf(named).map((agent) => `${agent} is marked as ended`)
  ].join("; ")

const over = (
  worktree: string,
  { owner, agent, createdAt }: Named,
  now: number
): Effect.Effect<void, { readonly message: string }, OwnerSentinel.OwnerSentinel | FileSystem.FileSystem> => {
  if (agent === undefined) return remove(worktree)
  return owner === undefined
    ? OwnerSentinel.markEnded(worktree, agent.agentId, now)
    : OwnerSentinel.write(worktree, { owner: undefined, agent: { ...agent, endedAt: now }, createdAt })
}

/** From where it lies: a sentinel in the admin directory hides one in the worktree itself. */
const remove = Effect.fnUntraced(function* (worktree: string) {
  const fs = yield* FileSystem.FileSystem
  const admin = yield* AdminDirectory.find(fs, worktree).pipe(Effect.mapError((message) => ({ message })))
  const places = [admin, worktree].map((directory) => `${directory}/${OwnerSentinel.fileName}`)
  for (const place of places) if (yield* fs.exists(place)) return yield* fs.remove(place)
})

const done = (path: string, what: string, json: boolean): number => {
  const at = Paths.absolute(path)
  Screen.out(json ? Screen.json({ path: at, done: true, what }) : `${Paths.shown(at)}: ${Screen.printable(what)}`)
  return ExitCode.done
}

const failed = (path: string, why: string, json: boolean): number => {
  const at = Paths.absolute(path)
  if (json) Screen.out(Screen.json({ path: at, done: false, what: why }))
  else Judging.say(`${Paths.shown(at)}: ${why}`)
  return ExitCode.refused
}
