/**
 * One worktree that is watched while a sweep is stopped at it, and what it may look like afterwards.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"

export interface Tree {
  readonly on: Stage.Stage
  readonly path: string
  readonly admin: string
  readonly lock: string | undefined
  readonly contents: Readonly<Record<string, string>>
  readonly head: string
  readonly commits: ReadonlySet<string>
  readonly branch: string
}

const lockOf = (admin: string): string | undefined => {
  const file = path.join(admin, "locked")
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined
}

/** Commits something that only the log knows afterwards, and locks. */
const abandon = `
git add -A
git commit -q -m work
git reset -q --hard HEAD~1
git update-ref -d ORIG_HEAD
git worktree lock --reason "$1" .
`

/**
 * A worktree with everything that could be lost: a branch, commits that only the log of `HEAD` knows, an ignored file and
 * the lock of a harness that is gone.
 */
export const make = (on: Stage.Stage, at: string): Tree => {
  const tree = Stage.worktree(on, at, (directory) => {
    fs.writeFileSync(path.join(directory, "abandoned.txt"), at)
    execFileSync("sh", ["-ec", abandon, "sh", `claude agent ${at} (pid ${Stage.endedPid})`], {
      cwd: directory,
      env: Repo.environment
    })
    // The index does not know these times, as after a copy.
    fs.utimesSync(path.join(directory, "a.txt"), 1e9, 1e9)
    Repo.write(directory, { "node_modules/x": "x", "dir/node_modules/y": "y", ".trusty-mpm-worktree": "" })
  })
  const admin = Repo.adminOf(tree)
  return {
    on,
    path: tree,
    admin,
    lock: lockOf(admin),
    contents: Stage.contents(tree),
    head: fs.readFileSync(path.join(admin, "HEAD"), "utf8"),
    commits: Stage.commitsOf(admin),
    branch: Repo.git(tree, "for-each-ref", Repo.git(tree, "symbolic-ref", "HEAD").trim())
  }
}

/** The bytes of the entries of a tree that git tracks, whatever their inodes and times. */
const bytes = (contents: Tree["contents"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(contents)
      .filter(([name]) => !name.includes("node_modules") && !name.startsWith(".trusty-mpm"))
      .map(([name, entry]) => [name, entry.split(" ").toSpliced(1, 2).join(" ")])
  )

/**
 * Where the tree is: whole where it was, whole aside with everything that tells of it, or removed with its commits kept.
 * Anything else is a failure. `touched`: a removal had begun, so that ignored files may be gone and others made anew.
 */
export const whereabouts = (tree: Tree, touched = false): Effect.Effect<"there" | "aside" | "removed"> =>
  Effect.gen(function* () {
    const { on } = tree
    const known = fs.existsSync(path.join(tree.admin, "HEAD")) ? Stage.commitsOf(tree.admin) : new Set()
    assert.deepStrictEqual(
      Stage.lost(on, tree.commits).filter((commit) => !known.has(commit)),
      []
    )
    assert.include(Stage.branches(on), tree.branch)
    assert.strictEqual(Repo.git(on.main, "status", "--porcelain"), "")
    const isSame = (at: string) =>
      touched
        ? assert.deepStrictEqual(bytes(Stage.contents(at)), bytes(tree.contents))
        : assert.deepStrictEqual(Stage.contents(at), tree.contents)
    const lying = (yield* Stage.list(on)).find(({ record }) => record?.path === tree.path)
    if (lying !== undefined) {
      isSame(lying.path)
      assert.isUndefined(lying.obstacle)
      assert.isFalse(fs.existsSync(tree.path), tree.path)
      assert.strictEqual(
        Repo.git(lying.path, "--no-optional-locks", "status", "--porcelain").replace("?? .trusty-mpm-worktree\n", ""),
        ""
      )
      assert.deepStrictEqual(Stage.lost(on, tree.commits), [])
      return "aside"
    }
    const list = Repo.git(on.common, "worktree", "list", "--porcelain", "-z")
    if (list.includes(`worktree ${tree.path}\0`)) {
      isSame(tree.path)
      assert.strictEqual(lockOf(tree.admin), tree.lock)
      assert.strictEqual(fs.readFileSync(path.join(tree.admin, "HEAD"), "utf8"), tree.head)
      return "there"
    }
    assert.isFalse(fs.existsSync(tree.path), tree.path)
    // Of an admin directory that git had begun to remove, git itself makes an end.
    Repo.git(on.common, "worktree", "prune")
    assert.deepStrictEqual(fs.existsSync(tree.admin) ? fs.readdirSync(tree.admin) : [], [])
    assert.deepStrictEqual(
      fs
        .readdirSync(path.join(on.common, "reclaimed"))
        .filter((name) => name.endsWith(`-${path.basename(tree.admin)}`)),
      []
    )
    assert.deepStrictEqual(Stage.lost(on, tree.commits), [])
    return "removed"
  })
