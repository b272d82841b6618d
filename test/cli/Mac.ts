/**
 * A Mac for whole commands: a home with a repository, six worktrees that are finished and three in which Claude Code works,
 * in recorded output of `ps`, `lsof`, `mount` and `sysctl`. Real are git, tmux, files and users; there is no `/proc`. What
 * only a Mac has is not there: its kernel, its locks on privacy, and file systems that fold case.
 */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { build, type BuildOptions } from "rolldown"
import * as Mounts from "../../src/machine/core/Mounts.ts"
import * as Timestamp from "../../src/shared/core/Timestamp.ts"
import { age, commit, day, git, hour, write } from "../bench/recall/Hands.ts"
import * as Isolated from "../examples/Isolated.ts"
import { project } from "../examples/Program.ts"
import * as FakeMac from "../machine/FakeMac.ts"
import * as Scene from "./Scene.ts"
import { tempRoot } from "../TempRoot.ts"

export const isRoot = process.geteuid?.() === 0

/** Who asks. Only root can be another. */
export const user = isRoot ? 501 : (process.geteuid?.() ?? 0)

export interface Mac {
  readonly root: string
  readonly home: string
  readonly app: string
  readonly finished: ReadonlyArray<string>
  readonly live: ReadonlyArray<string>
}

/** What is printed. In `ps` and `lsof`, `@SELF` is who asks, `@TMUX` the server, and `@PANE1` to `@PANE3` are its panes. */
export type Printed = FakeMac.Recorded & {
  readonly held: Readonly<Record<string, ReadonlyArray<string>>>
  /** Other names of directories, as firmlinks and folded case give them, and what is there. */
  readonly names: Readonly<Record<string, string>>
}

/** The command for a Mac, bundled as the package's own is. */
const bundle = (directory: string) =>
  Effect.promise(async () => {
    const config: {
      readonly program: (name: string, source: string, output: BuildOptions["output"]) => BuildOptions
    } = await import(path.join(project, ".ci/rolldown.config.js"))
    const output = { dir: directory, postBanner: "#!/usr/bin/env node" }
    const options = config.program("session-liveness", path.join(project, "test/cli/macProgram.ts"), output)
    await build({ ...options, logLevel: "warn" })
  })

/** The worktrees, and what happened in each. The finished ones come first. */
const worktrees = (main: string, store: string, beside: string) => {
  const merge = (branch: string, ago: number) =>
    git(main, ["merge", "-q", "--no-ff", "-m", `merge ${branch}`, branch], { ago })
  const squash = (branch: string, ago: number) => {
    git(main, ["merge", "-q", "--squash", branch], { ago })
    git(main, ["commit", "-q", "-m", `${branch} (#1)`], { ago })
  }
  const pick = (branch: string, ago: number) => git(main, ["cherry-pick", `main..${branch}`], { ago })
  return [
    { branch: "fix-login", at: `${beside}/fix-login`, ago: 12 * day, commits: 2, lands: merge },
    { branch: "new-report", at: `${store}/new-report`, ago: 3 * day, commits: 2, lands: squash },
    { branch: "faster-tests", at: `${store}/faster-tests`, ago: 2 * day, commits: 1, lands: pick },
    { branch: "agent-a1b2c3", at: `${store}/agent-a1b2c3`, ago: 2 * day, commits: 0 },
    { branch: "пробный-поиск", at: `${beside}/пробный поиск`, ago: 9 * day, commits: 1 },
    { branch: "spike", at: `${beside}/My Spike`, ago: 20 * day, commits: 3 },
    { branch: "login", at: `${beside}/login`, ago: 9 * day, commits: 1 },
    { branch: "search", at: `${store}/search`, ago: 9 * day, commits: 1 },
    { branch: "docs", at: `${beside}/docs für alle`, ago: 9 * day, commits: 0 }
  ]
}

const finishedCount = 6

/** What lies in the home of somebody who works there. */
const settle = (root: string): Omit<Mac, "root"> => {
  const home = `${root}/Users/ada`
  const app = `${home}/src/app`
  fs.mkdirSync(app, { recursive: true })
  git(app, ["init", "-q", "-b", "main"])
  commit(app, { ".gitignore": ".claude/\nnode_modules/\n", "README.md": "app\n" }, { ago: 60 * day }, "begin")
  const trees = worktrees(app, `${app}/.claude/worktrees`, `${home}/src/app-worktrees`)
  for (const { branch, at, ago, commits } of trees) {
    git(app, ["worktree", "add", "-q", "-b", branch, at], { ago })
    for (let index = 0; index < commits; index++)
      commit(at, { [`${branch}-${index}`]: branch }, { ago }, `${branch} ${index}`)
  }
  for (const { branch, lands, ago } of trees) lands?.(branch, ago)
  for (const { at, ago } of trees) age(at, { ago })
  const paths = trees.map(({ at }) => at)
  return { home, app, finished: paths.slice(0, finishedCount), live: paths.slice(finishedCount) }
}

