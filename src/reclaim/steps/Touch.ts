import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CarryOut, worded } from "./Tools.ts"

export const carryOut: CarryOut<"Touch"> = ({ fs }, { adminDirectory }) =>
  Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* worded(fs.utimes(`${adminDirectory}/HEAD`, now, now))
    return []
  })
