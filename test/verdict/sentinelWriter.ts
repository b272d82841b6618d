/**
 * A child process that writes the sentinel of the worktree in its argument again and again until it is killed.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { OwnerSentinel } from "../../src/internal.ts"

const worktree = process.argv[2] ?? ""
let written = 0

const write = Effect.suspend(() =>
  OwnerSentinel.write(worktree, {
    owner: `writer-${written++}-${"x".repeat(20_000)}`,
    createdAt: 0,
    agent: undefined
  })
)

await Effect.runPromise(
  Effect.andThen(
    Effect.sync(() => fs.writeSync(1, "begun\n")),
    Effect.forever(write)
  ).pipe(Effect.provide(OwnerSentinel.layer.pipe(Layer.provide(NodeFileSystem.layer))))
)
