import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { tempRoot } from "../TempRoot.ts"
import * as Processes from "../machine/Daemon.ts"
import * as Repo from "./Repo.ts"
import * as Snapshot from "./Snapshot.ts"
import * as Survey from "./Survey.ts"

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"

/** Every commit and file that a look could be tempted to write: stale times in the index, a split one, a cache, dirt. */
const stage = Effect.map(tempRoot, (root) => {
  const repository = Repo.create(path.join(root, "repository"))
  const worktrees = Array.from({ length: 6 }, (_, index) =>
    Repo.link(repository, path.join(root, `worktree-${index}`), `work-${index}`)
  )
  const [stale = "", dirty = "", cached = "", ignoring = "", locked = ""] = worktrees
  const then = new Date(Date.now() - Repo.day)
  fs.utimesSync(path.join(stale, "a.txt"), then, then)
  Repo.write(dirty, { "a.txt": "edited\n", "new.txt": "new\n" })
  Repo.git(cached, "update-index", "--untracked-cache")
  Repo.write(ignoring, { "ignored/x/y/z": "x", "x.log": "x" })
  Repo.git(locked, "worktree", "lock", "--reason", "keep", locked)
  for (const worktree of worktrees) Repo.age(Repo.adminOf(worktree))
  return { root, repository, worktrees }
})

describe.skipIf(!onLinux)("a survey", () => {
  it.live(
    "changes nothing, wherever it is interrupted",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktrees } = yield* stage
        const before = Snapshot.take(root)
        for (const delay of [0, 1, 10, 30, 60, 100, 150, 220, 300, 400]) {
          yield* Effect.timeoutOption(Survey.survey(repository, { root }), delay)
          assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [], `interrupted after ${delay} ms`)
        }
        yield* Processes.noneNames(root)
        assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [])
        const plan = yield* Survey.survey(repository, { root })
        assert.strictEqual(plan.candidates.length, worktrees.length)
        assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [])
      }),
    timeout
  )

  it.live(
    "changes nothing when its process is killed",
    () =>
      Effect.gen(function* () {
        const { root, repository } = yield* stage
        const before = Snapshot.take(root)
        const argument = JSON.stringify({ root, repository })
        for (const delay of [500, 650, 800, 1000]) {
          yield* Effect.callback<void>((resume) => {
            const child = spawn(process.execPath, [fileURLToPath(new URL("surveyor.ts", import.meta.url)), argument], {
              stdio: "ignore"
            })
            const timer = setTimeout(() => child.kill("SIGKILL"), delay)
            child.on("exit", () => {
              clearTimeout(timer)
              resume(Effect.void)
            })
          })
          assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [], `killed after ${delay} ms`)
        }
        yield* Processes.noneNames(root)
        assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [])
      }),
    timeout
  )
})
