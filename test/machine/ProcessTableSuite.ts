/**
 * What every process table tells of the same living processes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { ProcessTable, Processes } from "../../src/internal.ts"
import type * as PathUses from "../../src/machine/core/PathUses.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"
import * as Server from "../claims/Server.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Daemon from "./Daemon.ts"

const timeout = 60_000

/** Only root may start processes of another user. */
const isRoot = process.geteuid?.() === 0

const sleeping = ["sleep", "600"]

const isSleeping = (pid: number): boolean => Daemon.commandLine(pid) === "sleep\x00600\x00"

/** A process that has opened a file, under whatever name that has. */
const opening = (file: string) =>
  Daemon.start(["sh", "-c", 'exec 9<"$1" && exec sleep 600', "sh", file], { ready: isSleeping })

export const names: ReadonlyArray<string> = [
  "plain",
  "with space",
  "two  spaces ",
  "é",
  "e\u0301",
  "日本",
  "line\nfeed",
  "tab\tand\rreturn",
  "back\\slash",
  "\\x41",
  "^A",
  "\u0001",
  "quote'\"s",
  "ends so (deleted)",
  "ends so (devfs)",
  "(copy)",
  "-D",
  "a:b=c,d"
]

const look = Effect.flatMap(ProcessTable.ProcessTable, (table) =>
  Effect.gen(function* () {
    const snapshot = yield* table.snapshot
    if (snapshot._tag !== "Listed") return yield* Effect.die("nothing is listed")
    return { list: snapshot, uses: (yield* table.uses(snapshot)).paths }
  })
)

/** The ways in which a process uses what is on or in a directory. */
const kindsOf = (uses: ReadonlyArray<PathUses.PathUse>, pid: number, directory: string): ReadonlySet<string> =>
  new Set(
    uses
      .filter((use) => use.pid === pid && (use.path === directory || use.path.startsWith(`${directory}/`)))
      .map(({ kind }) => kind)
  )

/** A directory for a candidate, and what a table says while `body` has its processes running. */
const candidate = (
  layerIn: (directory: string) => Layer.Layer<ProcessTable.ProcessTable>,
  body: (directory: string, seen: Effect.Effect<Effect.Success<typeof look>>) => Effect.Effect<void, never, Scope.Scope>
) =>
  Effect.gen(function* () {
    const root = yield* tempRoot
    const directory = path.join(root, "candidate")
    fs.mkdirSync(directory)
    yield* body(directory, look.pipe(Effect.provide(layerIn(path.join(root, "tools"))), Effect.orDie))
  }).pipe(Effect.scoped)

