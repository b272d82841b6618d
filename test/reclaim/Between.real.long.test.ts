import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { GitChanges, type SessionRecord, SessionStore } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"

const { git } = Repo

/** What may change in between, and what it does to one worktree. */
interface World {
  readonly on: Stage.Stage
  records: SessionRecord.StoredRecords | "unreadable"
  readonly pids: Array<number>
}

type Change = (world: World, tree: string, admin: string) => unknown

const store = (world: World): Layer.Layer<SessionStore.SessionStore> =>
  Layer.succeed(
    SessionStore.SessionStore,
    SessionStore.SessionStore.of({
      read: Effect.suspend(() =>
        world.records === "unreadable"
          ? Effect.fail(new SessionStore.SessionStoreError({ reason: new SessionStore.Unreadable(), path: "/" }))
          : Effect.succeed(world.records)
      )
    })
  )

const claimed = (workspacePath: string, tmuxName: string): SessionRecord.StoredRecords =>
  JSON.parse(
    JSON.stringify({
      records: [{ id: "somebody", tmuxName, workspacePath, createdAt: Date.now(), lastActivityAt: Date.now() }],
      undecoded: []
    })
  )

/** A process that this one did not start, as far as the process table can tell. */
const enter = (world: World, tree: string): void => {
  const pid = execFileSync("sh", ["-c", "setsid sleep 100 >/dev/null 2>&1 & echo $!"], { cwd: tree, encoding: "utf8" })
  world.pids.push(Number(pid))
}

const changes: Readonly<Record<string, readonly [change: Change, reason: RegExp]>> = {
  "a session is recorded for it": [
    (world, tree) => (world.records = claimed(tree, "tm-somebody")),
    /^Kept Claim: .*somebody/
  ],
  "a session is recorded for a directory in it": [
    (world, tree) => (world.records = claimed(`${tree}/dir`, "tm-somebody")),
    /^Kept Claim: .*somebody/
  ],
  "the records cannot be read": [(world) => (world.records = "unreadable"), /^Kept Claim: .*could not be read/],
  "a process enters": [enter, /^Kept Occupied: /],
  "it becomes dirty": [
    (_, tree) => fs.writeFileSync(path.join(tree, "new"), ""),
    /^Kept (Quiet|Git: it holds changes)/
  ],
  "somebody locks it": [
    (_, tree, admin) => {
      if (fs.existsSync(path.join(admin, "locked"))) git(tree, "worktree", "unlock", tree)
      git(tree, "worktree", "lock", "--reason", "mine", tree)
    },
    /^(Kept Git: it is locked \(mine\)|Failed move: .*locked it meanwhile)/
  ],
  "git begins to work in it": [
    (_, __, admin) => fs.writeFileSync(path.join(admin, "index.lock"), ""),
    /^Kept Git: index.lock exists/
  ],
  "somebody commits": [
    (_, tree) => Repo.commit(tree, { "more.txt": "more" }),
    /^(Kept Settled|Kept Quiet|Kept Plan: something else has been checked out|Failed move: .*update-ref)/
  ],
  "somebody switches its branch": [
    (_, tree, admin) => {
      git(tree, "switch", "-q", "-c", `other-${path.basename(tree)}`)
      Repo.age(admin)
    },
    /^(Moved|Kept Plan: something else has been checked out)/
  ],
  "another repository stands there": [
    (_, tree) => {
      fs.renameSync(tree, `${tree}.gone`)
      Repo.create(tree)
    },
    /^Kept (Git: git could not tell|Vantage|Quiet|Owner)/
  ],
  "another worktree stands there": [
    (world, tree) => {
      const other = Stage.worktree(world.on, `other/${path.basename(tree)}-x`)
      fs.renameSync(tree, `${tree}.gone`)
      fs.renameSync(other, tree)
    },
    /^Kept (Git: git could not tell|Plan: (another directory|it is no worktree)|Vantage|Owner|Quiet)/
  ],
  "a worktree of another repository stands there": [
    (world, tree) => {
      const other = Repo.create(path.join(world.on.root, `repositories/${path.basename(tree)}`))
      fs.renameSync(tree, `${tree}.gone`)
      Repo.link(other, tree, "theirs")
    },
    /^Kept (Git: git could not tell|Vantage|Quiet|Owner)/
  ],
  "a copy of it stands there": [
    (_, tree) => {
      fs.renameSync(tree, `${tree}.gone`)
      // Unlike that of Node, it keeps the times of directories.
      execFileSync("cp", ["-a", `${tree}.gone`, tree])
    },
    /^Kept Plan: another directory has taken its place/
  ],
  "it is gone": [
    (_, tree) => fs.renameSync(tree, `${tree}.gone`),
    /^Kept (Git: git could not tell|Vantage|Quiet|Owner)/
  ],
  "another sweep takes it": [
    (world, tree) => Effect.runPromise(Stage.sweepOne(world.on, tree)),
    /^Kept Plan: (it is no worktree of the repository any more|.*another sweep is at work)/
  ]
}

/**
 * Everything below the place where it stands, its `HEAD`, the locks of others and the branches. Our own lock stays on, and
 * the commits stay kept, where the worktree stands nowhere any more.
 */
const stateOf = (on: Stage.Stage, tree: string, admin: string) => ({
  contents: fs.existsSync(tree) && fs.lstatSync(tree).isDirectory() ? Stage.contents(tree) : undefined,
  head: fs.existsSync(admin) ? fs.readFileSync(path.join(admin, "HEAD"), "utf8") : undefined,
  locks: locksOf(admin).filter((lock) => !lock.startsWith("session-liveness")),
  branches: Stage.branches(on)
})

