/**
 * Which worktrees of a real repository may go, and where one goes.
 */
import { Data, Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { OwnerSentinel, Reclaim, type ReclaimPlan } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Outcomes from "../../src/cli/Outcomes.ts"
import * as Table from "../Table.ts"
import { harbor, orchard } from "./Cast.ts"
import * as Own from "./Own.ts"
import { type Act, say, Stage } from "./Stage.ts"

/** There is no git to play with. */
export class NoGit extends Data.TaggedError("NoGit")<{ readonly message: string }> {}

const day = 24 * 60 * 60 * 1000

export interface Repository {
  readonly directory: string
  readonly git: (...args: ReadonlyArray<string>) => string
}

/** A repository of the tour's own. */
export const start: Effect.Effect<Repository, NoGit, Stage> = Effect.gen(function* () {
  const { root } = yield* Stage
  const directory = `${root}/app`
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))
  const env = { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }
  const git: Repository["git"] = (...args) =>
    execFileSync("git", ["-C", directory, "-c", "user.name=tour", "-c", "user.email=tour@example.org", ...args], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
  return yield* Effect.try({
    try: (): Repository => {
      fs.mkdirSync(directory)
      git("init", "--quiet", "--initial-branch=main")
      fs.writeFileSync(`${directory}/.gitignore`, ".claude/\n")
      git("add", ".")
      git("commit", "--quiet", "--message=begin")
      return { directory, git }
    },
    catch: (error) => new NoGit({ message: Cli.reasonOf(error) })
  })
})

/** The one that is moved aside. */
const merged = "work/merged"

/** One worktree and its story. `quiet`: nobody has touched it for days. */
interface Story {
  readonly path: string
  readonly story: string
  readonly quiet: boolean
  readonly owner?: Parameters<typeof OwnerSentinel.write>[1] | undefined
  readonly happens?: ((repository: Repository, path: string) => void) | undefined
}

const named = (owner: string) => ({ owner, agent: undefined, createdAt: Date.now() - 4 * day })

const stories: ReadonlyArray<Story> = [
  { path: merged, story: "its branch is merged, and nobody has been here for days", quiet: true },
  { path: `work/${orchard.id}`, story: "the workspace of orchard, which is gone", quiet: true },
  { path: `work/${harbor.id}`, story: "the workspace of harbor, who asks", quiet: true },
  {
    path: `work/${harbor.id}/.claude/worktrees/tests`,
    story: "harbor made it for a task and has finished that",
    quiet: true,
    owner: named(harbor.id)
  },
  {
    path: "work/agent",
    story: "an agent of harbor is at work in it",
    quiet: false,
    owner: {
      owner: undefined,
      agent: { agentId: "a-17", delegationId: "d-17", parent: harbor.id, endedAt: undefined },
      createdAt: Date.now()
    }
  },
  {
    path: "work/dirty",
    story: "somebody left a file behind that is in no commit",
    quiet: true,
    happens: (_, path) => fs.writeFileSync(`${path}/notes.md`, "half a thought\n")
  },
  {
    path: "work/locked",
    story: "a person locked it",
    quiet: true,
    happens: ({ git }, path) => git("worktree", "lock", "--reason", "demo on Friday", path)
  },
  {
    path: "work/stranger",
    story: "its sentinel names a session that nothing is known of",
    quiet: true,
    owner: named("e0b7c1d2")
  }
]

const build = Effect.fnUntraced(function* (repository: Repository) {
  const { root } = yield* Stage
  for (const { path, owner, happens } of stories) {
    const worktree = `${root}/${path}`
    repository.git("worktree", "add", "--quiet", "-b", path.replaceAll("/", "-").replaceAll(".", ""), worktree)
    happens?.(repository, worktree)
    if (owner !== undefined) yield* OwnerSentinel.write(worktree, owner)
  }
  const then = new Date(Date.now() - 3 * day)
  for (const { path } of stories.filter(({ quiet }) => quiet)) {
    const admin = repository.git("-C", `${root}/${path}`, "rev-parse", "--absolute-git-dir").trimEnd()
    for (const name of ["HEAD", "logs/HEAD", "index", "commondir"]) fs.utimesSync(`${admin}/${name}`, then, then)
  }
})

const width = 110
const indent = 6

