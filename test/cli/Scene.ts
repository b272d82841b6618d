/**
 * An evening on somebody's machine, for screens that a person can judge: one repository, forty worktrees with names as
 * people and agents give them, and the records of a manager.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Isolated from "../examples/Isolated.ts"
import { command, project } from "../examples/Program.ts"
import * as World from "../examples/World.ts"
import { tempRoot } from "../TempRoot.ts"

const hour = 60 * 60 * 1000
const day = 24 * hour

type Git = (...args: ReadonlyArray<string>) => string

/** One worktree: its branch, where it stands, how long nobody has touched it, and what happened in it. */
interface Tree {
  readonly branch: string
  readonly at?: string
  readonly days: number
  readonly happens?: (at: string, git: Git, main: Git) => void
}

const commit = (at: string, git: Git): void => {
  fs.writeFileSync(path.join(at, "change.ts"), `export const change = ${JSON.stringify(at)}\n`)
  git("add", ".")
  git("commit", "--quiet", "--message=change")
}

const merged: Tree["happens"] = (at, git, main) => {
  commit(at, git)
  main("merge", "--quiet", "--no-ff", "--message=merge", git("branch", "--show-current").trim())
}

const plain = (from: number, many: number, days: number, happens?: Tree["happens"]): ReadonlyArray<Tree> =>
  Array.from({ length: many }, (_, index) => ({
    branch: `agent-${(0xa1b2c3 + (from + index) * 7919).toString(16)}`,
    at: `.claude/worktrees/agent-${(0xa1b2c3 + (from + index) * 7919).toString(16)}`,
    days,
    ...(happens === undefined ? {} : { happens })
  }))

const trees: ReadonlyArray<Tree> = [
  { branch: "fix-login", days: 12, happens: merged },
  { branch: "feature/2026-03-move-every-report-to-the-new-storage-layer-and-drop-the-old-one", days: 9 },
  { branch: "機能/検索の結果を速くする", days: 15, happens: merged },
  { branch: "docs/überarbeitung-🚀", days: 20 },
  { branch: "spike", at: "../app-worktrees/spike with space", days: 30 },
  { branch: "release/2.4", days: 30 },
  { branch: "wip-notes", days: 40, happens: (at) => fs.writeFileSync(path.join(at, "half a thought.md"), "x\n") },
  {
    branch: "wip-many",
    days: 8,
    happens: (at) => {
      for (let file = 0; file < 12; file++) fs.writeFileSync(path.join(at, `draft-${file}.ts`), "x\n")
    }
  },
  {
    branch: "demo",
    days: 25,
    happens: (at, _, main) => main("worktree", "lock", "--reason", "demo on Friday", at)
  },
  { branch: "harbor", days: 3 },
  { branch: "orchard", days: 9 },
  { branch: "open-review", days: 2, happens: commit },
  { branch: "pairing", days: 0 },
  ...plain(0, 15, 10, merged),
  ...plain(15, 6, 2),
  ...plain(21, 6, 0)
]

/** Nobody has been there since. At one instant the first sign by name is shown, whatever was written last. */
const age = (places: ReadonlyArray<string>, then: Date): void => {
  for (const place of places) {
    for (const name of ["", ...fs.readdirSync(place, { recursive: true, encoding: "utf8" })]) {
      fs.utimesSync(path.join(place, name), then, then)
    }
  }
}

export interface Scene {
  readonly root: string
  readonly app: string
}

/** Builds it. */
export const make = Effect.map(tempRoot, (root): Scene => {
  const app = path.join(root, "src/app")
  const gitAt =
    (at: string, date: Date): Git =>
    (...args) =>
      execFileSync("git", ["-C", at, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_AUTHOR_DATE: date.toISOString(),
          GIT_COMMITTER_DATE: date.toISOString()
        },
        stdio: ["ignore", "pipe", "pipe"]
      })
  fs.mkdirSync(app, { recursive: true })
  const old = gitAt(app, new Date(Date.now() - 60 * day))
  old("init", "--quiet", "--initial-branch=main")
  fs.writeFileSync(path.join(app, ".gitignore"), ".claude/\nnode_modules/\n")
  old("add", ".")
  old("commit", "--quiet", "--message=begin")
  for (const { branch, at = `../app-worktrees/${branch.replaceAll("/", "-")}`, days, happens } of trees) {
    const worktree = path.resolve(app, at)
    const then = new Date(Date.now() - days * day - hour / 2)
    old("branch", branch, "main")
    gitAt(app, then)("worktree", "add", "--quiet", worktree, branch)
    happens?.(worktree, gitAt(worktree, then), gitAt(app, then))
    age([worktree, gitAt(worktree, then)("rev-parse", "--absolute-git-dir").trimEnd()], then)
  }
  World.records(root, {
    "5f0c7a52-harbor": { tmux_name: "tm-harbor", workspace_path: path.join(root, "src/app-worktrees/harbor") },
    "91be07d4-orchard": { tmux_name: "tm-orchard", workspace_path: path.join(root, "src/app-worktrees/orchard") },
    "c77a10e9-検索": { tmux_name: "gt-search", workspace_path: path.join(root, "src/elsewhere/検索") }
  })
  const links = path.join(root, "usage/session-links")
  fs.mkdirSync(links, { recursive: true })
  fs.writeFileSync(path.join(links, "5f0c7a52-harbor"), "3c1f9e52\n8d40b7a1\nf2096c3e\n")
  for (const [name, days] of [
    ["a session of last year", 300],
    ["b0b", 45]
  ] as const) {
    fs.writeFileSync(path.join(links, name), "old-1\nold-2\n")
    const then = new Date(Date.now() - days * day)
    fs.utimesSync(path.join(links, name), then, then)
  }
  fs.mkdirSync(path.join(root, "bin"))
  fs.symlinkSync(path.join(project, command), path.join(root, "bin/session-liveness"))
  return { root, app }
})

/** Runs a line of shell as a person would, on a terminal that is so wide. */
export const screen = ({ root, app }: Scene, columns: number, line: string) =>
  Isolated.run(command, [], {
    root,
    cwd: app,
    env: { HOME: root, NO_COLOR: "1", TERM: "xterm", SHELL: "/bin/sh", CLAUDE_CONFIG_DIR: "" },
    prepare: Isolated.sessions("tm-harbor"),
    line: `export PATH="${root}/bin:$(dirname "$NODE"):$PATH" LINE='stty cols ${columns} rows 60; ${line}'
      script --quiet --return --command 'sh -c "$LINE"' /dev/null`
  })

/** A screen without what differs from run to run, at the same width. */
export const settled = ({ root }: Scene, text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\n]*\r(\u001b\[K)?/g, "")
    .replaceAll(project.replace(/\/$/, ""), "/opt/session-liveness")
    .replaceAll(root, "/home/ada")
    .replaceAll(/session-liveness-[A-Za-z0-9]{1,6}(?=[/…])/g, "session-liveness-000000")
    .replaceAll(/\d{8}T\d{6,9}Z?/g, (stamp) => stamp.replaceAll(/\d/g, "0"))
    .replaceAll(/\d{4}-\d\d-\d\d([ T])\d\d:\d\d/g, "2026-00-00$100:00")
    .replaceAll(/T00:00:\d\d\.\d{3}Z/g, "T00:00:00.000Z")
    .replaceAll(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{12}|[0-9a-f]{40})\b/g, (hash) => "0".repeat(hash.length))
    .replaceAll(/\b(pid|process) \d+/g, "$1 00")
    .trimEnd()
