import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { SessionEnd, SessionOwners, WorkspaceClaims } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Survey from "../verdict/Survey.ts"
import * as Server from "./Server.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Daemon from "../machine/Daemon.ts"
import * as FaultyFiles from "../machine/FaultyFiles.ts"

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"

const claudeId = "c3fb74ec-8b9d-4142-954c-4bdf1a77f7f1"
const other = "63589e53-0b1c-4d6e-8a55-2f6d0a9b1c01"

/** Larger than any pid of Linux, so that no process has it, not even one that starts meanwhile. */
const endedPid = 4_194_305

/** Claude Code's own program and script, by path; what they do is to wait. */
const program = (root: string): string => path.join(root, "claude", "versions", "2.1.0")
const script = (root: string): string => path.join(root, "lib", "@anthropic-ai", "claude-code", "cli.js")

const startProgram = (root: string, options?: Parameters<typeof Daemon.start>[1]) =>
  Daemon.start([program(root), "600"], options)

const startScript = (root: string, ...args: ReadonlyArray<string>) =>
  Daemon.start([process.execPath, script(root), ...args])

/** When a process started: as ticks, and as an instant in milliseconds. */
const startOf = (pid: number): { readonly ticks: string; readonly at: number } => {
  const stat = Daemon.read(`/proc/${pid}/stat`)
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  const boot = Number(/^btime ([0-9]+)$/m.exec(Daemon.read("/proc/stat"))?.[1])
  return { ticks, at: boot * 1000 + Number(ticks) * 10 }
}

/** As C's `ctime` has it, in UTC. */
const ctime = (at: number): string => {
  const [, day, month, date, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(new Date(at).toUTCString()) ?? []
  return `${day} ${date} ${String(Number(month)).padStart(2, " ")} ${time} ${year}`
}

/** An entry as Claude Code writes it. */
const entry = (pid: number, sessionId: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    pid,
    sessionId,
    cwd: "/w/app",
    startedAt: 1778572448459,
    version: "2.1.139",
    peerProtocol: 1,
    kind: "interactive",
    entrypoint: "cli",
    status: "busy",
    updatedAt: 1778681861222,
    name: "app",
    tmux: "tm-app-01:@4.%4",
    ...more
  })

interface Stage {
  readonly root: string
  /** A config directory that is consulted, with `sessions` and `projects`. */
  readonly config: string
  readonly put: (name: string, text: string) => void
}

interface Asked {
  readonly own?: ReadonlyArray<number>
  readonly fileSystem?: Survey.Options["fileSystem"]
}

const makeConfig = (config: string, ...transcripts: ReadonlyArray<string>): string => {
  fs.mkdirSync(path.join(config, "sessions"), { recursive: true })
  for (const id of transcripts) Repo.write(config, { [`projects/-w-app/${id}.jsonl`]: "{}\n" })
  return config
}

/** What is said of the id in one world of registry and processes, for work that was last touched long ago. */
type Case = readonly [name: string, prepare: (stage: Stage) => Effect.Effect<Asked, never, Scope.Scope>, expect: string]

const withEntry =
  (
    text: (pid: number, start: ReturnType<typeof startOf>) => string,
    name: (pid: number) => string = (pid) => `${pid}.json`
  ) =>
  ({ root, put }: Stage) =>
    Effect.map(startProgram(root), (pid) => {
      put(name(pid), text(pid, startOf(pid)))
      return { own: [pid] }
    })

const inWords: (end: SessionEnd.SessionEnd) => string = SessionEnd.$match({
  Ended: ({ why }) => `Ended: ${why}`,
  Live: ({ why }) => `Live: ${why}`,
  Caller: () => "Caller",
  Undeterminable: ({ reason }) => `Undeterminable: ${reason}`
})

const nothing = Effect.succeed<Asked>({})
const ended = "Ended: its transcript is here"
const live = "Live: Claude process"
const unsettled = "Undeterminable: Claude process"
const undeterminable = "Undeterminable: no record and no link names"
const unread = "the Claude registry is not complete: "
const unnamed = "has no registry entry of its own"
const hour = 60 * 60 * 1000

const eio: FaultyFiles.Answer = { fails: "Unknown", code: "EIO" }
const forbidden: FaultyFiles.Answer = { fails: "PermissionDenied", code: "EACCES" }

