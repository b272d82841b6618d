/**
 * Processes that are nobody's children: what a survey starts itself does not count, so that they have to be let go.
 */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Server from "../claims/Server.ts"

/**
 * Starts a program that its starter does not wait for, and ends it with the scope. Gives its pid once it is `ready`:
 * unless given, once the shell that starts it has become another program.
 */
export const start = (
  command: ReadonlyArray<string>,
  options: {
    readonly cwd?: string | undefined
    readonly env?: Readonly<Record<string, string>> | undefined
    readonly ready?: ((pid: number) => boolean) | undefined
  } = {}
): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Number(
        execFileSync("sh", ["-c", '"$@" </dev/null >/dev/null 2>&1 & echo $!', "sh", ...command], {
          cwd: options.cwd ?? "/",
          env: { PATH: process.env["PATH"], ...options.env },
          encoding: "utf8"
        })
      )
    ),
    Server.end
  ).pipe(Effect.tap((pid) => Server.until(() => (options.ready ?? isNoShell)(pid))))

/** A process that does nothing, in a mount namespace of its own in which a file or directory is mounted below `root`. */
export const idleContainer = (from: string, root: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.suspend(() => {
    const to = path.join(fs.mkdtempSync(path.join(root, "container-")), "mounted")
    if (fs.statSync(from).isDirectory()) fs.mkdirSync(to)
    else fs.writeFileSync(to, "")
    return start(["unshare", "-m", "sh", "-c", 'mount --bind "$FROM" "$TO" && exec sleep 600'], {
      env: { FROM: from, TO: to },
      ready: (pid) => commandLine(pid) === "sleep\x00600\x00"
    })
  })

const isNoShell = (pid: number): boolean => !/(^|\/)(ba|da)?sh$/.test(readLink(`/proc/${pid}/exe`))

export const readLink = (file: string): string => {
  try {
    return fs.readlinkSync(file)
  } catch {
    return ""
  }
}

export const read = (file: string): string => {
  try {
    return fs.readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

/** The command line of a process, its arguments separated by NUL. */
export const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`)

export const pids = (): ReadonlyArray<number> =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)

/** Waits until no process names a path in its command line. */
export const noneNames = (name: string): Effect.Effect<void> =>
  Server.until(() => pids().every((pid) => !commandLine(pid).includes(name)))
