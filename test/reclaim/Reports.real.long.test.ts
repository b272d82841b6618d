/**
 * What people lost, or nearly lost, as it happened to them.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Git, OwnerSentinel, ProcessTable, Reclaim } from "../../src/internal.ts"
import * as Bound from "../../src/shared/Bound.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const { git } = Repo

const expireLogs = (on: Stage.Stage): void => {
  git(on.common, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
  git(on.common, "gc", "-q", "--prune=now")
}

/** Every file below a directory with its bytes, but what is named. */
const filesIn = (directory: string, but: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => !but.test(name) && fs.lstatSync(path.join(directory, name)).isFile())
      .map((name) => [name, fs.readFileSync(path.join(directory, name), "base64")])
  )

/** Where a repository lies after it has been moved or copied. */
const at = (on: Stage.Stage, main: string): Stage.Stage => ({ ...on, main, common: path.join(main, ".git") })

describe.concurrent("commits", () => {
  it.live(
    "restoring drops no ref that is the last to keep one, and drops those that are not",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        yield* Stage.sweep(on)
        expireLogs(on)
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
        git(on.common, "gc", "-q", "--prune=now")
        assert.deepStrictEqual(Stage.lost(on, tree.commits), [])
        assert.notInclude(git(on.common, "for-each-ref", "refs/reclaimed"), "/HEAD")
      }),
    Stage.timeout
  )

  it.live(
    "none is lost in any order of moving, restoring, expiring, pruned remotes and expired logs",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const origin = path.join(on.root, "origin.git")
        git(on.root, "clone", "-q", "--bare", on.main, origin)
        git(on.main, "remote", "add", "origin", origin)
        const tree = Tree.make(on, "beside/one")
        const logged = /^([0-9a-f]{40}) ([0-9a-f]{40})/gm
        const log = fs.readFileSync(path.join(tree.admin, "logs/HEAD"), "utf8")
        const [abandoned = ""] = [...log.matchAll(logged)].map(([, , id]) => id ?? "").slice(-2)
        git(on.main, "push", "-q", "origin", `${abandoned}:refs/heads/side`)
        git(on.main, "fetch", "-q", "origin")
        const known = tree.commits
        for (const end of ["restore", "expire"]) {
          Repo.age(tree.admin)
          // What was put back is settled a week later.
          Stage.asideOf(yield* Stage.sweepOne(on, tree.path, { ahead: 8 * Repo.day }), tree.path)
          if (end === "restore") {
            yield* Stage.restore(on, tree.path)
            git(origin, "update-ref", "-d", "refs/heads/side")
          } else yield* Stage.expire(on, { ahead: 23 * Repo.day })
          git(on.main, "fetch", "-q", "--prune", "origin")
          expireLogs(on)
          assert.deepStrictEqual(Stage.lost(on, known), [], end)
        }
        assert.isFalse(fs.existsSync(tree.admin))
      }),
    Stage.timeout
  )

  for (const [name, set] of [
    ["a mirror", ["config", "remote.origin.mirror", "true"]],
    ["a fetch of everything", ["config", "remote.origin.fetch", "+refs/*:refs/*"]],
    ["a push of everything", ["config", "remote.origin.push", "refs/*:refs/*"]]
  ] as const) {
    it.live(
      `${name} is refused by the survey, with the setting`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          Stage.worktree(on, "beside/one")
          git(on.main, "remote", "add", "origin", on.main)
          git(on.main, ...set)
          const [candidate] = (yield* Stage.survey(on)).candidates
          assert.isDefined(candidate)
          if (candidate?.verdict._tag !== "Refuse") return assert.fail("permitted")
          assert.strictEqual(candidate.verdict.gate, "Git")
          assert.include(candidate.verdict.reason, set[1])
        }),
      Stage.timeout
    )
  }

  it.live(
    "a remote of the old kind is refused by the survey, with what makes it one of today",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        Stage.worktree(on, "beside/one")
        Repo.write(on.common, { "remotes/old": `URL: ${on.main}\nPull: +refs/*:refs/*\n` })
        const refusal = Effect.map(Stage.survey(on), ({ candidates: [candidate] }) =>
          candidate?.verdict._tag === "Refuse" ? candidate.verdict.reason : assert.fail("permitted")
        )
        assert.include(yield* refusal, "git remote rename old old")
        git(on.main, "remote", "rename", "old", "old")
        assert.include(yield* refusal, "remote.old.fetch = +refs/*:refs/*")
        git(on.main, "config", "--replace-all", "remote.old.fetch", "+refs/heads/*:refs/remotes/old/*")
        assert.deepStrictEqual((yield* Stage.survey(on)).candidates.map(Stage.gate), [""])
      }),
    Stage.timeout
  )
})

