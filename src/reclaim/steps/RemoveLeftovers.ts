import * as Effect from "effect/Effect"
import { keepTime } from "../KeepTime.ts"
import { type CarryOut, isThere, parentOf, worded } from "./Tools.ts"

export const carryOut: CarryOut<"RemoveLeftovers"> = ({ fs }, { worktree, paths }) =>
  Effect.gen(function* () {
    if (paths.length === 0) return []
    const root = yield* worded(fs.realPath(worktree))
    for (const path of paths) {
      const file = `${worktree}/${path}`
      if (!(yield* isThere(fs, file))) continue
      const parent = yield* worded(fs.realPath(parentOf(file)))
      if (parent !== parentOf(`${root}/${path}`)) return yield* Effect.fail(`a link leads to ${file}`)
      // A failed attempt is no sign of work.
      yield* keepTime(
        fs,
        file,
        Effect.gen(function* () {
          const { size, type } = yield* worded(fs.lstat(file))
          if (type !== "SymbolicLink" && !(type === "File" && Number(size) === 0)) {
            return yield* Effect.fail(`${file} holds something by now`)
          }
          yield* worded(fs.remove(file))
        })
      )
    }
    return []
  })
