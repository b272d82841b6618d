import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as FaultyFiles from "../machine/FaultyFiles.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"

const { git } = Repo

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"

/** Whether this process may mount, which takes a privileged one. */
const mayUnshareUsers = onLinux && spawnSync("unshare", ["--user", "true"]).status === 0
const mayUnshareTime = onLinux && spawnSync("unshare", ["--time", "true"]).status === 0
const mayMount = onLinux && spawnSync("unshare", ["-m", "true"]).status === 0

/** A repository and one aged worktree of it, outside of it. */
const stage = Effect.map(tempRoot, (root) => {
  const repository = Repo.create(path.join(root, "repository"))
  const worktree = Repo.link(repository, path.join(root, "worktree"), "work")
  Repo.age(Repo.adminOf(worktree))
  return { root, repository, worktree }
})

/** What a surveyor says of the worktree that `unshare` starts somewhere else. */
const surveyedWithin = (
  { root, repository, worktree }: Effect.Success<typeof stage>,
  flags: ReadonlyArray<string>,
  vantage: "host" | "here"
) => {
  const surveyor = new URL("surveyor.ts", import.meta.url).pathname
  const asked = [...flags, process.execPath, surveyor, JSON.stringify({ root, repository, vantage })]
  const { stdout } = spawnSync("unshare", asked, { encoding: "utf8" })
  return Survey.at(JSON.parse(stdout), worktree)
}

const lineOf = (repository: string, worktree: string, options: Parameters<typeof Survey.survey>[1]) =>
  Effect.map(Survey.survey(repository, options), (plan) => Survey.line(Survey.at(plan, worktree)))

