import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { Liveness, Observation, ProcessTable, TmuxProbe } from "../../src/internal.ts"
import { isListening } from "../../src/node/isListening.ts"
import * as Child from "./Child.ts"
import * as Look from "./Look.ts"
import * as Server from "./Server.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"

/** Beyond the patience of what is waited for, on a busy machine. */
const timeout = 120_000

const { observe } = Look

const namesOf = (observation: Observation.Observation) =>
  observation._tag === "Answered" ? observation.names : Observation.explain(observation.reason).what

const pidsOf = (observation: Observation.Observation) =>
  observation._tag === "Answered" ? observation.servers.map(({ pid }) => pid) : undefined

const reasonOf = (observation: Observation.Observation) =>
  observation._tag === "Unobserved" ? observation.reason._tag : observation.names

const unheard = (pid: number) => Observation.Unobserved({ reason: Observation.Reason.UnheardServer({ pid }) })

const livenessOf = (observation: Observation.Observation, tmuxName: string) =>
  Liveness.livenessOf(observation, { tmuxName, process: "None" }, 0)._tag

describe("sessions", () => {
  it.live(
    "one that runs is listed, one that ended is not",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-runs", "tm-ends"] })
        const options = { directory, own: [server.pid] }
        assert.deepStrictEqual(namesOf(yield* observe(options)), ["tm-ends", "tm-runs"])
        server.tmux("kill-session", "-t", "=tm-ends")
        const observation = yield* observe(options)
        assert.deepStrictEqual(namesOf(observation), ["tm-runs"])
        assert.deepStrictEqual(pidsOf(observation), [server.pid])
        assert.strictEqual(livenessOf(observation, "tm-ends"), "SessionGone")
        assert.strictEqual(livenessOf(observation, "tm-runs"), "Live")
      }),
    timeout
  )

  it.live(
    "a server without sessions says who it is",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory)
        const observation = yield* observe({ directory, own: [server.pid] })
        assert.deepStrictEqual([pidsOf(observation), namesOf(observation)], [[server.pid], []])
      }),
    timeout
  )

  it.live(
    "a renamed one has its new name",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-before"] })
        server.tmux("rename-session", "-t", "=tm-before", "tm-after")
        assert.deepStrictEqual(namesOf(yield* observe({ directory, own: [server.pid] })), ["tm-after"])
      }),
    timeout
  )

  it.live(
    "500 of them",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory)
        const names = Array.from({ length: 500 }, (_, n) => `tm-${String(n).padStart(3, "0")}`)
        const file = path.join(directory, "sessions.conf")
        fs.writeFileSync(file, names.map((name) => `new-session -d -s ${name} ${Server.idle.join(" ")}\n`).join(""))
        server.tmux("source-file", file)
        assert.deepStrictEqual(namesOf(yield* observe({ directory, own: [server.pid] })), names)
      }),
    timeout
  )

  it.live(
    "however tmux spells a name, the session that was asked for under it is not gone",
    () =>
      Effect.gen(function* () {
        const names = [
          "tm-plain",
          "tm-two words",
          "tm-dot.ted",
          "tm-co:lon",
          "tm-$dollar",
          "tm-#hash",
          "tm-#{pid}",
          "tm-#(echo x)",
          "tm-a\ttab",
          "tm-line\nfeed",
          "tm- ends in a space ",
          "tm-back\\slash",
          "tm-quote'\"",
          "tm-ünï日本",
          "tm-e\u0301",
          "tm-🤖",
          "tm-\u202ereversed",
          "tm-server 1 1"
        ]
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: names })
        const observation = yield* observe({ directory, own: [server.pid] })
        assert.strictEqual(namesOf(observation).length, names.length)
        for (const name of names) assert.strictEqual(livenessOf(observation, name), "Live", JSON.stringify(name))
        assert.include(namesOf(observation), "tm-two words")
        assert.include(namesOf(observation), "tm- ends in a space ")
        assert.strictEqual(livenessOf(observation, "tm-never"), "SessionGone")
      }),
    timeout
  )

  for (const locale of ["C", "POSIX", "en_US.ISO-8859-1", "nowhere"]) {
    it.live(
      `a name that is not ASCII is whole under the locale ${locale}`,
      () =>
        Effect.gen(function* () {
          const directory = yield* Server.directory
          const env = { LC_ALL: locale, LANG: locale, LC_CTYPE: locale }
          const server = yield* Server.start(directory, { env, sessions: ["tm-naïve-日本"] })
          for (const isListening of [true, false]) {
            const observation = yield* observe({ directory, own: [server.pid], env, isListening })
            assert.deepStrictEqual(namesOf(observation), ["tm-naïve-日本"])
          }
        }),
      timeout
    )
  }
})