describe.concurrent("nothing at the old path, and nothing in what worktrees share", () => {
  it.live(
    "every file of the common directory but refs/reclaimed, reclaimed/ and the tree's own is as it was",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const second = Stage.worktree(on, "beside/second")
        Repo.write(second, { "docs/plan.md": "plan" })
        const docs = Stage.worktree(on, "main/docs")
        const own = /^(worktrees\/docs|reclaimed|refs\/reclaimed|logs\/refs\/reclaimed)(\/|$)/
        const before = filesIn(on.common, own)
        const status = git(second, "status", "--porcelain", "-uall")
        Stage.asideOf(yield* Stage.sweepOne(on, docs), docs)
        assert.deepStrictEqual(filesIn(on.common, own), before)
        assert.isFalse(fs.existsSync(docs))
        assert.include(status, "docs/plan.md")
        assert.strictEqual(git(second, "status", "--porcelain", "-uall"), status)
        Repo.age(Repo.adminOf(second))
        const candidate = (yield* Stage.survey(on)).candidates.find(({ path }) => path === second)
        assert.strictEqual(candidate && Stage.gate(candidate), "Git")
        assert.strictEqual(Stage.line(yield* Stage.restore(on, docs)), "Restored")
        assert.deepStrictEqual(filesIn(on.common, own), before)
      }),
    Stage.timeout
  )

  it.live(
    "the path and the branch are free at once, and what was there is told apart",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "beside/one")
        const first = Stage.asideOf(yield* Stage.sweepOne(on, tree), tree)
        git(on.main, "worktree", "add", "-q", tree, "branch-one")
        Repo.age(Repo.adminOf(tree))
        assert.match(Stage.line(yield* Stage.restore(on, tree)), /^Kept Plan: something else stands at/)
        const second = Stage.asideOf(yield* Stage.sweepOne(on, tree), tree)
        const several = Stage.line(yield* Stage.restore(on, tree))
        assert.match(several, /^Kept Plan: more than one came from there/)
        for (const lies of [first, second]) assert.include(several, lies)
        const other = path.join(on.root, "elsewhere/two")
        assert.strictEqual(Stage.line(yield* Stage.restore(on, second)), "Restored")
        const restored = yield* Stage.restore(on, first, { to: other })
        assert.match(Stage.line(restored), /^Restored; HEAD stays detached, .*checked out in .*switch 'branch-one'$/)
        assert.strictEqual(restored.path, other)
        assert.isTrue(fs.existsSync(path.join(other, "a.txt")))
      }),
    Stage.timeout
  )

  it.live(
    "the time of the worktree around it is as it was when it goes and when it comes back",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const outer = Stage.worktree(on, "main/trees/outer", (at) => {
          Repo.write(at, { ".gitignore": "/inner/\n" })
          Repo.commit(at, { "outer.txt": "outer" })
        })
        const inner = Stage.worktree(on, "main/trees/outer/inner")
        Repo.age(Repo.adminOf(outer))
        const writtenAt = () => fs.statSync(outer).mtimeMs
        const before = writtenAt()
        Stage.asideOf(yield* Stage.sweepOne(on, inner), inner)
        // Times are kept to the millisecond.
        assert.closeTo(writtenAt(), before, 2)
        assert.strictEqual(Stage.line(yield* Stage.restore(on, inner)), "Restored")
        assert.closeTo(writtenAt(), before, 2)
      }),
    Stage.timeout
  )

  it.live(
    "a directory that its owner has removed does not come back",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const outer = Stage.worktree(on, "main/trees/outer")
        const inner = Stage.worktree(on, "main/trees/outer/inner")
        Stage.asideOf(yield* Stage.sweepOne(on, inner), inner)
        git(on.main, "worktree", "remove", "--force", outer)
        assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
        yield* Stage.sweep(on)
        assert.isFalse(fs.existsSync(outer))
      }),
    Stage.timeout
  )
})

