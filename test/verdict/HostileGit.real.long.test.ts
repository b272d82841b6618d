import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Git, GitChanges, GitList } from "../../src/internal.ts"
import * as Survey from "./Survey.ts"
import * as World from "../examples/World.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command, run } from "../examples/Program.ts"

const timeout = 120_000

const options = { env: process.env, platform: process.platform }
const service = Layer.merge(Git.layer(options), GitChanges.layer(options)).pipe(Layer.provide(NodeServices.layer))

/**
 * A repository whose configuration names a program for everything for which git would start one. Each leaves its name in a
 * directory, by which it is told that it ran.
 */
const hostile = Effect.map(World.repository, (repository) => {
  const { root, main, git } = repository
  const marks = path.join(root, "marks")
  fs.mkdirSync(marks)
  const program = (name: string): string => {
    const file = path.join(root, `run-${name}`)
    fs.writeFileSync(file, `#!/bin/sh\necho >> '${marks}/${name}'\n[ "$1" = pass ] && exec cat\nexit 0\n`, {
      mode: 0o755
    })
    return file
  }
  fs.writeFileSync(path.join(main, "file"), "one\n")
  fs.writeFileSync(path.join(main, ".gitattributes"), "* filter=evil diff=evil merge=evil\nfile filter=évil.two\n")
  git("add", ".")
  git("commit", "--quiet", "--message=attributes")
  const one = repository.worktree("one")
  const hooks = path.join(root, "hooks")
  fs.mkdirSync(hooks)
  for (const hook of [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "fsmonitor-watchman"
  ])
    fs.copyFileSync(program(hook), path.join(hooks, hook))
  fs.cpSync(hooks, path.join(main, ".git/hooks"), { recursive: true })
  const included = path.join(root, "included")
  fs.writeFileSync(
    included,
    [
      `[filter "évil.two"]\n\tclean = ${program("clean-two")} pass\n\tprocess = ${program("process-two")}\n\trequired = true`,
      `[hook "configured"]\n\tcommand = ${program("configured-hook")}\n\tevent = reference-transaction\n\tevent = post-index-change`
    ].join("\n")
  )
  const settings: Readonly<Record<string, string>> = {
    "core.hooksPath": hooks,
    "core.fsmonitor": program("fsmonitor"),
    "core.sshCommand": program("ssh"),
    "core.pager": program("pager"),
    "core.editor": program("editor"),
    "core.askPass": program("askpass"),
    "core.alternateRefsCommand": program("alternates"),
    "credential.helper": program("credential"),
    "pager.status": "true",
    "pager.config": "true",
    "pager.for-each-ref": "true",
    "diff.external": program("diff"),
    "diff.evil.textconv": program("textconv"),
    "diff.evil.command": program("diff-driver"),
    "merge.evil.driver": program("merge-driver"),
    "filter.evil.clean": `${program("clean")} pass`,
    "filter.evil.smudge": `${program("smudge")} pass`,
    "filter.evil.required": "true",
    "gpg.program": program("gpg"),
    "gc.auto": "1",
    "protocol.ext.allow": "always",
    "remote.origin.url": `ext::${program("remote")}`,
    "remote.origin.promisor": "true",
    "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    "extensions.partialClone": "origin",
    "include.path": included,
    ...Object.fromEntries(
      ["status", "worktree", "rev-parse", "config", "for-each-ref", "update-ref", "rev-list"].map((name) => [
        `alias.${name}`,
        `!${program(`alias-${name}`)}`
      ])
    )
  }
  for (const [name, value] of Object.entries(settings)) git("config", name, value)
  // git looks into a file only when it may have changed.
  const touch = (): void => {
    for (const name of ["file", ".gitattributes"]) fs.utimesSync(path.join(one, name), new Date(), new Date())
  }
  touch()
  return { ...repository, one, touch, ran: () => fs.readdirSync(marks).sort() }
})