const cases: ReadonlyArray<Case> = [
  ["no process, its transcript is there", () => nothing, ended],
  [
    "no process, no transcript",
    ({ config }) =>
      Effect.as(
        Effect.sync(() => fs.rmSync(path.join(config, "projects"), { recursive: true })),
        {}
      ),
    undeterminable
  ],
  [
    "a directory by the name of its transcript",
    ({ config }) =>
      Effect.sync(() => {
        const transcript = path.join(config, "projects", "-w-app", `${claudeId}.jsonl`)
        fs.rmSync(transcript)
        fs.mkdirSync(transcript)
        return {}
      }),
    undeterminable
  ],

  ["Linux: its process runs", withEntry((pid, { ticks }) => entry(pid, claudeId, { procStart: ticks })), live],
  [
    "Linux: another session's process runs, and is younger than the work",
    withEntry((pid, { ticks }) => entry(pid, other, { procStart: ticks })),
    ended
  ],
  [
    "Linux: the pid is another process now",
    ({ put }) =>
      Effect.map(Daemon.start(["sleep", "600"]), (pid) => {
        put(`${pid}.json`, entry(pid, claudeId, { procStart: "17" }))
        return { own: [pid] }
      }),
    ended
  ],
  [
    "Linux: the pid is another Claude process now, which has no entry",
    withEntry((pid) => entry(pid, claudeId, { procStart: "17" })),
    unnamed
  ],
  [
    "Linux: its process is a zombie",
    ({ root, put }) =>
      Effect.gen(function* () {
        const parent = yield* Daemon.start(["perl", "-e", 'if (!fork) { exec $ENV{PROGRAM}, "0" } sleep 600'], {
          env: { PROGRAM: program(root) }
        })
        const children = `/proc/${parent}/task/${parent}/children`
        yield* Server.until(() => /\) Z /.test(Daemon.read(`/proc/${Number(Daemon.read(children))}/stat`)))
        const pid = Number(Daemon.read(children))
        put(`${pid}.json`, entry(pid, claudeId, { procStart: startOf(pid).ticks }))
        return { own: [parent] }
      }),
    ended
  ],

  ["macOS: its process runs", withEntry((pid, { at }) => entry(pid, claudeId, { procStart: ctime(at) })), live],
  [
    "macOS: a process that started an hour later, which a stepped clock may explain",
    withEntry((pid, { at }) => entry(pid, claudeId, { procStart: ctime(at - hour) })),
    unsettled
  ],
  [
    "macOS: a process that started a day later",
    ({ put }) =>
      Effect.map(Daemon.start(["sleep", "600"]), (pid) => {
        put(`${pid}.json`, entry(pid, claudeId, { procStart: ctime(startOf(pid).at - 24 * hour) }))
        return { own: [pid] }
      }),
    ended
  ],
  [
    "macOS: a process that started a day earlier",
    withEntry((pid, { at }) => entry(pid, claudeId, { procStart: ctime(at + 24 * hour) })),
    unsettled
  ],

  ["old: no start, the pid runs", withEntry((pid) => entry(pid, claudeId)), unsettled],
  [
    "old: no start, the pid is gone",
    ({ put }) =>
      Effect.as(
        Effect.sync(() => put(`${endedPid}.json`, entry(endedPid, claudeId))),
        {}
      ),
    ended
  ],
  ["a start of another shape", withEntry((pid) => entry(pid, claudeId, { procStart: "a while ago" })), unsettled],
  [
    "an entry of another pid namespace",
    ({ put }) =>
      Effect.as(
        Effect.sync(() => put(`${endedPid}.json`, entry(endedPid, claudeId, { pidNamespace: "pid:[4026532999]" }))),
        {}
      ),
    unsettled
  ],
  [
    "of an older release, named otherwise: no entry",
    withEntry(
      () => JSON.stringify({ session_id: other, cwd: "/w" }),
      (pid) => `pid-${pid}.json`
    ),
    unnamed
  ],
  [
    "of an older release, an orphan",
    ({ put }) =>
      Effect.as(
        Effect.sync(() => put(`pid-${endedPid}.json`, "{")),
        {}
      ),
    ended
  ],

  ["half-written, its pid runs", withEntry((pid) => entry(pid, claudeId).slice(0, 40)), unread],
  ["empty, its pid runs", withEntry(() => ""), unread],
  ["of another pid than its name says, which runs", withEntry((pid) => entry(pid + 1, claudeId)), unread],
  ["larger than an entry, its pid runs", withEntry((pid) => entry(pid, other) + " ".repeat(2 ** 20)), unread],
  ...(
    [
      ["half-written", (file) => fs.writeFileSync(file, "{")],
      ["a directory", (file) => fs.mkdirSync(file)],
      ["a FIFO", (file) => void execFileSync("mkfifo", [file])],
      ["a link that leads nowhere", (file) => fs.symlinkSync("nowhere", file)]
    ] as ReadonlyArray<readonly [string, (file: string) => void]>
  ).flatMap(([name, make]): ReadonlyArray<Case> => [
    [
      `${name}, its pid is gone`,
      ({ config }) =>
        Effect.as(
          Effect.sync(() => make(path.join(config, "sessions", `${endedPid}.json`))),
          {}
        ),
      ended
    ],
    [
      `${name}, its pid runs`,
      ({ config }) =>
        Effect.map(Daemon.start(["sleep", "600"]), (pid) => {
          make(path.join(config, "sessions", `${pid}.json`))
          return { own: [pid] }
        }),
      unread
    ]
  ]),
  [
    "a link to a whole entry is not followed",
    ({ root, config, put }) =>
      Effect.map(startProgram(root), (pid) => {
        put("elsewhere", entry(pid, other, { procStart: startOf(pid).ticks }))
        fs.symlinkSync("elsewhere", path.join(config, "sessions", `${pid}.json`))
        return { own: [pid] }
      }),
    unread
  ],
  [
    "a name that begins with nought",
    withEntry(
      (pid) => entry(pid, other),
      (pid) => `0${pid}.json`
    ),
    unnamed
  ],

  [
    "a Claude process without an entry",
    ({ root }) => Effect.map(startProgram(root), (pid) => ({ own: [pid] })),
    unnamed
  ],
  [
    "the same, whose program was deleted by an update",
    ({ root }) =>
      Effect.map(startProgram(root), (pid) => {
        fs.rmSync(program(root))
        return { own: [pid] }
      }),
    unnamed
  ],
  [
    "the same as a script",
    ({ root }) => Effect.map(startScript(root, "--resume", other), (pid) => ({ own: [pid] })),
    unnamed
  ],
  [
    "the same behind options of the runtime",
    ({ root }) =>
      Effect.map(Daemon.start([process.execPath, "--no-warnings", "--require", "node:os", script(root)]), (pid) => ({
        own: [pid]
      })),
    unnamed
  ],
  [
    "the same as a script that gave itself a title",
    ({ root }) =>
      Effect.gen(function* () {
        Repo.write(path.dirname(script(root)), { "cli.js": 'process.title = "claude"; setTimeout(() => {}, 600_000)' })
        const pid = yield* startScript(root, "--resume", other)
        yield* Server.until(() => Daemon.commandLine(pid).startsWith("claude\x00"))
        return { own: [pid] }
      }),
    unnamed
  ],
  ...([["mcp", "serve"], ["daemon", "run"], ["--bg-spare"], ["--bg-pty-host"]] as const).map((args): Case => [
    `a helper: ${args.join(" ")}`,
    ({ root }) => Effect.map(startScript(root, ...args), (pid) => ({ own: [pid] })),
    ended
  ]),
  [
    "a process of that name alone",
    ({ root }) =>
      Effect.gen(function* () {
        const named = path.join(root, "bin", "claude-like")
        fs.mkdirSync(path.dirname(named))
        fs.copyFileSync(program(root), named)
        fs.chmodSync(named, 0o755)
        return {
          own: [yield* Daemon.start(["bash", "-c", 'exec -a claude "$PROGRAM" 600'], { env: { PROGRAM: named } })]
        }
      }),
    ended
  ],

  [
    "its transcript lies where a running process has its config directory",
    ({ root, config }) =>
      Effect.gen(function* () {
        fs.rmSync(path.join(config, "projects"), { recursive: true })
        const theirs = makeConfig(path.join(root, "theirs"), claudeId)
        const pid = yield* startProgram(root, { env: { CLAUDE_CONFIG_DIR: theirs } })
        fs.writeFileSync(
          path.join(theirs, "sessions", `${pid}.json`),
          entry(pid, other, { procStart: startOf(pid).ticks })
        )
        return { own: [pid] }
      }),
    ended
  ],
  [
    "its entry lies in the home of a running process",
    ({ root }) =>
      Effect.gen(function* () {
        const theirs = makeConfig(path.join(root, "home", ".claude"))
        const pid = yield* startProgram(root, { env: { HOME: path.join(root, "home") } })
        fs.writeFileSync(
          path.join(theirs, "sessions", `${pid}.json`),
          entry(pid, claudeId, { procStart: startOf(pid).ticks })
        )
        return { own: [pid] }
      }),
    live
  ],
  [
    "the environment of a running process cannot be read",
    ({ root, put }) =>
      Effect.map(startProgram(root), (pid) => {
        put(`${pid}.json`, entry(pid, other, { procStart: startOf(pid).ticks }))
        return {
          own: [pid],
          fileSystem: FaultyFiles.layer((_, at) => (at === `/proc/${pid}/environ` ? eio : undefined))
        }
      }),
    unread
  ],
  [
    "the environment of a running process may not be read",
    ({ root, put }) =>
      Effect.map(startProgram(root), (pid) => {
        put(`${pid}.json`, entry(pid, other, { procStart: startOf(pid).ticks }))
        return {
          own: [pid],
          fileSystem: FaultyFiles.layer((_, at) => (at === `/proc/${pid}/environ` ? forbidden : undefined))
        }
      }),
    ended
  ],
  ...(["sessions", "projects", "projects/-w-app"] as const).flatMap((directory): ReadonlyArray<Case> =>
    [eio, forbidden].map((answer) => [
      `${directory} cannot be read: ${"code" in answer ? answer.code : ""}`,
      ({ config }) =>
        Effect.succeed({
          fileSystem: FaultyFiles.layer((operation, at) =>
            at === path.join(config, directory) && operation !== "lstat" ? answer : undefined
          )
        }),
      unread
    ])
  ),
  [
    "sessions is a file",
    ({ config }) =>
      Effect.sync(() => {
        fs.rmSync(path.join(config, "sessions"), { recursive: true })
        fs.writeFileSync(path.join(config, "sessions"), "")
        return {}
      }),
    unread
  ],
  [
    "the config directory has no sessions yet",
    ({ config }) =>
      Effect.as(
        Effect.sync(() => fs.rmSync(path.join(config, "sessions"), { recursive: true })),
        {}
      ),
    ended
  ],
  [
    "the list of processes was cut off",
    () => Effect.succeed({ fileSystem: FaultyFiles.layer((_, at) => (at === "/proc" ? { gives: ["1"] } : undefined)) }),
    undeterminable
  ]
]

