import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Size from "../../examples/sweep/Size.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "./Isolated.ts"
import { run } from "./Program.ts"
import * as World from "./World.ts"

const program = "examples/sweep.ts"
const timeout = 240_000

const lines = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** A repository of which the worktrees of these names lie aside, by where they were. */
const world = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const repository = yield* World.repository
  const { root, main } = repository
  World.records(root, {})
  const trees = names.map((name) => repository.worktree(name))
  const given = { root, cwd: main }
  const args = ["--quiet-for", "0h", "--apply", "--yes", "--json"]
  const { stdout } = yield* Isolated.run(program, args, given)
  const moved = lines(stdout).filter(({ outcome }) => outcome === "Moved")
  const asides = trees.map((tree): string => moved.find(({ path }) => path === tree).to)
  return { ...repository, given, trees, asides }
})

describe.skipIf(!Isolated.allowed)(`${program}: what lies aside`, () => {
  it.live(
    "--list shows since when, until when, how large, and from where",
    () =>
      Effect.gen(function* () {
        const { root, given, trees, asides } = yield* world(["one", "two"])
        World.moveSooner(asides[0] ?? "", 3)
        const shown = yield* run(program, ["--list"], given)
        assert.match(shown.stdout, /^moved \(UTC\) +expires \(UTC\) +size +branch +from$/m)
        assert.match(shown.stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d {2}\d{4}-\S+ \S+ {2}\d+ KiB +branch-1 +\S+work\/one$/m)
        assert.deepStrictEqual([shown.stderr, shown.exitCode], ["", 0])

        const asJson = yield* run(program, ["--list", "--json", "--older-than", "2d"], given)
        const [first, second] = lines(asJson.stdout)
        assert.deepStrictEqual([first.path, second.path], trees)
        assert.deepStrictEqual([first.lies, second.lies], asides)
        assert.strictEqual(Date.parse(first.expiresAt) - Date.parse(first.movedAt), 2 * 24 * 60 * 60 * 1000)
        assert.deepStrictEqual([first.branch, first.whole, first.settledOnly], ["refs/heads/branch-1", true, false])
        assert.isAbove(first.bytes, 0)

        const unlisted = yield* run(program, ["--list", root], given)
        assert.include(unlisted.stderr, `${root} could not be listed`)
        assert.deepStrictEqual([unlisted.stdout, unlisted.exitCode], ["", 1])
      }),
    timeout
  )

  it.live(
    "--restore puts one back, by where it was or by where it lies",
    () =>
      Effect.gen(function* () {
        const { root, git, given, trees, asides } = yield* world(["one", "two", "three"])
        const [one = "", two = "", three = ""] = trees
        fs.symlinkSync(path.join(root, "work"), path.join(root, "linked"))
        const relative = yield* run(program, ["--restore", "../linked/one/"], given)
        assert.match(relative.stdout, /^restored +\S+\/work\/one: stands where it was, and counts as used now$/m)
        assert.deepStrictEqual([relative.stderr, relative.exitCode], ["", 0])
        assert.include(git("-C", one, "status", "--branch"), "branch-1")

        const again = yield* run(program, ["--restore", one], given)
        assert.match(again.stdout, /^kept /m)
        assert.include(again.stderr, "nothing was put back; --list shows what lies aside")
        assert.strictEqual(again.exitCode, 1)

        // The file at the old path names the repository.
        const elsewhere = yield* run(program, ["--restore", two, "--json"], { root, cwd: root })
        assert.deepStrictEqual(lines(elsewhere.stdout), [
          { outcome: "Restored", path: two, from: asides[1], notes: [] }
        ])

        fs.rmSync(three)
        fs.mkdirSync(three)
        const blocked = yield* run(program, ["--restore", asides[2] ?? ""], given)
        assert.match(blocked.stdout, /^failed +\S+\/work\/three: .*something else stands at/m)
        assert.strictEqual(blocked.exitCode, 1)
        fs.rmdirSync(three)
        const freed = yield* run(program, ["--restore", asides[2] ?? ""], given)
        assert.strictEqual(freed.exitCode, 0)
        assert.include(git("-C", three, "status", "--branch"), "branch-3")
      }),
    timeout
  )

  it.live(
    "--expire says what would be removed and why the rest stays, and --apply removes it",
    () =>
      Effect.gen(function* () {
        const { main, git, given, trees, asides } = yield* world(["a", "b", "c"])
        const [old = "", holding = "", young = ""] = trees
        World.moveSooner(asides[0] ?? "", 8)
        World.moveSooner(asides[1] ?? "", 8)
        fs.writeFileSync(path.join(main, ".git/info/exclude"), "*.db\nnode_modules\n")
        fs.writeFileSync(path.join(asides[1] ?? "", "notes.db"), "")
        fs.mkdirSync(path.join(asides[0] ?? "", "node_modules"))
        fs.writeFileSync(path.join(asides[0] ?? "", "node_modules", "a"), "")
        const expire = ["--quiet-for", "0h", "--expire", "--wide"]

        const dry = yield* Isolated.run(program, expire, given)
        assert.match(dry.stdout, /work\/a +branch-1 +remove +every gate permits it$/m)
        assert.match(
          dry.stdout,
          /work\/b +branch-2 +keep +it holds ignored files that may not be made again: notes\.db; /m
        )
        assert.match(dry.stdout, /work\/c +branch-3 +keep +it lies aside until \d/m)
        assert.match(dry.stdout, /^1 of 3 that lie aside would be removed\. Nothing was changed\.$/m)
        assert.deepStrictEqual([dry.stderr, dry.exitCode], ["", 10])
        assert.deepStrictEqual(
          asides.map((aside) => fs.existsSync(aside)),
          [true, true, true]
        )

        const asJson = yield* Isolated.run(program, [...expire, "--json"], given)
        assert.deepStrictEqual(
          lines(asJson.stdout).map(({ path, lies, verdict }) => [path, lies, verdict]),
          trees.map((tree, index) => [tree, asides[index], index === 0 ? "Remove" : "Keep"])
        )

        const alone = yield* run(program, ["--here", ...expire, "--apply"], given)
        assert.strictEqual(alone.exitCode, 2)
        const head = git("rev-parse", "branch-1")
        const applied = yield* Isolated.run(program, [...expire, "--apply", "--yes"], given)
        assert.match(applied.stdout, /^removed +\S+\/a: is gone; its commits stay as refs\/reclaimed\/\S+-a$/m)
        assert.match(applied.stdout, /^1 worktree was removed for good\. Branches and commits stay\.$/m)
        assert.deepStrictEqual([applied.stderr, applied.exitCode], ["", 0])
        assert.deepStrictEqual(
          [old, holding, young, ...asides].map((at) => fs.existsSync(at)),
          [false, true, true, false, true, true]
        )
        assert.strictEqual(git("rev-parse", "branch-1"), head)

        const last = yield* Isolated.run(
          program,
          [...expire, "--older-than", "0h", "--apply", "--yes", "--json"],
          given
        )
        assert.deepStrictEqual(
          lines(last.stdout).map(({ outcome, verdict, path }) => [path, outcome ?? verdict]),
          [
            [holding, "Keep"],
            [young, "Remove"],
            [young, "Removed"]
          ]
        )
        assert.strictEqual(last.exitCode, 0)
      }),
    timeout
  )

  it.live(
    "asks before it removes",
    () =>
      Effect.gen(function* () {
        const { given, asides } = yield* world(["one"])
        const args = ["--quiet-for", "0h", "--expire", "--older-than", "0h", "--apply"]
        const no = yield* Isolated.typed(program, args, "no Enter", given)
        assert.include(no.stdout, "1 worktree will be removed for good. Go on? [y/N]")
        assert.strictEqual(no.exitCode, 10)
        assert.isTrue(fs.existsSync(asides[0] ?? ""))
        const yes = yield* Isolated.typed(program, args, "yes Enter", given)
        assert.strictEqual(yes.exitCode, 0)
        assert.isFalse(fs.existsSync(asides[0] ?? ""))
      }),
    timeout
  )

  it.live(
    "hostile names are escaped",
    () =>
      Effect.gen(function* () {
        const { given, trees } = yield* world(["a\u001b[2J\nb\u202e"])
        const expire = ["--expire", "--quiet-for", "0h", "--older-than", "0h"]
        const restore = ["--restore", trees[0] ?? ""]
        const sweep = ["--quiet-for", "0h", "--apply", "--yes"]
        for (const mode of [["--list"], expire, restore, sweep, [...expire, "--apply", "--yes"]]) {
          const { stdout, stderr, exitCode } = yield* Isolated.run(program, mode, given)
          assert.notMatch(stdout, /[\u001b\u202e]/u)
          assert.include(stdout, "\\u{1b}[2J\\u{a}b\\u{202e}")
          assert.deepStrictEqual([stderr, exitCode], ["", mode === expire ? 10 : 0])
        }
      }),
    timeout
  )

  it.live(
    "nothing lies aside",
    () =>
      Effect.gen(function* () {
        const { given } = yield* world([])
        for (const mode of ["--list", "--expire"]) {
          const { stdout, exitCode } = yield* Isolated.run(program, [mode], given)
          assert.deepStrictEqual([stdout, exitCode], ["Nothing lies aside.\n", 0])
        }
        const { stdout, exitCode } = yield* run(program, ["--restore", "nowhere"], given)
        assert.match(stdout, /^kept +\S+nowhere: nothing that was moved aside from there is known; /m)
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )
})

describe("the size of a tree", () => {
  it.live("follows no link, counts a file of several names once, and has a bound", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const tree = path.join(root, "tree")
      fs.mkdirSync(path.join(tree, "deep"), { recursive: true })
      fs.writeFileSync(path.join(root, "outside"), Buffer.alloc(1024 * 1024, 1))
      fs.symlinkSync(root, path.join(tree, "out"))
      fs.writeFileSync(path.join(tree, "deep", "file"), Buffer.alloc(256 * 1024, 1))
      const once = yield* Size.of(tree)
      assert.isTrue(once.whole)
      assert.isAtLeast(once.bytes, 256 * 1024)
      assert.isBelow(once.bytes, 512 * 1024)

      fs.linkSync(path.join(tree, "deep", "file"), path.join(tree, "again"))
      assert.deepStrictEqual(yield* Size.of(tree), once)

      for (let bound = 0; bound < 4; bound++) assert.isFalse((yield* Size.of(tree, bound)).whole)
      assert.isTrue((yield* Size.of(tree, 4)).whole)
      assert.isFalse((yield* Size.of(path.join(root, "nowhere"))).whole)
    })
  )

  it("for a person", () => {
    const mebi = 1024 * 1024
    assert.strictEqual(Size.text({ bytes: 4096, whole: true }), "4 KiB")
    assert.strictEqual(Size.text({ bytes: 3.14 * mebi, whole: true }), "3.1 MiB")
    assert.strictEqual(Size.text({ bytes: 2100 * mebi, whole: false }), "more than 2.1 GiB")
  })
})
