import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command } from "../examples/Program.ts"
import * as App from "./App.ts"

const timeout = 300_000

/**
 * A Claude Code that registers itself, keeps a transcript, and runs the hooks of the settings; what it reads on its terminal is
 * a prompt, `/clear`, or `/exit`.
 */
const claude = `#!/usr/bin/env node
const fs = require("node:fs"), { execSync } = require("node:child_process")
const config = process.env.HOME + "/.claude"
const cwd = process.cwd()
let id = require("node:crypto").randomUUID()
const entry = config + "/sessions/" + process.pid + ".json"
const fire = (event, more) => {
  const settings = JSON.parse(fs.readFileSync(config + "/settings.json", "utf8"))
  const directory = config + "/projects/" + cwd.replace(/[^A-Za-z0-9]/g, "-")
  fs.mkdirSync(directory, { recursive: true })
  const transcript = directory + "/" + id + ".jsonl"
  fs.appendFileSync(transcript, JSON.stringify({ type: "user", cwd, sessionId: id }) + "\\n")
  const input = JSON.stringify({ hook_event_name: event, session_id: id, transcript_path: transcript, cwd, ...more })
  for (const { hooks } of settings.hooks[event] ?? [])
    for (const { command } of hooks) execSync(command + " --within 30000", { input, stdio: ["pipe", "inherit", "inherit"] })
}
const register = () => {
  const procStart = fs.readFileSync("/proc/self/stat", "utf8").replace(/^.*\\) /, "").split(" ")[19]
  fs.mkdirSync(config + "/sessions", { recursive: true })
  fs.writeFileSync(entry, JSON.stringify({ pid: process.pid, sessionId: id, cwd, startedAt: Date.now(), procStart,
    version: "2.1.281", kind: "interactive", entrypoint: "cli", status: "idle", updatedAt: Date.now(), name: "day" }))
}
register()
fire("SessionStart", { source: "startup" })
fs.appendFileSync(process.env.HOME + "/started", id + "\\n")
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "/exit") { fs.rmSync(entry); process.exit() }
  if (line === "/clear") { id = require("node:crypto").randomUUID(); fire("SessionStart", { source: "clear" }) }
  else fire("UserPromptSubmit", { prompt: line })
  fs.appendFileSync(process.env.HOME + "/done", line + "\\n")
})
`

/** What a newcomer types, with a line before each answer that names it. */
const day = `
  set -u
  say() { echo "## $1"; shift; "$@" 2>&1; echo "exit $?"; }
  wait_for() { until [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; do sleep 0.1; done; }
  sl() { npx --no-install session-liveness "$@"; }
  npm install --silent --legacy-peer-deps --no-save "$PACKED"
  say setup sl setup --yes --session-names

  git init --quiet --initial-branch=main "$HOME/app"; cd "$HOME/app"
  printf 'node_modules\\n.claude\\n' > .gitignore; git add .; git commit --quiet --message=begin
  ln -s "$INSTALLED/node_modules" node_modules
  git worktree add --quiet -b parser .claude/worktrees/parser
  git worktree add --quiet -b login ../login
  tmux -f /dev/null new-session -d -s parser -c "$PWD/.claude/worktrees/parser" claude
  tmux new-session -d -s login -c "$HOME/login" claude
  wait_for "$HOME/started" 2
  say working sl sweep --here --quiet-for 0
  tmux send-keys -t login /clear Enter; wait_for "$HOME/done" 1
  tmux send-keys -t login hello Enter; wait_for "$HOME/done" 2
  say linked sl links show login
  (cd .claude/worktrees/parser; echo x > parser.ts; git add .; git commit --quiet --message=parser)
  git merge --quiet --no-ff --message=merge parser
  echo x > ../login/half-a-thought
  tmux send-keys -t parser /exit Enter; tmux send-keys -t login /exit Enter
  while tmux list-sessions >/dev/null 2>&1; do sleep 0.1; done

  say evening sl sweep --here
  say ready sl sweep --here --quiet-for 0
  say why sl explain ../login --here --quiet-for 0
  say script sl check .claude/worktrees/parser --here --quiet-for 0
  say moved sl sweep --here --quiet-for 0 --apply --yes
  say listed sl list
  say restored sl restore .claude/worktrees/parser --here
  say again sl sweep --here --quiet-for 0 --apply --yes
  say young sl expire --here
  say due sl expire --here --older-than 0 --quiet-for 0
  say expired sl expire --here --older-than 0 --quiet-for 0 --apply --yes
  say sessions sl sessions --here
  say doctor sl doctor --here
  say heal sl links heal
  say removed sl setup --remove --yes
  say branches git branch --list parser
`

