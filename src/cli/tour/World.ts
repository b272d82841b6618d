/**
 * A root of the tour's own: a repository with worktrees as people leave them, and the records of two sessions.
 */
import { Data, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { ClaudeSessions, Root, SessionStore, ProcessTable, TmuxProbe } from "../../internal.ts"
import { layer } from "../../node/index.ts"
import * as Screen from "../Screen.ts"

/** There is nothing to play on. */
export class Unplayable extends Data.TaggedError("Unplayable")<{ readonly message: string }> {}

/** A session that works, and one that is gone. Their ids are cut short for reading. */
export const harbor = { id: "harbor", ids: ["3c1f9e52", "8d40b7a1", "f2096c3e"] } as const
export const orchard = { id: "orchard", ids: ["51be07d4"] } as const

const day = 24 * 60 * 60 * 1000

/** One worktree, how long nobody has touched it, and what happened in it. */
interface Tree {
  readonly name: string
  readonly quietDays: number
  readonly happens?: ((at: string, git: Git) => void) | undefined
}

export type Git = (...args: ReadonlyArray<string>) => string

const commit = (at: string, git: Git): void => {
  fs.writeFileSync(path.join(at, "search.ts"), "export const search = () => {}\n")
  git("-C", at, "add", ".")
  git("-C", at, "commit", "--quiet", "--message=search")
}

const trees: ReadonlyArray<Tree> = [
  {
    name: "search",
    quietDays: 12,
    happens: (at, git) => {
      commit(at, git)
      git("merge", "--quiet", "--no-ff", "--message=Merge search", "search")
    }
  },
  { name: orchard.id, quietDays: 9 },
  { name: harbor.id, quietDays: 3 },
  {
    name: "notes",
    quietDays: 20,
    happens: (at) => fs.writeFileSync(path.join(at, "plan.md"), "half a thought\n")
  },
  { name: "fresh", quietDays: 0 }
]

/** Makes it all below `root`. */
export const make = (root: string): Effect.Effect<{ readonly repository: string; readonly git: Git }, Unplayable> =>
  Effect.try({
    try: () => {
      const repository = path.join(root, "app")
      const git = gitIn(repository)
      fs.mkdirSync(repository)
      git("init", "--quiet", "--initial-branch=main")
      git("commit", "--quiet", "--allow-empty", "--message=begin")
      for (const { name, quietDays, happens } of trees) {
        const at = path.join(root, "work", name)
        const then = new Date(Date.now() - quietDays * day)
        const git = gitIn(repository, then)
        git("worktree", "add", "--quiet", "-b", name, at)
        happens?.(at, git)
        if (quietDays > 0) age([at, git("-C", at, "rev-parse", "--absolute-git-dir").trimEnd()], then)
      }
      writeRecords(root)
      return { repository, git }
    },
    catch: (error) => new Unplayable({ message: `git is needed: ${Screen.reasonOf(error)}` })
  })

const gitIn =
  (repository: string, at: Date = new Date()): Git =>
  (...args) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=tour", "-c", "user.email=tour@example.org", ...args], {
      env: { ...environment(), GIT_AUTHOR_DATE: at.toISOString(), GIT_COMMITTER_DATE: at.toISOString() },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1"
})

/** Nobody has been there since. */
const age = (places: ReadonlyArray<string>, then: Date): void => {
  for (const place of places) {
    for (const name of ["", ...fs.readdirSync(place, { recursive: true, encoding: "utf8" })]) {
      fs.utimesSync(path.join(place, name), then, then)
    }
  }
}

/** As their manager wrote them, days ago. */
const writeRecords = (root: string): void => {
  const file = Root.store(root)
  const created_at = new Date(Date.now() - 30 * day).toISOString()
  const sessions = [harbor.id, orchard.id].map((id) => [
    id,
    { id, tmux_name: `tm-${id}`, workspace_path: path.join(root, "work", id), created_at }
  ])
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify({ sessions: Object.fromEntries(sessions) }))
}

/**
 * The real services of the root, but for tmux, which lists harbor alone, and the processes, which are this one's: whatever
 * else runs on the machine would change what the tour shows.
 */
export const services = (root: string) =>
  Layer.mergeAll(
    tmux(Effect.succeed(["tm-harbor"])),
    processes,
    ClaudeSessions.layer({ configDirectories: [path.join(root, "claude")] }),
    SessionStore.layer({ root })
  ).pipe(Layer.provideMerge(layer({ root, vantage: "here", journal: path.join(root, "state") })))

/** A tmux of the tour's own. */
export const tmux = (names: Effect.Effect<ReadonlyArray<string>, TmuxProbe.TmuxProbeError>) =>
  Layer.succeed(
    TmuxProbe.TmuxProbe,
    TmuxProbe.TmuxProbe.of({
      sockets: Effect.succeed(["tour"]),
      ask: () => Effect.map(names, (names) => ({ server: { pid: 1, startTime: 1 }, names })),
      panes: () => Effect.succeed([])
    })
  )

const processes = Layer.effect(
  ProcessTable.ProcessTable,
  Effect.map(ProcessTable.ProcessTable, (table) =>
    ProcessTable.ProcessTable.of({
      ...table,
      servers: undefined,
      snapshot: Effect.map(table.snapshot, (list) =>
        list._tag === "NotConsulted"
          ? list
          : {
              ...list,
              bootedAt: Date.now() - 60 * day,
              processes: list.processes.filter(({ pid, parent }) => [pid, parent].includes(list.self.pid))
            }
      )
    })
  )
)
