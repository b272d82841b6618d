import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Reclaim, type SessionRecord, SessionStore } from "../../src/internal.ts"
import { failed } from "../../src/verdict/GitCommand.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Daemon from "../machine/Daemon.ts"
import { mounted } from "./Mounted.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const { day } = Repo

/** Moves one worktree aside, and gives where it lies. */
const lying = (on: Stage.Stage, tree: string, options: Stage.Options = {}) =>
  Effect.map(Stage.sweepOne(on, tree, options), (outcomes) => Stage.asideOf(outcomes, tree))

const expireOne = (on: Stage.Stage, tree: string, options: Parameters<typeof Stage.expire>[1] = {}) =>
  Effect.map(Stage.expire(on, options), (outcomes) => {
    const found = outcomes.filter(
      (outcome) => outcome.path === tree || outcome.path.endsWith(`-${path.basename(tree)}`)
    )
    return found.map(Stage.line).join(" | ")
  })

const records = (workspacePath: string): Layer.Layer<SessionStore.SessionStore> => {
  const record = { id: "somebody", tmuxName: "tm-somebody", workspacePath, createdAt: Date.now() + 15 * day }
  const stored: SessionRecord.StoredRecords = JSON.parse(JSON.stringify({ records: [record], undecoded: [] }))
  return SessionStore.layerMemory(stored)
}

