import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { ProcessTable } from "../../src/internal.ts"
import * as GatherOccupants from "../../src/claims/Occupants.ts"
import * as PathUses from "../../src/machine/core/PathUses.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"
import * as Server from "../claims/Server.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Daemon from "../machine/Daemon.ts"
import * as FaultyFiles from "../machine/FaultyFiles.ts"

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"

const may = (command: string, ...args: ReadonlyArray<string>): boolean => spawnSync(command, args).status === 0

/** Whether this process may mount, change its root and become another user. */
const privileged = onLinux && process.geteuid?.() === 0 && may("unshare", "-m", "true")

const hasPerl = may("perl", "-e", "1")

const nobody = 65533

const sleeping: ReadonlyArray<string> = ["sleep", "600"]

/** The same, as a program that takes any arguments. */
const idle = (...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  "-e",
  "setTimeout(() => {}, 600_000)",
  "--",
  ...args
]

/** One way to use a worktree: what it starts, and what the gate says of it; `undefined` where it does not count. */
interface Use {
  readonly name: string
  readonly needs?: boolean
  /** Whether it is only looked at among the test's own processes. */
  readonly alone?: boolean
  /** What the worktree is called; something plain unless given. */
  readonly called?: string
  /** Gives the pids that the table of processes must show. */
  readonly start: (at: string, root: string) => Effect.Effect<ReadonlyArray<number>, never, Scope.Scope>
  readonly expect: ((at: string, root: string) => string) | undefined
}

/** A library that any program may load. */
const library = fs
  .globSync("/usr/lib/*/libm.so.6")
  .concat(fs.globSync("/lib/*/libm.so.6"))
  .map((file) => fs.realpathSync(file))
  .concat("")[0] as string

/** A process that holds nothing open there, and is told of every change. */
const watching = (directory: string, recursive = false) =>
  Daemon.start(
    [
      process.execPath,
      "-e",
      "require('fs').watch(process.env.WATCHED, { recursive: process.env.RECURSIVE === 'true' }); setTimeout(() => {}, 600_000)"
    ],
    {
      env: { WATCHED: directory, RECURSIVE: String(recursive) },
      ready: (pid) => fs.globSync(`/proc/${pid}/fdinfo/*`).some((file) => Daemon.read(file).includes("inotify wd:"))
    }
  )

const one = <E, R>(pid: Effect.Effect<number, E, R>) => Effect.map(pid, (started) => [started])

const copy = (program: string, to: string): string => {
  fs.mkdirSync(path.dirname(to), { recursive: true })
  fs.copyFileSync(execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim(), to)
  fs.chmodSync(to, 0o755)
  return to
}