describe("servers", () => {
  it.live(
    "one that was killed leaves a socket, which is empty",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-killed"] })
        yield* Server.end(server.pid)
        assert.isTrue(fs.existsSync(server.socket))
        for (const isListening of [true, false]) {
          const options = { directory, own: [server.pid], isListening }
          const observation = yield* observe(options)
          assert.deepStrictEqual([pidsOf(observation), namesOf(observation)], [[], []])
          assert.strictEqual(livenessOf(observation, "tm-killed"), "SessionGone")
          assert.strictEqual(reasonOf(yield* observe({ ...options, table: "none" })), "ServerAbsent")
        }
      }),
    timeout
  )

  it.live(
    "one whose socket was deleted is not gone, nor when another listens in its place, and is heard once it made its socket anew",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const lost = yield* Server.start(directory, { sessions: ["tm-lost"] })
        fs.unlinkSync(lost.socket)
        const alone = { directory, own: [lost.pid] }
        assert.deepStrictEqual(yield* observe(alone), unheard(lost.pid))
        assert.deepStrictEqual(yield* observe({ ...alone, sockets: ["default"] }), unheard(lost.pid))

        const second = yield* Server.start(directory, { sessions: ["tm-second"] })
        const both = { directory, own: [lost.pid, second.pid] }
        for (const isListening of [true, false]) {
          const observation = yield* observe({ ...both, isListening })
          assert.deepStrictEqual(observation, unheard(lost.pid))
          assert.strictEqual(livenessOf(observation, "tm-lost"), "Live")
        }
        assert.strictEqual(reasonOf(yield* observe({ ...both, table: "raw" })), "UnheardServer")

        yield* Server.end(second.pid)
        // One that was killed leaves its socket behind.
        fs.unlinkSync(second.socket)
        Server.signal(lost.pid, "SIGUSR1")
        yield* Server.until(() => fs.existsSync(lost.socket))
        assert.deepStrictEqual(namesOf(yield* observe(alone)), ["tm-lost"])
      }),
    timeout
  )

  it.live(
    "one that never had sessions and lost its socket is unheard too",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory)
        fs.rmSync(path.dirname(server.socket), { recursive: true })
        assert.deepStrictEqual(yield* observe({ directory, own: [server.pid] }), unheard(server.pid))
      }),
    timeout
  )

  it.live(
    "names of two are joined",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const one = yield* Server.start(directory, { sessions: ["tm-one", "tm-both"] })
        const two = yield* Server.start(directory, { name: "an other", sessions: ["tm-two", "tm-both"] })
        const observation = yield* observe({ directory, own: [one.pid, two.pid] })
        assert.deepStrictEqual(namesOf(observation), ["tm-both", "tm-one", "tm-two"])
        assert.deepStrictEqual(
          pidsOf(observation),
          [one.pid, two.pid].sort((a, b) => a - b)
        )
      }),
    timeout
  )

  it.live(
    "one in another directory is unheard until its socket is named",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const elsewhere = yield* Server.directory
        const here = yield* Server.start(directory, { sessions: ["tm-here"] })
        const there = yield* Server.start(elsewhere, { sessions: ["tm-there"] })
        const options = { directory, own: [here.pid, there.pid] }
        assert.deepStrictEqual(yield* observe(options), unheard(there.pid))
        assert.deepStrictEqual(namesOf(yield* observe({ ...options, sockets: [there.socket] })), [
          "tm-here",
          "tm-there"
        ])
      }),
    timeout
  )

  it.live(
    "one that is stopped times out, its child goes, and a process that looked ends by itself",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-stopped"] })
        const beside = yield* Server.start(directory, { name: "beside", sessions: ["tm-beside"] })
        const options = { directory, own: [server.pid, beside.pid] }
        Server.signal(server.pid, "SIGSTOP")
        for (const isListening of [true, false]) {
          const { observation, ticks } = yield* Look.look({ ...options, isListening }, 700)
          assert.strictEqual(reasonOf(observation), "TimedOut")
          assert.include(namesOf(observation), server.socket)
          assert.strictEqual(livenessOf(observation, "tm-stopped"), "Live")
          assert.isAbove(ticks, 0)
        }
        assert.strictEqual(reasonOf(yield* Child.observed({ ...options, bound: 700 })), "TimedOut")
        const embedder = Child.run(process.execPath, [Child.script("embed.ts"), directory], Server.outside(directory))
        assert.strictEqual(reasonOf(JSON.parse(yield* embedder)), "TimedOut")
        Server.signal(server.pid, "SIGCONT")
        assert.deepStrictEqual(namesOf(yield* observe(options)), ["tm-beside", "tm-stopped"])
      }),
    timeout
  )

  it.live(
    "one that is stopped and takes no further connection is no absent one",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-full"] })
        Server.signal(server.pid, "SIGSTOP")
        const full = yield* Effect.acquireRelease(
          Effect.callback<Array<net.Socket>>((resume) => {
            const connections: Array<net.Socket> = []
            const next = () => {
              const connection = net.connect(server.socket)
              connections.push(connection)
              if (connections.length > 5000) return resume(Effect.die(new Error("the server takes any number")))
              connection.once("connect", next)
              connection.on("error", () => resume(Effect.succeed(connections)))
            }
            next()
          }),
          (connections) => Effect.sync(() => connections.forEach((connection) => connection.destroy()))
        )
        assert.isAbove(full.length, 1)
        const observation = yield* observe({ directory, own: [server.pid] }, 700)
        assert.strictEqual(reasonOf(observation), "TimedOut")
      }),
    timeout
  )

  it.live(
    "300 dead sockets cost no process",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-alone"] })
        const dead = Array.from({ length: 300 }, (_, n) => Server.socketOf(directory, `dead-${n}`))
        yield* leaveSockets(dead)
        assert.isTrue(dead.every((socket) => fs.statSync(socket).isSocket()))
        const { observation, children } = yield* Look.look({ directory, own: [server.pid] })
        assert.deepStrictEqual(namesOf(observation), ["tm-alone"])
        assert.strictEqual(children, 1)
      }),
    timeout
  )

  it.live(
    "a client without a terminal is none",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-served"] })
        const client = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn("tmux", ["-L", "default", "wait-for", "never"], {
              env: Server.outside(directory),
              detached: true,
              stdio: "ignore"
            })
          ),
          (client) => Server.end(client.pid ?? -1)
        )
        const looked = Effect.gen(function* () {
          const table = yield* ProcessTable.ProcessTable
          const look = yield* table.snapshot
          return look._tag === "Listed" ? look.processes.find(({ pid }) => pid === client.pid) : undefined
        }).pipe(Effect.orDie, Effect.provide(Look.rawTable))
        for (let look = 0; look < 500 && !(yield* looked)?.name.startsWith("tmux: "); look++) {
          yield* Effect.sleep("20 millis")
        }
        const seen = yield* looked
        assert.isDefined(seen)
        assert.deepStrictEqual([seen?.terminal, seen && TmuxServer.is(seen)], [false, false])
        const observation = yield* observe({ directory, own: [server.pid, client.pid ?? -1] })
        assert.deepStrictEqual(namesOf(observation), ["tm-served"])
      }),
    timeout
  )

  it.live(
    "the table shows every one, whatever its program is called",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const tmux = fs.realpathSync(execFileSync("which", ["tmux"], { encoding: "utf8" }).trim())
        const started = [yield* Server.start(directory)]
        for (const name of ["tmx", "tmux-next", "tmux-3.4", "tmux-3.5a-static-x86_64"]) {
          const executable = path.join(directory, name)
          fs.copyFileSync(tmux, executable)
          fs.chmodSync(executable, 0o700)
          started.push(yield* Server.start(directory, { name, executable }))
        }
        const pids: Array<number> = started.map(({ pid }) => pid)
        const table = yield* ProcessTable.ProcessTable
        const look = yield* table.snapshot
        assert(look._tag === "Listed")
        const unheardOf = (heard: ReadonlyArray<number>) =>
          TmuxServer.unheard(look, new Set(heard)).filter((pid) => pids.includes(pid))
        const sorted = [...pids].sort((a, b) => a - b)
        assert.deepStrictEqual(unheardOf([]), sorted)
        for (const pid of pids) assert.deepStrictEqual(unheardOf(pids.filter((other) => other !== pid)), [pid])
        assert.deepStrictEqual(unheardOf(pids), [])
      }).pipe(Effect.provide(Look.rawTable)),
    timeout
  )

  it.live(
    "a path too long for a socket does not say that nobody listens",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-near"] })
        const far = path.join(directory, "x".repeat(120))
        fs.symlinkSync(path.dirname(server.socket), far)
        const socket = path.join(far, "default")
        assert.isTrue(Option.isNone(yield* isListening(socket)))
        assert.strictEqual(
          reasonOf(yield* observe({ directory, own: [server.pid], sockets: [socket] })),
          "ConnectFailed"
        )
      }),
    timeout
  )

  it.live(
    "none is started by looking",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        for (const isListening of [true, false]) {
          const options = { directory, isListening, sockets: ["default", path.join(directory, "elsewhere")] }
          assert.deepStrictEqual(namesOf(yield* observe(options)), [])
          assert.strictEqual(reasonOf(yield* observe({ ...options, table: "none" })), "ServerAbsent")
        }
        const none = { directory, table: "none" } as const
        assert.strictEqual(reasonOf(yield* observe(none)), "ServerAbsent")
        assert.isFalse(fs.existsSync(path.join(directory, "elsewhere")))
        assert.isFalse(fs.existsSync(Server.socketOf(directory)))
      }),
    timeout
  )
})