describe("a hostile repository", () => {
  it.live(
    "would run its programs under a git that is not kept from it",
    () =>
      Effect.gen(function* () {
        const { one, git, ran } = yield* hostile
        assert.deepStrictEqual(ran(), [])
        // It fails, because the filter process speaks no protocol.
        yield* Effect.ignore(Effect.sync(() => git("-C", one, "status")).pipe(Effect.catchDefect(Effect.fail)))
        assert.includeMembers(ran(), ["clean", "process-two"])
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "runs nothing of its own under sweep, explain, check and the hook, from survey to expiry",
    () =>
      Effect.gen(function* () {
        const { root, main, one, ran, touch } = yield* hostile
        const given = { root, cwd: main }
        const isolated = (...args: ReadonlyArray<string>) => Isolated.run(command, [...args, "--no-manager"], given)
        const surveyed = yield* isolated("sweep", "--quiet-for", "0h", "--settled-for", "0h")
        assert.match(surveyed.stdout, /^go +\S*work\/one +branch-1/m, surveyed.stderr)
        yield* isolated("explain", one)
        yield* isolated("check", one)
        const stop = { hook_event_name: "SubagentStop", agent_id: "a", cwd: one }
        yield* run("dist/bin/session-liveness-hook.js", [], { ...given, stdin: JSON.stringify(stop) })
        assert.deepStrictEqual(ran(), [])
        const applied = yield* isolated("sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes")
        assert.match(applied.stdout, /^1 worktree was moved out of the way/m, applied.stdout + applied.stderr)
        assert.deepStrictEqual(ran(), [])
        const restored = yield* run(command, ["restore", one], given)
        assert.match(restored.stdout, /^restored /, restored.stderr)
        touch()
        yield* isolated("sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes")
        const [reclaimed = ""] = fs.readdirSync(`${main}/.git/reclaimed`).filter((name) => !name.startsWith("."))
        World.moveSooner(`${main}/.git/reclaimed/${reclaimed}`, 30)
        const expired = yield* isolated("expire", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes")
        assert.match(expired.stdout, /^removed /m, expired.stdout + expired.stderr)
        assert.deepStrictEqual(ran(), [])
      }),
    timeout
  )

  it.live.skipIf(process.geteuid?.() !== 0)(
    "runs nothing of its own in a worktree of another user, whose configuration git skips or not as it is asked",
    () =>
      Effect.gen(function* () {
        const { main, one, git, ran, touch } = yield* hostile
        const asked = yield* Git.Git
        const inspected = Effect.gen(function* () {
          const repository = yield* asked.repository(main)
          const worktree = repository.worktrees.find((each) => each.path === one)
          if (worktree === undefined) return assert.fail("unlisted")
          yield* Survey.inspect(asked, repository, worktree)
          return repository
        })
        for (const theirs of [[one], [`${one}/.git`]]) {
          for (const file of theirs) fs.chownSync(file, 12_345, 12_345)
          touch()
          yield* inspected
          assert.deepStrictEqual(ran(), [], theirs.join())
        }
        // Its own configuration names one more.
        git("config", "extensions.worktreeConfig", "true")
        git("config", "--file", `${main}/.git/worktrees/one/config.worktree`, "filter.own.clean", "echo >> own; cat")
        fs.appendFileSync(`${main}/.git/info/attributes`, "file filter=own\n")
        const repository = yield* inspected
        touch()
        yield* Effect.ignore((yield* GitChanges.GitChanges).carryOut(repository, { _tag: "Remove", path: one }))
        assert.isFalse(fs.existsSync(path.join(one, "own")))
        assert.deepStrictEqual(ran(), [])
      }).pipe(Effect.provide(service)),
    timeout
  )

  it.live(
    "runs nothing of its own where GIT_CONFIG sends `git config` to another file",
    () =>
      Effect.gen(function* () {
        const { main, one, ran } = yield* hostile
        const asked = yield* Git.Git
        const repository = yield* asked.repository(main)
        const worktree = repository.worktrees.find((each) => each.path === one)
        if (worktree === undefined) return assert.fail("unlisted")
        yield* Effect.ignore(Survey.inspect(asked, repository, worktree))
        assert.deepStrictEqual(ran(), [])
      }).pipe(
        Effect.provide(
          Git.layer({ env: { ...process.env, GIT_CONFIG: "/dev/null" }, platform: process.platform }).pipe(
            Layer.provide(NodeServices.layer)
          )
        )
      ),
    timeout
  )

  it.live(
    "never passes a changed file for unchanged, whatever its filter would make of it",
    () =>
      Effect.gen(function* () {
        const { main, one, git, root } = yield* hostile
        const forgetful = path.join(root, "forgetful")
        fs.writeFileSync(forgetful, "#!/bin/sh\ncat > /dev/null\necho one\n", { mode: 0o755 })
        git("config", "--file", path.join(root, "included"), "filter.évil.two.clean", forgetful)
        git("config", "--file", path.join(root, "included"), "--unset", "filter.évil.two.process")
        fs.writeFileSync(path.join(one, "file"), "day\n")
        // Without writing down that the file is as it should be: then git would look at its contents no more.
        assert.notInclude(git("-C", one, "--no-optional-locks", "status", "--porcelain"), "file")
        const status = yield* Effect.gen(function* () {
          const asked = yield* Git.Git
          const repository = yield* asked.repository(main)
          const worktree = repository.worktrees.find((each) => each.path === one)
          return worktree === undefined ? undefined : yield* Survey.inspect(asked, repository, worktree)
        }).pipe(Effect.provide(service))
        assert.include(status?.dirty.join(), "file")
      }),
    timeout
  )

  it.live(
    "fetches nothing, not even what a partial clone lacks",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree, git } = yield* World.repository
        git("commit", "--quiet", "--allow-empty", "--message=lost")
        const lost = git("rev-parse", "HEAD").trim()
        git("commit", "--quiet", "--allow-empty", "--message=end")
        const one = worktree("one")
        const mark = path.join(root, "mark")
        for (const [name, value] of [
          ["extensions.partialClone", "origin"],
          ["remote.origin.promisor", "true"],
          ["remote.origin.url", `ext::touch ${mark}`],
          ["protocol.ext.allow", "always"]
        ] as const)
          git("config", name, value)
        fs.rmSync(path.join(main, ".git/objects", lost.slice(0, 2), lost.slice(2)))
        // A tag that is elsewhere makes git walk back to what is lost.
        git("tag", "far", git("commit-tree", "-m", "far", "HEAD^{tree}").trim())
        const said = yield* Effect.gen(function* () {
          const asked = yield* Git.Git
          const repository = yield* asked.repository(main)
          const listed = repository.worktrees.find((each) => each.path === one)
          return listed === undefined ? "unlisted" : yield* Survey.inspect(asked, repository, listed)
        }).pipe(Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "told" }), Effect.provide(service))
        assert.isFalse(fs.existsSync(mark), said)
        yield* Effect.ignore(Effect.sync(() => git("rev-list", "--all")).pipe(Effect.catchDefect(Effect.fail)))
        assert.isTrue(fs.existsSync(mark), "git would have fetched")
      }),
    timeout
  )

  it("a filter or a hook that no option can name refuses", () => {
    assert.deepStrictEqual(GitList.disarming("filter.a.clean\0filter.a.process\0hook.b.command\0"), [
      ...["clean=", "smudge=", "process=", "required=false"].flatMap((option) => ["-c", `filter.a.${option}`]),
      ...["enabled=false", "command=", "event="].flatMap((option) => ["-c", `hook.b.${option}`])
    ])
    assert.isUndefined(GitList.disarming("filter.a=b.clean\0"))
    assert.deepStrictEqual(GitList.disarming(""), [])
  })
})

