/**
 * An evening as people leave it: worktrees of five repositories, each with the answer that a careful person would give and
 * the reason for it. A tree *goes* when nobody would miss it by Monday; it *stays* when somebody might.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import {
  adminOf,
  age,
  commit,
  Crowd,
  day,
  git,
  hour,
  type Moment,
  type Repository,
  repository,
  write
} from "./Hands.ts"

export interface Tree {
  readonly name: string
  readonly repository: Repository
  readonly path: string
  readonly goes: boolean
  readonly because: string
}

export interface Evening {
  readonly trees: ReadonlyArray<Tree>
  readonly repositories: ReadonlyArray<Repository>
  readonly end: () => void
}

interface Made {
  readonly tree: string
  readonly branch: string
  readonly on: Repository
}

interface Plan {
  /** In the agent's store of the repository unless said otherwise. */
  readonly beside?: boolean
  readonly on?: Repository
  readonly ago: number
  /** Commits of the branch, each its own file unless given. */
  readonly commits?: number
  readonly files?: Readonly<Record<string, string>>
  /** After the commits. */
  readonly before?: (made: Made) => void
  /** When the tree has aged. */
  readonly after?: (made: Made) => void
}

export const make = (root: string): Evening => {
  const crowd = new Crowd()
  const home = path.join(root, "home")
  fs.mkdirSync(path.join(home, ".claude", "sessions"), { recursive: true })
  fs.mkdirSync(path.join(home, ".claude", "projects"), { recursive: true })
  const app = repository(root, "app")
  const site = repository(root, "site", { trunk: "master" })
  const tools = repository(root, "tools", { trunk: "develop" })
  const bare = repository(root, "bare", { bare: true })
  const fork = repository(root, "fork")
  const upstream = path.join(root, "remotes", "upstream.git")
  git(root, ["clone", "-q", "--bare", fork.remote, upstream])
  git(fork.main, ["remote", "add", "upstream", upstream])
  git(fork.main, ["fetch", "-q", "upstream"])
  const trees: Array<Tree> = []

  const add = (goes: boolean, name: string, because: string, plan: Plan): void => {
    const on = plan.on ?? app
    const at: Moment = { ago: plan.ago + hour }
    const branch = name.replaceAll(" ", "-")
    const directory = plan.beside === true || on === bare ? on.beside : path.join(on.main, ".claude/worktrees")
    const tree = path.join(directory, name)
    fs.mkdirSync(path.dirname(tree), { recursive: true })
    git(on.main, ["worktree", "add", "-q", "-b", branch, tree, on.trunk], at)
    const made = { tree, branch, on }
    for (let index = 0; index < (plan.commits ?? 2); index++) {
      commit(tree, { [`${branch.replaceAll("/", "-")}-${index}.txt`]: `${branch} ${index}\n` }, at, `${name} ${index}`)
    }
    if (plan.files !== undefined) commit(tree, plan.files, at, `${name} files`)
    plan.before?.(made)
    age(tree, plan)
    plan.after?.(made)
    trees.push({ name, repository: on, path: tree, goes, because })
  }
  const goes = (name: string, because: string, plan: Plan): void => add(true, name, because, plan)
  const stays = (name: string, because: string, plan: Plan): void => add(false, name, because, plan)

  /** Carries something out on the default branch, as the forge does, and brings it here. */
  const onTrunk = ({ on }: Made, ago: number, change: (clone: string) => void, remote = on.remote): void => {
    const clone = fs.mkdtempSync(path.join(root, "forge-"))
    git(root, ["clone", "-q", remote, clone], { ago })
    git(clone, ["fetch", "-q", on.main, "+refs/heads/*:refs/remotes/here/*"])
    change(clone)
    git(clone, ["push", "-q", "origin", on.trunk])
    fs.rmSync(clone, { recursive: true })
    if (on === bare) git(on.main, ["fetch", "-q", "origin", `${on.trunk}:${on.trunk}`])
    else {
      git(on.main, ["fetch", "-q", "--all"])
      if (remote === on.remote) git(on.main, ["merge", "-q", "--ff-only", `origin/${on.trunk}`], { ago })
    }
  }
  const merged =
    (ago: number, remote?: string) =>
    (made: Made): void =>
      onTrunk(
        made,
        ago,
        (clone) => git(clone, ["merge", "-q", "--no-ff", "-m", "merge", `here/${made.branch}`], { ago }),
        remote
      )
  const squashed =
    (ago: number) =>
    (made: Made): void =>
      onTrunk(made, ago, (clone) => {
        git(clone, ["merge", "-q", "--squash", `here/${made.branch}`], { ago })
        git(clone, ["commit", "-q", "-m", `${made.branch} (#1)`], { ago })
      })
  const rebased =
    (ago: number) =>
    (made: Made): void =>
      onTrunk(made, ago, (clone) => {
        commit(clone, { [`between-${made.branch.replaceAll("/", "-")}.txt`]: "between\n" }, { ago }, "between")
        const base = git(clone, ["merge-base", made.on.trunk, `here/${made.branch}`])
        git(clone, ["cherry-pick", `${base}..here/${made.branch}`], { ago })
      })
  const pushed = ({ tree, branch, on }: Made): void => {
    if (on === bare) return
    git(tree, ["push", "-q", "origin", branch])
  }
  const both =
    (...steps: ReadonlyArray<(made: Made) => void>) =>
    (made: Made): void => {
      for (const step of steps) step(made)
    }
  const locked =
    (reason: string) =>
    ({ tree, on }: Made): void => {
      git(on.main, ["worktree", "lock", "--reason", reason, tree])
    }
  const entry = (pid: number, values: Readonly<Record<string, unknown>>): void =>
    write(
      path.join(home, ".claude", "sessions", `${pid}.json`),
      JSON.stringify({ pid, procStart: startOf(pid), kind: "interactive", status: "idle", ...values })
    )
  const sentinel = (made: Made, value: unknown): void =>
    write(path.join(adminOf(made.tree), ".trusty-mpm-worktree"), JSON.stringify(value))
  const transcript = (cwd: string, session: string, ago: number): void => {
    const file = path.join(home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${session}.jsonl`)
    write(file, `${JSON.stringify({ cwd, sessionId: session })}\n`)
    const at = new Date(Date.now() - ago)
    fs.utimesSync(file, at, at)
  }
  const sleeping = (made: Made): number => crowd.start("sleep", ["100000"], made.tree).pid ?? 0
  const [away] = [root]

  // What should go.
  goes("merged", "merged, nobody there for three days", { ago: 3 * day, before: merged(3 * day) })
  goes("fast-forward", "main is at its commit", {
    ago: 3 * day,
    before: (made) => onTrunk(made, 3 * day, (clone) => git(clone, ["merge", "-q", "--ff", `here/${made.branch}`]))
  })
  goes("squashed", "squash-merged, the remote branch gone", { ago: 3 * day, before: squashed(3 * day) })
  goes("rebased", "rebased and merged", { ago: 3 * day, before: rebased(3 * day) })
  goes("went-on", "squash-merged, and main has edited the same lines since", {
    ago: 4 * day,
    files: { "went-on.txt": "one\ntwo\n" },
    before: (made) => {
      squashed(4 * day)(made)
      onTrunk(made, 3 * day, (clone) => commit(clone, { "went-on.txt": "one\ntwo, better\n" }, { ago: 3 * day }))
    }
  })
  goes("beside merged", "merged, and in nobody's store; a space in its name", {
    beside: true,
    ago: 3 * day,
    before: merged(3 * day)
  })
  goes("beside-squashed", "squash-merged", { beside: true, ago: 5 * day, before: squashed(5 * day) })
  goes("beside-rebased", "rebased and merged", { beside: true, ago: 5 * day, before: rebased(5 * day) })
  goes("status", "somebody ran `git status` a minute ago", {
    ago: 20 * day,
    before: merged(20 * day),
    after: ({ tree }) => git(tree, ["status"])
  })
  goes("modules", "merged, with its node_modules", {
    ago: 5 * day,
    before: both(merged(5 * day), ({ tree }) =>
      write(path.join(tree, "node_modules/left/index.js"), "x".repeat(200_000))
    )
  })
  goes("cargo", "merged, with a target directory", {
    ago: 5 * day,
    before: both(merged(5 * day), ({ tree }) => write(path.join(tree, "target/debug/app"), "x".repeat(400_000)))
  })
  goes("linked-modules", "node_modules is a link, which the rule `node_modules/` does not cover", {
    ago: 3 * day,
    before: both(merged(3 * day), ({ tree }) =>
      fs.symlinkSync(path.join(app.main, "src"), path.join(tree, "node_modules"))
    )
  })
  goes("sandboxed", "a sandbox has left empty files", {
    ago: 3 * day,
    before: both(merged(3 * day), ({ tree }) => {
      for (const name of [".bashrc", ".profile", ".zshrc", ".gitmodules.lock"]) {
        fs.writeFileSync(path.join(tree, name), "", { mode: 0o444 })
      }
    })
  })
  goes("sparse", "a sparse checkout, clean", {
    ago: 4 * day,
    before: both(merged(4 * day), ({ tree }) =>
      git(tree, ["sparse-checkout", "set", "--cone", "web"], { ago: 4 * day })
    )
  })
  goes("agent-lock", "locked by an agent whose process is gone", {
    ago: 3 * day,
    before: merged(3 * day),
    after: locked("claude agent a1 (pid 3999999 start 12345)")
  })
  goes("quiet-for-nine-days", "not merged; its branch keeps it, and nobody came back for nine days", {
    beside: true,
    ago: 9 * day
  })
  goes("pushed-long-ago", "pushed, and quiet for eight days", { ago: 8 * day, before: pushed })
  goes("unpushed-long-ago", "its branch keeps it, and it is quiet for ten days", { ago: 10 * day })
  goes("nothing-done", "an agent's tree in which nothing was committed", { ago: 2 * day, commits: 0 })
  goes("detached-at-tag", "somebody looked at a tag nine days ago", {
    beside: true,
    ago: 9 * day,
    commits: 0,
    before: ({ tree, on }) => {
      git(on.main, ["tag", "v1"])
      git(tree, ["checkout", "-q", "--detach", "v1"], { ago: 9 * day })
    }
  })
  goes("watched-from-above", "an editor watches the main checkout, and so everything in it", {
    ago: 3 * day,
    before: merged(3 * day)
  })
  goes("fix", "a server runs from the tree beside it, whose name begins alike", {
    beside: true,
    ago: 3 * day,
    before: merged(3 * day)
  })
  goes("tmux-began-here", "the tmux server was started in it; that session has ended", {
    ago: 3 * day,
    before: merged(3 * day)
  })
  goes("finder", "holds a .DS_Store that the user's own excludes cover", {
    ago: 3 * day,
    before: both(merged(3 * day), ({ tree }) => write(path.join(tree, ".DS_Store")))
  })
  goes("on-master", "the default branch is called master", { on: site, ago: 3 * day, before: merged(3 * day) })
  goes("master-squashed", "the default branch is called master", { on: site, ago: 3 * day, before: squashed(3 * day) })
  goes("on-develop", "the default branch is called develop", { on: tools, ago: 3 * day, before: merged(3 * day) })
  goes("of-bare", "a worktree of a bare repository", { on: bare, ago: 3 * day, before: merged(3 * day) })
  goes("upstreamed", "merged in the repository that this one is a fork of", {
    on: fork,
    ago: 3 * day,
    before: merged(3 * day, upstream)
  })
  goes("feature/名前", "wide characters, and a slash", { on: site, ago: 3 * day, before: merged(3 * day) })
  goes("gc", "`git gc` ran an hour ago", { on: tools, ago: 20 * day, before: merged(20 * day) })
  goes("no-logs", "the logs have been expired", { on: tools, ago: 20 * day, before: merged(20 * day) })
  goes("ended-session", "its session has ended and it is merged", {
    ago: 3 * day,
    before: merged(3 * day),
    after: (made) => {
      transcript(made.tree, "11111111-1111-4111-8111-111111111111", 3 * day)
      sentinel(made, {
        owner_session_id: "11111111-1111-4111-8111-111111111111",
        created_at: new Date(Date.now() - 4 * day).toISOString()
      })
    }
  })
  goes("empty-log", "a tool has left an ignored log file days ago", {
    ago: 4 * day,
    before: both(merged(4 * day), ({ tree }) => write(path.join(tree, "debug.log"), "done\n"))
  })

  // What should stay.
  stays("modified", "an edit that is not committed", {
    ago: 9 * day,
    before: ({ tree }) => write(path.join(tree, "src/a.txt"), "mine\n")
  })
  stays("untracked", "a file that was never added", {
    ago: 9 * day,
    before: ({ tree }) => write(path.join(tree, "plan.md"), "plan\n")
  })
  stays("staged", "staged, not committed", {
    ago: 9 * day,
    before: ({ tree }) => {
      write(path.join(tree, "staged.txt"))
      git(tree, ["add", "staged.txt"])
    }
  })
  stays("shell", "a shell stands in it", { ago: 9 * day, before: merged(9 * day), after: sleeping })
  stays("open-file", "a process has a file of it open", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => crowd.start("sh", ["-c", 'exec sleep 100000 < "$0"', path.join(tree, "src/a.txt")], away)
  })
  stays("fix-login", "a server was started by its path", {
    beside: true,
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => {
      write(path.join(tree, "node_modules/server.cjs"), "setInterval(() => {}, 1e6)\n")
      crowd.start(process.execPath, [path.join(tree, "node_modules/server.cjs")], away)
      age(tree, { ago: 9 * day })
    }
  })
  stays("relative", "a server was started by a path relative to where it stands", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree, on }) =>
      crowd.start(
        "sh",
        ["-c", "while :; do sleep 9; done", path.relative(on.main, path.join(tree, "src/a.txt"))],
        on.main
      )
  })
  stays("my fix", "a script names it within a longer argument", {
    beside: true,
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => crowd.start("sh", ["-c", `while sleep 9; do make -C '${tree}' test; done`], away)
  })
  stays("watched", "a program watches it and holds nothing open", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) =>
      crowd.start(
        process.execPath,
        ["-e", "require('fs').watch(process.env.WATCHED); setInterval(() => {}, 1e6)"],
        away,
        {
          WATCHED: tree
        }
      )
  })
  stays("under-review", "pushed and open for three days", { ago: 3 * day, before: pushed })
  stays("unpushed", "commits of two days ago that are nowhere else", { ago: 2 * day })
  stays("empty-commit", "a note to self, of two days ago", {
    ago: 2 * day,
    commits: 0,
    before: ({ tree }) => git(tree, ["commit", "-q", "--allow-empty", "-m", "next: the parser"], { ago: 2 * day })
  })
  stays("just-built", "a build of half an hour ago", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => write(path.join(tree, "target/debug/app"))
  })
  stays("today", "merged two hours ago; somebody may still be at it", { ago: 2 * hour, before: merged(2 * hour) })
  stays("detached", "commits that no branch has", {
    ago: 9 * day,
    before: ({ tree }) => {
      git(tree, ["checkout", "-q", "--detach"], { ago: 9 * day })
      commit(tree, { "detached.txt": "x\n" }, { ago: 9 * day })
    }
  })
  stays("rebasing", "a rebase is under way", {
    ago: 9 * day,
    before: ({ tree }) => {
      const admin = adminOf(tree)
      write(path.join(admin, "rebase-merge/head-name"), "refs/heads/rebasing\n")
    }
  })
  stays("bisecting", "a bisect is under way", {
    ago: 9 * day,
    before: ({ tree }) => git(tree, ["bisect", "start"], { ago: 9 * day })
  })
  stays("conflict", "a merge with a conflict", {
    ago: 9 * day,
    before: ({ tree, on }) => {
      commit(tree, { README: "mine\n" }, { ago: 9 * day })
      git(tree, ["update-ref", "refs/heads/other-side", on.trunk])
      const other = git(tree, ["commit-tree", "-p", on.trunk, "-m", "theirs", git(tree, ["write-tree"])])
      write(path.join(adminOf(tree), "MERGE_HEAD"), `${other}\n`)
    }
  })
  stays("locked", "locked by hand", { ago: 20 * day, before: merged(20 * day), after: locked("do not touch") })
  stays("live-lock", "locked by an agent that runs", {
    ago: 3 * day,
    before: merged(3 * day),
    after: (made) => {
      const pid = crowd.start("sleep", ["100000"], away).pid ?? 0
      locked(`claude agent a2 (pid ${pid} start ${startOf(pid)})`)(made)
    }
  })
  stays("registered", "the registry says that a live session works in it", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => {
      const pid = claude(crowd, root, "claude")
      entry(pid, { sessionId: "22222222-2222-4222-8222-222222222222", cwd: tree })
    }
  })
  stays("wrapped", "owned by a session whose Claude runs under another name", {
    ago: 3 * day,
    after: (made) => {
      const pid = claude(crowd, root, ".claude-wrapped")
      entry(pid, { sessionId: "33333333-3333-4333-8333-333333333333", cwd: away })
      sentinel(made, {
        owner_session_id: "33333333-3333-4333-8333-333333333333",
        created_at: new Date(Date.now() - 4 * day).toISOString()
      })
    }
  })
  stays("agent-of-live-parent", "an agent's unmerged work; its parent may resume it", {
    ago: 2 * day,
    after: (made) =>
      sentinel(made, {
        created_at: new Date(Date.now() - 3 * day).toISOString(),
        agent: {
          agent_id: "a7",
          delegation_id: "d7",
          parent_session_id: "22222222-2222-4222-8222-222222222222",
          ended_at: new Date(Date.now() - 2 * day).toISOString()
        }
      })
  })
  stays("reverted", "squash-merged, then reverted on main", {
    ago: 3 * day,
    before: (made) => {
      squashed(3 * day)(made)
      onTrunk(made, 2 * day, (clone) => git(clone, ["revert", "--no-edit", "HEAD"], { ago: 2 * day }))
    }
  })
  stays("reverted-quietly", "squash-merged, then taken out again by a commit that does not say so", {
    ago: 3 * day,
    before: (made) => {
      squashed(3 * day)(made)
      onTrunk(made, 2 * day, (clone) => {
        git(clone, ["revert", "--no-commit", "HEAD"], { ago: 2 * day })
        git(clone, ["commit", "-q", "-m", "simplify"], { ago: 2 * day })
      })
    }
  })
  stays("half-picked", "one of its two commits was picked", {
    ago: 3 * day,
    before: (made) =>
      onTrunk(made, 3 * day, (clone) => git(clone, ["cherry-pick", `here/${made.branch}~1`], { ago: 3 * day }))
  })
  stays("merged-and-on", "merged, and a commit on top since", {
    ago: 2 * day,
    before: (made) => {
      merged(3 * day)(made)
      commit(made.tree, { "on-top.txt": "more\n" }, { ago: 2 * day })
    }
  })
  stays("release/1.x", "a long-lived branch", { ago: 30 * day, before: merged(30 * day) })
  stays("staging", "a long-lived branch", { ago: 30 * day, before: merged(30 * day) })
  stays("prepared", "somebody made it on Friday, and has not begun", { beside: true, ago: 3 * day, commits: 0 })
  stays("nested", "an ignored directory holds a repository", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree }) => {
      fs.mkdirSync(path.join(tree, "vendored/lib"), { recursive: true })
      git(path.join(tree, "vendored/lib"), ["init", "-q"])
    })
  })
  stays("mercurial", "another kind of repository inside", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree }) => write(path.join(tree, "node_modules/old/.hg/requires")))
  })
  stays("submodule", "a submodule is checked out in it", {
    ago: 9 * day,
    before: (made) => {
      git(made.tree, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", site.remote, "sub"], {
        ago: 9 * day
      })
      git(made.tree, ["commit", "-q", "-m", "submodule"], { ago: 9 * day })
      merged(9 * day)(made)
    }
  })
  stays("assumed", "an edit behind assume-unchanged", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree }) => {
      git(tree, ["update-index", "--assume-unchanged", "src/a.txt"])
      write(path.join(tree, "src/a.txt"), "mine\n")
    })
  })
  stays("skipped", "an edit behind skip-worktree", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree }) => {
      git(tree, ["update-index", "--skip-worktree", "src/a.txt"])
      write(path.join(tree, "src/a.txt"), "mine\n")
    })
  })
  stays("settings", "somebody wrote its .env an hour ago", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree }) => write(path.join(tree, ".env"), "A=1\n")),
    after: ({ tree }) => {
      const at = new Date(Date.now() - hour)
      fs.utimesSync(path.join(tree, ".env"), at, at)
    }
  })
  stays("led-to", "another worktree's node_modules leads into it", {
    ago: 9 * day,
    before: both(merged(9 * day), ({ tree, on }) => {
      write(path.join(tree, "node_modules/left/index.js"))
      fs.symlinkSync(path.join(tree, "node_modules"), path.join(on.main, "node_modules"))
    })
  })
  stays("index-locked", "git was stopped in it", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => write(path.join(adminOf(tree), "index.lock"), "")
  })
  stays("talked-about", "a transcript of it was written an hour ago", {
    ago: 9 * day,
    before: merged(9 * day),
    after: ({ tree }) => transcript(tree, "44444444-4444-4444-8444-444444444444", hour)
  })
  stays("rebooted", "its session was cut off by the reboot, with unmerged work of yesterday", {
    ago: 2 * day,
    after: (made) => {
      transcript(made.tree, "55555555-5555-4555-8555-555555555555", 2 * day)
      sentinel(made, {
        owner_session_id: "55555555-5555-4555-8555-555555555555",
        created_at: new Date(Date.now() - 3 * day).toISOString()
      })
    }
  })
  stays("open-elsewhere", "pushed and open, on a branch of the fork", { on: fork, ago: 4 * day, before: pushed })
  stays("master-open", "open for five days", { on: site, ago: 5 * day })
  stays("develop-dirty", "an edit that is not committed", {
    on: tools,
    ago: 9 * day,
    before: ({ tree }) => write(path.join(tree, "web/index.html"), "<p>mine\n")
  })

  // What happens last touches every tree of its repository.
  write(path.join(home, ".config/git/ignore"), ".DS_Store\n")
  const began = trees.find(({ name }) => name === "tmux-began-here")
  if (began !== undefined) tmux(["new-session", "-d", "-s", "first", "-c", began.path, "sleep 100000"])
  tmux(["new-session", "-d", "-s", "second", "-c", away, "sleep 100000"])
  tmux(["kill-session", "-t", "first"])
  const everything = fs
    .readdirSync(app.main, { recursive: true, withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() && !entry.parentPath.includes("/.git") && entry.name !== ".git"
        ? [path.join(entry.parentPath, entry.name)]
        : []
    )
  crowd.start(
    process.execPath,
    ["-e", "for (const at of JSON.parse(process.env.WATCHED)) require('fs').watch(at); setInterval(() => {}, 1e6)"],
    away,
    { WATCHED: JSON.stringify([app.main, ...everything.filter((at) => !at.includes("/worktrees/watched/"))]) }
  )
  git(tools.main, ["reflog", "expire", "--expire=now", "--all"])
  git(tools.main, ["gc", "-q"])
  git(app.main, ["fetch", "-q"])
  return {
    trees,
    repositories: [app, site, tools, bare, fork],
    end: () => {
      try {
        tmux(["kill-server"])
      } catch {
        // Nobody is left.
      }
      crowd.end()
    }
  }
}

const startOf = (pid: number): string => {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

/** A process whose executable has that name. */
const claude = (crowd: Crowd, root: string, name: string): number => {
  const file = path.join(root, "bin", name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.copyFileSync(fs.realpathSync("/bin/sleep"), file)
  fs.chmodSync(file, 0o755)
  return crowd.start(file, ["100000"], root).pid ?? 0
}

const tmux = (args: ReadonlyArray<string>): void => {
  execFileSync("tmux", ["-f", "/dev/null", ...args], { stdio: "ignore" })
}
