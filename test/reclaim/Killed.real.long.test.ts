import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Git, GitChanges, ReclaimRecord, ReclaimStep } from "../../src/internal.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

type Program = "apply" | "restore" | "expire"

const record: ReclaimRecord.ReclaimRecord = {
  name: "name",
  path: "/path",
  branch: "refs/heads/branch",
  head: "0123456789012345678901234567890123456789",
  at: 0,
  settledOnly: false,
  priorLock: "lock"
}

/** The steps of each program, so that none is forgotten. */
const steps: Readonly<Record<Program, ReadonlyArray<ReclaimStep.ReclaimStep>>> = {
  apply: [...ReclaimStep.prepare(record, "/admin"), ...ReclaimStep.move(record, "/admin", "/aside")],
  restore: ReclaimStep.restore(record, "/admin", "/aside", "/path"),
  expire: [ReclaimStep.withdraw("/common", "name"), ...ReclaimStep.expire(record, "/admin", "/aside", ["link"])]
}

/** What a program does to one tree. */
const start =
  (tree: Tree.Tree, program: Program) =>
  (options: Stage.Options): Effect.Effect<unknown> => {
    const { on } = tree
    if (program === "restore") return Stage.restore(on, tree.path, options)
    if (program === "apply") return Stage.sweepOne(on, tree.path, options)
    return Stage.expireOne(on, tree.admin, options)
  }

const fault = new Git.GitError({ reason: new Git.Failed(), path: "/", detail: "a fault" })

const isOf = (tree: Tree.Tree, step: ReclaimStep.ReclaimStep): boolean => {
  const id = path.basename(tree.admin)
  return JSON.stringify(step).includes(`-${id}`) || JSON.stringify(step).includes(`/${id}"`)
}

/** The next sweep recovers it, the one after that finds nothing to do, and what lies aside can be put back. */
const goodAgain = (on: Stage.Stage, trees: ReadonlyArray<Tree.Tree>, touched: boolean, andBack = true) =>
  Effect.gen(function* () {
    const recovered = yield* Stage.recover(on)
    assert.deepStrictEqual(recovered.filter(({ _tag }) => _tag !== "Recovered").map(Stage.line), [])
    const where = yield* Effect.forEach(trees, (tree) => Tree.whereabouts(tree, touched))
    const kept = Stage.bookkeeping(on)
    assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
    assert.deepStrictEqual(Stage.bookkeeping(on), kept)
    for (const [index, tree] of trees.entries()) {
      if (where[index] !== "aside" || !andBack) continue
      assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
      assert.strictEqual(yield* Tree.whereabouts(tree, touched), "there")
    }
    return where
  })

const prepared = (program: Program, which = steps[program]) =>
  Effect.gen(function* () {
    const on = yield* Stage.stage()
    const trees = which.map(({ _tag }) => Tree.make(on, `main/trees/${_tag}`))
    if (program !== "apply") {
      const outcomes = yield* Stage.sweep(on)
      for (const tree of trees) Stage.asideOf(outcomes, tree.path)
    }
    return { on, trees }
  })

describe.concurrent("stopped for good after a step", () => {
  for (const [program, expected] of [
    ["apply", "there there there aside"],
    ["restore", "there there there there"],
    ["expire", "aside aside aside aside aside removed"]
  ] as const) {
    it.live(
      program,
      () =>
        Effect.gen(function* () {
          const { on, trees } = yield* prepared(program)
          for (const [index, tree] of trees.entries()) {
            const last = steps[program][index]?._tag
            const wasKilled = yield* Stage.killed(on, start(tree, program), (step, carryOut, die) => {
              if (!isOf(tree, step)) return carryOut
              return Effect.andThen(carryOut, () => (step._tag === last ? die : Effect.void))
            })
            assert.isTrue(wasKilled, last)
          }
          const where = yield* goodAgain(on, trees, program === "expire")
          assert.strictEqual(where.join(" "), expected)
        }),
      Stage.timeout
    )
  }
})

describe.concurrent("a step that fails", () => {
  for (const [program, expected] of [
    ["apply", "there there there there"],
    ["restore", "aside there there there"],
    ["expire", "aside aside aside aside aside aside"]
  ] as const) {
    it.live(
      `of ${program} leaves nothing to be recovered`,
      () =>
        Effect.gen(function* () {
          const { on, trees } = yield* prepared(program)
          for (const [index, tree] of trees.entries()) {
            const bad = steps[program][index]?._tag
            let left = 1
            const outcomes = yield* start(
              tree,
              program
            )({
              changes: (git) =>
                GitChanges.GitChanges.of({
                  ...git,
                  carryOut: (repository, step) =>
                    step._tag === bad && isOf(tree, step) && left-- > 0
                      ? Effect.fail(fault)
                      : git.carryOut(repository, step)
                })
            })
            assert.match(JSON.stringify(outcomes), /a fault/)
            assert.notInclude(JSON.stringify(outcomes), "Recovered")
          }
          assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
          const where = yield* goodAgain(on, trees, program === "expire", false)
          assert.strictEqual(where.join(" "), expected)
        }),
      Stage.timeout
    )
  }
})

/** In which command for which worktree git is to be killed, and what it has done by then. */
interface Order {
  readonly command: string
  readonly which: string
  readonly from: string | undefined
  readonly admin: string
  readonly part: string
}

