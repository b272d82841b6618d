import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 240_000

const lines = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** A repository of which the worktrees of these names lie reclaimed, by where they were. */
const world = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const repository = yield* World.repository
  const { root, main } = repository
  World.records(root, {})
  const trees = names.map((name) => repository.worktree(name))
  const given = { root, cwd: main }
  const args = ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes", "--json"]
  const { stdout } = yield* Isolated.run(command, args, given)
  const moved = lines(stdout).filter(({ outcome }) => outcome === "Moved")
  const reclaimed = trees.map((tree): string => moved.find(({ path }) => path === tree).to)
  return { ...repository, given, trees, reclaimed }
})

describe.skipIf(!Isolated.allowed)("what lies reclaimed", () => {
  it.live(
    "list shows since when, until when, how large, and from where",
    () =>
      Effect.gen(function* () {
        const { root, given, trees, reclaimed } = yield* world(["one", "two"])
        World.moveSooner(reclaimed[0] ?? "", 3)
        const shown = yield* run(command, ["list"], given)
        assert.match(shown.stdout, /^from +branch +size +reclaimed, UTC +expires, UTC$/m)
        assert.match(
          shown.stdout,
          /^\.\.\/work\/one +branch-1 +[\d.]+ KiB +\d{4}-\d\d-\d\d \d\d:\d\d +\d{4}-\d\d-\d\d \d\d:\d\d$/m
        )
        assert.deepStrictEqual([shown.stderr, shown.exitCode], ["", 0])

        const asJson = yield* run(command, ["list", "--json", "--older-than", "2d"], given)
        const [first, second] = lines(asJson.stdout)
        assert.deepStrictEqual([first.path, second.path], trees)
        assert.deepStrictEqual([first.lies, second.lies], reclaimed)
        assert.strictEqual(Date.parse(first.expiresAt) - Date.parse(first.reclaimedAt), 2 * 24 * 60 * 60 * 1000)
        assert.deepStrictEqual(
          [first.branch, first.regenerableBytes, first.settledOnly],
          ["refs/heads/branch-1", 0, true]
        )
        assert.isAbove(first.bytes, 0)

        const unlisted = yield* run(command, ["list", root], given)
        assert.include(unlisted.stderr, ".. could not be listed")
        assert.deepStrictEqual([unlisted.stdout, unlisted.exitCode], ["", 1])
      }),
    timeout
  )

  it.live(
    "restore puts one back, by where it was or by where it lies",
    () =>
      Effect.gen(function* () {
        const { root, git, given, trees, reclaimed } = yield* world(["one", "two", "three"])
        const [one = "", two = "", three = ""] = trees
        fs.symlinkSync(path.join(root, "work"), path.join(root, "linked"))
        const relative = yield* run(command, ["restore", "../linked/one/"], given)
        assert.match(relative.stdout, /^restored +\S+\/work\/one: stands there now$/m)
        assert.deepStrictEqual([relative.stderr, relative.exitCode], ["", 0])
        assert.include(git("-C", one, "status", "--branch"), "branch-1")

        const again = yield* run(command, ["restore", one], given)
        assert.match(again.stdout, /^kept /m)
        assert.include(again.stderr, "nothing was put back; `node ")
        assert.strictEqual(again.exitCode, 1)

        // The journal names the repository.
        const elsewhere = yield* run(command, ["restore", two, "--json"], { root, cwd: root })
        assert.deepStrictEqual(lines(elsewhere.stdout), [
          { outcome: "Restored", path: two, from: reclaimed[1], notes: [] }
        ])

        fs.mkdirSync(three)
        const blocked = yield* run(command, ["restore", reclaimed[2] ?? ""], given)
        assert.match(blocked.stdout, /^kept +.*something else stands at \S+\/work\/three/m)
        assert.strictEqual(blocked.exitCode, 1)
        fs.rmdirSync(three)
        const freed = yield* run(command, ["restore", reclaimed[2] ?? ""], given)
        assert.strictEqual(freed.exitCode, 0)
        assert.include(git("-C", three, "status", "--branch"), "branch-3")
      }),
    timeout
  )

  it.live(
    "expire says what would be removed and why the rest stays, and --apply removes it",
    () =>
      Effect.gen(function* () {
        const { main, git, given, trees, reclaimed } = yield* world(["a", "b", "c"])
        const [old = "", holding = "", young = ""] = trees
        World.moveSooner(reclaimed[0] ?? "", 15)
        World.moveSooner(reclaimed[1] ?? "", 15)
        fs.writeFileSync(path.join(main, ".git/info/exclude"), "*.db\n__pycache__\n")
        fs.writeFileSync(path.join(reclaimed[1] ?? "", "notes.db"), "")
        fs.mkdirSync(path.join(reclaimed[0] ?? "", "__pycache__"))
        fs.writeFileSync(path.join(reclaimed[0] ?? "", "__pycache__", "a"), "")
        const expire = ["expire", "--quiet-for", "0h", "--settled-for", "0h"]

        const dry = yield* Isolated.run(command, expire, given)
        assert.match(dry.stdout, /^remove +\S*work\/a +branch-1 +every gate permits$/m)
        assert.match(
          dry.stdout,
          /^keep +\S*work\/b +branch-2 +it holds ignored files that may not be made again: notes\.db; /m
        )
        assert.match(dry.stdout, /^keep +\S*work\/c +branch-3 +it lies reclaimed until \d/m)
        assert.match(dry.stdout, /^1 of 3 reclaimed worktrees may be removed for good\.$/m)
        assert.deepStrictEqual([dry.stderr, dry.exitCode], ["", 10])
        assert.deepStrictEqual(
          reclaimed.map((at) => fs.existsSync(at)),
          [true, true, true]
        )

        const asJson = yield* Isolated.run(command, [...expire, "--json"], given)
        assert.deepStrictEqual(
          lines(asJson.stdout).map(({ path, lies, verdict }) => [path, lies, verdict]),
          trees.map((tree, index) => [tree, reclaimed[index], index === 0 ? "Remove" : "Keep"])
        )

        const alone = yield* run(command, [...expire, "--here", "--apply"], given)
        assert.strictEqual(alone.exitCode, 2)
        const head = git("rev-parse", "branch-1")
        const applied = yield* Isolated.run(command, [...expire, "--apply", "--yes"], given)
        assert.match(applied.stdout, /^removed +\S+\/a: is gone; its commits stay as refs\/reclaimed\/\S+-a$/m)
        assert.match(applied.stdout, /^1 worktree removed for good\. Branches and commits stay\.$/m)
        assert.deepStrictEqual([applied.stderr, applied.exitCode], ["", 0])
        assert.deepStrictEqual(
          [old, holding, young, ...reclaimed].map((at) => fs.existsSync(at)),
          [false, false, false, false, true, true]
        )
        assert.strictEqual(git("rev-parse", "branch-1"), head)

        const last = yield* Isolated.run(
          command,
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
        const { given, reclaimed } = yield* world(["one"])
        const args = ["expire", "--quiet-for", "0h", "--settled-for", "0h", "--older-than", "0h", "--apply"]
        const no = yield* Isolated.typed(command, args, "n", given)
        assert.include(no.stdout, "Remove 1 worktree for good?")
        assert.strictEqual(no.exitCode, 10)
        assert.isTrue(fs.existsSync(reclaimed[0] ?? ""))
        const yes = yield* Isolated.typed(command, args, "y", given)
        assert.strictEqual(yes.exitCode, 0)
        assert.isFalse(fs.existsSync(reclaimed[0] ?? ""))
      }),
    timeout
  )

  it.live(
    "hostile names are escaped",
    () =>
      Effect.gen(function* () {
        const { given, trees } = yield* world(["a\u001b[2J\nb\u202e"])
        const expire = ["expire", "--quiet-for", "0h", "--settled-for", "0h", "--older-than", "0h"]
        const restore = ["restore", "--here", trees[0] ?? ""]
        const sweep = ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"]
        const line = `"$NODE" "$PROGRAM" "$@"`
        for (const mode of [
          ["list"],
          [...expire, "--here"],
          restore,
          [...sweep, "--here"],
          [...expire, "--here", "--apply", "--yes"]
        ]) {
          const { stdout, stderr, exitCode } = yield* Isolated.run(command, mode, { ...given, line })
          assert.notMatch(stdout, /[\u001b\u202e]/u)
          assert.include(stdout, "\\u{1b}[2J\\u{a}b\\u{202e}")
          assert.deepStrictEqual([stderr, exitCode], ["", mode[0] === "expire" && !mode.includes("--apply") ? 10 : 0])
        }
      }),
    timeout
  )

  it.live(
    "nothing lies reclaimed",
    () =>
      Effect.gen(function* () {
        const { given } = yield* world([])
        const list = yield* run(command, ["list"], given)
        assert.deepStrictEqual([list.stdout, list.exitCode], ["Nothing lies reclaimed.\n", 0])
        const expire = yield* Isolated.run(command, ["expire"], given)
        assert.deepStrictEqual([expire.stdout, expire.exitCode], ["Nothing lies reclaimed.\n", 0])
        const { stdout, exitCode } = yield* run(command, ["restore", "nowhere"], given)
        assert.match(stdout, /^kept +nowhere: nothing reclaimed is known to come from there; /m)
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )
})
