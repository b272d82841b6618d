/**
 * Writes at the last moments before something is moved or removed.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

/** A git before which a script runs, with `$lies` for where the tree lies. Gives a `PATH` that finds it. */
const gitAfter = (on: Stage.Stage, lies: string, script: string): string => {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  const directory = path.join(on.root, "shim")
  Repo.write(directory, { git: `#!/bin/sh\nroot='${on.root}' lies='${lies}'\n${script}\nexec '${real}' "$@"\n` })
  fs.chmodSync(path.join(directory, "git"), 0o755)
  return `${directory}:${process.env["PATH"]}`
}

const prepared = Effect.gen(function* () {
  const on = yield* Stage.stage()
  const tree = Tree.make(on, "beside/one")
  const lies = Stage.asideOf(yield* Stage.sweep(on), tree.path)
  const expire = (script: string) =>
    Effect.map(Stage.expire(on, { table: "raw", env: { PATH: gitAfter(on, lies, script) } }), (outcomes) =>
      outcomes.map(Stage.line).join(" | ")
    )
  return { on, tree, lies, expire }
})

/** Files of that name anywhere in a repository. */
const named = (on: Stage.Stage, name: string): ReadonlyArray<string> =>
  fs.readdirSync(on.common, { recursive: true, encoding: "utf8" }).filter((each) => path.basename(each) === name)

describe.concurrent("a file that is written into what expires", () => {
  it.live(
    "just before git removes it: nobody finds the tree any more",
    () =>
      Effect.gen(function* () {
        const { on, tree, expire } = yield* prepared
        const write = `case "$*" in *"worktree remove"*) echo x >"$lies/late.log" && : >"$root/written" ;; esac`
        assert.strictEqual(yield* expire(`{ ${write}; } 2>/dev/null`), "Removed")
        assert.isFalse(fs.existsSync(path.join(on.root, "written")), "what was written is lost")
        assert.strictEqual(yield* Tree.whereabouts(tree, true), "removed")
      }),
    Stage.timeout
  )

  it.live(
    "just before git removes it, in a directory that is made for it: it stays",
    () =>
      Effect.gen(function* () {
        const { on, lies, expire } = yield* prepared
        const write = `case "$*" in *"worktree remove"*) mkdir -p "$lies" && echo x >"$lies/late.log" ;; esac`
        assert.strictEqual(yield* expire(write), "Removed")
        assert.deepStrictEqual(named(on, "late.log"), [path.relative(on.common, path.join(lies, "late.log"))])
        assert.deepStrictEqual(
          (yield* Stage.list(on)).map(({ path: at, record }) => [at, record]),
          [[lies, undefined]]
        )
      }),
    Stage.timeout
  )

  for (const [what, file, kept] of [
    ["an ignored file", "late.log", /^Kept Plan: it holds ignored files that may not be made again: late\.log/],
    ["a new file", "late.txt", /^Kept Git: it holds changes/],
    ["a change", "a.txt", /^Kept Git: it holds changes/]
  ] as const) {
    it.live(
      `${what}, just before it is out of reach: the tree is back`,
      () =>
        Effect.gen(function* () {
          const { on, tree, lies, expire } = yield* prepared
          const write = `case "$*" in *"worktree move"*) [ ! -e "$lies" ] || echo x >"$lies/${file}" ;; esac`
          assert.match(yield* expire(write), kept)
          assert.strictEqual(fs.readFileSync(path.join(lies, file), "utf8"), "x\n")
          assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
          if (file === "a.txt") Repo.git(lies, "checkout", "-q", "--", file)
          else fs.rmSync(path.join(lies, file))
          assert.strictEqual(yield* Tree.whereabouts(tree, true), "aside")
          assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
          assert.strictEqual(yield* Tree.whereabouts(tree, true), "there")
        }),
      Stage.timeout
    )
  }

  it.live(
    "by a process that has the tree open",
    () =>
      Effect.gen(function* () {
        const { on, tree, lies, expire } = yield* prepared
        const writer = `cd "$lies" && echo $$ >"$root/pid" && exec sleep 100`
        const start = `case "$*" in
*"worktree move"*) [ ! -e "$lies" ] || [ -e "$root/pid" ] || {
  (lies=$lies root=$root setsid sh -c '${writer}' >/dev/null 2>&1 &)
  until [ -s "$root/pid" ]; do sleep 0.01; done
} ;;
*"worktree remove"*) echo x >"/proc/$(cat "$root/pid")/cwd/late.log" ;;
esac`
        const said = yield* expire(start)
        const pid = Number(fs.readFileSync(path.join(on.root, "pid"), "utf8"))
        process.kill(pid)
        assert.match(said, /^Kept Occupied/)
        assert.isTrue(fs.existsSync(lies))
        assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
      }),
    Stage.timeout
  )

  it.live(
    "and something else that stands there when it is to come back: it is told where it lies, and comes back later",
    () =>
      Effect.gen(function* () {
        const { on, tree, lies, expire } = yield* prepared
        // Only the second time it is moved, it is moved back.
        const script = `case "$*" in *"worktree move"*)
if [ -e "$root/once" ]; then mkdir -p "$lies/somebody"; else echo x | tee "$root/once" >"$lies/late.log"; fi ;;
esac`
        assert.match(yield* expire(script), /^Kept Plan: it holds ignored files/)
        assert.deepStrictEqual(named(on, "late.log").length, 1)
        const [listed] = yield* Stage.list(on)
        assert.strictEqual(listed?.path, lies)
        assert.match(listed?.obstacle ?? "", /another directory lies there/)
        const [recovered] = yield* Stage.recover(on)
        assert.strictEqual(recovered?._tag, "Failed")
        assert.include(Stage.line(recovered ?? assert.fail()), path.basename(lies))
        fs.rmSync(lies, { recursive: true })
        assert.deepStrictEqual(
          (yield* Stage.recover(on)).map(({ _tag }) => _tag),
          ["Recovered"]
        )
        fs.rmSync(path.join(lies, "late.log"))
        assert.strictEqual(yield* Tree.whereabouts(tree, true), "aside")
      }),
    Stage.timeout
  )
})