const uses: ReadonlyArray<Use> = [
  {
    name: "a shell inside",
    start: (at) => one(Daemon.start(sleeping, { cwd: path.join(at, "dir") })),
    expect: (at) => `working directory ${at}/dir`
  },
  {
    name: "a shell in a directory that was removed",
    start: (at) =>
      Effect.gen(function* () {
        const gone = path.join(at, "ignored", "gone")
        fs.mkdirSync(gone, { recursive: true })
        const pid = yield* Daemon.start(sleeping, { cwd: gone })
        fs.rmSync(gone, { recursive: true })
        return [pid]
      }),
    expect: (at) => `working directory ${at}/ignored/gone`
  },
  {
    name: "a shell in the worktree that stood in its place before",
    start: (at) =>
      Effect.gen(function* () {
        const pid = yield* Daemon.start(sleeping, { cwd: at })
        const repository = path.dirname(path.dirname(path.dirname(Repo.adminOf(at))))
        const branch = Repo.git(at, "branch", "--show-current").trim()
        Repo.git(repository, "worktree", "remove", "--force", at)
        Repo.git(repository, "worktree", "add", "-q", at, branch)
        return [pid]
      }),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "the tmux server itself, which was started inside and answered",
    // Among all processes there are servers of others, so that it does not count as heard.
    alone: true,
    start: (at, root) =>
      Effect.gen(function* () {
        const tmux = (...args: ReadonlyArray<string>) =>
          execFileSync("tmux", ["-u", "-f", "/dev/null", "-L", "inside", ...args], {
            cwd: at,
            env: Server.outside(root),
            encoding: "utf8"
          })
        return yield* one(
          Effect.acquireRelease(
            Effect.sync(() => {
              tmux("new-session", "-d", "-s", "tm-outside", "-c", "/", ...Server.idle)
              return Number(tmux("display-message", "-p", "#{pid}"))
            }),
            Server.end
          )
        )
      }),
    expect: undefined
  },
  {
    name: "a shell in a worktree whose name ends like that of a deleted file",
    called: "gone (deleted)",
    start: (at) => one(Daemon.start(sleeping, { cwd: at })),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "a pane of tmux",
    start: (at, root) =>
      Effect.gen(function* () {
        const server = yield* Server.start(root, { name: "pane" })
        Server.open(server.tmux, "tm-inside", "-c", at)
        return [server.pid]
      }),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "tail -f of a file inside",
    start: (at) => one(Daemon.start(["tail", "-f", path.join(at, "a.txt")])),
    expect: (at) => `open file ${at}/a.txt`
  },
  {
    name: "an open file inside that the command line does not name",
    start: (at) =>
      one(Daemon.start(["sh", "-c", 'exec sleep 600 3< "$FILE"'], { env: { FILE: path.join(at, "a.txt") } })),
    expect: (at) => `open file ${at}/a.txt`
  },
  {
    name: "an open file that was removed",
    start: (at) =>
      Effect.gen(function* () {
        const file = path.join(at, "x.log")
        const pid = yield* Daemon.start(["sh", "-c", 'exec sleep 600 3> "$FILE"'], { env: { FILE: file } })
        fs.rmSync(file)
        return [pid]
      }),
    expect: (at) => `open file ${at}/x.log`
  },
  {
    name: "a program that lies inside",
    start: (at) =>
      one(
        Daemon.start(["bash", "-c", 'exec -a idle "$PROGRAM" 600'], {
          env: { PROGRAM: copy("sleep", path.join(at, "ignored", "daemon")) }
        })
      ),
    expect: (at) => `executable ${at}/ignored/daemon`
  },
  {
    name: "a program that lay inside and was deleted",
    start: (at) =>
      Effect.gen(function* () {
        const program = copy("sleep", path.join(at, "ignored", "daemon"))
        const pid = yield* Daemon.start(["bash", "-c", 'exec -a idle "$PROGRAM" 600'], { env: { PROGRAM: program } })
        fs.rmSync(program)
        return [pid]
      }),
    expect: (at) => `executable ${at}/ignored/daemon`
  },
  {
    name: "a path on the command line",
    start: (at) => one(Daemon.start(idle(path.join(at, "nowhere", "yet")))),
    expect: (at) => `command line ${at}/nowhere/yet`
  },
  {
    name: "a path after an equals sign",
    start: (at) => one(Daemon.start(idle(`--root=${at}`))),
    expect: (at) => `command line ${at}`
  },
  {
    name: "a path with spaces after an equals sign",
    called: "two words",
    start: (at) => one(Daemon.start(idle(`--root=${at}`))),
    expect: (at) => `command line ${at}`
  },
  {
    name: "a path on the command line that leads through a link",
    start: (at, root) =>
      Effect.suspend(() => {
        const link = path.join(root, "link")
        fs.symlinkSync(at, link)
        return one(Daemon.start(idle(path.join(link, "dir"))))
      }),
    expect: (_, root) => `command line ${root}/link/dir`
  },
  {
    name: "a path on the command line with a file in the way",
    start: (at) => one(Daemon.start(idle(path.join(at, "a.txt", "test_one")))),
    expect: (at) => `command line ${at}/a.txt/test_one`
  },
  {
    name: "a path within a script",
    start: (at) => one(Daemon.start(idle(`sleep 1;cd ${at}/dir && make`))),
    expect: (at) => `command line ${at}/dir`
  },
  {
    name: "a path within a list",
    start: (at) => one(Daemon.start(idle("--classpath", `lib.jar:${at}/lib`))),
    expect: (at) => `command line ${at}/lib`
  },
  {
    name: "a path beside it whose name begins alike",
    start: (at) => one(Daemon.start(idle(`${at}-other/x`))),
    expect: undefined
  },
  ...["my fix", "a,b", "a=b", "a:b", "a(b"].map((called): Use => ({
    name: `a script that names it, called ${called}`,
    called,
    start: (at) =>
      one(
        Daemon.start(["bash", "-c", `while sleep 9; do true '${at}' test; done`], {
          ready: (pid) => Daemon.commandLine(pid).includes(`'${at}'`)
        })
      ),
    expect: (at) => `command line ${at}`
  })),
  {
    name: "a script that names what stands beside it and begins alike",
    called: "my",
    start: (at) => one(Daemon.start(idle(`make -C '${at} fix' test`))),
    expect: undefined
  },
  ...[
    { name: "~", script: "while sleep 9; do true ~/NAME; done" },
    { name: "$HOME", script: 'while sleep 9; do true "$HOME/NAME"; done' },
    { name: "${AT}", script: 'while sleep 9; do true "${AT}"; done' }
  ].map(({ name, script }): Use => ({
    name: `a script that names it by ${name}`,
    start: (at) =>
      Effect.suspend(() => {
        const text = script.replaceAll("NAME", path.basename(at))
        return one(
          Daemon.start(["bash", "-c", text], {
            env: { HOME: path.dirname(at), AT: at },
            ready: (pid) => Daemon.commandLine(pid).includes(text)
          })
        )
      }),
    expect: (at) => `command line ${at}`
  })),
  {
    name: "a script that names it by a variable of another value",
    start: (at) =>
      one(
        Daemon.start(["bash", "-c", 'while sleep 9; do true "$HOME" "$AT"; done'], {
          env: { HOME: path.dirname(at), AT: `${at}-other` },
          ready: (pid) => Daemon.commandLine(pid).includes("$AT")
        })
      ),
    expect: undefined
  },
  {
    name: "a socket that listens inside",
    start: (at) =>
      one(
        Daemon.start(
          [process.execPath, "-e", "require('net').createServer().listen(process.env.AT + '/ignored.sock')"],
          { env: { AT: at }, ready: () => fs.existsSync(path.join(at, "ignored.sock")) }
        )
      ),
    expect: (at) => `open file ${at}/ignored.sock`
  },
  {
    name: "a socket that listens inside, by a relative path of a server that has left",
    start: (at) =>
      one(
        Daemon.start(
          [
            process.execPath,
            "-e",
            "process.chdir(process.env.AT); require('net').createServer().listen('ignored.sock'); process.chdir('/')"
          ],
          { env: { AT: at }, ready: () => fs.existsSync(path.join(at, "ignored.sock")) }
        )
      ),
    expect: (at) => `open file ${at}/ignored.sock`
  },
  {
    name: "a socket that listens inside, in another network namespace",
    needs: privileged,
    start: (at) =>
      one(
        Daemon.start(
          [
            "unshare",
            "--net",
            process.execPath,
            "-e",
            "require('net').createServer().listen(process.env.AT + '/ignored.sock')"
          ],
          { env: { AT: at }, ready: () => fs.existsSync(path.join(at, "ignored.sock")) }
        )
      ),
    expect: (at) => `open file ${at}/ignored.sock`
  },
  {
    name: "an overlay of it in another mount namespace",
    needs: privileged,
    start: (at, root) =>
      Effect.suspend(() => {
        const over = fs.mkdtempSync(path.join(root, "over-"))
        const overlay = "mount -t tmpfs none . && mkdir up work to && mount -t overlay none to"
        return one(
          Daemon.start(
            [
              "unshare",
              "-m",
              "sh",
              "-c",
              `cd "$OVER" && ${overlay} -o "lowerdir=$AT,upperdir=up,workdir=work" && cd / && exec sleep 600`
            ],
            { env: { OVER: over, AT: at }, ready: (pid) => Daemon.commandLine(pid) === "sleep\x00600\x00" }
          )
        )
      }),
    expect: (at) => `mount ${at}`
  },
  {
    name: "a program started by a relative path",
    start: (at, root) => {
      const main = path.join(root, "main")
      fs.mkdirSync(main)
      return one(Daemon.start(idle(`../w/${path.basename(at)}/server.js`), { cwd: main }))
    },
    expect: () => "command line "
  },
  {
    name: "a library that lies inside",
    needs: library !== "",
    start: (at) =>
      Effect.suspend(() => {
        const loaded = path.join(at, "ignored", "libm.so")
        fs.mkdirSync(path.dirname(loaded), { recursive: true })
        fs.copyFileSync(library, loaded)
        return one(Daemon.start(sleeping, { env: { LD_PRELOAD: loaded } }))
      }),
    expect: (at) => `mapped file ${at}/ignored/libm.so`
  },
  {
    name: "a watch on it",
    start: (at) => one(watching(at)),
    expect: () => "watch on a directory in it"
  },
  {
    name: "a watch on a directory in it",
    start: (at) => one(watching(path.join(at, "dir"))),
    expect: () => "watch on a directory in it"
  },
  {
    name: "a watch beside it",
    start: (at, root) => {
      const beside = path.join(root, `watched-${path.basename(at)}`)
      fs.mkdirSync(beside)
      return one(watching(beside))
    },
    expect: undefined
  },
  {
    name: "a tmux server that names it, which answered",
    alone: true,
    start: (at, root) =>
      Effect.gen(function* () {
        const tmux = (...args: ReadonlyArray<string>) =>
          execFileSync("tmux", ["-u", "-f", "/dev/null", "-L", "names", ...args], {
            cwd: "/",
            env: Server.outside(root),
            encoding: "utf8"
          })
        return yield* one(
          Effect.acquireRelease(
            Effect.sync(() => {
              tmux("new-session", "-d", "-s", "first", "-c", at, ...Server.idle)
              tmux("new-session", "-d", "-s", "second", "-c", "/", ...Server.idle)
              tmux("kill-session", "-t", "=first")
              return Number(tmux("display-message", "-p", "#{pid}"))
            }),
            Server.end
          )
        )
      }),
    expect: undefined
  },
  {
    name: "a relative path",
    start: () => one(Daemon.start(idle("dir/b.txt", "--flag=a.txt"))),
    expect: undefined
  },
  {
    name: "a directory above it",
    start: (at) => one(Daemon.start(sleeping, { cwd: path.dirname(at) })),
    expect: undefined
  },
  {
    name: "a command name with brackets, spaces and a line feed",
    start: (at, root) =>
      one(Daemon.start([copy("sleep", path.join(root, "bin", "a) R (\nb) Z 1")), "600"], { cwd: at })),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "a zombie that was inside",
    needs: hasPerl,
    start: (at) =>
      Effect.gen(function* () {
        const parent = yield* Daemon.start(["perl", "-e", "if (!fork) { chdir $ENV{AT}; exit } sleep 600"], {
          env: { AT: at },
          ready: (pid) => Daemon.read(`/proc/${pid}/task/${pid}/children`) !== ""
        })
        const child = Number(Daemon.read(`/proc/${parent}/task/${parent}/children`))
        yield* Server.until(() => /\) Z /.test(Daemon.read(`/proc/${child}/stat`)))
        return [parent]
      }),
    expect: undefined
  },
  {
    name: "a process whose first thread has ended, and others have not",
    needs: may("python3", "-c", "import ctypes"),
    start: (at) =>
      one(
        Daemon.start(
          [
            "python3",
            "-c",
            [
              "import ctypes, threading, time",
              "threading.Thread(target=time.sleep, args=(600,)).start()",
              "ctypes.CDLL(None).pthread_exit(None)"
            ].join("\n")
          ],
          { cwd: at, ready: (pid) => /\) Z /.test(Daemon.read(`/proc/${pid}/stat`)) }
        )
      ),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "a thread that went there alone",
    needs: may("python3", "-c", "import ctypes"),
    start: (at) =>
      one(
        Daemon.start(
          [
            "python3",
            "-c",
            [
              "import ctypes, os, threading, time",
              "def leave():",
              "  ctypes.CDLL(None).unshare(0x200)",
              "  os.chdir(os.environ['AT'])",
              "  time.sleep(600)",
              "threading.Thread(target=leave).start()"
            ].join("\n")
          ],
          {
            env: { AT: at },
            ready: (pid) =>
              fs
                .readdirSync(`/proc/${pid}/task`)
                .some((thread) => Daemon.readLink(`/proc/${pid}/task/${thread}/cwd`) === at)
          }
        )
      ),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "a child of the one who asks",
    start: (at) =>
      Effect.as(
        Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["600"], { cwd: at, stdio: "ignore" })),
          (child) => Effect.sync(() => void child.kill("SIGKILL"))
        ),
        []
      ),
    expect: undefined
  },
  {
    name: "a process of another user",
    needs: privileged,
    start: (at) => one(Daemon.start(["setpriv", "--reuid=65534", "--clear-groups", ...sleeping], { cwd: at })),
    expect: (at) => `working directory ${at}`
  },
  {
    name: "a process whose root is inside",
    needs: privileged && hasPerl,
    start: (at) =>
      one(
        Daemon.start(["perl", "-e", "chroot($ENV{AT}) or die; sleep 600"], {
          env: { AT: path.join(at, "dir") },
          ready: (pid) => Daemon.readLink(`/proc/${pid}/root`) !== "/"
        })
      ),
    expect: (at) => `root ${at}/dir`
  },
  ...(
    [
      ["the worktree", "", ""],
      ["a directory of it", "dir", ""],
      ["a directory of it, and work below that", "ignored", "deep/er"]
    ] as const
  ).flatMap(([what, inside, below]): ReadonlyArray<Use> => [
    {
      name: `${what} under another name in another mount namespace`,
      needs: privileged,
      start: (at, root) =>
        Effect.suspend(() => {
          const elsewhere = fs.mkdtempSync(path.join(root, "elsewhere-"))
          fs.mkdirSync(path.join(at, inside, below), { recursive: true })
          return one(
            Daemon.start(
              ["unshare", "-m", "sh", "-c", 'mount --bind "$FROM" "$TO" && cd "$TO/$BELOW" && exec sleep 600'],
              {
                env: { FROM: path.join(at, inside), TO: elsewhere, BELOW: below },
                ready: (pid) => Daemon.commandLine(pid) === "sleep\x00600\x00"
              }
            )
          )
        }),
      expect: () => "working directory "
    },
    {
      name: `${what} under another name`,
      needs: privileged,
      start: (at, root) =>
        Effect.gen(function* () {
          const elsewhere = fs.mkdtempSync(path.join(root, "bound-"))
          fs.mkdirSync(path.join(at, inside, below), { recursive: true })
          yield* Effect.acquireRelease(
            Effect.sync(() => void execFileSync("mount", ["--bind", path.join(at, inside), elsewhere])),
            () => Effect.sync(() => void execFileSync("umount", ["-l", elsewhere]))
          )
          return yield* one(Daemon.start(sleeping, { cwd: path.join(elsewhere, below) }))
        }),
      expect: () => "working directory "
    }
  ]),
  ...(
    [
      ["the worktree", ""],
      ["a directory of it", "dir"],
      ["a file of it", "a.txt"],
      ["a directory above it", ".."]
    ] as const
  ).map(([what, mounted]): Use => ({
    name: `a container that idles, in which ${what} is mounted`,
    needs: privileged,
    start: (at, root) => one(Daemon.idleContainer(path.join(at, mounted), root)),
    expect: mounted === ".." ? undefined : (at) => `mount ${path.join(at, mounted)}`
  }))
]