describe.concurrent("a repository that was moved, copied or made anew", () => {
  it.live(
    "moved: it is put back where it was, and expires, where it lies now",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["beside/one", "main/trees/two", "beside/three"].map((name) => Tree.make(on, name))
        const outcomes = yield* Stage.sweep(on)
        for (const tree of trees) Stage.asideOf(outcomes, tree.path)
        const [one, two, three] = trees
        if (one === undefined || two === undefined || three === undefined) return assert.fail()
        fs.renameSync(on.main, path.join(on.root, "moved"))
        const moved = at(on, path.join(on.root, "moved"))
        assert.deepStrictEqual(
          (yield* Stage.list(moved)).map(({ record }) => record?.path).sort(),
          trees.map((tree) => tree.path).sort()
        )
        const restored = yield* Stage.run(moved, Reclaim.restore(one.path, { repositories: [moved.common] }))
        const last = restored.at(-1)
        assert.deepStrictEqual([last?._tag, last?.path], ["Restored", one.path])
        const { ".git": _now, ...contents } = Stage.contents(one.path)
        const { ".git": _before, ...before } = one.contents
        assert.deepStrictEqual(contents, before)
        assert.strictEqual(git(one.path, "symbolic-ref", "HEAD").trim(), "refs/heads/branch-one")
        const there = path.join(moved.main, "trees/two")
        const second = yield* Stage.restore(moved, two.path, { to: there })
        assert.deepStrictEqual([second._tag, second.path], ["Restored", there])
        assert.deepStrictEqual((yield* Stage.expire(moved)).map(Stage.line), ["Removed"])
        assert.deepStrictEqual(Stage.lost(moved, three.commits), [])
      }),
    Stage.timeout
  )

  it.live(
    "copied: the copy tells, and touches nothing, whether or not the original is there",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        const lies = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        execFileSync("cp", ["-a", on.main, path.join(on.root, "copy")])
        const copy = at(on, path.join(on.root, "copy"))
        const inCopy = lies.replace(on.common, copy.common)
        const both = () => [on, copy].map(({ common }) => filesIn(common, /^$/))
        const contents = both()
        const [listed] = yield* Stage.list(copy)
        assert.deepStrictEqual([listed?.path, listed?.record], [inCopy, undefined])
        assert.isString(listed?.obstacle)
        for (const to of [undefined, path.join(on.root, "new")]) {
          assert.strictEqual((yield* Stage.restore(copy, inCopy, { to }))._tag, "Kept")
        }
        assert.deepStrictEqual(yield* Stage.expire(copy), [])
        assert.deepStrictEqual(both(), contents)
        assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
        fs.rmSync(on.main, { recursive: true })
        fs.renameSync(copy.main, on.main)
        const [again] = yield* Stage.list(on)
        assert.isUndefined(again?.record)
        assert.deepStrictEqual(yield* Stage.expire(on), [])
        assert.isTrue(fs.existsSync(lies))
      }),
    Stage.timeout
  )

  it.live(
    "deleted and made anew: the old entry counts for nothing",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        yield* Stage.sweep(on)
        fs.rmSync(on.main, { recursive: true })
        Repo.create(on.main)
        const before = Stage.contents(on.common)
        assert.deepStrictEqual(yield* Stage.list(on), [])
        assert.match(Stage.line(yield* Stage.restore(on, tree.path)), /^Kept Plan: nothing reclaimed is known/)
        assert.deepStrictEqual(yield* Stage.expire(on), [])
        const { reclaimed: _, ...after } = Stage.contents(on.common)
        assert.deepStrictEqual(after, before)
      }),
    Stage.timeout
  )

  it.live(
    "without the journal: it is listed, and goes back only to a path that is named, detached",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        const lies = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        fs.rmSync(path.join(on.root, "state"), { recursive: true })
        const [listed] = yield* Stage.list(on)
        assert.deepStrictEqual([listed?.path, listed?.record], [lies, undefined])
        assert.deepStrictEqual(yield* Stage.expire(on), [])
        assert.match(Stage.line(yield* Stage.restore(on, tree.path)), /^Kept Plan: nothing reclaimed is known/)
        assert.match(Stage.line(yield* Stage.restore(on, lies)), /^Kept Plan: .*name the path to put it at/)
        const to = path.join(on.root, "new/one")
        assert.match(
          Stage.line(yield* Stage.restore(on, lies, { to })),
          /^Restored; its HEAD is detached; it is locked/
        )
        assert.deepStrictEqual(Stage.contents(to), tree.contents)
        assert.deepStrictEqual(Stage.lost(on, tree.commits), [])
      }),
    Stage.timeout
  )

  it.live(
    "nothing moves where the journal cannot be written",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        const before = Stage.bookkeeping(on)
        fs.writeFileSync(path.join(on.root, "state"), "in the way")
        assert.match((yield* Stage.sweep(on)).map(Stage.line).join(), /^Kept Plan: the journal .* could not be/)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.deepStrictEqual(Stage.bookkeeping(on), before)
      }),
    Stage.timeout
  )
})