describe("PATH", () => {
  it.live(
    "a git or a tmux at a relative entry is not run, and one at an absolute entry is",
    () =>
      Effect.gen(function* () {
        const { root, main } = yield* World.repository
        const mark = path.join(root, "mark")
        for (const name of ["git", "tmux"])
          fs.writeFileSync(path.join(main, name), `#!/bin/sh\necho ${name} >> '${mark}'\nexit 1\n`, { mode: 0o755 })
        const ran = () => (fs.existsSync(mark) ? fs.readFileSync(mark, "utf8") : "")
        World.records(root, {})
        const usual = process.env["PATH"] ?? ""
        const programs = (PATH: string) =>
          Effect.gen(function* () {
            const env = { PATH, TMUX: "/nowhere,1,0", TMUX_PANE: "%0", TMUX_TMPDIR: root }
            const given = { root, cwd: main, env, stdin: '{"hook_event_name":"SessionStart","session_id":"c-1"}' }
            yield* run(command, ["sweep", "--here"], given)
            yield* run("dist/bin/session-liveness-hook.js", [], given)
          })
        yield* programs(`.::${path.relative(root, main)}:${usual}`)
        assert.strictEqual(ran(), "")
        yield* programs(`${main}:${usual}`)
        assert.include(ran(), "git")
        assert.include(ran(), "tmux")
      }),
    timeout
  )
})