describe.skipIf(!onLinux)("whether a Claude session has ended", () => {
  it.live(
    "is told by the registry, the transcripts and the processes",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const since = Date.now() - 30 * Repo.day
        const actual: Record<string, string> = {}
        const expected: Record<string, string> = {}
        for (const [name, prepare, expect] of cases) {
          const own = path.join(root, `case-${Object.keys(expected).length}`)
          const config = makeConfig(path.join(own, "config"), claudeId)
          fs.mkdirSync(path.dirname(program(own)), { recursive: true })
          fs.copyFileSync("/bin/sleep", program(own))
          fs.chmodSync(program(own), 0o755)
          Repo.write(path.dirname(script(own)), { "cli.js": "setTimeout(() => {}, 600_000)" })
          const put = (file: string, text: string) => fs.writeFileSync(path.join(config, "sessions", file), text)
          const said = yield* Effect.scoped(
            Effect.flatMap(prepare({ root: own, config, put }), (asked) =>
              WorkspaceClaims.workspaceClaims().pipe(
                Effect.map(({ owners }) => SessionOwners.sessionEnd(owners, claudeId, since)),
                Effect.provide(Survey.layer({ root, configDirectories: [config], ...asked }))
              )
            )
          )
          const line = inWords(said)
          expected[name] = expect
          actual[name] = line.includes(expect) ? expect : line
        }
        assert.deepStrictEqual(actual, expected)
      }),
    timeout
  )
})
