import * as Effect from "effect/Effect"
import * as RegularFile from "../../shared/RegularFile.ts"
import { type CarryOut, maxBytes, priorLock, worded } from "./Tools.ts"

export const carryOut: CarryOut<"ReleaseLock"> = ({ fs }, step) =>
  Effect.gen(function* () {
    const locked = `${step.adminDirectory}/locked`
    const prior = `${step.adminDirectory}/${priorLock}`
    const found = yield* RegularFile.read(fs, locked, maxBytes)
    const ours = found._tag === "File" && found.text.trim() === step.reason
    if (found._tag !== "Nothing" && !ours) {
      return yield* Effect.fail(
        "its lock is not ours any more; see `git worktree list`, and unlock it if nobody needs the lock"
      )
    }
    const before = yield* RegularFile.read(fs, prior, maxBytes)
    if (before._tag === "File" && before.text.trim() === step.prior?.trim()) yield* worded(fs.rename(prior, locked))
    else if (ours) yield* worded(fs.remove(locked))
    return []
  })
