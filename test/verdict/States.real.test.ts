import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Snapshot from "./Snapshot.ts"
import * as Survey from "./Survey.ts"

const { git, halted, write } = Repo

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"

/** Larger than any pid of Linux, so that no process has it, not even one that starts meanwhile. */
const endedPid = 4_194_305

/** When this process started, in clock ticks since boot. */
const ownTicks = (): string => {
  const stat = fs.readFileSync("/proc/self/stat", "utf8")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

/** What a script of git hooks, aliases and monitors would leave behind if it ran. */
const trap = (root: string): string => {
  const script = path.join(root, "trap")
  fs.writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${root}/sprung'\nexit 0\n`, { mode: 0o755 })
  return script
}

/** What happens to a fresh worktree, and the verdict on it then. */
type State = readonly [name: string, prepare: (worktree: string) => void, expect: string]

const lock =
  (reason: string) =>
  (worktree: string): void =>
    void git(worktree, "worktree", "lock", ...(reason === "" ? [] : ["--reason", reason]), worktree)

const conflicting = (worktree: string, branch: string): void => {
  git(worktree, "checkout", "-q", "-b", branch, "main~1")
  Repo.commit(worktree, { "a.txt": `${branch}\n` })
  git(worktree, "checkout", "-q", "-")
}

const own = "Git: its HEAD is contained in no branch"

const states: ReadonlyArray<State> = [
  ["untouched", () => {}, "Permit"],
  ["ignored files alone", (at) => write(at, { "ignored/x": "x", "x.log": "x" }), "Permit"],
  ["an empty directory alone", (at) => void fs.mkdirSync(path.join(at, "empty")), "Permit"],
  ["its sentinel alone", (at) => write(at, { ".trusty-mpm-worktree": "" }), "Permit"],
  ["hidden by the repository's own excludes", (at) => write(at, { "x.excluded": "x" }), "Permit"],

  [
    "moved elsewhere, with a link in its place",
    (at) => {
      fs.renameSync(at, `${at}-elsewhere`)
      fs.symlinkSync(path.basename(`${at}-elsewhere`), at)
    },
    "Vantage: its owner or its file system is not known"
  ],

  ["modified", (at) => write(at, { "a.txt": "edited\n" }), 'Git: it holds changes: " M a.txt"'],
  [
    "modified to the same size and time",
    (at) => {
      const file = path.join(at, "a.txt")
      const { atime, mtime } = fs.statSync(file)
      fs.writeFileSync(file, "Second\n")
      fs.utimesSync(file, atime, mtime)
    },
    'Git: it holds changes: " M a.txt"'
  ],
  ["deleted", (at) => fs.rmSync(path.join(at, "a.txt")), 'Git: it holds changes: " D a.txt"'],
  [
    "a file become a link",
    (at) => {
      fs.rmSync(path.join(at, "a.txt"))
      fs.symlinkSync("dir/b.txt", path.join(at, "a.txt"))
    },
    "Git: it holds changes"
  ],
  ["made executable", (at) => fs.chmodSync(path.join(at, "a.txt"), 0o755), "Git: it holds changes"],
  [
    "staged",
    (at) => {
      write(at, { "a.txt": "staged\n" })
      git(at, "add", "a.txt")
    },
    'Git: it holds changes: "M  a.txt"'
  ],
  [
    "staged and put back in the tree",
    (at) => {
      write(at, { "a.txt": "staged\n" })
      git(at, "add", "a.txt")
      write(at, { "a.txt": "second\n" })
    },
    'Git: it holds changes: "MM a.txt"'
  ],
  ["staged rename", (at) => void git(at, "mv", "a.txt", "c.txt"), "Git: it holds changes"],
  [
    "intended to be added",
    (at) => {
      write(at, { "new.txt": "new" })
      git(at, "add", "-N", "new.txt")
    },
    "Git: it holds changes"
  ],
  ["forgotten by the index", (at) => void git(at, "rm", "-q", "--cached", "a.txt"), "Git: it holds changes"],
  ["untracked", (at) => write(at, { "new.txt": "new" }), 'Git: it holds changes: "?? new.txt"'],
  [
    "untracked by the sentinel's name, deeper",
    (at) => write(at, { "dir/.trusty-mpm-worktree": "x" }),
    "Git: it holds changes"
  ],
  [
    "untracked below the sentinel's name",
    (at) => write(at, { ".trusty-mpm-worktree/notes": "x" }),
    "Owner: its ownership sentinel cannot be read"
  ],
  ["hidden by the repository's core.excludesFile", (at) => write(at, { "x.repository": "x" }), "Permit"],
  [
    "hidden by the person's core.excludesFile",
    (at) => write(at, { "x.person": "x" }),
    'Git: it holds changes: "?? x.person"'
  ],
  ["hidden by the person's git/ignore", (at) => write(at, { "x.home": "x" }), 'Git: it holds changes: "?? x.home"'],
  [
    "a name that is not UTF-8",
    (at) => fs.writeFileSync(Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xff])]), "x"),
    "Git: git could not tell"
  ],
  [
    "edits behind assume-unchanged",
    (at) => {
      git(at, "update-index", "--assume-unchanged", "a.txt")
      write(at, { "a.txt": "edited\n" })
    },
    'Git: files are flagged assume-unchanged, which hides their changes: "a.txt"'
  ],
  [
    "edits behind skip-worktree",
    (at) => {
      git(at, "update-index", "--skip-worktree", "dir/b.txt")
      write(at, { "dir/b.txt": "edited\n" })
    },
    'Git: files are flagged skip-worktree, which hides their changes: "dir/b.txt"'
  ],
  [
    "both flags at once",
    (at) => {
      git(at, "update-index", "--skip-worktree", "a.txt")
      git(at, "update-index", "--assume-unchanged", "a.txt")
    },
    "Git: files are flagged"
  ],
  [
    "edits that a monitor keeps to itself",
    (at) => {
      git(at, "-c", `core.fsmonitor=${path.dirname(at)}/../trap`, "update-index", "--fsmonitor")
      git(at, "-c", `core.fsmonitor=${path.dirname(at)}/../trap`, "update-index", "--fsmonitor-valid", "a.txt")
      write(at, { "a.txt": "edited\n" })
    },
    'Git: it holds changes: " M a.txt"'
  ],
  [
    "what is in the directory of a submodule that was never initialised",
    (at) => {
      git(at, "update-index", "--add", "--cacheinfo", `160000,${git(at, "rev-parse", "main").trim()},lib`)
      git(at, "commit", "-q", "-m", "lib")
      write(at, { "lib/notes.txt": "precious" })
    },
    "Git: a submodule is or was initialised in it"
  ],
  [
    "the empty directory of a submodule that was never initialised",
    (at) => {
      git(at, "update-index", "--add", "--cacheinfo", `160000,${git(at, "rev-parse", "main").trim()},lib`)
      git(at, "commit", "-q", "-m", "lib")
      fs.mkdirSync(path.join(at, "lib"))
    },
    "Permit"
  ],

  [
    "a rebase stopped half-way",
    (at) => {
      Repo.commit(at, { "c.txt": "c" })
      git(at, "-c", "sequence.editor=sed -i 1ibreak", "rebase", "-q", "-i", "--onto", "main~1", "main")
    },
    "Git: a rebase is under way"
  ],
  [
    "a rebase that stopped at a conflict",
    (at) => {
      conflicting(at, "rebased")
      git(at, "checkout", "-q", "rebased")
      halted(at, "rebase", "-q", "main")
    },
    'Git: it holds changes: "UU a.txt"'
  ],
  [
    "a rebase that applies patches, its conflict thrown away",
    (at) => {
      conflicting(at, "applied")
      git(at, "checkout", "-q", "applied")
      halted(at, "rebase", "-q", "--apply", "main")
      git(at, "checkout", "-q", "-f", "HEAD")
    },
    "Git: a rebase or am is under way"
  ],
  [
    "a bare sequencer",
    (at) => void fs.mkdirSync(`${Repo.adminOf(at)}/sequencer`),
    "Git: a sequence of picks or reverts"
  ],
  [
    "am that stopped",
    (at) => {
      conflicting(at, "mailed")
      const [patch = ""] = git(at, "format-patch", "-1", "-o", path.dirname(Repo.adminOf(at)), "mailed").split("\n")
      halted(at, "am", "-q", patch)
      fs.rmSync(patch)
    },
    "Git: a rebase or am is under way"
  ],
  [
    "a merge that stopped at a conflict",
    (at) => {
      conflicting(at, "merged")
      halted(at, "merge", "-q", "merged")
    },
    'Git: it holds changes: "UU a.txt"'
  ],
  [
    "a merge that changes nothing, not committed",
    (at) => {
      conflicting(at, "kept-ours")
      git(at, "merge", "-q", "--no-commit", "-s", "ours", "kept-ours")
    },
    "Git: a merge is under way"
  ],
  [
    "a squash that was thrown away, the work before it in its autostash alone",
    (at) => {
      git(at, "checkout", "-q", "-b", "squashed", "main")
      Repo.commit(at, { "c.txt": "c" })
      git(at, "checkout", "-q", "-")
      Repo.commit(at, { "d.txt": "d" })
      write(at, { "a.txt": "precious\n" })
      git(at, "merge", "-q", "--squash", "--autostash", "squashed")
      git(at, "rm", "-q", "-f", "c.txt")
    },
    "Git: a merge with an autostash is under way"
  ],
  [
    "a cherry-pick that stopped at a conflict",
    (at) => {
      conflicting(at, "picked")
      halted(at, "cherry-pick", "picked")
    },
    'Git: it holds changes: "UU a.txt"'
  ],
  ["a cherry-pick that became empty", (at) => halted(at, "cherry-pick", "main"), "Git: a cherry-pick is under way"],
  [
    "a revert, its conflict resolved to what it was",
    (at) => {
      Repo.commit(at, { "a.txt": "third\n" })
      halted(at, "revert", "HEAD~1")
      git(at, "checkout", "-q", "HEAD", "--", "a.txt")
    },
    "Git: a revert is under way"
  ],
  [
    "a merge of notes",
    (at) => {
      for (const name of ["ours", "theirs"]) git(at, "notes", `--ref=${name}`, "add", "-m", name)
      halted(at, "notes", "--ref=ours", "merge", "theirs")
    },
    "Git: a merge of notes is under way"
  ],
  [
    "a merge of notes that was given up",
    (at) => {
      for (const name of ["ours-2", "theirs-2"]) git(at, "notes", `--ref=${name}`, "add", "-m", name)
      halted(at, "notes", "--ref=ours-2", "merge", "theirs-2")
      git(at, "notes", "merge", "--abort")
    },
    "Permit"
  ],
  ["a bisect", (at) => void git(at, "bisect", "start"), "Git: a bisect is under way"],
  ["index.lock", (at) => fs.writeFileSync(`${Repo.adminOf(at)}/index.lock`, ""), "Git: index.lock exists"],
  [
    "index.lock that is a dangling link",
    (at) => fs.symlinkSync("nowhere", `${Repo.adminOf(at)}/index.lock`),
    "Vantage: its owner or its file system is not known"
  ],

  ["detached at a commit of main", (at) => void git(at, "checkout", "-q", "--detach"), "Permit"],
  [
    "detached with a commit that nothing refers to",
    (at) => {
      git(at, "checkout", "-q", "--detach")
      Repo.commit(at, { "c.txt": "lost" })
    },
    own
  ],
  [
    "detached with a commit that only the stash and a note refer to",
    (at) => {
      git(at, "checkout", "-q", "--detach")
      const head = Repo.commit(at, { "c.txt": "referred to" })
      git(at, "update-ref", "refs/stash", head)
      git(at, "update-ref", "refs/notes/commits", head)
      git(at, "update-ref", "refs/worktree/kept", head)
    },
    own
  ],
  ["a commit on its own branch", (at) => void Repo.commit(at, { "c.txt": "c" }), "Permit"],
  [
    "a branch without a commit",
    (at) => {
      git(at, "symbolic-ref", "HEAD", "refs/heads/unborn")
      git(at, "rm", "-q", "-r", "-f", ".")
    },
    own
  ],

  ["locked by a person", lock("keep it"), "Git: it is locked (keep it)"],
  ["locked without a reason", lock(""), "Git: it is locked;"],
  ["locked by a harness that has ended", lock(`claude agent agent-x (pid ${endedPid})`), "Permit"],
  ["locked by a session that has ended", lock(`claude session s (pid ${endedPid} start 123456)`), "Permit"],
  ["locked by a pid that is another process now", lock(`claude session s (pid ${process.pid} start 1)`), "Permit"],
  [
    "locked by a harness that runs",
    (at) => lock(`claude session s (pid ${process.pid} start ${ownTicks()})`)(at),
    "Git: it is locked by Claude Code, which still runs (claude session s (pid"
  ],
  [
    "locked by a pid that runs, its start not told",
    lock(`claude agent agent-x (pid ${process.pid})`),
    "Git: it is locked"
  ],
  [
    "locked by a harness, with more words",
    lock(`claude agent x (pid ${endedPid}), and I want it`),
    "Git: it is locked"
  ],
  ["locked by a person who quotes a harness", lock(`as claude agent x (pid ${endedPid})`), "Git: it is locked"],

  [
    "a worktree in an ignored directory",
    (at) => void git(at, "worktree", "add", "-q", "--detach", path.join(at, "ignored", "inner")),
    "Git: another repository or worktree lies inside"
  ],
  [
    "a worktree whose directory was emptied, in an ignored directory",
    (at) => {
      const inner = path.join(at, "ignored", "inner")
      git(at, "worktree", "add", "-q", "--detach", inner)
      fs.rmSync(inner, { recursive: true })
    },
    "Git: another repository or worktree lies inside"
  ],
  [
    "a clone deep in an ignored directory",
    (at) => void git(at, "clone", "-q", at, path.join(at, "ignored", "deep", "clone")),
    "Git: another repository or worktree lies inside"
  ],
  [
    "a bare repository in an ignored directory",
    (at) => void git(at, "init", "-q", "--bare", path.join(at, "ignored", "only.git")),
    "Git: another repository or worktree lies inside"
  ],
  [
    "a link to a clone",
    (at) => {
      fs.mkdirSync(path.join(at, "ignored"))
      fs.symlinkSync(path.dirname(at), path.join(at, "ignored", "link"))
    },
    "Permit"
  ],

  ["the .git file gone", (at) => fs.rmSync(path.join(at, ".git")), "Owner: "],
  ["the .git file empty", (at) => fs.writeFileSync(path.join(at, ".git"), ""), "Owner: "],
  [
    "the .git file of somewhere that is not there",
    (at) => fs.writeFileSync(path.join(at, ".git"), "gitdir: /nowhere\n"),
    "Git: git could not tell"
  ],
  [
    "the .git file of another worktree",
    (at) => {
      const other = git(at, "worktree", "list", "--porcelain").match(/^worktree (.*\/state-0)$/m)?.[1] ?? ""
      fs.copyFileSync(path.join(other, ".git"), path.join(at, ".git"))
    },
    "Git: git could not tell"
  ],
  [
    "a directory in place of the .git file",
    (at) => {
      fs.rmSync(path.join(at, ".git"))
      git(at, "init", "-q")
    },
    "Git: git could not tell"
  ],
  [
    "the .git file relative",
    (at) => fs.writeFileSync(path.join(at, ".git"), `gitdir: ${path.relative(at, Repo.adminOf(at))}\n`),
    "Permit"
  ],
  [
    "the .git file a link",
    (at) => {
      fs.renameSync(path.join(at, ".git"), `${Repo.adminOf(at)}/dot-git`)
      fs.symlinkSync(`${at}/../../repository/.git/worktrees/${path.basename(at)}/dot-git`, path.join(at, ".git"))
    },
    "Owner: "
  ],
  ["the directory gone", (at) => fs.rmSync(at, { recursive: true }), "no candidate"],
  [
    "the directory replaced by another repository",
    (at) => {
      fs.rmSync(at, { recursive: true })
      Repo.create(at)
    },
    "Git: git could not tell"
  ],
  [
    "the directory replaced by another repository's worktree",
    (at) => {
      fs.rmSync(at, { recursive: true })
      const other = Repo.create(path.join(path.dirname(at), "..", "other"))
      git(other, "worktree", "add", "-q", "--detach", at)
    },
    "Git: git could not tell"
  ],
  [
    "the directory replaced by a file",
    (at) => {
      fs.rmSync(at, { recursive: true })
      fs.writeFileSync(at, "")
    },
    "Git: git could not tell"
  ],
  ["an index that is damaged", (at) => fs.truncateSync(`${Repo.adminOf(at)}/index`, 20), "Git: git could not tell"],
  ["a HEAD that is damaged", (at) => fs.writeFileSync(`${Repo.adminOf(at)}/HEAD`, "ref:\n"), "Git: git could not tell"],
  [
    "a HEAD whose commit is missing",
    (at) => fs.writeFileSync(`${Repo.adminOf(at)}/HEAD`, `${"1234567890".repeat(4)}\n`),
    "Git: git could not tell"
  ]
]