const now = Date.now()
const booted = now - 3 * day - 2 * hour
const started = Timestamp.formatCtime(now - 5 * hour)

/** Claude Code's own word about its processes. */
const register = ({ home, live }: Omit<Mac, "root">): void => {
  for (const [index, cwd] of live.entries()) {
    const pid = 711 + index
    write(
      `${home}/.claude/sessions/${pid}.json`,
      JSON.stringify({ pid, sessionId: `c3fb74ec-8b9d-4142-954c-4bdf1a77f7f${index}`, cwd, procStart: started })
    )
  }
}

const windows = "/Applications/Visual Studio Code.app/Contents"

const rowsIn = (app: string): ReadonlyArray<FakeMac.Row> => {
  const rows: ReadonlyArray<FakeMac.Row> = [
    { pid: 1, parent: 0, user: 0, state: "Ss", name: "launchd", args: "/sbin/launchd" },
    { pid: 88, parent: 1, user: 0, state: "Ss", name: "fseventsd", args: "/System/Library/CoreServices/fseventsd" },
    { pid: 310, parent: 1, user: 0, name: "mds", args: "/System/Library/Frameworks/CoreServices.framework/mds" },
    { pid: 400, parent: 1, user: -2, name: "httpd", args: "/usr/sbin/httpd -D FOREGROUND" },
    { pid: 410, parent: 1, user: 70, name: "postgres", args: "postgres: checkpointer " },
    { pid: 430, parent: 1, user: 0, name: "backup", args: `/bin/sh -c cd ${app} && git fetch --quiet` },
    {
      pid: 500,
      parent: 1,
      name: "loginwindow",
      args: "/System/Library/CoreServices/loginwindow.app/loginwindow console"
    },
    { pid: 577, parent: 1, name: "iTerm2", args: "/Applications/iTerm.app/Contents/MacOS/iTerm2" },
    {
      pid: 578,
      parent: 577,
      name: "iTermServer-3.5.",
      args: "/Users/ada/Library/Application Support/iTerm2/iTermServer-3.5.10"
    },
    { pid: 640, parent: 578, user: 0, state: "Ss", terminal: "ttys000", name: "login", args: "login -fp ada" },
    { pid: 650, parent: 640, state: "S", terminal: "ttys000", name: "zsh", args: "-zsh" },
    { pid: 641, parent: 578, user: 0, state: "Ss", terminal: "ttys001", name: "login", args: "login -fp ada" },
    { pid: 651, parent: 641, state: "S", terminal: "ttys001", name: "zsh", args: "-zsh" },
    { pid: 701, parent: 651, state: "S+", terminal: "ttys001", name: "tmux", args: "tmux new-session -AD -s login" },
    { pid: "@TMUX", parent: 1, state: "Ss", name: "tmux", args: "tmux new-session -d -s login" },
    { pid: "@PANE1", parent: "@TMUX", state: "Ss", terminal: "ttys003", name: "zsh", args: "-zsh" },
    { pid: "@PANE2", parent: "@TMUX", state: "Ss", terminal: "ttys004", name: "zsh", args: "-zsh" },
    { pid: "@PANE3", parent: "@TMUX", state: "Ss", terminal: "ttys005", name: "zsh", args: "-zsh" },
    { pid: 711, parent: "@PANE1", state: "S+", terminal: "ttys003", name: "2.1.278", args: "claude" },
    { pid: 712, parent: "@PANE2", state: "S+", terminal: "ttys004", name: "node", args: "claude    " },
    { pid: 713, parent: "@PANE3", state: "S+", terminal: "ttys005", name: "claude", args: "claude --continue" },
    { pid: 714, parent: 713, name: "node", args: "node /Users/ada/.npm/_npx/5f3/node_modules/.bin/mcp-server-git" },
    { pid: 760, parent: 1, name: "Claude", args: "/Applications/Claude.app/Contents/MacOS/Claude" },
    {
      pid: 761,
      parent: 760,
      name: "Claude Helper (R",
      args: "/Applications/Claude.app/Contents/Frameworks/Claude Helper (Renderer).app/Contents/MacOS/Claude Helper (Renderer) --type=renderer"
    },
    { pid: 800, parent: 1, name: "Electron", args: `${windows}/MacOS/Electron` },
    {
      pid: 801,
      parent: 800,
      name: "Code Helper (Plu",
      args: `${windows}/Frameworks/Code Helper (Plugin).app/Contents/MacOS/Code Helper (Plugin) --type=utility`
    },
    {
      pid: 802,
      parent: 801,
      name: "Code Helper",
      args: `${windows}/Frameworks/Code Helper.app/Contents/MacOS/Code Helper ${windows}/Resources/app/tsserver.js`
    },
    {
      pid: 830,
      parent: 1,
      name: "com.apple.WebKit",
      args: "/System/Library/Frameworks/WebKit.framework/com.apple.WebKit.WebContent"
    },
    { pid: 850, parent: 1, name: "ssh-agent", args: "/usr/bin/ssh-agent -l" },
    { pid: 860, parent: 1, name: "Привет", args: "/Users/ada/Applications/Привет.app/Contents/MacOS/Привет" },
    { pid: 881, parent: 801, state: "Z", name: "git", args: "(git)" },
    { pid: 882, parent: 801, state: "SEs", name: "node", args: "(node)" },
    { pid: "@SELF", parent: 650, state: "S+", terminal: "ttys000", name: "node", args: "node session-liveness" }
  ]
  return rows.map((row) => ({ user, started, ...row }))
}