export const suite = (name: string, layerIn: (directory: string) => Layer.Layer<ProcessTable.ProcessTable>): void => {
  describe.skipIf(process.platform !== "linux")(`a process table: ${name}`, () => {
    it.live(
      "shows a working directory and an open file under any name",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            const started: Array<{ readonly name: string; readonly at: string; readonly pids: ReadonlyArray<number> }> =
              []
            for (const name of names) {
              const at = path.join(directory, name)
              fs.mkdirSync(at)
              fs.writeFileSync(path.join(at, name), "")
              started.push({
                name,
                at,
                pids: [yield* Daemon.start(sleeping, { cwd: at }), yield* opening(path.join(at, name))]
              })
            }
            const { uses } = yield* seen
            for (const { name, at, pids } of started) {
              assert.isTrue(kindsOf(uses, pids[0] ?? 0, at).has("working directory"), JSON.stringify(name))
              assert.isTrue(kindsOf(uses, pids[1] ?? 0, at).has("open file"), JSON.stringify(name))
              assert.isTrue(
                uses.some((use) => use.pid === pids[1] && use.path === path.join(at, name)),
                JSON.stringify(name)
              )
            }
          })
        ),
      timeout
    )

    it.live(
      "shows an executable that was copied into it",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            const program = path.join(directory, "my program")
            fs.copyFileSync(execFileSync("which", ["sleep"], { encoding: "utf8" }).trim(), program)
            const pid = yield* Daemon.start([program, "600"])
            const { uses } = yield* seen
            assert.include([...kindsOf(uses, pid, directory)], "executable")
          })
        ),
      timeout
    )

    it.live(
      "shows what was removed while it is used",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            const file = path.join(directory, "file")
            const below = path.join(directory, "below")
            fs.writeFileSync(file, "")
            fs.mkdirSync(below)
            const opened = yield* opening(file)
            const standing = yield* Daemon.start(sleeping, { cwd: below })
            fs.rmSync(file)
            fs.rmdirSync(below)
            const { uses } = yield* seen
            assert.include([...kindsOf(uses, opened, directory)], "open file")
            assert.include([...kindsOf(uses, standing, directory)], "working directory")
          })
        ),
      timeout
    )

    it.live(
      "shows the paths of a command line, spaces included",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            const file = path.join(directory, "my file")
            fs.writeFileSync(file, "")
            const link = path.join(path.dirname(directory), "a link")
            fs.symlinkSync(directory, link)
            const commands = [
              ["tail", "-f", file],
              ["tail", "-f", `${link}/my file`],
              ["sh", "-c", "sleep 600; true", `--root=${directory}`],
              ["sh", "-c", `sleep 600; cat ${directory}/other`]
            ]
            const pids = yield* Effect.forEach(commands, (command) =>
              Daemon.start(command, { ready: (pid) => Daemon.commandLine(pid).startsWith(command[0] ?? "") })
            )
            const { uses } = yield* seen
            const paths = (pid: number | undefined) =>
              uses.filter((use) => use.pid === pid && use.kind === "command line").map((use) => use.path)
            assert.include(paths(pids[0]), file)
            assert.include(paths(pids[1]), `${link}/my file`)
            assert.include(paths(pids[2]), directory)
            assert.include(paths(pids[3]), `${directory}/other`)
          })
        ),
      timeout
    )

    it.live.skipIf(!isRoot)(
      "shows root what other users' processes use",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            fs.chmodSync(path.dirname(directory), 0o755)
            const pid = yield* Daemon.start(["setpriv", "--reuid=12345", "--clear-groups", ...sleeping], {
              cwd: directory,
              ready: isSleeping
            })
            const { uses, list } = yield* seen
            assert.deepInclude(
              list.processes.find((each) => each.pid === pid),
              { pid, user: 12345, name: "sleep", args: sleeping }
            )
            assert.include([...kindsOf(uses, pid, directory)], "working directory")
          })
        ),
      timeout
    )

    it.live(
      "lists each process with its parent, owner and start, itself included",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            const before = Date.now()
            const pid = yield* Daemon.start(sleeping, { cwd: directory })
            const { list } = yield* seen
            assert.isTrue(Processes.holdsSelf(list))
            const self = list.processes.find((each) => each.pid === process.pid)
            assert.deepInclude(self, { parent: process.ppid, user: Server.user })
            const child = list.processes.find((each) => each.pid === pid)
            assert.deepInclude(child, { name: "sleep", args: sleeping, terminal: false })
            assert.isBelow(Math.abs((child?.startedAt ?? 0) - before), timeout)
            assert.isBelow(list.bootedAt ?? before, child?.startedAt ?? 0)
          })
        ),
      timeout
    )

    it.live(
      "is not put off by processes that have ended or are about to",
      () =>
        candidate(layerIn, (directory, seen) =>
          Effect.gen(function* () {
            // The shell becomes a parent that never asks for the end of its child.
            const parent = yield* Daemon.start(["sh", "-c", "true & exec sleep 600"], {
              cwd: directory,
              ready: isSleeping
            })
            const { list } = yield* seen
            const child = list.processes.find((each) => each.parent === parent)
            assert.isTrue(child !== undefined && Processes.isZombie(child))
          })
        ),
      timeout
    )

    it.live(
      "tells servers of tmux from its clients",
      () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          const server = (yield* Server.start(root, { name: "s", sessions: ["a"] })).pid
          const shell = yield* Daemon.start(["sh", "-c", "sleep 600 | tmux -L s -C attach"], {
            env: { TMUX_TMPDIR: root },
            ready: () => true
          })
          yield* Server.until(() => clientOf(shell) !== undefined)
          const client = clientOf(shell) ?? 0
          const { list } = yield* look.pipe(Effect.provide(layerIn(path.join(root, "tools"))), Effect.orDie)
          const unheard = TmuxServer.unheard(list, new Set())
          assert.include(unheard, server)
          assert.notInclude(unheard, client)
          assert.notInclude(TmuxServer.unheard(list, new Set([server])), server)
        }).pipe(Effect.scoped),
      timeout
    )

    it.live(
      "leaves no server out that is told by its name, its program or its first argument",
      () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          const copy = path.join(root, "tmux-3.5a")
          fs.copyFileSync("/bin/sleep", copy)
          const named = yield* Daemon.start(["bash", "-c", "exec -a /opt/bin/tmux sleep 600"])
          const plain = yield* Daemon.start(sleeping)
          const pids = [
            (yield* Server.start(root, { name: "s", sessions: ["a"] })).pid,
            yield* Daemon.start(["bash", "-c", `exec -a other ${copy} 600`]),
            named
          ]
          const list = yield* ProcessTable.ProcessTable.pipe(
            Effect.flatMap(({ servers, snapshot }) => servers ?? snapshot),
            Effect.provide(layerIn(path.join(root, "tools")))
          )
          if (list._tag !== "Listed") return yield* Effect.die("nothing is listed")
          assert.isTrue(Processes.holdsSelf(list))
          const unheard = TmuxServer.unheard(list, new Set())
          // Where a program lies is not told by `ps`.
          for (const pid of name === "/proc" ? pids : [named]) assert.include(unheard, pid)
          assert.notInclude(unheard, plain)
        }).pipe(Effect.scoped),
      timeout
    )
  })
}

const clientOf = (shell: number): number | undefined =>
  Daemon.pids().find(
    (pid) =>
      Daemon.commandLine(pid).startsWith("tmux\0-L\0s\0-C") && Daemon.read(`/proc/${pid}/stat`).includes(` S ${shell} `)
  )