describe.skipIf(!Isolated.allowed)("a newcomer's day", () => {
  it.live(
    "goes by what the command itself says, from the tarball and an empty home, without a manager",
    () =>
      Effect.gen(function* () {
        const home = yield* tempRoot
        const { path: packed } = yield* App.tarball
        const [bin, installed] = [path.join(home, "bin"), path.join(home, "installed")]
        fs.mkdirSync(bin)
        fs.mkdirSync(installed)
        fs.writeFileSync(path.join(installed, "package.json"), '{"private":true}')
        fs.writeFileSync(path.join(bin, "claude"), claude, { mode: 0o755 })
        const env = {
          HOME: home,
          PATH: `${bin}:${path.dirname(process.execPath)}:${process.env["PATH"]}`,
          PACKED: packed,
          INSTALLED: installed,
          TRUSTY_MPM_ROOT: "",
          CLAUDE_CONFIG_DIR: "",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_CONFIG_COUNT: "2",
          GIT_CONFIG_KEY_0: "user.name",
          GIT_CONFIG_VALUE_0: "a",
          GIT_CONFIG_KEY_1: "user.email",
          GIT_CONFIG_VALUE_1: "a@example.org",
          npm_config_cache: `${home}/cache`,
          npm_config_offline: "true",
          npm_config_update_notifier: "false"
        }
        const { stdout, stderr } = yield* Isolated.run(command, [], { root: home, cwd: installed, env, line: day })
        const said = new Map(
          stdout.split(/^## /m).map((part) => {
            const [name = "", ...lines] = part.split("\n")
            return [name, lines.join("\n").trimEnd()]
          })
        )
        const expected: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
          setup: [/"command": "\S*node \S+session-liveness-hook\.js --session-names"/, /are linked\.\nexit 0$/],
          working: [
            /^keep +\.\.\/login .* Occupied: .* in tmux pane %\d+ of login /m,
            /^keep +\.claude\/worktrees\/parser .* Occupied: /m,
            /^0 of 2 worktrees may go\.$/m,
            /^Note: .*nothing speaks for a session manager/m,
            /exit 0$/
          ],
          linked: [/^login, 2 ids, oldest first:\n( {2}[0-9a-f-]{36}\n){2}exit 0$/],
          evening: [/^keep +\.\.\/login .* Quiet from /m, /^0 of 2 worktrees may go\.$/m, /exit 0$/],
          ready: [
            /^go +\.claude\/worktrees\/parser .* every gate permits$/m,
            /^keep +\.\.\/login .* Git: .*half-a-thought.*; see: git -C \S+ status/m,
            /`npx session-liveness sweep --apply --quiet-for 0 --here` moves 1 worktree out of the way\.\nexit 10$/
          ],
          why: [/^ {2}✗ Git +.*half-a-thought/m, /^It stays, because of the gate Git/m, /exit 1$/],
          script: [/^permitted +\.claude\/worktrees\/parser: every gate permits$/m, /exit 0$/],
          moved: [/^moved +\.claude\/worktrees\/parser: lies at \.git\/reclaimed\/\S+-parser$/m, /exit 0$/],
          listed: [/^\.claude\/worktrees\/parser +parser +/m, /`npx session-liveness restore PATH` .*\nexit 0$/],
          restored: [/^restored +\.claude\/worktrees\/parser: stands there now\nexit 0$/],
          again: [/^1 worktree was moved out of the way\./m, /exit 0$/],
          young: [/^keep +.* it lies reclaimed until [\d: -]+ UTC; /m, /exit 0$/],
          due: [/^remove +\.claude\/worktrees\/parser .* every gate permits$/m, /exit 10$/],
          expired: [
            /^removed +\.claude\/worktrees\/parser: is gone; its commits stay as refs\/reclaimed\//m,
            /exit 0$/
          ],
          sessions: [/^No session is recorded\.$/m, /exit 0$/],
          doctor: [/^ok +records of a manager: /m, /exit 0$/],
          heal: [/exit 0$/],
          removed: [/^-.*session-liveness-hook/m, /exit 0$/],
          branches: [/^ +parser\n/]
        }
        for (const [name, patterns] of Object.entries(expected)) {
          for (const pattern of patterns) assert.match(said.get(name) ?? "", pattern, `${name}\n${stdout}\n${stderr}`)
        }
        assert.notMatch(stdout, /^session-liveness: (?!note: )/m, "nothing has to be warned of")
        assert.isFalse(fs.existsSync(`${home}/.claude/settings.json`))
        assert.include(fs.readdirSync(`${home}/login`), "half-a-thought")
      }),
    timeout
  )
})