describe.concurrent("what lies aside", () => {
  it.live(
    "expires after fourteen days where nobody vouches for it, or when it is asked to",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const plain = Stage.worktree(on, "main/trees/plain")
        const settled = Stage.worktree(on, "main/.claude/worktrees/settled")
        yield* Stage.sweep(on)
        const days = (count: number, settings: Partial<Reclaim.ExpiryOptions> = {}) =>
          Effect.map(Stage.expire(on, { ahead: count * day, settings }), (outcomes) =>
            outcomes
              .map(({ _tag, path: at }) => `${path.basename(at).replace(/.*-/, "")} ${_tag}`)
              .sort()
              .join(", ")
          )
        assert.strictEqual(yield* days(-1), "plain Kept, settled Kept")
        assert.strictEqual(yield* days(6.99, { settledOlderThan: "7 days" }), "plain Kept, settled Kept")
        assert.strictEqual(yield* days(13.99), "plain Kept, settled Kept")
        assert.strictEqual(yield* days(14.01), "plain Removed, settled Removed")
        assert.deepStrictEqual([fs.existsSync(plain), fs.existsSync(settled)], [false, false])
      }),
    Stage.timeout
  )

  it.live(
    "stays while it holds what cannot be made again, is claimed or is used",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const aside = yield* lying(on, tree.path)

        Repo.write(aside, { "x.log": "a result" })
        assert.match(
          yield* expireOne(on, tree.path),
          /^Kept Plan: it holds ignored files that may not be made again: x\.log; restore it /
        )
        fs.rmSync(path.join(aside, "x.log"))
        assert.match(
          yield* expireOne(on, tree.path, { settings: { keep: ["node_modules"] } }),
          /may not be made again: .*node_modules/
        )
        // What a tool makes is no place for these, so that somebody put them there.
        fs.appendFileSync(path.join(on.common, "info/exclude"), "dist/\n")
        Repo.write(aside, { "dist/js/.env.production": "a secret" })
        assert.match(
          yield* expireOne(on, tree.path),
          /may not be made again: dist\/ \(it holds js\/\.env\.production\); restore it /
        )
        fs.rmSync(path.join(aside, "dist/js/.env.production"))
        // A tracked directory of such a name.
        Repo.write(aside, { "dir/x.log": "a result" })
        const regenerable = ["dir"]
        assert.match(
          yield* expireOne(on, tree.path, { settings: { regenerable } }),
          /may not be made again: dir\/x\.log; restore it /
        )
        fs.rmSync(path.join(aside, "dir/x.log"))
        for (const at of [tree.path, `${tree.path}/dir`, aside]) {
          assert.match(yield* expireOne(on, tree.path, { store: records(at) }), /^Kept Claim/, at)
        }

        Repo.write(aside, { "new.txt": "new" })
        assert.match(yield* expireOne(on, tree.path), /^Kept Git: it holds changes/)
        fs.rmSync(path.join(aside, "new.txt"))
        Repo.git(aside, "worktree", "unlock", aside)
        Repo.git(aside, "worktree", "lock", "--reason", "mine", aside)
        assert.match(yield* expireOne(on, tree.path), /^Kept Plan: somebody else has locked it/)
      }),
    Stage.timeout
  )

  it.live(
    "stays while a process is in it, or a mount, or a container has it mounted",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const aside = yield* lying(on, tree.path)
        const before = Stage.bookkeeping(on)
        const script = "setsid sleep 100 >/dev/null 2>&1 & echo $!"
        const pid = Number(execFileSync("sh", ["-c", script], { cwd: path.join(aside, "dir"), encoding: "utf8" }))
        assert.match(yield* expireOne(on, tree.path, { own: [pid] }), /^Kept Occupied/)
        process.kill(pid)
        yield* Effect.scoped(
          Effect.gen(function* () {
            if (!(yield* mounted(path.join(aside, "node_modules"), "-t", "tmpfs", "none"))) return
            assert.match(yield* expireOne(on, tree.path), /^Kept Git: a mount point lies inside/)
          })
        )
        const elsewhere = path.join(on.root, "elsewhere")
        fs.mkdirSync(elsewhere)
        const mayMount = yield* Effect.scoped(
          Effect.gen(function* () {
            if (!(yield* mounted(elsewhere, "--bind", aside))) return false
            assert.include(yield* expireOne(on, tree.path), `shows what is in it elsewhere: "${elsewhere}"`)
            return true
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            if (!mayMount) return
            const container = yield* Daemon.idleContainer(aside, on.root)
            assert.include(yield* expireOne(on, tree.path, { own: [container] }), "Kept Occupied")
          })
        )
        assert.deepStrictEqual(Stage.bookkeeping(on), before)
        assert.strictEqual(yield* expireOne(on, tree.path), "Removed")
        assert.strictEqual(yield* Tree.whereabouts(tree), "removed")
      }),
    Stage.timeout
  )

  it.live(
    "expires with its sentinel, wherever that is",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const named = JSON.stringify({ owner_session_id: "me", created_at: "2026-01-01T00:00:00Z" })
        const places: Readonly<Record<string, readonly [inTree: string | undefined, inAdmin: string | undefined]>> = {
          mark: ["", undefined],
          tree: [named, undefined],
          admin: [undefined, named],
          markAndAdmin: ["", named],
          both: [named, named]
        }
        const settings = { caller: "me" }
        for (const [name, [inTree, inAdmin]] of Object.entries(places)) {
          Stage.worktree(on, `main/trees/${name}`, (tree, admin) => {
            if (inTree !== undefined) Repo.write(tree, { ".trusty-mpm-worktree": inTree })
            if (inAdmin !== undefined) Repo.write(admin, { ".trusty-mpm-worktree": inAdmin })
          })
        }
        const plan = yield* Stage.survey(on)
        const outcomes = yield* Stage.apply(on, { ...(yield* Stage.survey(on, { settings })) })
        assert.deepStrictEqual(
          plan.candidates.filter(({ verdict }) => verdict._tag === "Permit").map(({ path: at }) => path.basename(at)),
          ["mark"]
        )
        assert.deepStrictEqual(outcomes.map(Stage.line), ["Moved", "Moved", "Moved", "Moved", "Moved"])
        const kept = yield* Stage.expire(on)
        assert.deepStrictEqual(kept.map((outcome) => Stage.line(outcome).slice(0, 10)).sort(), [
          "Kept Owner",
          "Kept Owner",
          "Kept Owner",
          "Kept Owner",
          "Removed"
        ])
        const removed = yield* Stage.expire(on, { settings })
        assert.deepStrictEqual(removed.map(Stage.line), ["Removed", "Removed", "Removed", "Removed"])
      }),
    Stage.timeout
  )

  it.live(
    "expires with a commit kept whose branch was deleted while it lay aside, and with all that was kept before",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/trees/one", (at) => {
          Repo.commit(at, { "abandoned.txt": "abandoned" })
          Repo.git(at, "reset", "-q", "--hard", "HEAD~1")
          Repo.commit(at, { "work.txt": "on a branch" })
          Repo.git(at, "switch", "-q", "-c", "later", "main")
          Repo.commit(at, { "later.txt": "where it is" })
        })
        const known = Stage.commits(on)
        yield* lying(on, tree)
        const kept = () => Repo.git(on.common, "for-each-ref", "refs/reclaimed").split("\n")
        const before = kept()
        Repo.git(on.main, "branch", "-q", "-D", "branch-one")
        assert.strictEqual(yield* expireOne(on, tree), "Removed")
        Repo.git(on.main, "gc", "-q", "--prune=now")
        assert.deepStrictEqual(Stage.lost(on, known), [])
        assert.includeMembers(kept(), before)
      }),
    Stage.timeout
  )

  it.live(
    "expires with every object kept that a file of its own names as git names one, whatever else such files hold",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const other = Repo.create(path.join(on.root, "other"))
        const [fetched, tagged] = ["fetched", "tagged"].map((name) => Repo.commit(other, { name }))
        Repo.git(other, "tag", "-a", "-m", "tag", "elsewhere", tagged ?? "")
        Repo.git(other, "branch", "first", fetched ?? "")
        const named: Array<string> = []
        const tree = Stage.worktree(on, "main/trees/one", (at, admin) => {
          Repo.git(at, "fetch", "-q", "--no-tags", other, "first", "refs/tags/elsewhere")
          named.push(...(fs.readFileSync(path.join(admin, "FETCH_HEAD"), "utf8").match(/^[0-9a-f]{40}/gm) ?? []))
          const name = (ref: string, id: string) => {
            Repo.git(at, "update-ref", ref, id.trim())
            named.push(id.trim())
          }
          name("MY-BACKUP", Repo.git(at, "commit-tree", "HEAD^{tree}", "-m", "a commit"))
          Repo.write(at, { "staged.txt": "staged" })
          Repo.git(at, "add", "staged.txt")
          name("MY_TREE", Repo.git(at, "write-tree"))
          Repo.git(at, "reset", "-q", "--hard")
          fs.writeFileSync(path.join(at, "blob.log"), "precious")
          name("MY_BLOB", Repo.git(at, "hash-object", "-w", "blob.log"))
          fs.rmSync(path.join(at, "blob.log"))
          Repo.git(at, "symbolic-ref", "MY_BRANCH", "refs/heads/main")
          // The log of a ref of its own alone knows the first of these.
          for (const message of ["logged", "named"]) {
            const id = Repo.git(at, "commit-tree", "HEAD^{tree}", "-m", message).trim()
            Repo.git(at, "update-ref", "--create-reflog", "refs/worktree/mine", id)
            named.push(id)
          }
          fs.writeFileSync(
            path.join(admin, "MY_NOTES"),
            Buffer.from(`\xe9\n${"0".repeat(40)}\n${"12".repeat(20)}`, "latin1")
          )
          fs.mkdirSync(path.join(admin, "NOTES_MERGE_WORKTREE"))
        })
        assert.strictEqual(named.length, 7)
        yield* lying(on, tree)
        assert.strictEqual(yield* expireOne(on, tree), "Removed")
        Repo.git(on.main, "gc", "-q", "--prune=now")
        for (const id of named) Repo.git(on.main, "cat-file", "-e", id)
        // Those, and HEAD.
        assert.strictEqual(Repo.git(on.main, "for-each-ref", "refs/reclaimed").trim().split("\n").length, 8)
      }),
    Stage.timeout
  )

  it.live(
    "is not moved there while such a file cannot be read",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Stage.worktree(on, "main/trees/one", (_, admin) =>
          fs.symlinkSync("HEAD", path.join(admin, "MY_LINK"))
        )
        const [outcome = ""] = (yield* Stage.sweepOne(on, tree)).map(Stage.line)
        assert.match(outcome, /^Kept /)
        assert.isTrue(fs.existsSync(path.join(tree, "a.txt")))
      }),
    Stage.timeout
  )

  it.live(
    "expires with 100,000 files that can be made again",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        for (let index = 0; index < 1000; index++) {
          const directory = path.join(tree.path, `node_modules/p${index}`)
          fs.mkdirSync(directory)
          fs.writeFileSync(path.join(directory, "0"), "")
          // Links cost the disk less than as many files do, and git no less work.
          for (let file = 1; file < 100; file++) fs.linkSync(path.join(directory, "0"), path.join(directory, `${file}`))
        }
        Repo.age(tree.admin)
        const aside = yield* lying(on, tree.path)
        assert.strictEqual(yield* expireOne(on, tree.path), "Removed")
        assert.isFalse(fs.existsSync(aside))
        assert.strictEqual(yield* Tree.whereabouts(tree, true), "removed")
      }),
    Stage.timeout
  )

  it.live(
    "expires with links and empty files that its plan names, and with no other",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const target = path.join(on.root, "target")
        Repo.write(target, { "a.txt": "somebody's" })
        const tree = Stage.worktree(on, "main/trees/one", (at) => {
          fs.symlinkSync(target, path.join(at, "link"))
          fs.mkdirSync(path.join(at, "new"))
          fs.writeFileSync(path.join(at, "new/empty"), "")
        })
        const aside = yield* lying(on, tree)
        const admin = fs.readFileSync(path.join(aside, ".git"), "utf8").slice("gitdir: ".length, -1)
        const options = { ahead: 15 * day }
        const plan = yield* Stage.run(on, Reclaim.planExpiry({ repositories: [on.common] }), options)
        assert.deepStrictEqual(
          plan.items.map(({ decision }) => decision),
          [{ _tag: "Remove", leftovers: ["link", "new/empty"] }]
        )
        const expire = Effect.map(Stage.run(on, Reclaim.expire(plan), options), (outcomes) =>
          outcomes.map(Stage.line).join(" | ")
        )
        fs.writeFileSync(path.join(aside, "later"), "")
        Repo.age(admin)
        assert.match(yield* expire, /^Failed remove: .*untracked/)
        fs.rmSync(path.join(aside, "later"))
        fs.writeFileSync(path.join(aside, "new/empty"), "work")
        Repo.age(admin)
        assert.match(yield* expire, /^Kept Git: it holds changes/)
        assert.strictEqual(fs.readFileSync(path.join(aside, "new/empty"), "utf8"), "work")
        fs.writeFileSync(path.join(aside, "new/empty"), "")
        Repo.age(admin)
        assert.strictEqual(yield* expire, "Removed")
        assert.isFalse(fs.existsSync(aside))
        assert.strictEqual(fs.readFileSync(path.join(target, "a.txt"), "utf8"), "somebody's")
      }),
    Stage.timeout
  )

  it.live(
    "one that cannot be looked at stays with its reason, and hides none of the others",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        for (const name of ["one", "two"]) Stage.worktree(on, `main/trees/${name}`)
        yield* Stage.sweep(on)
        let asked = 0
        const plan = yield* Stage.run(on, Reclaim.planExpiry({ repositories: [on.common] }), {
          ahead: 15 * day,
          git: (git) => ({
            ...git,
            // The first call lists the repository, and each of the others is for one tree.
            repository: (at) =>
              Effect.suspend(() => (++asked === 2 ? Effect.fail(failed(at, "injected")) : git.repository(at)))
          })
        })
        assert.deepStrictEqual(plan.unlisted, [])
        assert.deepStrictEqual(plan.items.map(({ decision }) => decision._tag).sort(), ["Keep", "Remove"])
        const reasons = plan.items.flatMap(({ decision }) => (decision._tag === "Keep" ? [decision.reason] : []))
        assert.include(reasons.join(), "injected")
      }),
    Stage.timeout
  )

  it.live(
    "and what somebody put at its old path stays when it expires",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        yield* lying(on, tree.path)
        Repo.git(on.main, "worktree", "add", "-q", tree.path, "branch-one")
        const contents = Stage.contents(tree.path)
        assert.strictEqual(yield* expireOne(on, tree.path), "Removed")
        assert.deepStrictEqual(Stage.contents(tree.path), contents)
        assert.deepStrictEqual(Stage.lost(on, tree.commits), [])
      }),
    Stage.timeout
  )
})