const unusualNames: ReadonlyArray<readonly [name: string, expect: string]> = [
  ["two words and\na line feed", "Permit"],
  ["quote ' and \" and \\ and $HOME", "Permit"],
  ["-n", "Permit"],
  ["naïve-日本", "Permit"],
  ["tab\tand\u0001control", "Permit"],
  ["gone (deleted)", "Permit"]
]

describe.skipIf(!onLinux)("what a worktree is in", () => {
  it.live(
    "decides, and no look at it changes anything or runs anything",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const script = trap(root)
        const repository = Repo.create(path.join(root, "repository"))
        const stage = (index: number) => path.join(root, "w", `state-${index}`)
        states.forEach(([, prepare], index) => prepare(Repo.link(repository, stage(index), `state-${index}`)))
        unusualNames.forEach(([name], index) => Repo.link(repository, path.join(root, "w", name), `name-${index}`))
        for (const [name, text] of Object.entries({ repository: "*.repository\n", person: "*.person\n" })) {
          fs.writeFileSync(path.join(root, `${name}.excludes`), text)
        }
        write(root, { "home/.config/git/ignore": "*.home\n", "repository/.git/info/exclude": "*.excluded\n" })
        for (const [key, value] of [
          ["status.showUntrackedFiles", "no"],
          ["core.excludesFile", path.join(root, "repository.excludes")],
          ["core.hooksPath", path.join(root, "hooks")],
          ["core.fsmonitor", script],
          ["core.pager", script],
          ["pager.status", "true"],
          ["alias.status", `!${script}`],
          ["alias.ls-files", `!${script}`],
          ["alias.for-each-ref", `!${script}`],
          ["alias.worktree", `!${script}`],
          ["diff.external", script],
          ["core.askPass", script],
          ["core.sshCommand", script],
          ["credential.helper", script],
          ["gpg.program", script],
          ["status.submoduleSummary", "true"],
          ["diff.ignoreSubmodules", "all"],
          ["status.short", "true"],
          ["status.branch", "true"],
          ["color.ui", "always"],
          ["color.status", "always"],
          ["core.quotePath", "false"]
        ] as const) {
          git(repository, "config", key, value)
        }
        fs.mkdirSync(path.join(root, "hooks"))
        for (const hook of ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"]) {
          fs.copyFileSync(script, path.join(root, "hooks", hook))
        }
        fs.writeFileSync(
          path.join(root, "person.config"),
          `[core]\n\texcludesFile = ${path.join(root, "person.excludes")}\n`
        )
        for (const admin of fs.readdirSync(path.join(repository, ".git", "worktrees"))) {
          Repo.age(path.join(repository, ".git", "worktrees", admin))
        }
        fs.rmSync(path.join(root, "sprung"), { force: true })
        const bogus = path.join(root, "bogus")
        fs.writeFileSync(bogus, "")

        const before = Snapshot.take(root)
        const plan = yield* Survey.survey(repository, {
          root,
          env: {
            HOME: path.join(root, "home"),
            GIT_CONFIG_GLOBAL: path.join(root, "person.config"),
            GIT_DIR: bogus,
            GIT_WORK_TREE: root,
            GIT_INDEX_FILE: bogus,
            GIT_COMMON_DIR: bogus,
            GIT_OBJECT_DIRECTORY: bogus,
            GIT_NAMESPACE: "elsewhere",
            GIT_PREFIX: "dir/",
            GIT_LITERAL_PATHSPECS: "1",
            GIT_EXTERNAL_DIFF: script,
            GIT_SSH_COMMAND: script,
            GIT_ASKPASS: script,
            GIT_PAGER: script,
            GIT_TRACE: path.join(root, "trace"),
            GIT_TRACE2_EVENT: path.join(root, "trace2"),
            GIT_OPTIONAL_LOCKS: "1"
          }
        })
        assert.deepStrictEqual(Snapshot.changes(before, Snapshot.take(root)), [])

        assert.deepStrictEqual(plan.unlisted, [])
        const [actual, expected] = Survey.compare(plan, [
          ...states.map(([name, , expect], index) => [name, stage(index), expect] as const),
          ...unusualNames.map(([name, expect]) => [name, path.join(root, "w", name), expect] as const)
        ])
        assert.deepStrictEqual(actual, expected)
        assert.notInclude(
          plan.candidates.map((candidate) => candidate.path),
          repository,
          "the main worktree is no candidate"
        )
        const ignored = plan.candidates.find((candidate) => candidate.path === stage(1))
        assert.deepStrictEqual(ignored?.verdict._tag === "Permit" ? ignored.verdict.notes.slice(-1) : [], [
          'it holds ignored paths: "ignored/", "x.log"'
        ])
      }),
    timeout
  )
})
