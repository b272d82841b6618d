import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import * as Tree from "./Tree.ts"

/** Programs that do not know that the worktree was moved. */
const writers: ReadonlyArray<readonly [command: string, ...args: ReadonlyArray<string>]> = [
  ["mkdir", "-p", "sub"],
  ["touch", "file"],
  ["git", "-C", ".", "status"],
  ["git", "-C", ".", "commit", "--allow-empty", "-m", "x"],
  ["git", "init", "."],
  ["sh", "-c", "cd '{}' && echo x > file"]
]

const replacements: Readonly<Record<string, (at: string) => void>> = {
  "an empty directory": (at) => fs.mkdirSync(at),
  "a directory": (at) => Repo.write(at, { file: "text" }),
  "another file": (at) => fs.writeFileSync(at, "text"),
  "an empty file": (at) => fs.writeFileSync(at, ""),
  "a link that dangles": (at) => fs.symlinkSync("/nowhere", at),
  "a link to the tombstone": (at) => {
    fs.renameSync(at, `${at}.real`)
    fs.symlinkSync(`${at}.real`, at)
  },
  "the tombstone with a line more": (at) => fs.writeFileSync(at, `${fs.readFileSync(at, "utf8")}notes\n`),
  "the tombstone with a word changed": (at) =>
    fs.writeFileSync(at, fs.readFileSync(at, "utf8").replace("worktree", "work"))
}

const stateOf = (at: string): unknown => {
  const info = fs.lstatSync(at)
  return [
    info.mode,
    info.ino,
    info.mtimeMs,
    info.isDirectory() ? Stage.contents(at) : info.isFile() ? fs.readFileSync(at, "utf8") : fs.readlinkSync(at)
  ]
}

