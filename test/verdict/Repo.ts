/**
 * Real repositories and worktrees of git, each in a directory of its own.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/** A day in milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** No configuration but the repository's own, so that a person's settings do not change the tests. */
export const environment: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "somebody",
  GIT_AUTHOR_EMAIL: "somebody@example.org",
  GIT_COMMITTER_NAME: "somebody",
  GIT_COMMITTER_EMAIL: "somebody@example.org"
}

/** Runs git to set a stage, and gives what it printed. */
export const git = (directory: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024
  })

/** The same for a command that is meant to stop half-way. */
export const halted = (directory: string, ...args: ReadonlyArray<string>): void => {
  let ended = false
  try {
    git(directory, ...args)
    ended = true
  } catch {
    // That is what it is for.
  }
  if (ended) throw new Error(`git ${args.join(" ")} was meant to stop half-way`)
}

export const write = (directory: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    fs.writeFileSync(path.join(directory, name), text)
  }
}

/** Commits everything, and gives the commit. */
export const commit = (directory: string, files: Readonly<Record<string, string>>): string => {
  write(directory, files)
  git(directory, "add", "-A")
  git(directory, "commit", "-q", "--allow-empty", "-m", "work")
  return git(directory, "rev-parse", "HEAD").trim()
}

/** A repository whose branch `main` has two commits. */
export const create = (directory: string): string => {
  fs.mkdirSync(directory, { recursive: true })
  git(directory, "init", "-q", "-b", "main")
  git(directory, "config", "gc.auto", "0")
  commit(directory, { "a.txt": "first\n", "dir/b.txt": "b\n", ".gitignore": "/ignored/\n*.log\n" })
  commit(directory, { "a.txt": "second\n" })
  return directory
}

/** A linked worktree on a branch of its own at `main`. */
export const link = (repository: string, directory: string, branch: string, from = "main"): string => {
  git(repository, "worktree", "add", "-q", "-b", branch, directory, from)
  return directory
}

/** Git's admin directory of a linked worktree. */
export const adminOf = (worktree: string): string => {
  const target = fs.readFileSync(path.join(worktree, ".git"), "utf8").replace(/^gitdir: ([^]*)\n$/, "$1")
  return path.resolve(worktree, target)
}

/** The files of an admin directory whose times tell of work. */
export const activity: ReadonlyArray<string> = ["HEAD", "commondir"]

/** The same however often something is made to look old. */
const began = Date.now()

/** Makes it look as if the last work in the worktree of that admin directory had been done so long ago. */
export const age = (adminDirectory: string, ms = 30 * day): void => {
  const then = new Date(began - ms)
  const touch = (file: string) => fs.lutimesSync(file, then, then)
  for (const file of activity.map((name) => path.join(adminDirectory, name))) if (fs.existsSync(file)) touch(file)
  ageLog(path.join(adminDirectory, "logs/HEAD"), then)
  const link = path.join(adminDirectory, "gitdir")
  const worktree = fs.existsSync(link)
    ? path.dirname(path.resolve(adminDirectory, fs.readFileSync(link, "utf8").trim()))
    : ""
  if (worktree === "" || !fs.existsSync(worktree) || !fs.statSync(worktree).isDirectory()) return
  for (const name of ignoredIn(worktree)) touch(path.join(worktree, name))
  for (const directory of [...directoriesIn(worktree), worktree]) touch(directory)
}

/** Node's own recursion follows links, in circles until the kernel has had enough. */
const directoriesIn = (directory: string): ReadonlyArray<string> =>
  fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(directory, name))
    .flatMap((below) => [...directoriesIn(below), below])

const ageLog = (log: string, then: Date): void => {
  if (!fs.existsSync(log) || !fs.lstatSync(log).isFile()) return
  const seconds = Math.floor(then.getTime() / 1000)
  fs.writeFileSync(log, fs.readFileSync(log, "utf8").replaceAll(/> [0-9]+ ([+-][0-9]{4})/g, `> ${seconds} $1`))
}

const ignoredIn = (worktree: string): ReadonlyArray<string> => {
  try {
    const listed = git(worktree, "ls-files", "--others", "--ignored", "--exclude-standard", "-z")
    return listed.split("\0").filter((name) => name !== "" && !name.endsWith("/"))
  } catch {
    return []
  }
}
