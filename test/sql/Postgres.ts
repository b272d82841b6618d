/**
 * A PostgreSQL of a test's own: a cluster in a temporary directory, on a Unix socket, ended with the scope.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** The newest installed version: Debian keeps them off the search path. */
const binaries = (): string | undefined => {
  const debian = "/usr/lib/postgresql"
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const directories = [
    ...versions.map((version) => path.join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(path.delimiter)
  ]
  return directories.find((directory) => fs.existsSync(path.join(directory, "initdb")))
}

const found = binaries()

/** Why the tests on PostgreSQL do not run here, or `undefined`. Where `CI` is set nothing is skipped: they fail. */
export const skipped: string | undefined =
  found === undefined && !process.env["CI"]
    ? "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    : undefined

/** PostgreSQL refuses to run as root. */
const unprivileged = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout)
  return { uid: id("-u"), gid: id("-g") }
}

export interface Cluster {
  /** Where its socket and its data lie. */
  readonly directory: string
  readonly connect: (
    options?: Omit<PgClient.PgPoolConfig, "host" | "database">
  ) => Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>
  /** Every process of the server dies at once, as at a loss of power; what was committed is on disk. */
  readonly kill: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

/** How many connections a cluster takes, those kept for its superuser aside. */
export const connections = 12

export const cluster: Effect.Effect<Cluster, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    if (found === undefined) throw new Error("PostgreSQL is not installed")
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "postgres-"))
    const as = unprivileged()
    if (as !== undefined) fs.chownSync(directory, as.uid, as.gid)
    const data = path.join(directory, "data")
    const options = { cwd: directory, env: { LC_ALL: "C", PATH: process.env["PATH"] }, ...as }
    const made = spawnSync(
      path.join(found, "initdb"),
      ["-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"],
      { ...options, encoding: "utf8" }
    )
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
    const settings = [`max_connections=${connections + 3}`, "fsync=off", "shared_buffers=16MB", "listen_addresses="]
    const log = fs.openSync(path.join(directory, "log"), "a")
    let server: ChildProcess | undefined
    const spawnServer = () =>
      spawn(path.join(found, "postgres"), ["-D", data, "-k", directory, ...settings.flatMap((each) => ["-c", each])], {
        ...options,
        stdio: ["ignore", log, log]
      })
    const said = () => fs.readFileSync(path.join(directory, "log"), "utf8")
    const start = Effect.promise(async () => {
      server = spawnServer()
      const ready = () => spawnSync(path.join(found, "pg_isready"), ["-q", "-h", directory, "-U", "owner"]).status === 0
      while (!ready()) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (server.exitCode === null) continue
        // The children of one that was killed are on their way out.
        if (!/shared memory block .* is still in use/.test(said().slice(-1000))) throw new Error(said())
        server = spawnServer()
      }
    })
    const end = (signal: NodeJS.Signals) =>
      Effect.promise(async () => {
        const running = server
        if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
        const gone = new Promise((resolve) => running.once("exit", resolve))
        running.kill(signal)
        await gone
      })
    const connect: Cluster["connect"] = (config) =>
      PgClient.layer({ host: directory, database: "postgres", username: "owner", maxConnections: 4, ...config })
    return { directory, connect, start, kill: end("SIGKILL"), stop: end("SIGQUIT") }
  }),
  ({ directory, stop }) =>
    Effect.andThen(
      stop,
      Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
    )
).pipe(Effect.tap(({ start }) => start))