describe.skipIf(!onLinux)("repositories of every kind", () => {
  it.live(
    "a bare one is no candidate, its worktrees are",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const source = Repo.create(path.join(root, "source"))
        const bare = path.join(root, "bare.git")
        git(root, "clone", "-q", "--bare", source, bare)
        const clean = Repo.link(bare, path.join(root, "clean"), "clean")
        const dirty = Repo.link(bare, path.join(root, "dirty"), "dirty")
        Repo.write(dirty, { "new.txt": "new" })
        for (const worktree of [clean, dirty]) Repo.age(Repo.adminOf(worktree))
        for (const asked of [bare, clean]) {
          const plan = yield* Survey.survey(asked, { root })
          assert.deepStrictEqual(plan.unlisted, [])
          const [actual, expected] = Survey.compare(plan, [
            ["clean", clean, "Permit"],
            ["dirty", dirty, "Git: it holds changes"]
          ])
          assert.deepStrictEqual(actual, expected)
          assert.strictEqual(plan.candidates.length, 2)
        }
      }),
    timeout
  )

  it.live(
    "one that keeps refs as reftable is refused by the survey, and not only by what would move it",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        fs.mkdirSync(path.join(Repo.adminOf(worktree), "reftable"))
        Repo.age(Repo.adminOf(worktree))
        assert.match(
          yield* lineOf(repository, worktree, { root }),
          /^Git: it cannot be moved: its refs are kept as reftable/
        )
      }),
    timeout
  )

  it.live(
    "one without linked worktrees gives no candidate, and what is none is told",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        fs.mkdirSync(path.join(root, "plain"))
        const asked = [repository, path.join(root, "plain"), path.join(root, "missing")]
        const plan = yield* Survey.survey(asked, { root })
        assert.deepStrictEqual(plan.candidates, [])
        assert.deepStrictEqual(
          plan.unlisted.map(({ repository }) => repository),
          asked.slice(1)
        )
      }),
    timeout
  )

  it.live(
    "the same one asked for through several of its worktrees is surveyed once",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const link = path.join(root, "link")
        fs.symlinkSync(repository, link)
        const plan = yield* Survey.survey([repository, worktree, link, path.join(worktree, "dir")], { root })
        assert.deepStrictEqual(
          plan.candidates.map(({ path }) => path),
          [worktree]
        )
      }),
    timeout
  )

  it.live(
    "a submodule that is or was initialised keeps its worktree, its own worktrees are judged by themselves",
    () =>
      Effect.gen(function* () {
        const { root, repository } = yield* stage
        const library = Repo.create(path.join(root, "library"))
        git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib")
        git(repository, "commit", "-q", "-m", "lib")
        const [untouched = "", initialised = "", deinitialised = "", inner = ""] = [
          "untouched",
          "initialised",
          "deinitialised",
          "inner"
        ].map((name) => path.join(root, name))
        for (const at of [untouched, initialised, deinitialised]) Repo.link(repository, at, path.basename(at))
        for (const at of [initialised, deinitialised]) {
          git(at, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
        }
        git(deinitialised, "submodule", "--quiet", "deinit", "lib")
        for (const at of [untouched, initialised, deinitialised]) Repo.age(Repo.adminOf(at))
        const plan = yield* Survey.survey(repository, { root })
        const [actual, expected] = Survey.compare(plan, [
          ["untouched", untouched, "Permit"],
          ["initialised", initialised, "Git: another repository or worktree lies inside"],
          ["deinitialised", deinitialised, "Git: a submodule is or was initialised"]
        ])
        assert.deepStrictEqual(actual, expected)

        git(path.join(repository, "lib"), "worktree", "add", "-q", "-b", "inner", inner)
        Repo.age(Repo.adminOf(inner))
        const [found, wanted] = Survey.compare(yield* Survey.survey(path.join(repository, "lib"), { root }), [
          ["inner", inner, "Permit"]
        ])
        assert.deepStrictEqual(found, wanted)
      }),
    timeout
  )

  it.live(
    "configuration of one worktree alone, and a sparse one",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        git(repository, "config", "extensions.worktreeConfig", "true")
        const sparse = Repo.link(repository, path.join(root, "sparse"), "sparse")
        git(sparse, "sparse-checkout", "set", "--no-cone", "/a.txt")
        const elsewhere = Repo.link(repository, path.join(root, "elsewhere"), "elsewhere")
        git(elsewhere, "config", "--worktree", "core.worktree", worktree)
        Repo.write(elsewhere, { "new.txt": "new" })
        for (const at of [sparse, elsewhere]) Repo.age(Repo.adminOf(at))
        const [actual, expected] = Survey.compare(yield* Survey.survey(repository, { root }), [
          ["plain", worktree, "Permit"],
          ["sparse", sparse, "Permit"],
          ["a work tree elsewhere", elsewhere, "Git: it holds changes"]
        ])
        assert.deepStrictEqual(actual, expected)
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("admin directories", () => {
  it.live(
    "two that claim the same worktree, of which one is locked, keep it",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const admin = Repo.adminOf(worktree)
        fs.cpSync(admin, `${admin}-again`, { recursive: true })
        fs.writeFileSync(path.join(admin, "locked"), "keep it")
        for (const directory of [admin, `${admin}-again`]) Repo.age(directory)
        const { candidates } = yield* Survey.survey(repository, { root })
        assert.deepStrictEqual(
          candidates.map((candidate) => [
            candidate.path,
            Survey.gate(candidate, "Git")?.includes("git could not tell")
          ]),
          [
            [worktree, true],
            [worktree, true]
          ]
        )
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("configuration that hides changes", () => {
  it.live(
    "is not believed",
    () =>
      Effect.gen(function* () {
        const { root, repository } = yield* stage
        const [folded = "", cached = "", stale = "", mode = "", lost = ""] = [
          "folded",
          "cached",
          "stale",
          "mode",
          "lost"
        ].map((name) => Repo.link(repository, path.join(root, name), name))
        for (const [key, value] of [
          ["core.ignoreCase", "true"],
          ["core.trustctime", "false"],
          ["core.checkStat", "minimal"],
          ["core.fileMode", "false"],
          ["core.untrackedCache", "true"],
          ["core.ignoreStat", "false"],
          ["submodule.recurse", "true"]
        ] as const) {
          git(repository, "config", key, value)
        }
        const then = new Date(Date.now() - Repo.day)

        // Another file than the tracked `a.txt`, where the file system does not fold case.
        Repo.write(folded, { "A.TXT": "new" })

        const directory = path.join(cached, "dir")
        fs.utimesSync(directory, then, then)
        git(cached, "update-index", "--untracked-cache")
        for (const _ of [1, 2]) git(cached, "status", "--porcelain")
        Repo.write(cached, { "dir/new.txt": "new" })
        fs.utimesSync(directory, then, then)

        // Older than the aged index, which else would not be trusted about it.
        const old = new Date(Date.now() - 90 * Repo.day)
        const file = path.join(stale, "a.txt")
        fs.utimesSync(file, old, old)
        git(stale, "update-index", "--refresh")
        // Git compares whole seconds of the time of the last change, which cannot be set back.
        yield* Effect.sleep("1100 millis")
        fs.writeFileSync(file, "Second\n")
        fs.utimesSync(file, old, old)

        fs.chmodSync(path.join(mode, "a.txt"), 0o755)

        git(lost, "checkout", "-q", "--detach")
        git(repository, "replace", "--graft", "main", Repo.commit(lost, { "c.txt": "c" }))

        assert.deepStrictEqual(
          [folded, cached, stale, mode].map((at) => git(at, "status", "--porcelain")),
          ["", "", "", ""],
          "git by itself sees nothing"
        )
        assert.include(git(lost, "branch", "--contains", "HEAD"), "main")
        for (const at of [folded, cached, stale, mode, lost]) Repo.age(Repo.adminOf(at))
        const [actual, expected] = Survey.compare(yield* Survey.survey(repository, { root }), [
          ["core.ignoreCase", folded, 'Git: it holds changes: "?? A.TXT"'],
          ["core.untrackedCache", cached, 'Git: it holds changes: "?? dir/new.txt"'],
          ["core.trustctime and core.checkStat", stale, 'Git: it holds changes: " M a.txt"'],
          ["core.fileMode", mode, 'Git: it holds changes: " M a.txt"'],
          ["git replace", lost, "Git: its HEAD is contained in no"]
        ])
        assert.deepStrictEqual(actual, expected)
      }),
    timeout
  )

  it.live(
    "a graft makes no commit contained, and what git says about grafts hides nothing else that it says",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const broken = Repo.link(repository, path.join(root, "broken"), "broken")
        git(worktree, "checkout", "-q", "--detach")
        const lost = Repo.commit(worktree, { "c.txt": "c" })
        Repo.write(repository, { ".git/info/grafts": `${git(repository, "rev-parse", "main").trim()} ${lost}\n` })
        assert.include(git(worktree, "branch", "--contains", "HEAD"), "main")
        fs.writeFileSync(`${Repo.adminOf(broken)}/HEAD`, `${"1234567890".repeat(4)}\n`)
        for (const at of [worktree, broken]) Repo.age(Repo.adminOf(at))
        const plan = yield* Survey.survey(repository, { root })
        assert.include(Survey.line(Survey.at(plan, worktree)), "Git: its HEAD is contained in no")
        assert.match(Survey.gate(Survey.at(plan, broken), "Git") ?? "", /: fatal: bad object HEAD/)
      }),
    timeout
  )

  it.live(
    "what the caller's configuration ignores is ignored, as in `git status`, and no more",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        Repo.write(worktree, { "new.txt": "new", "old.person": "old" })
        fs.writeFileSync(path.join(root, "excludes"), "*.person\n")
        Repo.age(Repo.adminOf(worktree))
        const line = yield* lineOf(repository, worktree, {
          root,
          env: {
            GIT_CONFIG_COUNT: "2",
            GIT_CONFIG_KEY_0: "core.excludesFile",
            GIT_CONFIG_VALUE_0: path.join(root, "excludes"),
            GIT_CONFIG_KEY_1: "status.showUntrackedFiles",
            GIT_CONFIG_VALUE_1: "no"
          }
        })
        assert.strictEqual(line, 'Git: it holds changes: "?? new.txt"; commit or remove them')
      }),
    timeout
  )

  it.live(
    "the directory that the survey runs in makes no difference",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        git(worktree, "update-index", "--skip-worktree", "a.txt")
        Repo.write(worktree, { "a.txt": "edited\n" })
        Repo.age(Repo.adminOf(worktree))
        // Workers of a test runner cannot change their directory, so that a process of its own does.
        const printed = execFileSync(
          process.execPath,
          [new URL("surveyor.ts", import.meta.url).pathname, JSON.stringify({ root, repository })],
          { cwd: path.join(worktree, "dir"), encoding: "utf8" }
        )
        const candidate = JSON.parse(printed).candidates[0]
        assert.strictEqual(candidate.path, worktree)
        assert.include(
          Survey.gate(candidate, "Git"),
          'files are flagged skip-worktree, which hides their changes: "a.txt"'
        )
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("settled", () => {
  const leaf = (repository: string, name: string) => path.join(repository, ".claude", "worktrees", name)

  it.live(
    "a worktree that names nobody goes when its work has landed, or after seven days",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const nobody = "Settled: nobody is named as its owner"
        const cases: ReadonlyArray<
          readonly [name: string, days: number, (at: string, head: string) => void, expect: string]
        > = [
          ["own branch", 2, () => {}, nobody],
          ["own branch after seven days", 8, () => {}, "Permit"],
          ["own branch under another name", 2, (at) => symref(at, "refs/heads/alias"), nobody],
          ["the default branch", 2, (at, head) => merge(at, head), "Permit"],
          ["another branch", 2, (at, head) => ref(at, "refs/heads/other", head), nobody],
          ["a later commit of another branch", 2, (at) => later(at, "refs/heads/later"), nobody],
          ["a remote branch", 2, (at, head) => ref(at, "refs/remotes/origin/pushed", head), nobody],
          ["a tag", 2, (at, head) => ref(at, "refs/tags/v1", head), nobody],
          ["an annotated tag", 2, (at) => void git(at, "tag", "-a", "-m", "v2", "v2"), nobody],
          [
            "another branch, within a day",
            0.5,
            (at, head) => ref(at, "refs/heads/fresh", head),
            "Quiet: the last sign of work"
          ],
          [
            "another branch, locked by a person",
            2,
            (at, head) => {
              ref(at, "refs/heads/locked-elsewhere", head)
              git(at, "worktree", "lock", at)
            },
            "Git: it is locked"
          ],
          ["stash", 2, (at, head) => ref(at, "refs/stash", head), nobody]
        ]
        const ref = (at: string, name: string, head: string) => void git(at, "update-ref", name, head)
        const merge = (at: string, head: string) => void git(repository, "merge", "-q", "--no-ff", "-m", at, head)
        const symref = (at: string, name: string) =>
          void git(at, "symbolic-ref", name, git(at, "symbolic-ref", "HEAD").trim())
        const later = (at: string, name: string) =>
          ref(at, name, git(at, "commit-tree", "-p", "HEAD", "-m", "later", "HEAD^{tree}").trim())
        cases.forEach(([, days, prepare], index) => {
          const at = Repo.link(repository, leaf(repository, `agent-${index}`), `agent-${index}`)
          prepare(at, Repo.commit(at, { "c.txt": `${index}` }))
          Repo.age(Repo.adminOf(at), days * Repo.day)
        })
        const [actual, expected] = Survey.compare(
          yield* Survey.survey(repository, { root }),
          cases.map(([name, , , expect], index) => [name, leaf(repository, `agent-${index}`), expect] as const)
        )
        assert.deepStrictEqual(actual, expected)
      }),
    timeout
  )

  it.live(
    "a worktree of an agent store may have slashes in its name, as a branch has",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const at = Repo.link(repository, leaf(repository, "feature/auth"), "feature/auth")
        Repo.commit(at, { "c.txt": "c" })
        Repo.age(Repo.adminOf(at), 2 * Repo.day)
        assert.match(yield* lineOf(repository, at, { root }), /^Settled: nobody is named as its owner/)
      }),
    timeout
  )

  for (const file of Repo.activity) {
    it.live(
      `git at work in ${file} is a sign of life, and a time to come is none of rest`,
      () =>
        Effect.gen(function* () {
          const { root, repository, worktree } = yield* stage
          const touched = path.join(Repo.adminOf(worktree), file)
          const hour = new Date(Date.now() - 60 * 60 * 1000)
          fs.utimesSync(touched, hour, hour)
          assert.match(
            yield* lineOf(repository, worktree, { root }),
            /^Quiet: the last sign of work in it is .*; it passes on /
          )
          const ahead = new Date(Date.now() + Repo.day)
          fs.utimesSync(touched, ahead, ahead)
          assert.include(yield* lineOf(repository, worktree, { root }), "Quiet: the last sign of work in it is")
        }),
      timeout
    )
  }
})