describe.skipIf(!onLinux)("who uses a worktree", () => {
  it.live(
    "is found by whatever holds it",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const wanted = uses.filter(({ needs }) => needs !== false)
        const staged = wanted.map((use, index) => ({
          ...use,
          at: Repo.link(repository, path.join(root, "w", use.called ?? `use-${index}`), `use-${index}`)
        }))
        const own: Array<number> = []
        for (const { at, start } of staged) own.push(...(yield* start(at, root)))
        for (const { at } of staged) Repo.age(Repo.adminOf(at))
        for (const table of ["own", "raw"] as const) {
          const plan = yield* Survey.survey(repository, { root, own, table })
          const [actual, expected] = Survey.compare(
            plan,
            staged
              .filter(({ alone }) => alone !== true || table === "own")
              .map(({ name, at, expect }) => [
                name,
                at,
                expect === undefined ? "Permit" : `Occupied: ${expect(at, root)}`
              ])
          )
          assert.deepStrictEqual(actual, expected, table)
        }
      }),
    timeout
  )
})

/** A repository and one aged worktree of it. */
const stage = Effect.map(tempRoot, (root) => {
  const repository = Repo.create(path.join(root, "repository"))
  const worktree = Repo.link(repository, path.join(root, "worktree"), "work")
  Repo.age(Repo.adminOf(worktree))
  return { root, repository, worktree }
})