const tell = (root: string, story: string, { path, verdict }: ReclaimPlan.Candidate): void => {
  const short = (text: string) => Cli.printable(text.replaceAll(`${root}/`, ""))
  const why =
    verdict._tag === "Permit"
      ? ["every gate permits", ...verdict.notes].join("; ")
      : `${verdict.gate}: ${verdict.reason}`
  Cli.out(`   ${verdict._tag === "Permit" ? "✓" : "✗"}  ${short(path)}: ${story}`)
  Cli.out(`${" ".repeat(indent)}${Table.wrap(short(why), width, indent)}`)
}

/** Each worktree is judged by all gates, and stays unless every one permits. */
const surveyed = (repository: Repository): Act => ({
  title: "harbor surveys the worktrees of a repository: which may be moved aside?",
  play: Effect.gen(function* () {
    const { root } = yield* Stage
    yield* build(repository)
    yield* say("", `So that anything here is quiet at all, file times are set back by 3 days, and the machine is said`)
    yield* say("", `to have booted ${Own.upFor.days} days ago: a boot counts as a sign of life too.`)
    const plan = yield* survey(repository)
    for (const { path, story } of stories) {
      const candidate = plan.candidates.find((candidate) => candidate.path === `${root}/${path}`)
      if (candidate !== undefined) tell(root, story, candidate)
    }
    for (const { reason } of plan.unlisted) yield* say("git", reason)
  })
})

const survey = ({ directory }: Repository) => Reclaim.survey({ caller: harbor.id, repositories: [directory] })

/** What a worktree holds and what git knows of it. */
const snapshot = ({ git }: Repository, worktree: string): ReadonlyArray<string> => [
  ...fs
    .readdirSync(worktree, { encoding: "utf8", recursive: true })
    .map((name) => `${name}\0${fs.readFileSync(`${worktree}/${name}`, "latin1")}`),
  git("-C", worktree, "ls-files", "--stage"),
  git("--no-optional-locks", "-C", worktree, "status", "--porcelain", "--branch"),
  git("worktree", "list", "--porcelain")
]

/** Moving aside deletes nothing, frees the branch, and leaves no hole to fall through. */
const movedAside = (repository: Repository): Act => ({
  title: `harbor moves ${merged} aside, and thinks better of it`,
  play: Effect.gen(function* () {
    const { root } = yield* Stage
    const { git } = repository
    const [old, elsewhere] = [`${root}/${merged}`, `${root}/work/elsewhere`]
    const short = (text: string) => Cli.printable(text.replaceAll(`${root}/`, ""))
    const outcomeLine = (outcome: Outcomes.Outcome) =>
      say(outcome._tag.toLowerCase(), short(Outcomes.say(outcome).what))
    const before = snapshot(repository, old)
    const plan = yield* survey(repository)
    const candidates = plan.candidates.filter(({ path }) => path === old)
    const outcomes = yield* Reclaim.apply({ ...plan, candidates })
    yield* Effect.forEach(outcomes, outcomeLine)
    if (!outcomes.some(({ _tag }) => _tag === "Moved")) return

    const [what = "", , ...facts] = fs.readFileSync(old, "utf8").split("\n", 6)
    yield* say("the old path", `holds a file: ${Table.wrap(what, width, 17)}`)
    for (const fact of facts) yield* say("", short(fact))
    git("worktree", "add", "--quiet", elsewhere, merged.replace("/", "-"))
    yield* say("git", `checks its branch out at ${short(elsewhere)}, because it is free, and removes that again`)
    git("worktree", "remove", elsewhere)
    yield* say(
      "a late agent",
      `writes ${merged}/notes.md: ${short(attempt(() => fs.writeFileSync(`${old}/notes.md`, "")))}`
    )

    yield* outcomeLine(yield* Reclaim.restore(old))
    const after = snapshot(repository, old)
    const same = before.every((part, index) => part === after[index]) && before.length === after.length
    yield* say(
      "",
      same ? "Every file, the index, its branch and git's list are as before." : "It is not as it was before."
    )
  })
})

const attempt = (change: () => void): string => {
  try {
    change()
    return "it did"
  } catch (error) {
    return Cli.reasonOf(error)
  }
}

export const acts = (repository: Repository): ReadonlyArray<Act> => [surveyed(repository), movedAside(repository)]
