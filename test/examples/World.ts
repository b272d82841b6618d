/**
 * Roots with records, and repositories with worktrees, as the programs find them.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { ReclaimRecord } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"

/** Writes the records of a root; those that say nothing of it are old. */
export const records = (root: string, sessions: Readonly<Record<string, object>>): void => {
  const file = path.join(root, "session-manager", "sessions.json")
  const entries = Object.entries(sessions).map(([id, record]) => [
    id,
    { id, created_at: "2026-01-01T00:00:00Z", ...record }
  ])
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ sessions: Object.fromEntries(entries) }))
}

export interface Repository {
  readonly root: string
  /** The main worktree. */
  readonly main: string
  readonly git: (...args: ReadonlyArray<string>) => string
  /** Adds a linked worktree on a branch of that name and gives its path. */
  readonly worktree: (name: string, sentinel?: object) => string
}

/** A real repository with one commit, in a fresh root. */
export const repository = Effect.map(tempRoot, (root): Repository => {
  const main = path.join(root, "app")
  fs.mkdirSync(main)
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))
  const env = { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }
  const git: Repository["git"] = (...args) =>
    execFileSync("git", ["-C", main, "-c", "user.name=test", "-c", "user.email=test@example.org", ...args], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
  git("init", "--quiet", "--initial-branch=main")
  git("commit", "--quiet", "--allow-empty", "--message=begin")
  let branches = 0
  return {
    root,
    main,
    git,
    worktree: (name, sentinel) => {
      const at = path.join(root, "work", name)
      git("worktree", "add", "--quiet", "-b", `branch-${++branches}`, at)
      if (sentinel !== undefined) fs.writeFileSync(sentinelOf(at), JSON.stringify(sentinel))
      return at
    }
  }
})

/** Where the sentinel of a linked worktree lies. */
export const sentinelOf = (worktree: string): string => {
  const pointer = fs.readFileSync(path.join(worktree, ".git"), "utf8")
  const [, admin] = /^gitdir: ([^]*)\n$/.exec(pointer) ?? []
  if (admin === undefined) throw new Error(`${worktree} is no linked worktree`)
  return path.join(admin, ".trusty-mpm-worktree")
}

/** A sentinel that names an agent of a session. */
export const agentOf = (parent: string, agentId: string) => ({
  created_at: "2026-01-01T00:00:00Z",
  agent: { agent_id: agentId, delegation_id: "d-1", parent_session_id: parent }
})

/**
 * A directory to be put first on `PATH`, whose git sends its parent a signal when it is to make the `nth` move of a
 * worktree: before it makes that move, and instead of it after SIGKILL.
 */
export const strikingGit = ({ root }: Repository, signal: "INT" | "KILL", nth: number): string => {
  const bin = path.join(root, `git-${signal}`)
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  fs.mkdirSync(bin)
  fs.writeFileSync(
    path.join(bin, "git"),
    `#!/bin/sh
case " $* " in
  *" worktree move "*)
    echo >> '${bin}/moves'
    if [ "$(wc -l < '${bin}/moves')" -eq ${nth} ]; then
      kill -${signal} $PPID
      ${signal === "KILL" ? "exit 1" : "sleep 0.2"}
    fi ;;
esac
exec '${real}' "$@"
`,
    { mode: 0o755 }
  )
  return bin
}

/** The git admin directory of a linked worktree. */
export const adminOf = (worktree: string): string => path.dirname(sentinelOf(worktree))

/** Says of a worktree that lies reclaimed that it was moved `days` days sooner. */
export const moveSooner = (lies: string, days: number): void => {
  const lock = path.join(adminOf(lies), "locked")
  const name = path.basename(lies)
  const state = stateAbove(lies)
  for (const file of fs.readdirSync(state).map((each) => path.join(state, each))) {
    const journal = JSON.parse(fs.readFileSync(file, "utf8"))
    for (const { record } of journal.entries) {
      if (record.name !== name) continue
      record.at -= days * 24 * 60 * 60 * 1000
      fs.writeFileSync(lock, ReclaimRecord.printLock(record))
    }
    fs.writeFileSync(file, JSON.stringify(journal))
  }
}

/** The journal of the programs of the root that a path lies below. */
const stateAbove = (at: string): string => {
  const state = path.join(at, "state/session-liveness")
  if (fs.existsSync(state)) return state
  if (at === "/") throw new Error("no journal")
  return stateAbove(path.dirname(at))
}