it.live(
  "a tree in whose place something comes to stand while it is moved is not said to be put back",
  () =>
    Effect.gen(function* () {
      const { on, tree, lies } = yield* prepared
      const script = `case "$*" in *"worktree move"*) mkdir -p "$root/beside/one/somebody" ;; esac`
      const env = { PATH: gitAfter(on, lies, script) }
      assert.match(
        Stage.line(yield* Stage.restore(on, tree.path, { env })),
        /^Failed restore: .*something else has come to stand/
      )
      assert.deepStrictEqual(fs.readdirSync(tree.path), ["somebody"])
      fs.rmSync(tree.path, { recursive: true })
      assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
    }),
  Stage.timeout
)

for (const file of ["a.txt", "node_modules/x"]) {
  it.live(
    `a tree with ${file} that nobody may remove stays whole, and git still knows it`,
    () =>
      Effect.gen(function* () {
        const { on, tree, lies, expire } = yield* prepared
        // Only root may set it, where the file system has it.
        const set = (flag: string, at: string) => spawnSync("chattr", [flag, path.join(at, file)]).status === 0
        if (!set("+i", lies)) return
        yield* Effect.addFinalizer(() =>
          Effect.sync(() =>
            named(on, path.basename(file)).forEach((each) => {
              spawnSync("chattr", ["-i", path.join(on.common, each)])
            })
          )
        )
        assert.match(yield* expire(""), /^Failed remove: .*(may not be|not permitted)/)
        assert.strictEqual(yield* Tree.whereabouts(tree, true), "aside")
        set("-i", lies)
        assert.strictEqual(yield* expire(""), "Removed")
      }),
    Stage.timeout
  )
}
