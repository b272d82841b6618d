/**
 * Moves, restores and expires real worktrees through the real services, with a clock that can be ahead. No tmux server is
 * seen, because other tests run some at the same time.
 */
import { Clock, Deferred, Effect, Layer, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import {
  Bound,
  Git,
  GitChanges,
  ProcessTable,
  Reclaim,
  ReclaimOutcome,
  type ReclaimPlan,
  type ReclaimStep
} from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Survey from "../verdict/Survey.ts"
import { tempRoot } from "../TempRoot.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"

type Outcome = ReclaimOutcome.ReclaimOutcome

export const timeout = 300_000

/** One repository with room beside it, which ignores directories in `trees`. */
export interface Stage {
  readonly root: string
  readonly main: string
  readonly common: string
  readonly bare: boolean
}

export const stage = (kind: "main" | "bare" = "main"): Effect.Effect<Stage, never, Scope.Scope> =>
  Effect.map(tempRoot, (root) => {
    const main = Repo.create(path.join(root, "main"))
    Repo.commit(main, {
      ".gitignore": "/ignored/\n*.log\nnode_modules/\n/trees/*/\n",
      "package.json": "{}",
      "dir/package.json": "{}"
    })
    if (kind === "main") return { root, main, common: path.join(main, ".git"), bare: false }
    const bare = path.join(root, "bare.git")
    Repo.git(root, "clone", "-q", "--bare", main, bare)
    Repo.git(bare, "config", "gc.auto", "0")
    return { root, main: bare, common: bare, bare: true }
  })

export interface Options extends Partial<Survey.Options> {
  readonly settings?: Partial<Reclaim.Options> | undefined
  /** How far ahead the clock is, in milliseconds. */
  readonly ahead?: number | undefined
  readonly clock?: (() => number) | undefined
  /** What git becomes. */
  readonly git?: ((git: Git.Git["Service"]) => Git.Git["Service"]) | undefined
  /** What the changes become. */
  readonly changes?: ((changes: GitChanges.GitChanges["Service"]) => GitChanges.GitChanges["Service"]) | undefined
}

/** This process as the real table tells it. That is read once: it takes longer than a look at a worktree. */
let self: ProcessTable.Snapshot | undefined

/** A test is about other processes when it names some, or asks for all. */
const tableFor = (options: Options) =>
  Layer.effect(
    ProcessTable.ProcessTable,
    Effect.map(ProcessTable.ProcessTable, (real) =>
      ProcessTable.ProcessTable.of({
        ...real,
        servers: undefined,
        snapshot: Effect.gen(function* () {
          const isAlone = options.own === undefined && options.table !== "raw"
          if (isAlone && self !== undefined) return self
          const look = yield* real.snapshot
          if (look._tag === "NotConsulted") return look
          if (isAlone) {
            self = { ...look, processes: look.processes.filter(({ pid }) => pid === look.self.pid) }
            return self
          }
          return { ...look, processes: look.processes.filter((process) => !TmuxServer.is(process)) }
        })
      })
    )
  )

export const layer = (
  { root }: Pick<Stage, "root">,
  { git = (real) => real, changes = (real) => real, ...options }: Options = {}
) =>
  Layer.mergeAll(
    Layer.effect(Git.Git, Effect.map(Git.Git, git)),
    Layer.effect(GitChanges.GitChanges, Effect.map(GitChanges.GitChanges, changes)),
    tableFor(options)
  ).pipe(Layer.provideMerge(Survey.layer({ root, ...options })))

/** Runs a program on a stage. */
export const run = <A>(
  on: Pick<Stage, "root">,
  program: Effect.Effect<A, never, Reclaim.Services>,
  options: Options = {}
): Effect.Effect<A> =>
  program.pipe(
    Effect.updateService(Clock.Clock, (clock): Clock.Clock => {
      const now = options.clock ?? (() => clock.currentTimeMillisUnsafe() + (options.ahead ?? 0))
      return Object.assign(Object.create(clock), {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now)
      })
    }),
    Effect.provide(layer(on, options)),
    // A look that a loaded machine cuts off would keep what a test is about.
    Effect.provideService(Bound.Observation, "1 minute")
  )

/** A linked worktree on a branch of its own that nothing has happened in for a month. */
export const worktree = (
  on: Stage,
  at: string,
  prepare: (worktree: string, admin: string) => void = () => {}
): string => {
  const directory = path.resolve(on.root, at)
  Repo.git(
    on.main,
    "worktree",
    "add",
    "-q",
    "-b",
    `branch-${path.basename(at).replaceAll(/[^\w.]/g, "-")}`,
    directory,
    "main"
  )
  prepare(directory, Repo.adminOf(directory))
  Repo.age(Repo.adminOf(directory))
  return directory
}