describe("where the probe runs", () => {
  it.live(
    "a TMUX_TMPDIR that is not there is refused before any call",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-there"] })
        const file = path.join(directory, "file")
        fs.writeFileSync(file, "")
        fs.symlinkSync(path.join(directory, "nothing"), path.join(directory, "dangling"))
        for (const missing of ["nothing", "dangling"]) {
          const env = { TMUX_TMPDIR: path.join(directory, missing) }
          const { observation, children } = yield* Look.look({ directory, own: [server.pid], env })
          assert.strictEqual(reasonOf(observation), "SocketDirMissing")
          assert.strictEqual(children, 0)
        }
        const inFile = yield* observe({ directory, own: [server.pid], env: { TMUX_TMPDIR: file } })
        assert.strictEqual(reasonOf(inFile), "ConnectFailed")
      }),
    timeout
  )

  it.live(
    "inside a session, the caller is that session, whatever TMUX says; outside, it is nobody",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-a", "tm-b"] })
        const records = Object.fromEntries(["a", "b"].map((id) => [id, { id, tmux_name: `tm-${id}` }]))
        fs.mkdirSync(path.join(directory, "session-manager"))
        fs.writeFileSync(path.join(directory, "session-manager/sessions.json"), JSON.stringify({ sessions: records }))
        const options = JSON.stringify({ directory, own: [server.pid] })
        const command = (file: string) => [process.execPath, Child.script("identify.ts"), file, options]
        const paneOf = (session: string) => server.tmux("list-panes", "-t", `=${session}`, "-F", "#{pane_id}").trim()
        const pretending = `${server.socket},${server.pid},0`

        for (const [session, lies, expected] of [
          ["tm-a", [], "a"],
          ["tm-a", [`TMUX=${pretending}`, `TMUX_PANE=${paneOf("tm-b")}`], "a"],
          ["tm-b", ["-u", "TMUX", "-u", "TMUX_PANE"], "b"]
        ] as const) {
          const file = path.join(directory, `${session}-${lies.length}`)
          server.tmux("new-window", "-d", "-t", `=${session}:`, "env", ...lies, ...command(file))
          yield* Server.until(() => fs.existsSync(file))
          assert.strictEqual(JSON.parse(fs.readFileSync(file, "utf8")).caller, expected)
        }

        const outside = path.join(directory, "outside")
        const [node = "", ...args] = command(outside)
        yield* Child.run(node, args, {
          ...Server.outside(directory),
          TMUX: pretending,
          TMUX_PANE: paneOf("tm-a")
        })
        assert.deepStrictEqual(JSON.parse(fs.readFileSync(outside, "utf8")), { caller: null, tmux: pretending })
      }),
    timeout
  )

  it.live(
    "a window that two sessions show names neither as the caller",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-a", "tm-b"] })
        const records = Object.fromEntries(["a", "b"].map((id) => [id, { id, tmux_name: `tm-${id}` }]))
        fs.mkdirSync(path.join(directory, "session-manager"))
        fs.writeFileSync(path.join(directory, "session-manager/sessions.json"), JSON.stringify({ sessions: records }))
        const options = JSON.stringify({ directory, own: [server.pid] })
        const file = path.join(directory, "said")
        const command = [process.execPath, Child.script("identify.ts"), file, options]
        const wait = ["sh", "-c", 'until [ -e "$0" ]; do sleep 0.05; done; exec "$@"', path.join(directory, "go")]
        server.tmux("new-window", "-d", "-n", "shared", "-t", "=tm-a:", ...wait, ...command)
        server.tmux("link-window", "-d", "-s", "=tm-a:shared", "-t", "=tm-b:")
        fs.writeFileSync(path.join(directory, "go"), "")
        yield* Server.until(() => fs.existsSync(file))
        assert.isNull(JSON.parse(fs.readFileSync(file, "utf8")).caller)
      }),
    timeout
  )

  it.live(
    "a pane whose process has gone is nobody's",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-kept"] })
        server.tmux("set-option", "-g", "remain-on-exit", "on")
        server.tmux("new-window", "-d", "-n", "dead", "-t", "=tm-kept:", "true")
        const isDead = () => server.tmux("display-message", "-p", "-t", "=tm-kept:dead", "#{pane_dead}").trim() === "1"
        yield* Server.until(isDead)
        const panes = yield* TmuxProbe.TmuxProbe.use((probe) => probe.panes(server.socket)).pipe(
          Look.at({ directory, own: [server.pid] })
        )
        const alive = Number(server.tmux("list-panes", "-t", "=tm-kept:0", "-F", "#{pane_pid}"))
        assert.deepStrictEqual(panes, [{ id: "%0", pid: alive, session: "tm-kept" }])
      }),
    timeout
  )

  it.live(
    "inside a pane of another server, the configured one is asked",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const around = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-asked"] })
        const outer = yield* Server.start(around, { sessions: ["tm-outer"] })
        const file = path.join(directory, "said")
        const options = JSON.stringify({ directory, own: [server.pid], bound: 60_000 })
        const command = `"$0" "$1" "$2" > "$3.part"; mv "$3.part" "$3"`
        outer.tmux(
          "new-window",
          "-d",
          "-t",
          "=tm-outer:",
          "sh",
          "-c",
          command,
          process.execPath,
          Child.script("observe.ts"),
          options,
          file
        )
        yield* Server.until(() => fs.existsSync(file))
        assert.deepStrictEqual(namesOf(JSON.parse(fs.readFileSync(file, "utf8"))), ["tm-asked"])

        const env = { TMUX: `${outer.socket},${outer.pid},0`, TMUX_PANE: "%0" }
        assert.deepStrictEqual(namesOf(yield* observe({ directory, own: [server.pid], env })), ["tm-asked"])
        assert.deepStrictEqual(yield* observe({ directory, own: [server.pid, outer.pid], env }), unheard(outer.pid))
      }),
    timeout
  )
})

/** Sockets that nobody listens at any more: who bound them was killed. */
const leaveSockets = (sockets: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const binder = spawn(process.execPath, [
      "-e",
      `let open = 0
       for (const socket of process.argv.slice(1))
         require("node:net").createServer().listen(socket, () => { if (++open === process.argv.length - 1) process.kill(process.pid, "SIGKILL") })`,
      ...sockets
    ])
    binder.once("exit", () => resume(Effect.void))
  })
