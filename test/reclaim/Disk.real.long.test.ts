import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { GitChanges } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import { tempRoot } from "../TempRoot.ts"
import { mounted } from "./Mounted.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

const mayMount = spawnSync("unshare", ["-m", "true"]).status === 0
const isRoot = process.geteuid?.() === 0

/** Fills a file system to the last byte, until the file is removed. */
const fill = (file: string): void => {
  const handle = fs.openSync(file, "w")
  for (let size = 1 << 20; size > 0;) {
    try {
      if (fs.writeSync(handle, Buffer.alloc(size)) < size) throw new Error("short")
    } catch {
      size >>= 1
    }
  }
  fs.closeSync(handle)
}

describe.concurrent("a file system that does not play along", () => {
  it.live.skipIf(!mayMount)(
    "another device is a refusal",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const other = path.join(on.root, "other")
        fs.mkdirSync(other)
        if (!(yield* mounted(other, "-t", "tmpfs", "none"))) return
        const tree = Tree.make(on, "other/one")
        const before = Stage.bookkeeping(on)
        const outcomes = yield* Stage.sweep(on)
        assert.match(outcomes.map(Stage.line).join(), /^Kept Git: it cannot be moved: it is on another device/)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.deepStrictEqual({ ...Stage.bookkeeping(on), aside: [], kept: "" }, { ...before, aside: [], kept: "" })
      }),
    Stage.timeout
  )

  for (const [what, how] of [
    ["another mount of the same device", ["bind"]],
    ["a mount that is read-only", ["bind", "remount,ro,bind"]]
  ] as const) {
    it.live.skipIf(!mayMount)(
      `${what} is a refusal`,
      () =>
        Effect.gen(function* () {
          const on = yield* Stage.stage()
          for (const at of ["other", "main"]) {
            const directory = path.join(on.root, at)
            fs.mkdirSync(directory, { recursive: true })
            const tree = Tree.make(on, `${at}/tree-${at}`)
            if (!(yield* mounted(directory, "--bind", directory))) return
            for (const options of how.slice(1)) execFileSync("mount", ["-o", options, directory])
            const said = (yield* Stage.sweepOne(on, tree.path)).map(Stage.line).join()
            assert.match(
              said,
              at === "main" && how.length === 1 ? /^Moved/ : /^Kept (Git: it cannot be moved|Plan)/,
              at
            )
          }
        }),
      Stage.timeout
    )
  }

  it.live.skipIf(spawnSync("chattr").error !== undefined || !isRoot)(
    "a worktree that may not change is a refusal",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const isSet = yield* Effect.acquireRelease(
          Effect.sync(() => spawnSync("chattr", ["+i", tree.path]).status === 0),
          () => Effect.sync(() => spawnSync("chattr", ["-i", tree.path]))
        )
        if (!isSet) return
        const said = (yield* Stage.sweep(on)).map(Stage.line).join()
        assert.include(said, `Kept Git: it cannot be moved: ${tree.path} cannot be written to`)
      }),
    Stage.timeout
  )

  it.live(
    "a place for what lies aside that leads elsewhere is a refusal",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        fs.mkdirSync(path.join(on.root, "elsewhere"))
        fs.symlinkSync(path.join(on.root, "elsewhere"), path.join(on.common, "reclaimed"))
        assert.match((yield* Stage.sweep(on)).map(Stage.line).join(), /^Kept Plan: .*reclaimed is a SymbolicLink/)
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.deepStrictEqual(fs.readdirSync(path.join(on.root, "elsewhere")), [])
      }),
    Stage.timeout
  )

  for (const [program, count] of [
    ["apply", 6],
    ["restore", 7],
    ["expire", 5]
  ] as const) {
    it.live.skipIf(!mayMount)(
      `a disk that is full from any step of ${program} on`,
      () =>
        Effect.gen(function* () {
          const mount = yield* tempRoot
          if (!(yield* mounted(mount, "-t", "tmpfs", "-o", "size=4m", "none"))) return
          const base = yield* Stage.stage()
          const root = path.join(mount, "root")
          fs.cpSync(base.root, root, { recursive: true })
          const on: Stage.Stage = {
            root,
            main: path.join(root, "main"),
            common: path.join(root, "main/.git"),
            bare: false
          }
          const filler = path.join(mount, "filler")
          for (let at = -1; at < count; at++) {
            const tree = Tree.make(on, `main/trees/t${at + 1}`)
            if (program !== "apply") Stage.asideOf(yield* Stage.sweepOne(on, tree.path), tree.path)
            let taken = 0
            const options: Stage.Options = {
              changes: (real) =>
                GitChanges.GitChanges.of({
                  ...real,
                  carryOut: (repository, step) => {
                    if (taken++ === at) fill(filler)
                    return real.carryOut(repository, step)
                  }
                })
            }
            if (at === -1) fill(filler)
            const outcomes =
              program === "apply"
                ? yield* Stage.sweepOne(on, tree.path, options)
                : program === "restore"
                  ? [yield* Stage.restore(on, tree.path, options)]
                  : yield* Stage.expireOne(on, tree.admin, options)
            fs.rmSync(filler, { force: true })
            const said = outcomes.map(Stage.line).join(" | ")
            assert.match(said, /\b(Failed|Kept Plan|Moved|Restored|Removed)\b/, `${at}`)
            const healed = yield* Stage.recover(on)
            assert.deepStrictEqual(healed.filter(({ _tag }) => _tag !== "Recovered").map(Stage.line), [], said)
            yield* Tree.whereabouts(tree, program === "expire")
          }
          assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
        }),
      Stage.timeout
    )
  }

  it.live.skipIf(!isRoot)(
    "no permission is an outcome with its reason",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const nobody = 65534
        const trees = ["closed/one", "open/two"].map((at) => Tree.make(on, at))
        const sweep = (program: string): ReadonlyArray<string> => {
          execFileSync("chown", ["-R", `${nobody}:${nobody}`, on.root])
          const { stdout, stderr } = spawnSync(
            process.execPath,
            [path.join(import.meta.dirname, "sweeper.ts"), on.root, on.common, program, "0"],
            { uid: nobody, gid: nobody, encoding: "utf8" }
          )
          execFileSync("chown", ["-R", "0:0", on.root])
          const said: ReadonlyArray<string> = JSON.parse(stdout.split("\n").at(-2) ?? "[]")
          assert.strictEqual(stderr, "")
          return said
        }
        const before = Stage.bookkeeping(on)

        fs.chmodSync(on.common, 0o555)
        for (const line of sweep("apply")) assert.match(line, /^Kept Plan: .*PermissionDenied/)
        fs.chmodSync(on.common, 0o755)
        assert.deepStrictEqual(Stage.bookkeeping(on), before)

        fs.chmodSync(path.join(on.root, "closed"), 0o555)
        const said = sweep("apply")
        fs.chmodSync(path.join(on.root, "closed"), 0o755)
        assert.match(said[0] ?? "", /^Kept Git: it cannot be moved: .*closed cannot be written to/)
        assert.strictEqual(said[1], "Moved")
        const [closed, open] = trees
        if (closed === undefined || open === undefined) assert.fail()
        assert.strictEqual(yield* Tree.whereabouts(closed), "there")
        assert.strictEqual(yield* Tree.whereabouts(open), "aside")

        const [lying] = yield* Stage.list(on)
        const directory = path.join(lying?.path ?? "", "node_modules")
        fs.chmodSync(directory, 0o555)
        assert.match(sweep("expire").join(" | "), /^Failed remove: .*node_modules may not be written to$/)
        fs.chmodSync(directory, 0o755)
        assert.strictEqual(yield* Tree.whereabouts(open, true), "aside")
        assert.deepStrictEqual((yield* Stage.recover(on)).map(Stage.line), [])
        fs.chmodSync(path.join(on.root, "open"), 0o555)
        fs.chmodSync(path.join(on.root, "open"), 0o755)
        assert.deepStrictEqual(sweep("expire"), ["Removed"])
        assert.strictEqual(yield* Tree.whereabouts(open, true), "removed")
        Repo.age(closed.admin)
      }),
    Stage.timeout
  )
})
