import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"

const { git } = Repo

/** Commits something that no branch knows afterwards, and gives the commit. */
const abandoned = (worktree: string, text: string): string => {
  const commit = Repo.commit(worktree, { "abandoned.txt": text })
  git(worktree, "reset", "-q", "--hard", "HEAD~1")
  return commit
}

const kinds: Readonly<Record<string, (worktree: string, admin: string) => void>> = {
  clean: () => {},
  ignored: (at) => Repo.write(at, { "ignored/deep/x": "x", "y.log": "y" }),
  modes: (at) => {
    fs.symlinkSync("dir/b.txt", path.join(at, "link"))
    fs.writeFileSync(path.join(at, "run"), "#!/bin/sh\n", { mode: 0o755 })
    Repo.commit(at, { 'odd "name"\n.txt': "odd" })
    fs.chmodSync(path.join(at, "a.txt"), 0o600)
    fs.utimesSync(path.join(at, "a.txt"), 1e9, 1e9)
    fs.mkdirSync(path.join(at, "empty"))
  },
  detached: (at) => void git(at, "switch", "-q", "--detach"),
  harness: (at) => void git(at, "worktree", "lock", "--reason", `claude agent a-1 (pid ${Stage.endedPid})`, at),
  logged: (at) => {
    abandoned(at, "one")
    abandoned(at, "two")
    git(at, "update-ref", "-d", "ORIG_HEAD")
  },
  latin1: (at, admin) => {
    abandoned(at, "x")
    const log = path.join(admin, "logs/HEAD")
    fs.writeFileSync(log, fs.readFileSync(log, "latin1").replaceAll("somebody", "s\u00f6mebody"), "latin1")
  },
  original: (at, admin) => {
    const commit = abandoned(at, "original")
    fs.rmSync(path.join(admin, "logs"), { recursive: true })
    fs.writeFileSync(path.join(admin, "ORIG_HEAD"), `${commit}\n`)
  },
  refs: (at, admin) => {
    const [one = "", two = "", three = ""] = ["one", "two", "three"].map((text) => abandoned(at, text))
    git(at, "update-ref", "refs/worktree/one", one)
    git(at, "tag", "-a", "-m", "tag", "passing", two)
    git(at, "update-ref", "refs/worktree/tagged", git(at, "rev-parse", "passing").trim())
    git(at, "tag", "-d", "passing")
    git(at, "update-ref", "refs/worktree/blob", git(at, "rev-parse", "HEAD:a.txt").trim())
    git(at, "update-ref", "refs/bisect/bad", three)
    fs.rmSync(path.join(admin, "logs"), { recursive: true })
    fs.rmSync(path.join(admin, "ORIG_HEAD"))
  },
  'sp ace\'s "q"\nl*ne': () => {}
}

/** Where the worktrees are, whether they can be in a bare repository too, and what the one around them ignores. */
interface Place {
  readonly name: string
  readonly bare?: true
  readonly at: string
  readonly kinds: ReadonlyArray<string>
}

const few = ["clean", "ignored", "detached"]

const places: ReadonlyArray<Place> = [
  { name: "nested, not ignored", at: "main/.claude/worktrees", kinds: Object.keys(kinds) },
  { name: "nested, ignored as directories", at: "main/trees", kinds: few },
  { name: "beside the repository", at: "beside", kinds: few },
  { name: "of a bare repository", bare: true, at: "beside", kinds: few },
  { name: "inside a bare repository", bare: true, at: "bare.git/trees", kinds: few }
]

const indexOf = (worktree: string): string => fs.readFileSync(path.join(Repo.adminOf(worktree), "index"), "base64")

const headOf = (worktree: string): ReadonlyArray<string> => [
  git(worktree, "rev-parse", "HEAD"),
  fs.readFileSync(path.join(Repo.adminOf(worktree), "HEAD"), "utf8"),
  git(worktree, "--no-optional-locks", "status", "--porcelain", "--ignored")
]

const silent = (on: Stage.Stage): void => {
  if (!on.bare) assert.strictEqual(git(on.main, "status", "--porcelain"), "")
}

/** What people and their tools run in a repository without a thought. */
const housekeeping = (on: Stage.Stage): void => {
  git(on.main, "gc", "-q", "--prune=now")
  git(on.main, "worktree", "prune")
  if (!on.bare) git(on.main, "clean", "-q", "-ffdx")
  git(on.main, "worktree", "repair")
  git(on.main, "worktree", "prune")
  git(on.main, "fsck", "--connectivity-only")
}