/** A file or directory as it is open, with the numbers that the file system gives it, perhaps by another name. */
export const open = (descriptor: string, at: string, name: string = at): string => {
  const { dev, ino, nlink } = fs.statSync(at)
  const type = fs.statSync(at).isDirectory() ? "DIR" : "REG"
  return FakeMac.file(descriptor, type, FakeMac.printed(name), [`D0x${dev.toString(16)}`, `i${ino}`, `k${nlink}`])
}

const heldIn = ({ app, live: [login = "", search = "", docs = ""] }: Omit<Mac, "root">): Printed["held"] => ({
  "@SELF": [open("cwd", app)],
  "@TMUX": [open("cwd", app), FakeMac.file("3u", "unix", "/private/tmp/tmux-501/default", ["D0xabc"])],
  701: [FakeMac.file("3u", "unix", "->0xdef", ["D0xabd"])],
  650: [open("cwd", app)],
  "@PANE1": [open("cwd", login)],
  "@PANE2": [open("cwd", search)],
  "@PANE3": [open("cwd", app)],
  711: [open("cwd", login)],
  712: [open("cwd", search)],
  713: [open("cwd", docs)],
  802: [open("cwd", app), open("21r", `${docs}/README.md`), FakeMac.file("22u", "PSXSHM", "shared")],
  830: [FakeMac.file("23", "", "(revoked)", [])]
})

const mountsFor = (root: string): string => {
  const mounts = Mounts.parse(fs.readFileSync("/proc/self/mountinfo", "utf8")) ?? []
  const point = Mounts.of(mounts, root)?.point ?? "/"
  const here = point === "/" ? "" : `/dev/disk3s5 on ${point} (apfs, local, journaled, nobrowse, protect)\n`
  return `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
${here}map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
com.apple.TimeMachine.2026-11-30-221530.local@/dev/disk3s5 on ${root}/Volumes/.timemachine/Ada's Mac (apfs, local, read-only, journaled, nobrowse)
//ada@nas/share on /Volumes/share (smbfs, nodev, nosuid, mounted by ada)
GoogleDrive on ${root}/Volumes/GoogleDrive (dfsfuse_DFS, local, nodev, nosuid, synchronous, mounted by ada)
`
}

