import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AdminDirectory from "../../verdict/AdminDirectory.ts"
import * as ReclaimedDirectory from "../../verdict/core/ReclaimedDirectory.ts"
import { keepTime } from "../KeepTime.ts"
import * as Links from "../Links.ts"
import * as OwnDirectory from "../OwnDirectory.ts"
import { type CarryOut, gitDir, isThere, parentOf, worded } from "./Tools.ts"

/**
 * The lock is ours, so that git has to be told twice to move it.
 */
export const carryOut: CarryOut<"Move"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, commonDirectory, user, write } = tools
    if (!(yield* isThere(fs, step.from)) && (yield* isThere(fs, step.to))) return []
    if (yield* isThere(fs, step.to)) {
      return yield* Effect.fail(`something else stands at ${step.to}; move it away first`)
    }
    const reclaimed = ReclaimedDirectory.of(commonDirectory)
    const parent = parentOf(step.to)
    yield* OwnDirectory.ensure(fs, reclaimed, user)
    if (parent !== reclaimed) yield* worded(fs.makeDirectory(parent, { recursive: true }))
    const [from, to] = yield* worded(Effect.all([fs.lstat(step.from), fs.stat(parent)]))
    if (from.type !== "Directory") return yield* Effect.fail(`${step.from} is a ${from.type}, not a directory`)
    if (from.dev !== to.dev) {
      return yield* Effect.fail(`${parent} lies on another device, so that it cannot be moved there`)
    }
    const move = (source: string, target: string) =>
      keepTime(fs, source, keepTime(fs, target, write([gitDir(tools), "worktree", "move", "-f", "-f", source, target])))
    const admin = yield* Effect.option(Effect.flatMap(AdminDirectory.find(fs, step.from), fs.realPath))
    const isAt = (path: string) =>
      Option.isSome(admin) ? Links.leadsTo(fs, path, admin.value, step.from) : Effect.succeed(false)
    yield* move(step.from, step.to)
    if (yield* isAt(step.to)) return []
    // git moves into a directory that has come to stand there.
    const within = `${step.to}${step.from.slice(step.from.lastIndexOf("/"))}`
    if (!(yield* isAt(within))) return yield* Effect.fail(`it did not come to ${step.to}; see \`git worktree list\``)
    yield* move(within, step.from)
    return yield* Effect.fail(
      `something else has come to stand at ${step.to}, so that it was moved back; move that away first`
    )
  })
