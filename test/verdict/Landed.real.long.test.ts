/**
 * What has landed, on random histories of real git. The generator knows which work is on main: the words of each commit,
 * each of which is in one file alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Git, type Landed } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"

const timeout = 300_000

/** Numbers that are the same in every run. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const git = (at: string, ...args: ReadonlyArray<string>): string => Repo.git(at, "-c", "core.autocrlf=false", ...args)

/** Makes one history of a worktree and of main, and says whether all of the work is on main. */
const history = (repository: string, at: string, random: (below: number) => number): boolean => {
  const name = path.basename(at)
  git(repository, "worktree", "add", "-q", "-b", name, at, "main")
  const count = 1 + random(3)
  for (let index = 0; index < count; index++) {
    const file = path.join(at, `${name}-${random(2)}`)
    const kind = random(6)
    if (kind === 0) fs.writeFileSync(file, Buffer.from([0, random(256), index, 255]))
    else if (kind === 1 && fs.existsSync(file))
      git(at, "mv", `${path.basename(file)}`, `${path.basename(file)}-${index}`)
    else fs.appendFileSync(file, `${name} ${index}${kind === 2 ? "  " : ""}\n`)
    git(at, "add", "-A")
    git(at, "commit", "-q", "--allow-empty", "-m", `${name} ${index}`)
  }
  const fork = git(repository, "merge-base", "main", name).trim()
  const commits = git(repository, "rev-list", "--reverse", `${fork}..${name}`).trim().split("\n")
  other(repository, name, random)
  const isEmpty = git(repository, "diff", "--stat", fork, name) === ""
  const way = random(6)
  let isOnMain = way !== 5
  if (way === 0) git(repository, "merge", "-q", "--no-ff", "-m", `merge ${name}`, name)
  if (way === 1) {
    git(repository, "merge", "-q", "--squash", name)
    git(repository, "commit", "-q", "--allow-empty", "-m", `squash ${name}`)
  }
  // One by one, as a rebase on main would make them; the last one may be left out.
  const picked = way === 3 ? commits.slice(0, -1) : commits
  if (way === 2 || way === 3) {
    for (const commit of picked) git(repository, "cherry-pick", "--allow-empty", "--keep-redundant-commits", commit)
    const left = way === 3 ? commits.at(-1) : undefined
    if (left !== undefined && git(repository, "diff", "--stat", `${left}^`, left) !== "") isOnMain = false
  }
  if (way === 4) {
    git(at, "rebase", "-q", "main")
    git(repository, "merge", "-q", "--ff-only", name)
  }
  other(repository, `${name}-after`, random)
  if (isOnMain && way <= 2 && !isEmpty && random(3) === 0) {
    const landed = git(repository, "log", "--format=%H", "-1", "--skip=1", "main").trim()
    const parents = git(repository, "log", "-1", "--format=%P", landed).trim().split(" ")
    if (git(repository, "diff", "--stat", `${landed}^`, landed) !== "") {
      git(repository, "revert", "--no-edit", ...(parents.length > 1 ? ["-m", "1"] : []), landed)
      if (random(2) === 0) git(repository, "commit", "-q", "--amend", "-m", "take it out again")
      isOnMain = false
    }
  } else if (isOnMain && random(3) === 0) {
    // Main goes on in the same files.
    for (const file of fs.readdirSync(repository).filter((each) => each.startsWith(`${name}-`))) {
      fs.appendFileSync(path.join(repository, file), "and on\n")
    }
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "--allow-empty", "-m", "go on")
  }
  return isOnMain
}

/** One commit on main of somebody else's. */
const other = (repository: string, name: string, random: (below: number) => number): void => {
  fs.writeFileSync(path.join(repository, "other"), `${name} ${random(1000)}\n`)
  git(repository, "add", "-A")
  git(repository, "commit", "-q", "-m", `other ${name}`)
}

describe("Git.landed", () => {
  it.live(
    "is never said of what is not on main, and mostly of what is",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const random = numbers(20_261_201)
        const known = Array.from({ length: 24 }, (_, index) => {
          const at = path.join(root, `w${index}`)
          return { at, isOnMain: history(repository, at, random) }
        })
        const before = git(repository, "count-objects", "-v")
        const answers = yield* Effect.gen(function* () {
          const service = yield* Git.Git
          const listed = yield* service.repository(repository)
          return yield* Effect.forEach(known, ({ at }): Effect.Effect<Landed.Landed, Git.GitError> => {
            const worktree = listed.worktrees.find((each) => each.path === at)
            if (worktree?.head === undefined) return assert.fail(`${at} is not listed`)
            const { head } = worktree
            return Effect.flatMap(service.files(listed, worktree, {}), ({ headLog: { madeAt, commits } }) =>
              service.landed(listed, { head, madeAt, committed: commits, agentStore: false }, { thorough: true })
            )
          })
        }).pipe(Effect.provide(Survey.layer({ root })))
        const wrong = known.flatMap(({ at, isOnMain }, index) =>
          answers[index]?._tag === "Landed" && !isOnMain ? [`${path.basename(at)}: ${answers[index].how}`] : []
        )
        assert.deepStrictEqual(wrong, [])
        const needless = known.filter(({ isOnMain }, index) => isOnMain && answers[index]?._tag !== "Landed").length
        assert.isAtMost(needless, known.filter(({ isOnMain }) => isOnMain).length / 3)
        assert.strictEqual(git(repository, "count-objects", "-v"), before, "no object was written")
      }),
    timeout
  )
})
