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
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

/** A repository without records that claim anything, and how programs are started in it. */
const world = Effect.map(World.repository, (repository) => {
  World.records(repository.root, {})
  return { ...repository, given: { root: repository.root, cwd: repository.main } }
})

const isThere = (at: string): boolean => fs.existsSync(`${at}/.git`)

describe.skipIf(!Isolated.allowed)("sweep --apply", () => {
  it.live(
    "moves what the plan permits, and says what became of each",
    () =>
      Effect.gen(function* () {
        const { main, git, worktree, given } = yield* world
        const [one, two, dirty] = [worktree("one"), worktree("two"), worktree("dirty")]
        fs.writeFileSync(`${dirty}/a`, "x")
        fs.writeFileSync(`${main}/.gitignore`, "")

        const before = git("status", "--porcelain")
        const applied = yield* Isolated.run(
          command,
          ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"],
          given
        )
        assert.match(applied.stdout, /^2 of 3 worktrees may go\.$/m)
        const told = [...applied.stdout.matchAll(/^moved +(\S+): lies at (\S+)$/gm)]
        assert.deepStrictEqual(
          told.map(([, from]) => from),
          ["../work/one", "../work/two"]
        )
        assert.match(
          applied.stdout,
          /^2 worktrees were moved out of the way\. `node \S+session-liveness\.js restore PATH[^`]*` puts one back\.$/m
        )
        assert.deepStrictEqual([applied.stderr, applied.exitCode], ["", 0])

        for (const at of [one, two]) assert.isFalse(isThere(at))
        for (const [, , to = ""] of told) assert.isTrue(isThere(path.join(main, to)))
        assert.isTrue(isThere(dirty))
        assert.strictEqual(git("status", "--porcelain"), before)
        git("switch", "--quiet", "branch-1")

        const again = yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h"], given)
        assert.match(again.stdout, /^0 of 1 worktrees may go\. 2 worktrees lie reclaimed\.$/m)
        assert.strictEqual(again.exitCode, 0)
      }),
    timeout
  )

  it.live(
    "--json: a line for each worktree of the plan, and one for each outcome",
    () =>
      Effect.gen(function* () {
        const { worktree, given } = yield* world
        const [one, dirty] = [worktree("one"), worktree("dirty")]
        fs.writeFileSync(`${dirty}/a`, "x")
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes", "--json"]
        const { stdout, stderr, exitCode } = yield* Isolated.run(command, ["sweep", ...args], given)
        const [kept, planned, moved, ...rest] = lines(stdout)
        assert.deepStrictEqual([kept.path, kept.verdict, kept.gate], [dirty, "Refuse", "Git"])
        assert.deepStrictEqual([planned.path, planned.verdict, planned.unfinished], [one, "Permit", false])
        const { to, ...others } = moved
        assert.deepStrictEqual(others, { outcome: "Moved", path: one, notes: [] })
        assert.isTrue(isThere(to))
        assert.deepStrictEqual([rest, stderr, exitCode], [[], "", 0])
      }),
    timeout
  )

  it.live(
    "asks on a terminal, and moves nothing without a yes",
    () =>
      Effect.gen(function* () {
        const { worktree, given } = yield* world
        const one = worktree("one")
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply"]
        const refused = yield* run(command, ["sweep", "--here", ...args], given)
        assert.include(refused.stderr, "nobody can be asked here, because there is no terminal; add --yes")
        assert.deepStrictEqual([refused.stdout, refused.exitCode], ["", 2])

        const no = yield* Isolated.typed(command, ["sweep", ...args], "n", given)
        assert.include(no.stdout, "Move 1 worktree out of the way?")
        assert.include(no.stdout, "Nothing was changed.")
        assert.strictEqual(no.exitCode, 10)
        const enter = yield* Isolated.typed(command, ["sweep", ...args], "Enter", given)
        assert.strictEqual(enter.exitCode, 10)
        const interrupt = yield* Isolated.typed(command, ["sweep", ...args], "C-c", given)
        assert.strictEqual(interrupt.exitCode, 130)
        assert.isTrue(isThere(one))

        const yes = yield* Isolated.typed(command, ["sweep", ...args], "y", given)
        assert.match(yes.stdout, /^moved +/m)
        assert.strictEqual(yes.exitCode, 0)
        assert.isFalse(isThere(one))
      }),
    timeout
  )

  it.live(
    "what is kept though it had been planned: exit 1",
    () =>
      Effect.gen(function* () {
        const { main, worktree, given } = yield* world
        const one = worktree("one")
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply"]
        // Neither in the words of the shell nor in its variables, which would be a process that names the worktree.
        const script = path.join(path.dirname(main), "late.sh")
        fs.writeFileSync(script, `echo x > ${one}/late`)
        const meanwhile = `sh ${script}`
        const { stdout, exitCode } = yield* Isolated.typed(command, ["sweep", ...args], "y", {
          ...given,
          meanwhile
        })
        assert.match(stdout, /^kept +\S+\/one: Git: it holds changes: "\?\? late"/m)
        assert.match(stdout, /^0 worktrees were moved out of the way\.$/m)
        assert.strictEqual(exitCode, 1)
        assert.isTrue(isThere(one))
      }),
    timeout
  )

  it.live(
    "an interrupt lets the move that is under way end, and starts no other",
    () =>
      Effect.gen(function* () {
        const repository = yield* world
        const { worktree, given } = repository
        const [a, b, c] = [worktree("a"), worktree("b"), worktree("c")]
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"]
        const PATH = `${World.strikingGit(repository, "INT", 2)}:${process.env["PATH"]}`
        const struck = yield* Isolated.run(command, ["sweep", ...args], { ...given, env: { PATH } })
        assert.include(struck.stderr, "interrupted; each worktree is moved whole or not at all")
        assert.strictEqual(struck.exitCode, 130)
        assert.deepStrictEqual([a, b, c].map(isThere), [false, false, true])

        const next = yield* Isolated.run(command, ["sweep", ...args], given)
        assert.deepStrictEqual(next.stdout.match(/^(moved|recovered|failed|kept) +\S+/gm), ["moved     ../work/c:"])
        assert.strictEqual(next.exitCode, 0)
        for (const at of [a, b, c]) {
          const back = yield* run(command, ["restore", at], given)
          assert.strictEqual(back.exitCode, 0)
          assert.isTrue(isThere(at))
        }
      }),
    timeout
  )

  it.live(
    "killed between two steps: the next run says so and recovers it, once a person has freed it of another namespace",
    () =>
      Effect.gen(function* () {
        const repository = yield* world
        const { git, main, worktree, given } = repository
        const one = worktree("one")
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"]
        const PATH = `${World.strikingGit(repository, "KILL", 1)}:${process.env["PATH"]}`
        const struck = yield* Isolated.run(command, ["sweep", ...args], { ...given, env: { PATH } })
        assert.strictEqual(struck.exitCode, 137)
        assert.isTrue(isThere(one))
        assert.include(git("worktree", "list"), "locked")

        const seen = yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h"], given)
        assert.match(
          seen.stdout,
          /^recover +\S+work\/one +detached \w{8} +\S.* +another sweep is at work on it, or died/m
        )
        assert.strictEqual(seen.exitCode, 10)

        // Each of these runs is in a pid namespace of its own. A new one may have the number of the one that has ended.
        const guard = path.join(main, ".git/reclaimed/.sweep")
        const held = JSON.parse(fs.readFileSync(guard, "utf8"))
        fs.writeFileSync(guard, JSON.stringify({ ...held, pidNamespace: "pid:[1]" }))
        const apart = yield* Isolated.run(command, ["sweep", ...args], given)
        assert.include(apart.stderr, "a sweep on another machine or in another pid namespace")
        assert.include(apart.stderr, guard)
        assert.strictEqual(apart.exitCode, 1)
        fs.rmSync(guard)

        const next = yield* Isolated.run(command, ["sweep", ...args], given)
        assert.match(next.stdout, /^recovered +\S+\/one: a move did not finish; it stands where it was$/m)
        assert.strictEqual(next.exitCode, 0)
        assert.notInclude(git("worktree", "list"), "locked")
        assert.include(git("-C", one, "status", "--branch"), "branch-1")

        const last = yield* Isolated.run(command, ["sweep", ...args], given)
        assert.match(last.stdout, /^moved +/m)
        assert.strictEqual(last.exitCode, 0)
      }),
    timeout
  )

  it.live(
    "another sweep at work: nothing is moved, exit 1",
    () =>
      Effect.gen(function* () {
        const { main, worktree, given } = yield* world
        const one = worktree("one")
        const guard = path.join(main, ".git/reclaimed/.sweep")
        fs.mkdirSync(path.dirname(guard))
        const prepare = `
          sleep 600 & holder=$!
          host="$(cat /etc/machine-id /proc/sys/kernel/random/boot_id 2>/dev/null | head -n 1)"
          start="$(cut -d' ' -f22 /proc/$holder/stat)"
          printf '{"host":"%s","pid":%s,"start":"%s","pidNamespace":"%s"}\\n' "$host" $holder "$start" "$(readlink /proc/self/ns/pid)" > '${guard}'`
        const args = ["--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes"]
        const { stderr, exitCode } = yield* Isolated.run(command, ["sweep", ...args], { ...given, prepare })
        assert.match(stderr, /another sweep is at work \(pid \d+\)/)
        assert.strictEqual(exitCode, 1)
        assert.isTrue(isThere(one))
      }),
    timeout
  )
})