const gateOf = (repository: string, name: string, options: Survey.Options) =>
  Effect.map(Survey.survey(repository, options), ({ candidates: [candidate] }) => Survey.gate(candidate, name))

describe.skipIf(!onLinux)("who asks", () => {
  it.live(
    "does not count by the command lines above it, but by their working directories",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const surveyor = fileURLToPath(new URL("./surveyor.ts", import.meta.url))
        const argument = JSON.stringify({ root, repository, table: "raw" })
        const askedFrom = (directory: string, ...args: ReadonlyArray<string>) => {
          const script = '(cd / && exec "$NODE" "$SURVEYOR" "$ARGUMENT"); exit'
          const env = { ...process.env, NODE: process.execPath, SURVEYOR: surveyor, ARGUMENT: argument }
          const printed = execFileSync("sh", ["-c", script, "sh", ...args], { cwd: directory, env, encoding: "utf8" })
          const [candidate] = JSON.parse(printed).candidates
          return candidate.path === worktree ? Survey.gate(candidate, "Occupied") : candidate
        }
        assert.isUndefined(askedFrom("/", worktree, `--at=${worktree}`))
        assert.include(askedFrom(worktree), `working directory ${worktree}`)
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("who works around it", () => {
  it.live(
    "does not occupy it by watching the checkout around it, and does by watching it alone",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const [one, two] = ["one", "two"].map((name) =>
          Repo.link(repository, path.join(repository, ".claude", "worktrees", name), name)
        ) as [string, string]
        for (const at of [one, two]) Repo.age(Repo.adminOf(at))
        const editor = yield* watching(repository, true)
        yield* Server.until(() =>
          fs.globSync(`/proc/${editor}/fdinfo/*`).some((file) => Daemon.read(file).split("inotify wd:").length > 8)
        )
        const watcher = yield* watching(two)
        const plan = yield* Survey.survey(repository, { root, own: [editor, watcher] })
        assert.isUndefined(Survey.gate(Survey.at(plan, one), "Occupied"))
        assert.include(Survey.gate(Survey.at(plan, two), "Occupied"), `(process ${watcher})`)
      }),
    timeout
  )

  it.live(
    "does not occupy it by watching the whole home, as an indexer does",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const home = path.join(root, "home")
        const repository = Repo.create(path.join(home, "repository"))
        const tree = Repo.link(repository, path.join(home, "trees", "one"), "one")
        const indexer = yield* watching(home, true)
        yield* Server.until(() =>
          fs.globSync(`/proc/${indexer}/fdinfo/*`).some((file) => Daemon.read(file).split("inotify wd:").length > 8)
        )
        const asked = (of: string) =>
          Effect.map(
            Survey.survey(repository, { root, own: [indexer] }).pipe(Effect.provideService(GatherOccupants.Home, of)),
            (plan) => Survey.gate(Survey.at(plan, tree), "Occupied")
          )
        assert.isUndefined(yield* asked(home))
        for (const other of [root, tree, ""]) {
          assert.include(yield* asked(other), `(process ${indexer})`, other)
        }
      }),
    timeout
  )

  it.live(
    "occupies it by a registry entry, wherever its process stands",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const pid = yield* Daemon.start(sleeping)
        const ticks = Daemon.read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ")[19]
        const sessions = path.join(root, "config", "sessions")
        fs.mkdirSync(sessions, { recursive: true })
        for (const field of ["cwd", "worktree"]) {
          const entry = { pid, sessionId: "c-1", procStart: ticks, cwd: "/", [field]: path.join(worktree, "dir") }
          fs.writeFileSync(path.join(sessions, `${pid}.json`), JSON.stringify(entry))
          const configDirectories = [path.join(root, "config")]
          assert.include(
            yield* gateOf(repository, "Occupied", { root, own: [pid], configDirectories }),
            `registry entry ${worktree}/dir`,
            field
          )
        }
      }),
    timeout
  )

  it.live.skipIf(!hasPerl)(
    "occupies it by the command line of an editor above the terminal, and not by the words of the question",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const surveyor = fileURLToPath(new URL("./surveyor.ts", import.meta.url))
        const argument = JSON.stringify({ root, repository, table: "raw" })
        const askedUnder = (word: string) => {
          const script =
            "open STDERR, '>/dev/null'; exit(system('sh', '-c', '\"$NODE\" \"$SURVEYOR\" \"$ARGUMENT\"; true') >> 8)"
          const env = { ...process.env, NODE: process.execPath, SURVEYOR: surveyor, ARGUMENT: argument }
          const printed = execFileSync("perl", ["-e", script, word], { cwd: "/", env, encoding: "utf8" })
          return Survey.gate(JSON.parse(printed).candidates[0], "Occupied")
        }
        assert.include(askedUnder(worktree), `perl (process `)
        assert.isUndefined(askedUnder(argument))
      }),
    timeout
  )
})

