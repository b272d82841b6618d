import * as Effect from "effect/Effect"
import * as WholeFile from "../../shared/WholeFile.ts"
import * as Links from "../Links.ts"
import { type CarryOut, worded } from "./Tools.ts"

export const carryOut: CarryOut<"RepairLinks"> = ({ fs }, { adminDirectory, worktree }) =>
  Effect.gen(function* () {
    const replace = (path: string, text: string) =>
      worded(WholeFile.replace(fs, { path, text, mode: 0o644, workshop: adminDirectory }))
    yield* replace(`${adminDirectory}/gitdir`, `${worktree}/.git\n`)
    if (!(yield* Links.leadsTo(fs, worktree, adminDirectory))) {
      yield* replace(`${worktree}/.git`, `gitdir: ${adminDirectory}\n`)
    }
    return []
  })