describe.concurrent("what is moved aside comes back whole, and expires without a commit lost", () => {
  for (const { name, bare, at: place, kinds: which } of places) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage(bare === true ? "bare" : "main")
          const exclude = path.join(on.common, "info/exclude")
          if (place === "beside") fs.rmSync(path.dirname(exclude), { recursive: true, force: true })
          else {
            fs.writeFileSync(exclude, "# mine, with no end of line")
            fs.chmodSync(exclude, 0o600)
          }
          const trees = which.map((kind) => Stage.worktree(on, path.join(place, kind), kinds[kind]))
          const look = (tree: string) => ({ contents: Stage.contents(tree), index: indexOf(tree), head: headOf(tree) })
          const before = new Map(trees.map((tree) => [tree, look(tree)]))
          const admins = trees.map(Repo.adminOf)
          const age = () => admins.forEach((admin) => Repo.age(admin))
          const kept = Stage.bookkeeping(on)
          const known = Stage.commits(on)

          const outcomes = yield* Stage.sweep(on)
          assert.deepStrictEqual(
            outcomes.map((outcome) => [outcome.path, Stage.line(outcome)]),
            [...trees].sort().map((tree) => [tree, "Moved"])
          )
          silent(on)
          const around = fs.existsSync(exclude) ? fs.statSync(exclude).mode & 0o777 : undefined
          if (place !== "beside") assert.strictEqual(around, 0o600)
          for (const tree of trees) {
            const aside = Stage.asideOf(outcomes, tree)
            assert.deepStrictEqual(Stage.contents(aside), before.get(tree)?.contents)
            const branch = /branch refs\/heads\/(.*)/.exec(
              before.get(tree)?.head[1]?.replace("ref:", "branch") ?? ""
            )?.[1]
            if (branch !== undefined) {
              git(on.common, "worktree", "add", "-q", path.join(on.root, "elsewhere"), branch)
              git(on.common, "worktree", "remove", path.join(on.root, "elsewhere"))
            }
          }
          housekeeping(on)
          silent(on)
          assert.deepStrictEqual(Stage.lost(on, known), [])

          // As if they had lain there for a month.
          age()
          // The first by the path at which it lies, for a change.
          for (const [index, tree] of trees.entries()) {
            const restored = yield* Stage.restore(on, index === 0 ? Stage.asideOf(outcomes, tree) : tree)
            assert.deepStrictEqual([restored.path, Stage.line(restored)], [tree, "Restored"])
            assert.deepStrictEqual(look(tree), before.get(tree))
          }
          const { kept: stays, ...restored } = Stage.bookkeeping(on)
          assert.deepStrictEqual({ ...restored, kept: kept["kept"] }, kept)
          assert.notMatch(String(stays), /-(clean|ignored|modes|detached)\/|\/HEAD$/m)
          const used = yield* Stage.survey(on)
          assert.include(["Quiet,Quiet,Quiet"], used.candidates.slice(0, 3).map(Stage.gate).join())
          git(trees[1] ?? "", "clean", "-q", "-fdx")
          age()
          const branches = Stage.branches(on)
          // Who put them back wanted them: they are settled a week later.
          const again = yield* Stage.sweep(on, { ahead: 8 * Repo.day })
          assert.deepStrictEqual([...new Set(again.map(Stage.line))], ["Moved"])
          const expired = yield* Stage.expire(on, { ahead: 23 * Repo.day })
          assert.deepStrictEqual([...new Set(expired.map(Stage.line))], ["Removed"])
          assert.strictEqual(expired.length, trees.length)
          housekeeping(on)
          silent(on)
          assert.deepStrictEqual(Stage.lost(on, known), [])
          assert.strictEqual(Stage.branches(on), branches)
          assert.deepStrictEqual(
            trees.filter((tree) => fs.existsSync(tree)),
            []
          )
          assert.deepStrictEqual(fs.readdirSync(path.join(on.common, "reclaimed")), [])
          assert.strictEqual(fs.existsSync(exclude) ? fs.readFileSync(exclude, "utf8") : undefined, kept["exclude"])
        }),
      Stage.timeout
    )
  }

  it.live(
    "a restored tree is kept an hour later, and may be taken again after a week",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "beside/one")
        const aside = Stage.asideOf(yield* Stage.sweep(on), tree)
        Repo.age(Repo.adminOf(aside))
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree)), "Restored")
        // Every other sign is a month old.
        Repo.age(Repo.adminOf(tree))
        const gates = (ahead: number) =>
          Effect.map(Stage.survey(on, { ahead }), ({ candidates }) => candidates.map(Stage.gate))
        assert.deepStrictEqual(yield* gates(Repo.day / 24), ["Quiet"])
        assert.deepStrictEqual(yield* gates(8 * Repo.day), [""])
      }),
    Stage.timeout
  )
})