/** Makes that many names, most of them of one file: that is much faster than as many files, and the same to look at. */
const fill = (directory: string, count: number, ending: string): void => {
  const perFile = 10_000
  for (let index = 0; index < count; index++) {
    const first = path.join(directory, `f${index - (index % perFile)}${ending}`)
    const name = path.join(directory, `f${index}${ending}`)
    if (index % perFile === 0) fs.writeFileSync(name, "")
    else fs.linkSync(first, name)
  }
}

describe.skipIf(!onLinux)("what lies inside", () => {
  it.live(
    "100,000 ignored files, and a clone among as many directories",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const many = path.join(worktree, "ignored", "many")
        fs.mkdirSync(many, { recursive: true })
        fill(many, 100_000, "")
        Repo.age(Repo.adminOf(worktree))
        assert.strictEqual(yield* lineOf(repository, worktree, { root }), "Permit")
        fs.writeFileSync(path.join(many, ".git"), "")
        Repo.age(Repo.adminOf(worktree))
        assert.match(
          yield* lineOf(repository, worktree, { root }),
          /^Git: another repository or worktree lies inside: ".*\/ignored\/many"/
        )
      }),
    timeout
  )

  it.live(
    "10,000 ignored files one by one are all told",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        fill(worktree, 10_000, ".log")
        Repo.age(Repo.adminOf(worktree))
        const candidate = Survey.at(yield* Survey.survey(repository, { root }), worktree)
        const [note = ""] = candidate.verdict._tag === "Permit" ? candidate.verdict.notes.slice(-1) : []
        assert.match(note, /^it holds ignored paths: "f0.log", .* and 9995 more$/)
      }),
    timeout
  )

  it.live.skipIf(!mayMount)(
    "a mount, also of a single file and under a name with spaces, and one elsewhere of what lies in it",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const inside = path.join(worktree, "ignored", "two words")
        fs.mkdirSync(inside, { recursive: true })
        Repo.age(Repo.adminOf(worktree))
        const mounted = (...args: ReadonlyArray<string>) =>
          Effect.acquireRelease(
            Effect.sync(() => void execFileSync("mount", args)),
            () => Effect.sync(() => void execFileSync("umount", ["-l", args.at(-1) ?? ""]))
          )
        assert.strictEqual(yield* lineOf(repository, worktree, { root }), "Permit")
        yield* Effect.scoped(
          Effect.andThen(
            mounted("-t", "tmpfs", "-o", "size=64k", "none", inside),
            Effect.map(lineOf(repository, worktree, { root, settings: { quietFor: 0 } }), (line) =>
              assert.match(line, /^Git: a mount point lies inside, .*: ".*two words"/)
            )
          )
        )
        for (const shown of [worktree, inside, path.join(worktree, "a.txt")]) {
          const elsewhere = path.join(fs.mkdtempSync(path.join(root, "elsewhere-")), "there")
          if (fs.statSync(shown).isDirectory()) fs.mkdirSync(elsewhere)
          else fs.writeFileSync(elsewhere, "")
          yield* Effect.scoped(
            Effect.andThen(
              mounted("--bind", shown, elsewhere),
              Effect.map(lineOf(repository, worktree, { root }), (line) =>
                assert.strictEqual(
                  line,
                  `Git: a mount point lies inside, or shows what is in it elsewhere: "${elsewhere}"; unmount it`
                )
              )
            )
          )
        }
        const above = path.join(root, "above")
        fs.mkdirSync(above)
        yield* mounted("--bind", root, above)
        assert.strictEqual(yield* lineOf(repository, worktree, { root }), "Permit")
        const file = path.join(worktree, "ignored", "file")
        fs.writeFileSync(file, "")
        Repo.age(Repo.adminOf(worktree))
        yield* mounted("--bind", path.join(repository, "a.txt"), file)
        assert.match(
          yield* lineOf(repository, worktree, { root, settings: { quietFor: 0 } }),
          /^Git: a mount point lies inside, .*: ".*file"/
        )
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("where it stands", () => {
  const mountinfo = (type: string) => (at: string) =>
    [`28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw`, `29 28 0:50 / ${at} rw - ${type} somewhere rw`, ""].join(
      "\n"
    )

  it.live(
    "on a file system that another host may change, it stays",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        for (const [type, words] of [
          ["ext4", undefined],
          ["nfs4", "a network file system"],
          ["fuse.sshfs", "a network file system"]
        ] as const) {
          const fileSystem = FaultyFiles.layer((_, at) =>
            at === "/proc/self/mountinfo" ? { gives: mountinfo(type)(root) } : undefined
          )
          const candidate = Survey.at(yield* Survey.survey(repository, { root, fileSystem }), worktree)
          if (words === undefined) assert.strictEqual(Survey.line(candidate), "Permit")
          else assert.include(Survey.gate(candidate, "Vantage"), words)
        }
      }),
    timeout
  )

  it.live.skipIf(!mayUnshareUsers)(
    "seen from a user namespace of its own, it stays",
    () =>
      Effect.gen(function* () {
        const staged = yield* stage
        assert.include(Survey.gate(surveyedWithin(staged, ["--map-root-user"], "host"), "Occupied"), "user namespace")
        assert.include(Survey.gate(surveyedWithin(staged, ["--user"], "host"), "Occupied"), "user namespace")
        assert.include(
          Survey.gate(surveyedWithin(staged, ["--user"], "here"), "Occupied"),
          "no name in its user namespace"
        )
      }),
    timeout
  )

  it.live.skipIf(!mayUnshareTime)(
    "seen from a time namespace of its own, it stays, unless all sessions are said to be in it",
    () =>
      Effect.gen(function* () {
        const staged = yield* stage
        const flags = ["--time", "--boottime", "1000000", "--fork"]
        assert.include(Survey.gate(surveyedWithin(staged, flags, "host"), "Occupied"), "time namespace")
        assert.strictEqual(Survey.line(surveyedWithin(staged, flags, "here")), "Permit")
      }),
    timeout
  )

  it.live.skipIf(process.geteuid?.() !== 0)(
    "of another user, it stays",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        fs.chownSync(worktree, 65533, 65533)
        assert.match(yield* lineOf(repository, worktree, { root }), /^Vantage: it belongs to another user/)
      }),
    timeout
  )

  it.live(
    "whatever cannot be looked at in it or beside it is not taken for nothing",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        fs.mkdirSync(path.join(worktree, "ignored"))
        const admin = Repo.adminOf(worktree)
        const eio: FaultyFiles.Answer = { fails: "Unknown", code: "EIO" }
        const forbidden: FaultyFiles.Answer = { fails: "PermissionDenied", code: "EACCES" }
        for (const [file, answer, gate] of [
          [admin, eio, "Git"],
          [admin, forbidden, "Git"],
          [path.join(admin, "index"), eio, "Git"],
          [path.join(worktree, "ignored"), forbidden, "Git"],
          ["/proc/self/mountinfo", eio, "Git"],
          [path.join(admin, "HEAD"), eio, "Quiet"],
          [path.join(admin, "logs/HEAD"), forbidden, "Quiet"],
          [path.join(admin, "commondir"), forbidden, "Quiet"]
        ] as const) {
          const fileSystem = FaultyFiles.layer((_, at) => (at === file ? answer : undefined))
          const candidate = Survey.at(yield* Survey.survey(repository, { root, fileSystem }), worktree)
          assert.match(Survey.gate(candidate, gate) ?? "", /git could not tell|it is not known how long/, file)
        }
      }),
    timeout
  )
})
