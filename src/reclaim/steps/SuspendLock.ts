import * as Effect from "effect/Effect"
import * as RegularFile from "../../shared/RegularFile.ts"
import { type CarryOut, maxBytes, suspendedLock, worded } from "./Tools.ts"

export const carryOut: CarryOut<"SuspendLock"> = ({ fs }, { adminDirectory, reason }) =>
  Effect.gen(function* () {
    const locked = yield* RegularFile.read(fs, `${adminDirectory}/locked`, maxBytes)
    if (locked._tag === "Nothing") return []
    if (locked._tag !== "File" || locked.text.trim() !== reason) {
      return yield* Effect.fail("its lock is not ours any more; see `git worktree list`")
    }
    yield* worded(fs.rename(`${adminDirectory}/locked`, `${adminDirectory}/${suspendedLock}`))
    return []
  })
