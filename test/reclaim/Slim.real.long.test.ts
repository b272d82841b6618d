import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { GitChanges, type ReclaimOutcome, SessionStore } from "../../src/internal.ts"
import * as Daemon from "../machine/Daemon.ts"
import * as Repo from "../verdict/Repo.ts"
import { mounted } from "./Mounted.ts"
import * as Slimming from "./Slimming.ts"
import * as Stage from "./Stage.ts"

const npm = Slimming.layout("npm", "package.json", "node_modules/a/index.js dist/main.js", "node_modules dist")

const exists = (tree: string): ReadonlyArray<boolean> =>
  ["node_modules/a/index.js", "dist/main.js"].map((name) => fs.existsSync(path.join(tree, name)))

const both = [true, true]
const neither = [false, false]

const lines = (outcomes: ReadonlyArray<ReclaimOutcome.ReclaimOutcome>): string => outcomes.map(Stage.line).join(" | ")

/** What becomes of the one worktree. */
const slim = (on: Stage.Stage, options: Slimming.Options = {}) =>
  Effect.flatMap(Slimming.plan(on, options), (plan) => Effect.map(Slimming.slim(on, plan, options), lines))

const one = Effect.map(Slimming.stage, (on) => ({ on, tree: Slimming.worktree(on, npm) }))