export const survey = (on: Stage, options: Options = {}): Effect.Effect<ReclaimPlan.Plan> =>
  run(on, Reclaim.survey({ ...options.settings, repositories: [on.common] }), options)

export const apply = (
  on: Stage,
  plan: ReclaimPlan.Plan,
  options: Options = {}
): Effect.Effect<ReadonlyArray<Outcome>> => run(on, Reclaim.apply(plan), options)

/** A survey and what becomes of it. */
export const sweep = (on: Stage, options: Options = {}): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.flatMap(survey(on, options), (plan) => apply(on, plan, options))

/** The same for one worktree alone. */
export const sweepOne = (on: Stage, at: string, options: Options = {}): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.flatMap(survey(on, options), (plan) =>
    apply(on, { ...plan, candidates: plan.candidates.filter((candidate) => candidate.path === at) }, options)
  )

/** What becomes of the one that is asked for; nothing else may have to be recovered before. */
export const restore = (
  on: Stage,
  at: string,
  options: Options & Reclaim.RestoreOptions = {}
): Effect.Effect<Outcome> =>
  Effect.map(
    run(on, Reclaim.restore(at, { repositories: [on.common], to: options.to }), options),
    (outcomes) => outcomes.at(-1) ?? ReclaimOutcome.Failed({ path: at, step: "restore", reason: "no outcome" })
  )

export const expire = (
  on: Stage,
  options: Options & { readonly settings?: Partial<Reclaim.ExpiryOptions> | undefined } = {}
): Effect.Effect<ReadonlyArray<Outcome>> =>
  run(on, Effect.flatMap(Reclaim.planExpiry({ repositories: [on.common], ...options.settings }), Reclaim.expire), {
    ahead: 15 * Repo.day,
    ...options
  })

/** The same for the worktree of one admin directory alone: of the others nothing can be told. */
export const expireOne = (on: Stage, admin: string, options: Options = {}): Effect.Effect<ReadonlyArray<Outcome>> =>
  expire(on, {
    ...options,
    git: (real) => {
      const git = options.git?.(real) ?? real
      return Git.Git.of({
        ...git,
        files: (repository, worktree, settings) =>
          worktree.path.endsWith(`-${path.basename(admin)}`)
            ? git.files(repository, worktree, settings)
            : Effect.fail(new Git.GitError({ reason: new Git.Failed(), path: worktree.path, detail: "not asked" }))
      })
    }
  })

export const list = (on: Stage, options: Options = {}) =>
  Effect.map(run(on, Reclaim.list({ repositories: [on.common] }), options), ({ reclaimed }) => reclaimed)

/** What the next sweep recovers, if nothing else is to be done. */
export const recover = (on: Stage, options: Options = {}): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.map(
    expire(on, { ...options, settings: { olderThan: "1000 days", settledOlderThan: "1000 days" } }),
    (outcomes) =>
      outcomes.filter((outcome) => !(outcome._tag === "Kept" && outcome.reason.startsWith("it lies reclaimed until")))
  )

/** The gate that refuses a candidate. */
export const gate = ({ verdict }: ReclaimPlan.Candidate): string => (verdict._tag === "Permit" ? "" : verdict.gate)

/** An outcome in a line. */
export const line = (outcome: Outcome): string => {
  switch (outcome._tag) {
    case "Moved":
      return ["Moved", ...outcome.notes].join("; ")
    case "Restored":
      return ["Restored", ...outcome.notes].join("; ")
    case "Removed":
      return "Removed"
    case "RemovedEmpty":
      return "RemovedEmpty"
    case "Slimmed":
      return `Slimmed: ${outcome.directories.join(" ")}`
    case "Recovered":
      return `Recovered: ${outcome.what}`
    case "Kept":
      return `Kept ${outcome.gate}: ${outcome.reason}`
    case "Failed":
      return `Failed ${outcome.step}: ${outcome.reason}`
  }
}

/** Where the one worktree went that an outcome says was moved. */
export const asideOf = (outcomes: ReadonlyArray<Outcome>, at: string): string => {
  const moved = outcomes.find((outcome) => outcome.path === at)
  if (moved?._tag !== "Moved") throw new Error(`${at} was not moved: ${outcomes.map(line).join(" | ")}`)
  return moved.to
}

/** All commits that the `HEAD` of a worktree, its log or refs of its own know. */
export const commitsOf = (admin: string): ReadonlySet<string> => {
  const read = (name: string) =>
    fs.existsSync(path.join(admin, name)) ? fs.readFileSync(path.join(admin, name), "latin1") : ""
  const logged = read("logs/HEAD").match(/^[0-9a-f]{40} [0-9a-f]{40}/gm) ?? []
  const own = Repo.git(
    admin,
    `--git-dir=${admin}`,
    "for-each-ref",
    "--format=%(objectname)",
    "refs/worktree",
    "refs/bisect"
  )
  const named = [...logged.join(" ").split(" "), ...own.split("\n"), read("ORIG_HEAD").trim()].filter((id) =>
    /[1-9a-f]/.test(id)
  )
  return new Set(
    Repo.git(admin, `--git-dir=${admin}`, "rev-list", "HEAD", ...named)
      .split("\n")
      .slice(0, -1)
  )
}