const locksOf = (admin: string): ReadonlyArray<string> =>
  (fs.existsSync(admin) ? fs.readdirSync(admin) : [])
    .filter((name) => name.startsWith("locked"))
    .map((name) => fs.readFileSync(path.join(admin, name), "utf8"))

/** When the change happens: before the plan is carried out, or when a step of the move is about to be. */
const moments = ["", "AcquireLock", "KeepCommits", "Detach"] as const

/** What is said of a change that comes after the first look. */
const late: Readonly<Record<string, RegExp>> = {
  // The other one is kept out by the guard.
  "another sweep takes it": /^Moved$/,
  "somebody switches its branch": /^Kept Plan: something else has been checked out/
}

/** After the last look only what a step itself checks is seen. */
const seenLate: ReadonlyArray<string> = ["somebody commits"]

describe.concurrent("what changes between the survey and the move", () => {
  for (const moment of moments) {
    it.live(
      moment === "" ? "before it is looked at anew" : `before ${moment}`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const world: World = { on, records: { records: [], undecoded: [] }, pids: [] }
          yield* Effect.addFinalizer(() => Effect.sync(() => world.pids.forEach((pid) => process.kill(pid))))
          const all = Object.entries(changes)
            .filter(([name]) => moment !== "Detach" || seenLate.includes(name))
            .map(
              ([name, [change, reason]], index) =>
                [name, Stage.worktree(on, `beside/t${index}`), change, reason] as const
            )
          const plan = yield* Stage.survey(on, { store: store(world) })
          assert.deepStrictEqual([...new Set(plan.candidates.map(({ verdict }) => verdict._tag))], ["Permit"])
          for (const [name, tree, change, reason] of all) {
            const admin = Repo.adminOf(tree)
            let before: unknown
            const happen = Effect.promise(async () => {
              await change(world, tree, admin)
              before = stateOf(on, tree, admin)
            })
            if (moment === "") yield* happen
            let once = moment !== ""
            const outcomes = yield* Stage.apply(
              on,
              { ...plan, candidates: plan.candidates.filter((candidate) => candidate.path === tree) },
              {
                store: store(world),
                own: name === "a process enters" ? world.pids : undefined,
                changes: (real) =>
                  GitChanges.GitChanges.of({
                    ...real,
                    carryOut: (repository, step) =>
                      Effect.suspend(() => {
                        if (!once || step._tag !== moment) return real.carryOut(repository, step)
                        once = false
                        return Effect.andThen(happen, real.carryOut(repository, step))
                      })
                  })
              }
            )
            world.records = { records: [], undecoded: [] }
            const [outcome] = outcomes.filter((outcome) => outcome.path === tree)
            const line = outcome === undefined ? "" : Stage.line(outcome)
            assert.match(line, (moment === "" ? undefined : late[name]) ?? reason, name)
            if (outcome?._tag === "Moved") continue
            assert.deepStrictEqual(stateOf(on, tree, admin), before, name)
            const isLost = /^another .* there|another repository|is gone/.test(name) && moment !== ""
            assert.strictEqual(
              locksOf(admin).some((lock) => lock.startsWith("session-liveness")),
              isLost || name === "another sweep takes it",
              name
            )
          }
          for (const tree of all.map(([, tree]) => `${tree}.gone`).filter((gone) => fs.existsSync(gone))) {
            assert.strictEqual(fs.readFileSync(path.join(tree, "a.txt"), "utf8"), "second\n")
          }
        }),
      Stage.timeout
    )
  }
})

it.live(
  "two worktrees whose names look alike, in the same instant",
  () =>
    Effect.gen(function* () {
      const on = yield* Stage.stage()
      const trees = ["a.b", "a-b"].map((name) => Stage.worktree(on, `beside/${name}`))
      const at = Date.now()
      const outcomes = yield* Stage.sweep(on, { clock: () => at })
      assert.match(outcomes.map(Stage.line).join(" | "), /^Moved \| Failed move: .* is kept as .* already; see /)
      assert.notStrictEqual(git(on.common, "for-each-ref", "refs/reclaimed"), "")
      assert.strictEqual((yield* Stage.list(on))[0]?.obstacle, undefined)
      assert.strictEqual(
        (yield* Stage.list(on))[0]?.record?.path,
        trees.find((tree) => !fs.existsSync(tree))
      )
      assert.deepStrictEqual(
        trees.filter((tree) => fs.existsSync(tree)).map((tree) => locksOf(Repo.adminOf(tree))),
        [[]]
      )
    }),
  Stage.timeout
)

it.live(
  "the lock of a harness that becomes somebody's",
  () =>
    Effect.gen(function* () {
      const on = yield* Stage.stage()
      const lock = (reason: string, tree: string) => git(tree, "worktree", "lock", "--reason", reason, tree)
      const tree = Stage.worktree(on, "beside/one", (at) => lock(`claude agent a (pid ${Stage.endedPid})`, at))
      const outcomes = yield* Stage.sweep(on, {
        changes: (real) =>
          GitChanges.GitChanges.of({
            ...real,
            carryOut: (repository, step) =>
              Effect.suspend(() => {
                if (step._tag === "AcquireLock") {
                  git(tree, "worktree", "unlock", tree)
                  lock("mine", tree)
                }
                return real.carryOut(repository, step)
              })
          })
      })
      assert.match(outcomes.map(Stage.line).join(), /^Failed move: .*its lock is not the one that was seen any more/)
      assert.deepStrictEqual(locksOf(Repo.adminOf(tree)), ["mine\n"])
    }),
  Stage.timeout
)
