import * as Effect from "effect/Effect"
import * as WholeFile from "../../shared/WholeFile.ts"
import { type CarryOut, isThere, suspendedLock, worded } from "./Tools.ts"

export const carryOut: CarryOut<"ResumeLock"> = ({ fs, read, write }, { adminDirectory, worktree }) =>
  Effect.gen(function* () {
    const suspended = `${adminDirectory}/${suspendedLock}`
    if (!(yield* isThere(fs, suspended))) return []
    if (!(yield* isThere(fs, `${worktree}/.git`))) {
      yield* worded(
        WholeFile.create(fs, {
          path: `${worktree}/.git`,
          text: `gitdir: ${adminDirectory}\n`,
          mode: 0o644,
          workshop: adminDirectory
        })
      )
    }
    const inTree = [`--git-dir=${adminDirectory}`, `--work-tree=${worktree}`]
    const gone = yield* read([...inTree, "ls-files", "--deleted", "-z"])
    // Only these: a file that is there fails the whole, when the index does not know its times.
    if (gone !== "") yield* write([...inTree, "checkout-index", "-z", "--stdin"], { input: gone })
    yield* worded(fs.rename(suspended, `${adminDirectory}/locked`))
    return []
  })