describe.concurrent("the file at the old path", () => {
  it.live(
    "whoever works there fails on it, and not in the repository around it",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const aside = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        const before = [
          Stage.bookkeeping(on),
          fs.readFileSync(tree.path, "utf8"),
          Repo.git(on.main, "rev-parse", "HEAD")
        ]
        for (const [command, ...args] of writers) {
          const there = args.map((arg) =>
            arg === "."
              ? tree.path
              : arg === "sub" || arg === "file"
                ? `${tree.path}/${arg}`
                : arg.replace("{}", tree.path)
          )
          const { status } = spawnSync(command, there, { cwd: on.main, env: Repo.environment })
          assert.notStrictEqual(status, 0, there.join(" "))
        }
        assert.deepStrictEqual(
          [Stage.bookkeeping(on), fs.readFileSync(tree.path, "utf8"), Repo.git(on.main, "rev-parse", "HEAD")],
          before
        )
        assert.strictEqual(yield* Tree.whereabouts(tree), "aside")
        assert.include(fs.readFileSync(tree.path, "utf8"), ` worktree move '${aside}' '${tree.path}'`)
      }),
    Stage.timeout
  )

  it.live(
    "nothing is put back while anything else stands there, and nothing is changed",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const aside = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        const tombstone = fs.readFileSync(tree.path, "utf8")
        const lying = Stage.contents(aside)
        for (const [name, replace] of Object.entries(replacements)) {
          if (!/tombstone/.test(name)) fs.rmSync(tree.path)
          replace(tree.path)
          const before = [stateOf(tree.path), Stage.bookkeeping(on)]
          for (const at of [tree.path, aside]) {
            assert.match(Stage.line(yield* Stage.restore(on, at)), /^Failed restore: .*something else stands at/, name)
            assert.deepStrictEqual([stateOf(tree.path), Stage.bookkeeping(on)], before, name)
            assert.deepStrictEqual(Stage.contents(aside), lying)
          }
          fs.rmSync(tree.path, { recursive: true })
          fs.rmSync(`${tree.path}.real`, { force: true })
          fs.writeFileSync(tree.path, tombstone, { mode: 0o444 })
        }
        fs.rmSync(path.dirname(tree.path), { recursive: true })
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
        assert.match(Stage.line(yield* Stage.restore(on, tree.path)), /^Kept Plan: nothing that was moved aside/)
      }),
    Stage.timeout
  )

  it.live(
    "tells how it is put back by hand, from wherever one is",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, 'main/trees/it\'s "one"')
        yield* Stage.sweep(on)
        const lines = fs.readFileSync(tree.path, "utf8").split("\n")
        const commands = lines.filter((line) => line.startsWith("  git ")).join("\n")
        fs.rmSync(tree.path)
        const { status, stderr } = spawnSync("sh", ["-ec", commands], {
          cwd: "/",
          env: Repo.environment,
          encoding: "utf8"
        })
        assert.strictEqual(status, 0, stderr)
        assert.deepStrictEqual(Stage.contents(tree.path), tree.contents)
        assert.strictEqual(fs.readFileSync(path.join(tree.admin, "HEAD"), "utf8"), tree.head)
        assert.deepStrictEqual((yield* Stage.heal(on)).map(Stage.line), [
          "Healed: its lock was put away; it is locked as before"
        ])
        assert.strictEqual(fs.readFileSync(path.join(tree.admin, "locked"), "utf8"), tree.lock)
      }),
    Stage.timeout
  )

  it.live(
    "nothing is put into a directory that somebody makes in the moment in which it is put back",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const aside = Stage.asideOf(yield* Stage.sweep(on), tree.path)
        const bin = path.join(on.root, "bin")
        const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
        Repo.write(bin, {
          git: `#!/bin/sh
case " $* " in *" worktree move "*" ${tree.path} ") mkdir -p '${tree.path}'; echo new > '${tree.path}/new.txt';; esac
exec '${real}' "$@"
`
        })
        fs.chmodSync(path.join(bin, "git"), 0o755)
        const line = Stage.line(yield* Stage.restore(on, tree.path, { env: { PATH: `${bin}:${process.env["PATH"]}` } }))
        assert.match(line, /^Failed restore: .*something else has come to stand at .*one, so that it was moved back/)
        assert.deepStrictEqual(fs.readdirSync(tree.path), ["new.txt"])
        assert.deepStrictEqual(Stage.contents(aside), tree.contents)
        fs.rmSync(tree.path, { recursive: true })
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
        assert.strictEqual(yield* Tree.whereabouts(tree), "there")
      }),
    Stage.timeout
  )

  it.live(
    "is hidden and shown again without a change to anything else that is ignored, whatever a person did meanwhile",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const exclude = path.join(on.common, "info/exclude")
        const own = "\ufeffsecret.env\n/other\n"
        Repo.write(on.main, { "secret.env": "secret" })
        const edits: Readonly<Record<string, (text: string) => string>> = {
          nothing: (text) => text,
          "takes our pattern away": (text) => text.replace("/trees/takes\n", ""),
          "sorts it": (text) => `\ufeff${text.replace("\ufeff", "").split("\n").filter(Boolean).sort().join("\n")}\n`
        }
        const after: Array<string> = []
        for (const [name, edit] of Object.entries(edits)) {
          fs.writeFileSync(exclude, own)
          const tree = Stage.worktree(on, `main/trees/${name.replace(/ .*/, "")}`)
          const moved = yield* Stage.sweepOne(on, tree)
          assert.deepStrictEqual(moved.map(Stage.line), ["Moved"])
          assert.strictEqual(Repo.git(on.main, "status", "--porcelain"), "", name)
          fs.writeFileSync(exclude, edit(fs.readFileSync(exclude, "utf8")))
          assert.strictEqual(Stage.line(yield* Stage.restore(on, tree)), "Restored")
          after.push(fs.readFileSync(exclude, "utf8"))
        }
        assert.deepStrictEqual(after, [own, own, "\ufeff/other\n/trees/sorts\nsecret.env\n"])
      }),
    Stage.timeout
  )

  it.live(
    "is left and told of where it cannot be hidden",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const tree = Tree.make(on, "main/trees/one")
        const exclude = path.join(on.common, "info/exclude")
        fs.renameSync(exclude, `${exclude}.mine`)
        fs.symlinkSync("exclude.mine", exclude)
        const said = (yield* Stage.sweep(on)).map(Stage.line).join()
        assert.match(said, /^Moved; .*shows as untracked, because .*exclude could not be read: it is a SymbolicLink/)
        assert.strictEqual(Repo.git(on.main, "status", "--porcelain"), "?? trees/\n")
        assert.strictEqual(fs.readlinkSync(exclude), "exclude.mine")
        assert.strictEqual(Stage.line(yield* Stage.restore(on, tree.path)), "Restored")
      }),
    Stage.timeout
  )

  it.live(
    "a branch that was checked out elsewhere, has moved on or is gone leaves HEAD detached, and says so",
    () =>
      Effect.gen(function* () {
        const on = yield* Stage.stage()
        const trees = ["elsewhere", "moved", "gone"].map((name) => Tree.make(on, `main/trees/${name}`))
        yield* Stage.sweep(on)
        Repo.git(on.main, "worktree", "add", "-q", path.join(on.root, "other"), "branch-elsewhere")
        Repo.git(on.main, "branch", "-f", "branch-moved", "main~1")
        Repo.git(on.main, "branch", "-q", "-D", "branch-gone")
        const reasons = [/is checked out in .*other$/, /has moved on/, /has moved on/]
        for (const [index, tree] of trees.entries()) {
          const line = Stage.line(yield* Stage.restore(on, tree.path))
          assert.match(line, /^Restored; HEAD stays detached/)
          assert.match(line, reasons[index] ?? /never/)
          assert.deepStrictEqual(Stage.contents(tree.path), tree.contents)
          assert.match(fs.readFileSync(path.join(tree.admin, "HEAD"), "utf8"), /^[0-9a-f]{40}\n$/)
        }
      }),
    Stage.timeout
  )
})