/** All commits that a ref of a repository or a worktree of it knows. */
export const commits = (on: Stage): ReadonlySet<string> => {
  const worktrees = path.join(on.common, "worktrees")
  const admins = fs.existsSync(worktrees) ? fs.readdirSync(worktrees).map((id) => path.join(worktrees, id)) : []
  return new Set([
    ...Repo.git(on.common, "rev-list", "--all").split("\n").slice(0, -1),
    ...admins.filter((admin) => fs.existsSync(path.join(admin, "HEAD"))).flatMap((admin) => [...commitsOf(admin)])
  ])
}

/** The commits of a set that no ref reaches any more. */
export const lost = (on: Stage, before: ReadonlySet<string>): ReadonlyArray<string> => {
  const reachable = new Set(Repo.git(on.common, "rev-list", "--all").split("\n"))
  return [...before].filter((commit) => !reachable.has(commit))
}

export const branches = (on: Stage): string => Repo.git(on.common, "for-each-ref", "refs/heads", "refs/tags")

/** What a sweep must not have changed of a repository when it is done. */
export const bookkeeping = (on: Stage): Readonly<Record<string, unknown>> => {
  const worktrees = path.join(on.common, "worktrees")
  const exclude = path.join(on.common, "info/exclude")
  return {
    branches: branches(on),
    kept: Repo.git(on.common, "for-each-ref", "refs/reclaimed"),
    list: Repo.git(on.common, "worktree", "list", "--porcelain"),
    exclude: fs.existsSync(exclude) ? fs.readFileSync(exclude, "utf8") : undefined,
    locks: (fs.existsSync(worktrees) ? fs.readdirSync(worktrees) : []).map((id) => {
      const names = fs.readdirSync(path.join(worktrees, id)).filter((name) => name.startsWith("locked"))
      return [id, ...names.map((name) => [name, fs.readFileSync(path.join(worktrees, id, name), "utf8")])]
    }),
    aside: fs.existsSync(path.join(on.common, "reclaimed")) ? fs.readdirSync(path.join(on.common, "reclaimed")) : []
  }
}

/** Every entry of a tree but its root, whose own times a move changes: kind, mode, inode, time and content. */
export const contents = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs.readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => {
      const file = path.join(root, name)
      const { mode, ino, mtimeNs } = fs.lstatSync(file, { bigint: true })
      const type = mode & 0o170000n
      const content =
        type === 0o100000n ? fs.readFileSync(file, "base64") : type === 0o120000n ? fs.readlinkSync(file) : ""
      return [name, [mode, ino, mtimeNs, content].join(" ")]
    })
  )

/** A guard of a process that runs, or ran, where this one does. */
export const guardOf = (given: { readonly pid: number; readonly start: string | null }) => ({
  host: fs
    .readFileSync(fs.existsSync("/etc/machine-id") ? "/etc/machine-id" : "/proc/sys/kernel/random/boot_id", "utf8")
    .trim(),
  ...given,
  pidNamespace: fs.readlinkSync("/proc/self/ns/pid")
})

/** A guard as a sweep leaves it that was killed. */
export const leaveGuard = (on: Stage): void => {
  fs.writeFileSync(
    path.join(on.common, "reclaimed/.sweep"),
    `${JSON.stringify(guardOf({ pid: endedPid, start: "1" }))}\n`
  )
}

/** The pid of a process that has ended. */
export const endedPid = spawnSync("true").pid

/** Runs a program that is stopped for good at some point, as if it had been killed there: nothing of it runs on. */
export const killed = (
  on: Stage,
  program: (options: Options) => Effect.Effect<unknown>,
  stop: (
    step: ReclaimStep.ReclaimStep,
    carryOut: Effect.Effect<unknown, Git.GitError>,
    die: Effect.Effect<never>
  ) => Effect.Effect<unknown, Git.GitError>,
  options: Options = {}
): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const dead = yield* Deferred.make<boolean>()
    const die = Effect.andThen(Deferred.succeed(dead, true), Effect.never)
    yield* program({
      ...options,
      changes: (changes) =>
        GitChanges.GitChanges.of({
          ...changes,
          carryOut: (repository, step) => Effect.as(stop(step, changes.carryOut(repository, step), die), [])
        })
    }).pipe(Effect.andThen(Deferred.succeed(dead, false)), Effect.forkDetach)
    const wasKilled = yield* Deferred.await(dead)
    if (wasKilled) leaveGuard(on)
    return wasKilled
  })