/** A git that is killed once, in the middle of the command that a file names, after it has done part of the work. */
const dying = (root: string): { readonly path: string; readonly dieIn: (order: Order) => void } => {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  const directory = path.join(root, "dying")
  const orders = path.join(directory, "orders")
  fs.mkdirSync(directory)
  fs.writeFileSync(
    path.join(directory, "git"),
    `#!/bin/sh
if [ -e '${orders}' ] && . '${orders}' && [ -z "\${*##*$command*}" ] && [ -z "\${*##*$which*}" ]; then
  rm '${orders}'
  for last; do :; done
  git='${real}'
  eval "$part"
  kill -9 $$
fi
exec '${real}' "$@"
`,
    { mode: 0o755 }
  )
  return {
    path: `${directory}:${process.env["PATH"]}`,
    dieIn: (order) =>
      fs.writeFileSync(
        orders,
        Object.entries(order)
          .map(([name, value]) => `${name}='${value}'\n`)
          .join("")
      )
  }
}

/** What git has done when it is killed. The last argument is where to move it, or what to remove. */
const parts: ReadonlyArray<readonly [program: Program, command: string, what: string, part: string]> = [
  ["apply", "worktree move", "nothing", ":"],
  ["apply", "worktree move", "the directory has moved", 'mv "$from" "$last"'],
  ["apply", "worktree move", "the pointer is cut off", 'mv "$from" "$last"; : > "$admin/gitdir"'],
  ["apply", "worktree move", "everything", '"$git" "$@"'],
  ["apply", "update-ref", "nothing", ":"],
  ["restore", "worktree move", "nothing", ":"],
  ["restore", "worktree move", "the directory has moved", 'mv "$from" "$last"'],
  ["restore", "worktree move", "the pointer is cut off", 'mv "$from" "$last"; : > "$admin/gitdir"'],
  ["restore", "worktree move", "everything", '"$git" "$@"'],
  ["restore", "symbolic-ref", "everything", '"$git" "$@"'],
  ["expire", "worktree move", "nothing", ":"],
  ["expire", "worktree move", "the directory has moved", 'mv "$from" "$last"'],
  ["expire", "worktree move", "the pointer is cut off", 'mv "$from" "$last"; : > "$admin/gitdir"'],
  ["expire", "worktree move", "everything", '"$git" "$@"'],
  ["expire", "worktree remove", "nothing", ":"],
  ["expire", "worktree remove", "some files", 'rm -rf "$last/a.txt" "$last/node_modules" "$last/dir"'],
  ["expire", "worktree remove", "its own .git", 'rm "$last/.git"'],
  ["expire", "worktree remove", "all files", 'rm -rf "$last/"* "$last/".[a-z]*'],
  ["expire", "worktree remove", "the directory", 'rm -rf "$last"'],
  ["expire", "worktree remove", "HEAD, too", 'rm -rf "$last" "$admin/HEAD" "$admin/index"'],
  ["expire", "worktree remove", "the pointer, too", 'rm -rf "$last" "$admin/gitdir"'],
  ["expire", "worktree remove", "the lock, too", 'rm -rf "$last" "$admin/locked-until-removal"'],
  ["expire", "worktree remove", "everything", '"$git" "$@"']
]

describe.concurrent("git itself is killed", () => {
  for (const alone of [true, false]) {
    for (const program of ["apply", "restore", "expire"] as const) {
      it.live(
        `in ${program}, ${alone ? "alone" : "and the sweep with it"}`,
        () =>
          Effect.gen(function* () {
            const on = yield* Stage.stage()
            const mine = parts.filter(([of]) => of === program)
            // Longer than what a temporary directory's name ends with, which would do for a shorter one.
            const trees = mine.map((_, index) => Tree.make(on, `main/trees/to-die-${index + 10}`))
            const asides = new Map<string, string>()
            if (program !== "apply") {
              const outcomes = yield* Stage.sweep(on)
              for (const tree of trees) asides.set(tree.path, Stage.asideOf(outcomes, tree.path))
            }
            const git = dying(on.root)
            const env = { PATH: git.path }
            for (const [index, tree] of trees.entries()) {
              const [, command = "", what = "", part = ""] = mine[index] ?? []
              const from = program === "apply" ? tree.path : asides.get(tree.path)
              git.dieIn({ command, which: path.basename(tree.admin), from, admin: tree.admin, part })
              if (alone) {
                const outcomes = yield* start(tree, program)({ env })
                assert.match(JSON.stringify(outcomes), /killed by a signal/, what)
              } else {
                const wasKilled = yield* Stage.killed(
                  on,
                  start(tree, program),
                  (_, carryOut, die) => Effect.catch(carryOut, () => die),
                  { env }
                )
                assert.isTrue(wasKilled, what)
              }
            }
            const gone = yield* goodAgain(on, trees, program === "expire")
            assert.strictEqual(
              gone.map((where, index) => `${mine[index]?.[2]}: ${where}`).join("\n"),
              gone.map((_, index) => `${mine[index]?.[2]}: ${expectedAfter[program]?.[index]}`).join("\n")
            )
          }),
        Stage.timeout
      )
    }
  }
})

const expectedAfter: Readonly<Record<Program, ReadonlyArray<string>>> = {
  apply: ["there", "aside", "aside", "aside", "there"],
  restore: ["aside", "there", "there", "there", "there"],
  expire: [...Array.from({ length: 8 }, () => "aside"), "removed", "removed", "removed", "removed", "removed"]
}
