/**
 * Marks the agent that stopped as ended in the sentinels that name it.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Clock, Effect, FileSystem, Layer, Option } from "effect"
import * as path from "node:path"
import * as AdminDirectory from "../../verdict/AdminDirectory.ts"
import * as OwnerSentinel from "../../verdict/OwnerSentinel.ts"
import * as Deadline from "./Deadline.ts"
import * as Event from "./Event.ts"
import { because } from "./Undone.ts"

/** The worktrees are those of the repository around the event's `cwd`, or around `CLAUDE_PROJECT_DIR` where that has gone. */
export const ofStop = Effect.fnUntraced(
  function* (event: Event.Event) {
    const agentId = Event.text(event, "agent_id")
    if (agentId === undefined) return yield* because("the event has no agent_id")
    const at = yield* Clock.currentTimeMillis
    const places = [Event.text(event, "cwd"), process.env["CLAUDE_PROJECT_DIR"], "."].filter(
      (place) => place !== undefined
    )
    const sentinels = yield* OwnerSentinel.OwnerSentinel
    for (const place of places) {
      const worktrees = yield* linkedAround(path.resolve(place))
      const theirs = yield* Effect.filter(worktrees, (worktree) =>
        Effect.map(sentinels.read(worktree), (one) => one._tag === "Named" && one.agent?.agentId === agentId)
      )
      if (theirs.length === 0) continue
      Deadline.mayBeDone("the agent is marked as ended")
      return yield* Effect.forEach(theirs, (worktree) => OwnerSentinel.markEnded(worktree, agentId, at), {
        discard: true
      })
    }
  },
  Effect.provide(OwnerSentinel.layer.pipe(Layer.provideMerge(NodeFileSystem.layer)))
)

/** The linked worktrees of the repository around a directory; none where there is no repository. */
const linkedAround = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const admin = yield* adminAround(directory)
  if (Option.isNone(admin)) return []
  const pointer = yield* Effect.option(fs.readFileString(`${admin.value}/commondir`))
  const common = Option.match(pointer, {
    onNone: () => admin.value,
    onSome: (text) => path.resolve(admin.value, text.trimEnd())
  })
  const names = yield* Effect.orElseSucceed(fs.readDirectory(`${common}/worktrees`), () => [])
  const pointers = yield* Effect.forEach(
    names,
    (name) => Effect.option(fs.readFileString(`${common}/worktrees/${name}/gitdir`)),
    { concurrency: 16 }
  )
  return pointers.flatMap((pointer, index) =>
    Option.isSome(pointer)
      ? [path.dirname(path.resolve(`${common}/worktrees/${names[index]}`, pointer.value.trimEnd()))]
      : []
  )
})

const adminAround: (directory: string) => Effect.Effect<Option.Option<string>, never, FileSystem.FileSystem> =
  Effect.fnUntraced(function* (directory) {
    const fs = yield* FileSystem.FileSystem
    for (let at = directory; ; at = path.dirname(at)) {
      const found = yield* Effect.option(AdminDirectory.find(fs, at))
      if (Option.isSome(found) || at === path.dirname(at)) return found
    }
  })
