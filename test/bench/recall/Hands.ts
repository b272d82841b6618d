/**
 * What people do to repositories and worktrees, done to real ones.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

export const day = 24 * 60 * 60 * 1000
export const hour = 60 * 60 * 1000

/** Who commits, and nothing of the machine's own configuration. */
export const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
  GIT_CONFIG_NOSYSTEM: "1"
}

export interface Moment {
  /** How long ago, in milliseconds. */
  readonly ago: number
}

export const git = (cwd: string, args: ReadonlyArray<string>, { ago }: Moment = { ago: 0 }): string => {
  const date = new Date(Date.now() - ago).toISOString()
  const env = { ...process.env, ...identity, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  return execFileSync("git", ["-C", cwd, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()
}

export const write = (file: string, text = `${path.basename(file)}\n`): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

export const commit = (cwd: string, files: Readonly<Record<string, string>>, at: Moment, message = "work"): string => {
  for (const [name, text] of Object.entries(files)) write(path.join(cwd, name), text)
  git(cwd, ["add", "-A"], at)
  git(cwd, ["commit", "-q", "--allow-empty", "-m", message], at)
  return git(cwd, ["rev-parse", "HEAD"])
}

export interface Repository {
  /** The main worktree, or the bare repository. */
  readonly main: string
  readonly remote: string
  /** The default branch. */
  readonly trunk: string
  /** Where its worktrees lie that no agent's store holds. */
  readonly beside: string
}

/** A cloned repository whose history is old. */
export const repository = (
  root: string,
  name: string,
  options: { readonly trunk?: string; readonly bare?: boolean } = {}
): Repository => {
  const trunk = options.trunk ?? "main"
  const remote = path.join(root, "remotes", `${name}.git`)
  const main = path.join(root, name)
  const at = { ago: 60 * day }
  fs.mkdirSync(remote, { recursive: true })
  git(remote, ["init", "-q", "--bare", "-b", trunk])
  const seed = path.join(root, "seeds", name)
  fs.mkdirSync(seed, { recursive: true })
  git(seed, ["init", "-q", "-b", trunk])
  commit(
    seed,
    {
      ".gitignore": "node_modules/\ntarget/\ndist/\n.env\n*.log\nvendored/\n",
      "package.json": "{}\n",
      "Cargo.toml": "[package]\n",
      "src/a.txt": Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(""),
      "web/index.html": "<p>\n"
    },
    at,
    "first"
  )
  git(seed, ["push", "-q", remote, trunk])
  git(root, options.bare === true ? ["clone", "-q", "--bare", remote, main] : ["clone", "-q", remote, main], at)
  return { main, remote, trunk, beside: path.join(root, `${name}-trees`) }
}

/** What tells of a worktree's own time: its directories, its files, and those of git's admin directory. */
export const age = (tree: string, { ago }: Moment): void => {
  const at = new Date(Date.now() - ago)
  const visit = (directory: string): void => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const file = path.join(directory, entry.name)
      if (entry.isDirectory() && entry.name !== ".git") visit(file)
      else if (entry.isSymbolicLink()) fs.lutimesSync(file, at, at)
      else fs.utimesSync(file, at, at)
    }
    fs.utimesSync(directory, at, at)
  }
  visit(tree)
  const admin = adminOf(tree)
  for (const name of ["HEAD", "commondir", "gitdir", "ORIG_HEAD", "index"]) {
    const file = path.join(admin, name)
    if (fs.existsSync(file)) fs.utimesSync(file, at, at)
  }
}

export const adminOf = (tree: string): string => git(tree, ["rev-parse", "--absolute-git-dir"])

/** Processes that the evening leaves running, ended with it. */
export class Crowd {
  readonly #children: Array<ChildProcess> = []

  start(command: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "ignore", detached: true })
    child.unref()
    this.#children.push(child)
    return child
  }

  end(): void {
    for (const { pid } of this.#children) {
      try {
        if (pid !== undefined) process.kill(-pid, "SIGKILL")
      } catch {
        // It has ended by itself.
      }
    }
  }
}
