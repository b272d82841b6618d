import * as Effect from "effect/Effect"
import * as OwnDirectory from "../OwnDirectory.ts"
import type { ReclaimStep } from "../core/ReclaimStep.ts"
import * as AcquireLock from "./AcquireLock.ts"
import * as Attach from "./Attach.ts"
import * as Detach from "./Detach.ts"
import * as ForgetCommits from "./ForgetCommits.ts"
import * as KeepCommits from "./KeepCommits.ts"
import * as Move from "./Move.ts"
import * as MoveSentinel from "./MoveSentinel.ts"
import * as ReleaseLock from "./ReleaseLock.ts"
import * as Remove from "./Remove.ts"
import * as RemoveLeftovers from "./RemoveLeftovers.ts"
import * as RepairLinks from "./RepairLinks.ts"
import * as ResumeLock from "./ResumeLock.ts"
import * as Slim from "./Slim.ts"
import * as SuspendLock from "./SuspendLock.ts"
import type { Tools } from "./Tools.ts"

/**
 * Carries out one step, after a look at the directories that it works in. What recovers a sequence that was stopped does
 * nothing where that is done already. Gives notes for a person; fails with what stood in the way.
 */
export const carryOut = (tools: Tools, step: ReclaimStep): Effect.Effect<ReadonlyArray<string>, string> =>
  "adminDirectory" in step
    ? Effect.andThen(isOurs(tools, step.adminDirectory), dispatch(tools, step))
    : dispatch(tools, step)

/** A link in the place of an admin directory would have its files written elsewhere. */
const isOurs = ({ fs, commonDirectory, user }: Tools, adminDirectory: string): Effect.Effect<void, string> =>
  Effect.gen(function* () {
    const all = `${commonDirectory}/worktrees`
    if (!adminDirectory.startsWith(`${all}/`) || adminDirectory.slice(all.length + 1).includes("/")) {
      return yield* Effect.fail(`${adminDirectory} is no admin directory of ${commonDirectory}`)
    }
    for (const directory of [all, adminDirectory]) {
      if (!(yield* OwnDirectory.isThere(fs, directory, user))) return yield* Effect.fail(`${directory} has gone`)
    }
  })

const dispatch = (tools: Tools, step: ReclaimStep): Effect.Effect<ReadonlyArray<string>, string> => {
  switch (step._tag) {
    case "AcquireLock":
      return AcquireLock.carryOut(tools, step)
    case "KeepCommits":
      return KeepCommits.carryOut(tools, step)
    case "ForgetCommits":
      return ForgetCommits.carryOut(tools, step)
    case "ReleaseLock":
      return ReleaseLock.carryOut(tools, step)
    case "Detach":
      return Detach.carryOut(tools, step)
    case "Attach":
      return Attach.carryOut(tools, step)
    case "Move":
      return Move.carryOut(tools, step)
    case "MoveOut":
    case "MoveBack":
    case "RemoveMoved":
      return Slim.carryOut(tools, step)
    case "RepairLinks":
      return RepairLinks.carryOut(tools, step)
    case "MoveSentinel":
      return MoveSentinel.carryOut(tools, step)
    case "RemoveLeftovers":
      return RemoveLeftovers.carryOut(tools, step)
    case "SuspendLock":
      return SuspendLock.carryOut(tools, step)
    case "ResumeLock":
      return ResumeLock.carryOut(tools, step)
    case "Remove":
      return Remove.carryOut(tools, step)
  }
}