/** Builds it; `change` says in what it differs from a calm one. */
export const make = (
  change: (calm: Printed, mac: Mac) => Partial<Printed> = () => ({})
): Effect.Effect<Mac, never, Scope.Scope> =>
  Effect.gen(function* () {
    const root = yield* tempRoot
    const lived = settle(root)
    const mac = { root, ...lived }
    register(lived)
    for (const name of ["Volumes/.timemachine/Ada's Mac", "Volumes/GoogleDrive", "private/tmp", "bin", "mac", "live"]) {
      fs.mkdirSync(`${root}/${name}`, { recursive: true })
    }
    const rows = rowsIn(lived.app)
    const calm: Printed = {
      ps: FakeMac.psOf(rows),
      lsof: "",
      held: heldIn(lived),
      mount: mountsFor(root),
      sysctl: `{ sec = ${Math.floor(booted / 1000)}, usec = 123 } вторник\n`,
      names: {}
    }
    const differs = { ...calm, ...change(calm, mac) }
    const lsof = differs.lsof === "" ? FakeMac.lsofOf(rows, differs.held, user) : differs.lsof
    yield* bundle(`${root}/mac`)
    for (const [name, text] of Object.entries({ ...differs, lsof })) {
      if (typeof text !== "string") continue
      fs.writeFileSync(`${root}/mac/${name}.txt`, text)
      const run = text === hangs ? "exec sleep 600" : `exec sed "s/@SELF/$PPID/g" '${root}/live/${name}.txt'`
      fs.writeFileSync(`${root}/mac/${name}`, `#!/bin/sh\n${run}\n`, { mode: 0o755 })
    }
    const named = Object.entries(differs.names)
    for (const [name] of named) fs.mkdirSync(name, { recursive: true })
    const binds = named.map(([name, at]) => `mount --bind '${at}' '${name}'\n`)
    fs.writeFileSync(`${root}/mac/names.sh`, binds.join(""))
    fs.symlinkSync(`${root}/mac/session-liveness.js`, `${root}/bin/session-liveness`)
    fs.writeFileSync(`${root}/bin/node`, "")
    fs.writeFileSync(`${root}/session.sh`, session)
    if (isRoot) execFileSync("chown", ["-R", `${user}:20`, root])
    return mac
  })

/** A tool that prints nothing and does not end. */
export const hangs = "hangs\n"

const cutBehindPid = /\(process (\d+)\)([^\n]*)…$/gm

/** How much of a line a terminal has room for depends on how long a process id in it is. */
const cutAlike = (_: string, pid: string, rest: string): string =>
  `(process ${pid})${rest.slice(0, rest.length - (6 - pid.length))}…`

/** A screen without what differs from run to run, at the same width. */
export const settled = ({ root }: Mac, text: string): string =>
  Scene.settled({ root: `${root}/Users/ada`, app: "" }, text.replaceAll(cutBehindPid, cutAlike))
    .replaceAll("/home/ada", "/Users/ada")
    .replaceAll(root, "")
    .replaceAll(/\(process \d+\)/g, "(process 00)")
    // The log tells whole seconds: a restoration is older where the second ends before git writes there.
    .replace(/^(.* the HEAD log\n)(.* its restoration\n)/m, "$2$1")

/** What happens before the line: a terminal's login. */
const session = `
set -eu
for name in login search docs; do tmux -f /dev/null new-session -d -s "$name" sleep 600; done
set -- $(tmux list-panes -a -F '#{session_name}:#{pane_pid}' | sort)
server=$(tmux display-message -p '#{pid}')
for name in ps lsof mount sysctl; do
  sed "s/@TMUX/$server/g; s/@PANE1/\${2#*:}/g; s/@PANE2/\${3#*:}/g; s/@PANE3/\${1#*:}/g" "$R/mac/$name.txt" > "$R/live/$name.txt"
done
exec script --quiet --return --command 'sh -c "$LINE"' /dev/null
`

/** Runs a line of shell as a person would, on a terminal. */
export const screen = ({ root, home, app }: Mac, line: string) =>
  Isolated.run("", [], {
    root,
    cwd: app,
    env: { R: root, LINE: `stty cols 120 rows 60; ${line}` },
    prepare: `set -e
      mount -t tmpfs none /proc
      mount --bind /dev/null /etc/machine-id
      mount --bind "$NODE" "$R/bin/node"
      . "$R/mac/names.sh"
      mount -t tmpfs none "$R/Volumes/GoogleDrive"
      mount -t tmpfs none "$R/Volumes/.timemachine/Ada's Mac"
      set +e`,
    line: `chroot ${isRoot ? `--userspec=${user}:20 --groups=20` : ""} --skip-chdir / env -i \\
      HOME='${home}' TMUX_TMPDIR='${root}/private/tmp' PATH="$R/bin:$PATH" R="$R" LINE="$LINE" \\
      LANG=ru_RU.UTF-8 NO_COLOR=1 TERM=xterm SHELL=/bin/sh sh "$R/session.sh"`
  })
