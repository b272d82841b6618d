import * as Effect from "effect/Effect"
import * as Kept from "./Kept.ts"
import { type CarryOut, gitDir, type Tools } from "./Tools.ts"

/**
 * Only a ref under which nothing lies that no other ref keeps. Remote branches do not count, since a fetch may prune them,
 * nor do logs, which expire. What is no commit stays kept.
 */
export const carryOut: CarryOut<"ForgetCommits"> = (tools, step) =>
  Effect.gen(function* () {
    const needless = yield* Effect.filter(yield* Kept.refs(tools, step.name), ({ id }) =>
      isKeptElsewhere(tools, step.name, id)
    )
    yield* Kept.update(
      tools,
      step.name,
      needless.map(({ ref, id }) => `delete ${ref} ${id}\n`)
    )
    return []
  })

const isKeptElsewhere = (tools: Tools, name: string, id: string): Effect.Effect<boolean, string> =>
  Effect.gen(function* () {
    const type = (yield* tools.read([gitDir(tools), "cat-file", "-t", id])).trim()
    if (type !== "commit") return false
    const left = yield* tools.read([
      gitDir(tools),
      "rev-list",
      "--max-count=1",
      id,
      "--not",
      `--exclude=${Kept.prefixOf(name)}*`,
      "--exclude=refs/remotes/*",
      "--glob=refs/*"
    ])
    return left === ""
  })
