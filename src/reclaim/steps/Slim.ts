/**
 * The way of regenerable directories out of a worktree, and back or away.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SlimEntry } from "../core/SlimEntry.ts"
import * as SlimDirectories from "../SlimDirectories.ts"
import * as SlimPlace from "../SlimPlace.ts"
import type { Step, Tools } from "./Tools.ts"

type Here = Pick<Tools, "fs" | "commonDirectory" | "user" | "mountsIn">

export const carryOut = (
  here: Here,
  step: Step<"MoveOut" | "MoveBack" | "RemoveMoved">
): Effect.Effect<ReadonlyArray<string>, string> => Effect.as(ways[step._tag](here, step.entry), [])

/** Stops at the first that cannot be moved; those before it lie in our place. */
const moveOut = Effect.fnUntraced(function* (
  { fs, commonDirectory, user }: Here,
  { worktree, directories }: SlimEntry
): Effect.fn.Return<void, string> {
  const place = yield* SlimPlace.ensure(fs, commonDirectory, user)
  for (const moved of directories) yield* SlimDirectories.moveOut(fs, place, worktree, moved)
})

/** Moves back what it can, and then fails for the rest. */
const moveBack = Effect.fnUntraced(function* (
  { fs, commonDirectory, user }: Here,
  { worktree, directories }: SlimEntry
): Effect.fn.Return<void, string> {
  const place = yield* SlimPlace.find(fs, commonDirectory, user)
  if (place === undefined) return
  const done = yield* Effect.forEach(directories, (moved) =>
    Effect.result(SlimDirectories.moveBack(fs, place, worktree, moved))
  )
  const failures = done.flatMap((each) => (Result.isFailure(each) ? [each.failure] : []))
  if (failures.length > 0) return yield* Effect.fail(failures.join("; "))
})

/** A removal goes through a mount of the same file system. */
const removeMoved = Effect.fnUntraced(function* (
  { fs, commonDirectory, user, mountsIn }: Here,
  { directories }: SlimEntry
): Effect.fn.Return<void, string> {
  const place = yield* SlimPlace.find(fs, commonDirectory, user)
  if (place === undefined) return
  const [mount] = yield* mountsIn(place)
  if (mount !== undefined) return yield* Effect.fail(`${mount} is mounted in what is to be removed; unmount it`)
  for (const moved of directories) yield* SlimDirectories.remove(fs, place, moved)
})

const ways = { MoveOut: moveOut, MoveBack: moveBack, RemoveMoved: removeMoved }