describe("Reclaim.slim", () => {
  it.live(
    "frees what each tool makes again, as that tool lays it out, and keeps the rest byte for byte",
    () =>
      Effect.gen(function* () {
        const on = yield* Slimming.stage
        const trees = Slimming.layouts.map((each) => ({ ...each, tree: Slimming.worktree(on, each) }))
        const before = trees.map(({ tree }) => Slimming.contents(tree))
        const plan = yield* Slimming.plan(on)
        assert.strictEqual(plan.trees.length, trees.length)
        const outcomes = yield* Slimming.slim(on, plan)
        for (const [index, { name, tree, frees }] of trees.entries()) {
          const stays = [...(before[index] ?? [])].filter(([file]) => !frees.some((each) => Slimming.isIn(file, each)))
          assert.deepStrictEqual([...Slimming.contents(tree)], stays, name)
          const outcome = outcomes.find((each) => each.path === tree)
          assert.strictEqual(outcome?._tag, frees.length === 0 ? "Kept" : "Slimmed", name)
          if (outcome?._tag !== "Slimmed") continue
          assert.deepStrictEqual([...outcome.directories].sort(), [...frees].sort(), name)
          assert.isAbove(outcome.freed, 0, name)
        }
        assert.deepStrictEqual(fs.readdirSync(`${on.common}/reclaimed/.slimmed`), [])
      }),
    Stage.timeout
  )

  it.live(
    "slims what lies reclaimed, which goes back without it",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        const to = Stage.asideOf(yield* Stage.sweep(on), tree)
        assert.match(yield* slim(on), /^Slimmed: (node_modules dist|dist node_modules)$/)
        assert.deepStrictEqual(exists(to), neither)
        assert.match(Stage.line(yield* Stage.restore(on, tree)), /^Restored/)
        assert.strictEqual(Repo.git(tree, "status", "--porcelain"), "")
      }),
    Stage.timeout
  )

  it.live(
    "leaves a tree alone that is claimed, locked, used or was at work today, or becomes so after the plan",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        const plan = yield* Slimming.plan(on)
        const becomes = (options?: Stage.Options) => Effect.map(Slimming.slim(on, plan, options), lines)

        const record = { id: "somebody", tmuxName: "tm-somebody", workspacePath: tree, createdAt: Date.now() }
        const store = SessionStore.layerMemory(JSON.parse(JSON.stringify({ records: [record], undecoded: [] })))
        assert.match(yield* slim(on, { store }), /^Kept Claim/)
        assert.match(yield* becomes({ store }), /^Kept Claim/)

        Repo.git(tree, "worktree", "lock", tree)
        assert.match(yield* slim(on), /^Kept Git: it is locked/)
        assert.match(yield* becomes(), /^Kept Git: it is locked/)
        Repo.git(tree, "worktree", "unlock", tree)

        const pid = yield* Daemon.start(["sleep", "300"], { cwd: path.join(tree, "node_modules") })
        assert.match(yield* slim(on, { own: [pid] }), /^Kept Occupied/)
        assert.match(yield* becomes({ own: [pid] }), /^Kept Occupied/)

        fs.utimesSync(path.join(Repo.adminOf(tree), "HEAD"), new Date(), new Date())
        assert.match(yield* slim(on), /^Kept Quiet/)
        assert.match(yield* becomes(), /^Kept Quiet/)
        assert.deepStrictEqual(exists(tree), both)
      }),
    Stage.timeout
  )

  it.live(
    "leaves a directory that a link of another worktree leads to, that is mounted, or that a person keeps",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        fs.mkdirSync(`${on.main}/deep`)
        fs.symlinkSync(path.join(tree, "node_modules/a"), `${on.main}/deep/a`)
        assert.match(yield* slim(on, { slim: { keep: ["MAIN.js"] } }), /^Kept Plan: .*it holds main\.js.*deep\/a/)
        fs.rmSync(`${on.main}/deep/a`)
        fs.symlinkSync(tree, `${on.main}/tree`)
        assert.match(yield* slim(on), /^Kept Plan: .*leads to it, .*leads to it/)
        fs.rmSync(`${on.main}/tree`)
        if (yield* mounted(path.join(tree, "node_modules"), "-t", "tmpfs", "none")) {
          assert.match(yield* slim(on, { slim: { keep: ["dist"] } }), /^Kept/)
        }
        assert.deepStrictEqual(exists(tree)[1], true)
      }),
    Stage.timeout
  )

  it.live(
    "takes what a person names as regenerable, and no more than was planned",
    () =>
      Effect.gen(function* () {
        const on = yield* Slimming.stage
        const tree = Slimming.worktree(on, Slimming.layout("own", "a.txt", "cache/x other/y .env/z"))
        const named = { slim: { regenerable: ["cache", ".env"] } }
        const plan = yield* Slimming.plan(on, named)
        fs.mkdirSync(path.join(tree, "__pycache__"))
        Repo.write(tree, { ".git-ignore": "" })
        Slimming.age(tree)
        assert.strictEqual(lines(yield* Slimming.slim(on, plan)), "Slimmed: cache")
        assert.deepStrictEqual(
          ["cache", "other", ".env", "__pycache__"].map((name) => fs.existsSync(path.join(tree, name))),
          [false, true, true, true]
        )
      }),
    Stage.timeout
  )

  it.live(
    "leaves no sign of work, so that the tree is as quiet as before",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        const times = () => [tree, Repo.adminOf(tree)].map((at) => fs.statSync(at).mtime.getTime())
        const before = times()
        assert.match(yield* slim(on), /^Slimmed/)
        // Times are kept to the millisecond.
        for (const [index, at] of times().entries()) assert.closeTo(at, before[index] ?? NaN, 2)
      }),
    Stage.timeout
  )

  describe("killed at a step", () => {
    /** Dies instead of that step, or after it. */
    const killed =
      (tag: string, after: boolean): Stage.Options["changes"] =>
      (real) => ({
        ...real,
        carryOut: (repository, step) =>
          step._tag !== tag
            ? real.carryOut(repository, step)
            : Effect.andThen(after ? real.carryOut(repository, step) : Effect.void, Effect.die("killed"))
      })

    const test = (name: string, tag: string, after: boolean, next: RegExp, left: ReadonlyArray<boolean>) =>
      it.live(
        name,
        () =>
          Effect.gen(function* () {
            const { on, tree } = yield* one
            const before = Slimming.contents(tree)
            yield* slim(on, { changes: killed(tag, after) })
            const nothing = { at: 0, settings: {}, unlisted: [], trees: [] }
            yield* Slimming.slim(on, nothing)
            const trees = [{ repository: on.common, path: tree, record: undefined, decision: kept }]
            assert.match(lines(yield* Slimming.slim(on, { ...nothing, trees })), next)
            assert.deepStrictEqual(exists(tree), left)
            if (left === both) assert.deepStrictEqual(Slimming.contents(tree), before)
            const place = `${on.common}/reclaimed/.slimmed`
            assert.deepStrictEqual(fs.existsSync(place) ? fs.readdirSync(place) : [], [])
          }),
        Stage.timeout
      )

    const kept = { _tag: "Keep" as const, gate: "Plan" as const, reason: "nothing planned" }

    test("puts back before they were moved", "MoveOut", false, /^Recovered: .*back \| Kept/, both)
    test("puts back after they were moved", "MoveOut", true, /^Recovered: .*back \| Kept/, both)
    test("removes the rest before it was removed", "RemoveMoved", false, /^Recovered: .*removed \| Kept/, neither)
    test("notes it after it was removed", "RemoveMoved", true, /^Recovered: .*removed \| Kept/, neither)
  })

  it.live(
    "puts everything back when something in it speaks against it once nobody can reach it",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        const before = Slimming.contents(tree)
        const changes: Stage.Options["changes"] = (real) =>
          GitChanges.GitChanges.of({
            ...real,
            carryOut: (repository, step) =>
              Effect.tap(real.carryOut(repository, step), () =>
                Effect.sync(() => {
                  if (step._tag !== "MoveOut") return
                  const place = `${on.common}/reclaimed/.slimmed`
                  for (const name of fs.readdirSync(place)) fs.mkdirSync(path.join(place, name, ".hg"))
                })
              )
          })
        assert.match(yield* slim(on, { changes }), /^Failed slim: .*a repository lies in it/)
        for (const name of ["node_modules", "dist"]) fs.rmdirSync(path.join(tree, name, ".hg"))
        assert.deepStrictEqual(Slimming.contents(tree), before)
      }),
    Stage.timeout
  )

  it.live(
    "puts everything back when the journal cannot be written any more, and slims once it can",
    () =>
      Effect.gen(function* () {
        const { on, tree } = yield* one
        const before = Slimming.contents(tree)
        const journal = path.join(on.root, "state/session-liveness")
        const away = `${journal}-away`
        const changes: Stage.Options["changes"] = (real) =>
          GitChanges.GitChanges.of({
            ...real,
            carryOut: (repository, step) =>
              Effect.tap(real.carryOut(repository, step), () =>
                Effect.sync(() => {
                  if (step._tag !== "MoveOut") return
                  fs.renameSync(journal, away)
                  fs.writeFileSync(journal, "")
                })
              )
          })
        assert.match(yield* slim(on, { changes }), /^Kept Plan: the journal .* could not be (read|written)/)
        assert.deepStrictEqual(Slimming.contents(tree), before)
        fs.rmSync(journal)
        fs.renameSync(away, journal)
        assert.match(yield* slim(on), /Slimmed: (node_modules dist|dist node_modules)$/)
        assert.deepStrictEqual(exists(tree), neither)
      }),
    Stage.timeout
  )
})