describe.concurrent("a repository that somebody else has packed", () => {
  it.live(
    "nothing is written outside it, no file is checked out, and nothing of it runs",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const home = path.join(on.root, "home")
        fs.mkdirSync(home)
        const tree = Tree.make(on, "beside/one")
        // Everything is as a sweep leaves it that was killed in a removal, but that the directory is a link that leads out.
        const lies = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        fs.renameSync(path.join(tree.admin, "locked"), path.join(tree.admin, "locked-until-removal"))
        fs.rmSync(lies, { recursive: true })
        fs.symlinkSync(home, lies)
        Repo.write(on.main, { ".git/evil": "#!/bin/sh\ntouch ran\n" })
        git(on.main, "config", "core.fsmonitor", path.join(on.common, "evil"))
        for (const journal of ["ours", "none"]) {
          if (journal === "none") fs.rmSync(path.join(on.root, "state"), { recursive: true })
          yield* Stage.sweep(on)
          yield* Stage.expire(on)
          for (const to of [undefined, path.join(on.root, "new")]) {
            assert.strictEqual((yield* Stage.restore(on, lies, { to }))._tag, "Kept", journal)
          }
          assert.deepStrictEqual(fs.readdirSync(home), [], journal)
          assert.isFalse(fs.existsSync(path.join(on.root, "new")))
          assert.isFalse(fs.existsSync(tree.path))
        }
      }),
    Stage.timeout
  )

  const leads: Readonly<Record<string, (on: Stage.Stage, out: string) => void>> = {
    reclaimed: (on, out) => fs.symlinkSync(out, path.join(on.common, "reclaimed")),
    "refs/reclaimed": (on, out) => fs.symlinkSync(out, path.join(on.common, "refs/reclaimed")),
    worktrees: (on, out) => {
      fs.renameSync(path.join(on.common, "worktrees"), path.join(out, "real"))
      fs.symlinkSync(path.join(out, "real"), path.join(on.common, "worktrees"))
    }
  }
  for (const [name, lead] of Object.entries(leads)) {
    it.live(
      `a link in the place of ${name} is not followed`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const out = path.join(on.root, "out")
          fs.mkdirSync(out)
          const tree = Stage.worktree(on, "beside/one")
          lead(on, out)
          const before = Stage.contents(out)
          const outcomes = yield* Stage.sweep(on)
          assert.notInclude(
            outcomes.map(({ _tag }) => _tag),
            "Moved"
          )
          assert.deepStrictEqual(Stage.contents(out), before)
          assert.isTrue(fs.existsSync(path.join(tree, "a.txt")))
        }),
      Stage.timeout
    )
  }
})

describe.concurrent("what git leaves beside a worktree", () => {
  it.live(
    "the socket of its file watcher is in nobody's way",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "beside/one")
        const socket = path.join(Repo.adminOf(tree), "fsmonitor--daemon.ipc")
        execFileSync("python3", ["-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", socket])
        Repo.age(Repo.adminOf(tree))
        const lies = Stage.asideOf(yield* Stage.sweep(on), tree)
        assert.isTrue(fs.existsSync(`${lies}/a.txt`))
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree)), "Restored")
        assert.isTrue(fs.lstatSync(socket).isSocket())
        fs.renameSync(socket, path.join(Repo.adminOf(tree), "index.ipc"))
        assert.include(JSON.stringify((yield* Stage.survey(on)).candidates), "not a regular file")
      }),
    Stage.timeout
  )
})

