import * as Effect from "effect/Effect"
import * as RegularFile from "../../shared/RegularFile.ts"
import * as OwnerSentinel from "../../verdict/core/OwnerSentinel.ts"
import { type CarryOut, isThere, maxBytes, worded } from "./Tools.ts"

export const carryOut: CarryOut<"MoveSentinel"> = ({ fs }, step) =>
  Effect.gen(function* () {
    const inTree = `${step.worktree}/${OwnerSentinel.fileName}`
    const inAdmin = `${step.adminDirectory}/${OwnerSentinel.fileName}`
    const found = yield* RegularFile.read(fs, inTree, maxBytes)
    if (found._tag === "Nothing") return []
    const takes = found._tag === "File" && found.text !== "" && !(yield* isThere(fs, inAdmin))
    yield* worded(fs.rename(inTree, takes ? inAdmin : `${inAdmin}-of-tree`))
    return []
  })