describe.skipIf(!privileged)("who may not look into other users' processes", () => {
  it.live(
    "is told what their containers have mounted",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree } = yield* stage
        const pid = yield* Daemon.idleContainer(path.join(worktree, "dir"), root)
        execFileSync("chown", ["-R", `${nobody}:${nobody}`, root])
        const surveyor = fileURLToPath(new URL("./surveyor.ts", import.meta.url))
        const argument = JSON.stringify({ root, repository, own: [pid], user: nobody })
        const printed = execFileSync(process.execPath, [surveyor, argument], { cwd: "/", encoding: "utf8" })
        assert.include(Survey.gate(JSON.parse(printed).candidates[0], "Occupied"), `mount ${worktree}/dir`)
      }),
    timeout
  )
})

/** What the processes use, or why it cannot be told. */
const usesOf = (options: Survey.Options) =>
  ProcessTable.ProcessTable.use((table) =>
    Effect.flatMap(table.snapshot, (look) =>
      look._tag === "Listed" ? table.uses(look) : Effect.succeed(PathUses.none)
    )
  ).pipe(Effect.provide(Survey.layer(options)))

describe.skipIf(!onLinux)("a table of processes", () => {
  const eio: FaultyFiles.Answer = { fails: "Unknown", code: "EIO" }
  const forbidden: FaultyFiles.Answer = { fails: "PermissionDenied", code: "EACCES" }
  const gone: FaultyFiles.Answer = { fails: "NotFound", code: "ENOENT" }
  const noSuchProcess: FaultyFiles.Answer = { fails: "Unknown", code: "ESRCH" }

  const files = ["stat", "status", "cmdline", "exe", "ns/mnt", "cwd", "root", "fd", "fd/0", "environ"]

  it.live(
    "in which a process cannot be read refuses, unless that is for want of permission or the process has gone",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        // Its environment is read only where a word needs it.
        const pid = yield* Daemon.start(idle("~/x"))
        for (const file of files) {
          const ask = (answer: FaultyFiles.Answer) =>
            usesOf({
              root,
              own: [pid],
              fileSystem: FaultyFiles.layer((_, at) => (at === `/proc/${pid}/${file}` ? answer : undefined))
            })
          const refusal = yield* Effect.flip(ask(eio))
          assert.include(refusal.message, `process ${pid} could not be read: /proc/${pid}/${file}`)
          for (const answer of [gone, noSuchProcess]) yield* ask(answer)
          if (file !== "stat" && file !== "status") yield* ask(forbidden)
        }
      }),
    timeout
  )

  it.live(
    "in which the mounts of another namespace cannot be read refuses, unless that is for want of permission or the process is ending",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const pid = yield* Daemon.start(sleeping)
        const ask = (namespace: FaultyFiles.Answer, mounts: FaultyFiles.Answer) =>
          usesOf({
            root,
            own: [pid],
            fileSystem: FaultyFiles.layer((_, at) =>
              at === `/proc/${pid}/ns/mnt` ? namespace : at === `/proc/${pid}/mountinfo` ? mounts : undefined
            )
          })
        const ending: FaultyFiles.Answer = { fails: "Unknown", code: "EINVAL" }
        for (const namespace of [{ gives: "mnt:[1]" }, forbidden]) {
          for (const answer of [eio, { gives: "what?\n" }]) {
            const refusal = yield* Effect.flip(ask(namespace, answer))
            assert.include(refusal.message, `process ${pid} could not be read: `)
          }
          for (const answer of [gone, noSuchProcess, ending, forbidden]) yield* ask(namespace, answer)
        }
      }),
    timeout
  )

  for (const [name, file, answer, words] of [
    ["cannot be listed", "/proc", eio, "the processes could not be listed"],
    ["may not be listed", "/proc", forbidden, "the processes could not be listed"],
    ["was cut off", "/proc", { gives: ["1", "2", "self", "stat"] }, "the list of processes was cut off"],
    ["is empty", "/proc", { gives: [] }, "the list of processes was cut off"],
    ["tells no boot", "/proc/stat", { gives: "cpu 1 2 3\n" }, "the processes could not be listed"],
    ["is another namespace's", "/proc/self", gone, "the processes could not be listed"],
    ["is seen from a user namespace that is not told", "/proc/self/ns/user", eio, "the processes could not be listed"],
    ["is seen from a time namespace that is not told", "/proc/self/ns/time", eio, "the processes could not be listed"],
    ["is seen from a namespace that is not told", "/proc/self/ns/mnt", eio, "the processes could not be listed"],
    ["has mounts of another shape", "/proc/self/mountinfo", { gives: "what?\n" }, "the processes could not be listed"]
  ] as const) {
    it.live(
      `that ${name} refuses`,
      () =>
        Effect.gen(function* () {
          const { root, repository } = yield* stage
          const fileSystem = FaultyFiles.layer((_, at) => (at === file ? answer : undefined))
          assert.include(yield* gateOf(repository, "Occupied", { root, table: "raw", fileSystem }), words)
        }),
      timeout
    )
  }

  it.live(
    "that shows a user only that user's own processes refuses",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const recorded = (options: string) =>
          [
            "22 28 0:20 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw",
            `23 28 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:14 - proc proc ${options}`,
            "28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard",
            ""
          ].join("\n")
        for (const [options, user, hidden] of [
          ["rw,hidepid=2", 1000, true],
          ["rw,hidepid=1", 1000, true],
          ["rw,gid=4,hidepid=invisible", 1000, true],
          ["rw,hidepid=ptraceable", 1000, true],
          ["rw,hidepid=0", 1000, false],
          ["rw,hidepid=off", 1000, false],
          ["rw", 1000, false],
          ["rw,hidepid=2", 0, false]
        ] as const) {
          const fileSystem = FaultyFiles.layer((_, at) =>
            at === "/proc/self/mountinfo" ? { gives: recorded(options) } : undefined
          )
          const listed = yield* Effect.result(usesOf({ root, user, fileSystem }))
          assert.strictEqual(Result.isFailure(listed) && listed.failure.message.includes("hidepid"), hidden, options)
        }
      }),
    timeout
  )
})