describe.concurrent("what never ends", () => {
  for (const name of ["logs/HEAD", "logs/refs/worktree/mine", "ORIG_HEAD", "index", "MERGE_MSG"]) {
    it.live(
      `a FIFO for ${name} is refused by the survey`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const tree = Stage.worktree(on, "beside/one")
          const file = path.join(Repo.adminOf(tree), name)
          fs.rmSync(file, { force: true })
          fs.mkdirSync(path.dirname(file), { recursive: true })
          execFileSync("mkfifo", [file])
          const [candidate] = (yield* Stage.survey(on)).candidates
          assert.strictEqual(candidate?.verdict._tag, "Refuse")
          assert.include(JSON.stringify(candidate?.gates), "not a regular file")
        }),
      Stage.timeout
    )
  }

  // Those that git reads to list worktrees.
  for (const name of ["HEAD", "config", "one/HEAD", "one/gitdir", "one/commondir", "one/locked"]) {
    it.live(
      `a FIFO for ${name} is named before git is asked`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          for (const each of ["one", "two"]) Stage.worktree(on, `beside/${each}`)
          const file = path.join(on.common, name.includes("/") ? "worktrees" : "", name)
          fs.rmSync(file, { force: true })
          execFileSync("mkfifo", [file])
          for (const from of [on.common, path.join(on.main, "dir"), path.join(on.root, "beside/one")]) {
            const survey = Reclaim.survey({ repositories: [from] })
            const { candidates, unlisted } = yield* Stage.run(on, Effect.provideService(survey, Bound.Git, "5 seconds"))
            assert.deepStrictEqual(candidates, [])
            assert.include(unlisted[0]?.reason, `${file} is a FIFO`, from)
          }
        }),
      Stage.timeout
    )
  }

  type Hang = <A, R>(program: Effect.Effect<A, never, R>) => Effect.Effect<A, never, R>
  const never = Effect.uninterruptible(Effect.never)
  const hanging: Readonly<Record<string, Hang>> = {
    "the process table": (program) =>
      Effect.updateService(program, ProcessTable.ProcessTable, (real) => ({
        ...real,
        snapshot: never
      })) as typeof program,
    "the sentinels": (program) =>
      Effect.updateService(program, OwnerSentinel.OwnerSentinel, (real) => ({
        ...real,
        read: () => never
      })) as typeof program,
    git: (program) =>
      Effect.updateService(program, Git.Git, (real) => ({ ...real, repository: () => never })) as typeof program
  }
  for (const [name, hang] of Object.entries(hanging)) {
    it.live(
      `${name} that never answers holds up no program`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const trees = ["beside/one", "beside/two"].map((each) => Tree.make(on, each))
          const lies = Stage.asideOf(yield* Stage.sweepOne(on, trees[0]?.path ?? ""), trees[0]?.path ?? "")
          const plan = yield* Stage.survey(on)
          const expiry = yield* Stage.run(on, Reclaim.planExpiry({ repositories: [on.common] }), {
            ahead: 15 * Repo.day
          })
          assert.deepStrictEqual(
            expiry.items.map(({ decision }) => decision._tag),
            ["Remove"]
          )
          const run = <A>(program: Effect.Effect<A, never, Reclaim.Services>) =>
            Stage.run(on, Effect.provideService(hang(program), Bound.Survey, "2 seconds"), { ahead: 15 * Repo.day })
          const said = [
            yield* run(Reclaim.apply(plan)),
            yield* run(Reclaim.expire(expiry)),
            yield* run(Reclaim.planExpiry({ repositories: [on.common] })),
            yield* run(Reclaim.list({ repositories: [on.common] })),
            name === "the sentinels" ? [] : yield* run(Reclaim.restore(lies))
          ]
          assert.notMatch(JSON.stringify(said), /"(Moved|Removed|Restored)"/)
          assert.strictEqual(yield* Tree.whereabouts(trees[0] ?? assert.fail()), "aside")
          assert.strictEqual(yield* Tree.whereabouts(trees[1] ?? assert.fail()), "there")
        }),
      Stage.timeout
    )
  }
})

describe.concurrent("whose guard is never taken over", () => {
  const guards: Readonly<Record<string, (own: object) => object>> = {
    "another host's": (own) => ({ ...own, host: "another" }),
    "one of an unknown host": (own) => ({ ...own, host: null }),
    "another pid namespace's": (own) => ({ ...own, pidNamespace: "pid:[1]" })
  }
  for (const [name, of] of Object.entries(guards)) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          const tree = Tree.make(on, "beside/one")
          const own = Stage.guardOf({ pid: Stage.endedPid, start: "1" })
          Repo.write(on.common, { "reclaimed/.sweep": JSON.stringify(of(own)) })
          assert.match(
            (yield* Stage.sweep(on)).map(Stage.line).join(),
            /^Kept Plan: .*another machine or in another pid/
          )
          assert.strictEqual(yield* Tree.whereabouts(tree), "there")
          Repo.write(on.common, { "reclaimed/.sweep": JSON.stringify(own) })
          assert.deepStrictEqual((yield* Stage.sweep(on)).map(Stage.line), ["Moved"])
        }),
      Stage.timeout
    )
  }

  it.live(
    "and a repository on a network file system is not swept",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "beside/one")
        const plan = yield* Stage.survey(on)
        const remote: Stage.Options = {
          git: (real) =>
            Git.Git.of({
              ...real,
              repository: (at) => Effect.map(real.repository(at), (found) => ({ ...found, fileSystem: "nfs4" }))
            })
        }
        const outcomes = yield* Stage.apply(on, plan, remote)
        assert.match(outcomes.map(Stage.line).join(), /^Kept Plan: .*network file system \(nfs4\)/)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.isFalse(fs.existsSync(path.join(on.common, "reclaimed")))
      }),
    Stage.timeout
  )
})
