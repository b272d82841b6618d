import * as Effect from "effect/Effect"
import * as RegularFile from "../../shared/RegularFile.ts"
import { type CarryOut, gitDir, maxBytes, worktrees } from "./Tools.ts"

export const carryOut: CarryOut<"Attach"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, read, write } = tools
    const admin = `--git-dir=${step.adminDirectory}`
    const short = step.branch.replace(/^refs\/heads\//, "")
    const own = yield* RegularFile.read(fs, `${step.adminDirectory}/HEAD`, maxBytes)
    // On a branch it was not detached, or somebody has switched it since.
    if (own._tag === "File" && own.text.startsWith("ref: ")) return []
    const stays = (why: string) => [
      `HEAD stays detached, because branch ${short} ${why}; to go back to it: git -C ${quote(step.worktree)} switch ${quote(short)}`
    ]
    const ref = yield* read([gitDir(tools), "for-each-ref", "--format=%(objectname) %(refname)", step.branch])
    const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
    if (head !== step.head) return stays("is not where this worktree is any more")
    if (!ref.split("\n").includes(`${step.head} ${step.branch}`)) return stays("has moved on")
    const holder = (yield* worktrees(tools)).find(({ branch }) => branch === step.branch)
    if (holder !== undefined) return stays(`is checked out in ${holder.path}`)
    yield* write([admin, "symbolic-ref", "-m", "session-liveness: restored", "HEAD", step.branch], { bounded: true })
    return []
  })

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
