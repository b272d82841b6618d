import { NodeFileSystem, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Observation, ProcessTable, TmuxProbe, WorkspaceClaims } from "../../src/internal.ts"
import * as Child from "../claims/Child.ts"
import * as Look from "../claims/Look.ts"
import * as Server from "../claims/Server.ts"

const timeout = 120_000
const nobody = 65534
const isRoot = Server.user === 0

const { observe } = Look

const cameTo = (observation: Observation.Observation) =>
  observation._tag === "Unobserved" ? observation.reason._tag : observation.names

const words = (observation: Observation.Observation) =>
  observation._tag === "Unobserved" ? Observation.explain(observation.reason).what : ""

const may = (...flags: ReadonlyArray<string>): boolean =>
  spawnSync("unshare", [...flags, "true"], { stdio: "ignore" }).status === 0

const canUnshare = may("--pid", "--fork", "--mount-proc")
const canUnshareUsers = may("--user")
const canUnshareTime = may("--time")

describe.skipIf(!isRoot)("the owner of the root", () => {
  it.live(
    "is another user: nothing is asked, and nothing is gone",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-x"] })
        fs.chownSync(directory, nobody, nobody)
        const { observation, children } = yield* Look.look({ directory, own: [server.pid] })
        assert.strictEqual(cameTo(observation), "ForeignVantage")
        assert.include(words(observation), `user ${nobody}`)
        assert.strictEqual(children, 0)
        fs.chownSync(directory, 0, 0)
        assert.deepStrictEqual(cameTo(yield* observe({ directory, own: [server.pid] })), ["tm-x"])
      }),
    timeout
  )

  it.live(
    "is told for where a link points, not for the link",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const theirs = path.join(directory, "theirs")
        const mine = path.join(directory, "mine")
        fs.mkdirSync(theirs)
        fs.chownSync(theirs, nobody, nobody)
        fs.symlinkSync(theirs, mine)
        const env = { TMUX_TMPDIR: directory }
        assert.strictEqual(cameTo(yield* observe({ directory: mine, env })), "ForeignVantage")
        assert.strictEqual(cameTo(yield* observe({ directory: path.join(directory, "none"), env })), "ForeignVantage")
      }),
    timeout
  )
})

describe.skipIf(!canUnshare)("a pid namespace of its own", () => {
  /** Runs a shell there: `$0` is this Node, `$1` the script that observes, `$2` its options. */
  const within = (flags: ReadonlyArray<string>, directory: string, script: string, options: Partial<Look.Options>) => {
    const given = JSON.stringify({ directory, table: "raw", bound: 60_000, ...options })
    const shell = ["sh", "-c", script, process.execPath, Child.script("observe.ts"), given]
    return Effect.map(
      Child.run("unshare", ["--pid", "--fork", "--kill-child", ...flags, ...shell], Server.outside(directory)),
      (printed): ReadonlyArray<Observation.Observation> =>
        printed
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
    )
  }

  const observing = '"$0" "$1" "$2"; echo'
  const begin = `tmux -f /dev/null new-session -d -s tm-within ${Server.idle.join(" ")}`

  it.live(
    "sees no sessions of the host, and names the option that says they are all in here",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        yield* Server.start(directory, { sessions: ["tm-outside"] })
        const [observation] = yield* within(["--mount-proc"], directory, observing, { vantage: "host" })
        assert(observation !== undefined)
        assert.strictEqual(cameTo(observation), "ForeignVantage")
        assert.include(words(observation), 'vantage: "here"')
      }),
    timeout
  )

  it.live(
    "answers for its own sessions when they are said to be all in here, and hears of a deleted socket",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const script = [observing, begin, observing, "rm tmux-*/default", observing].join("\n")
        const said = yield* within(["--mount-proc", "--wd", directory], directory, script, {})
        assert.deepStrictEqual(said.map(cameTo), [[], ["tm-within"], "UnheardServer"])
      }),
    timeout
  )

  it.live(
    "is not told by the table of processes of another one",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const script = `${begin}\nrm tmux-*/default\n${observing}`
        const [observation] = yield* within(["--wd", directory], directory, script, {})
        assert(observation !== undefined)
        assert.strictEqual(cameTo(observation), "ProcessTable")
      }),
    timeout
  )
})

describe.skipIf(!canUnshareUsers)("a user namespace in which nobody has a name", () => {
  it.live(
    "tells no owner from another, even where all sessions are said to be in it",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const given = JSON.stringify({ directory, table: "raw", bound: 60_000, vantage: "here" })
        const printed = yield* Child.run(
          "unshare",
          ["--user", process.execPath, Child.script("observe.ts"), given],
          Server.outside(directory)
        )
        const observation: Observation.Observation = JSON.parse(printed)
        assert.strictEqual(cameTo(observation), "ForeignVantage")
        assert.include(words(observation), "no name")
      }),
    timeout
  )
})

describe.skipIf(!canUnshareTime)("a time namespace, in which processes started at other times", () => {
  it.live(
    "tells nothing of the sessions outside, unless all are said to be in it",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const { pid } = yield* Server.start(directory, { sessions: ["tm-x"] })
        const within = (vantage: "host" | "here") => {
          const given = JSON.stringify({ directory, own: [pid], bound: 60_000, vantage })
          const asked = [
            "--time",
            "--boottime",
            "1000000",
            "--fork",
            process.execPath,
            Child.script("observe.ts"),
            given
          ]
          return Effect.map(
            Child.run("unshare", asked, Server.outside(directory)),
            (printed): Observation.Observation => JSON.parse(printed)
          )
        }
        const foreign = yield* within("host")
        assert.strictEqual(cameTo(foreign), "ForeignVantage")
        assert.include(words(foreign), "time namespace")
        assert.deepStrictEqual(cameTo(yield* within("here")), ["tm-x"])
      }),
    timeout
  )
})

describe("the socket directory", () => {
  it.live(
    "that others may look into tells nothing",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-x"] })
        for (const [mode, expected] of [
          [0o701, "ConnectFailed"],
          [0o704, "ConnectFailed"],
          [0o777, "ConnectFailed"],
          [0o770, ["tm-x"]],
          [0o700, ["tm-x"]]
        ] as const) {
          fs.chmodSync(path.dirname(server.socket), mode)
          const observation = yield* observe({ directory, own: [server.pid] })
          assert.deepStrictEqual(cameTo(observation), expected, mode.toString(8))
          assert.deepStrictEqual(answersItself(server), Array.isArray(expected), mode.toString(8))
        }
      }),
    timeout
  )

  it.live.skipIf(!isRoot)(
    "that belongs to another user tells nothing",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-x"] })
        fs.chownSync(path.dirname(server.socket), nobody, nobody)
        assert.strictEqual(cameTo(yield* observe({ directory, own: [server.pid] })), "ConnectFailed")
      }),
    timeout
  )

  it.live(
    "may hold what is no socket",
    () =>
      Effect.gen(function* () {
        const directory = yield* Server.directory
        const server = yield* Server.start(directory, { sessions: ["tm-x"] })
        const beside = (name: string) => Server.socketOf(directory, name)
        fs.writeFileSync(beside("file"), "")
        fs.mkdirSync(beside("directory"))
        fs.symlinkSync("nowhere", beside("dangling"))
        execFileSync("mkfifo", [beside("fifo")])
        fs.symlinkSync("default", beside("link"))
        assert.deepStrictEqual(cameTo(yield* observe({ directory, own: [server.pid] })), ["tm-x"])
        fs.symlinkSync("loop", beside("loop"))
        assert.strictEqual(cameTo(yield* observe({ directory, own: [server.pid] })), "ConnectFailed")
      }),
    timeout
  )
})

/** Whether tmux itself lists the sessions. */
const answersItself = ({ tmux }: Server.Server): boolean => {
  try {
    return tmux("list-sessions") !== ""
  } catch {
    return false
  }
}

describe("the file system of the root", () => {
  const ext4 = "25 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard"

  /** Mounts as the kernel lists them, with `$R` for the root. */
  const tables: ReadonlyArray<readonly [string, ReadonlyArray<string>, "ForeignVantage" | ReadonlyArray<string>]> = [
    ["a local one", [ext4], []],
    ["NFS", [ext4, "90 25 0:50 / $R rw,relatime shared:40 - nfs4 server:/export rw,vers=4.2"], "ForeignVantage"],
    ["NFS above it", ["25 1 0:30 / / rw - nfs 10.0.0.1:/root rw"], "ForeignVantage"],
    ["a local one on NFS", ["25 1 0:30 / / rw - nfs h:/r rw", "26 25 8:1 / /tmp rw - ext4 /dev/sda1 rw"], []],
    ["a share of the host", [ext4, "91 25 0:51 / $R rw - virtiofs workspace rw"], "ForeignVantage"],
    ["9P", [ext4, "91 25 0:51 / $R rw - 9p C: rw"], "ForeignVantage"],
    ["SSH", [ext4, "92 25 0:52 / $R rw,nosuid - fuse.sshfs me@host:/home rw,user_id=1000"], "ForeignVantage"],
    ["GPFS", [ext4, "92 25 0:52 / $R rw - gpfs home rw"], "ForeignVantage"],
    ["an overlay", ["30 1 0:33 / / rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d"], []],
    ["NFS beside it", [ext4, "93 25 0:53 / $R-beside rw - nfs4 h:/x rw"], []],
    ["NFS below it", [ext4, "93 25 0:53 / $R/below rw - nfs4 h:/x rw"], []],
    [
      "NFS that was mounted over",
      [ext4, "94 25 0:54 / $R rw - nfs4 h:/x rw", "95 94 0:55 / $R rw - tmpfs none rw"],
      []
    ],
    [
      "NFS over a local one",
      [ext4, "94 25 0:54 / $R rw - tmpfs none rw", "95 94 0:55 / $R rw - nfs4 h:/x rw"],
      "ForeignVantage"
    ],
    [
      "NFS over the parent of a local one, which cannot be reached any more",
      [ext4, "94 25 0:54 / $R rw - tmpfs none rw", "95 25 0:55 / $P rw - nfs4 h:/x rw"],
      "ForeignVantage"
    ],
    ["an unknown shape", [ext4, "what is this"], "ForeignVantage"],
    ["no mounts at all", [], "ForeignVantage"]
  ]

  for (const [name, lines, expected] of tables) {
    it.live.skipIf(process.platform !== "linux")(
      name,
      () =>
        Effect.gen(function* () {
          const directory = yield* Server.directory
          const mountinfo = lines
            .map((line) => `${line.replace("$R", directory).replace("$P", path.dirname(directory))}\n`)
            .join("")
          const recorded = Layer.effect(
            FileSystem.FileSystem,
            Effect.map(FileSystem.FileSystem, (files) =>
              FileSystem.FileSystem.of({
                ...files,
                readFileString: (file, encoding) =>
                  file === "/proc/self/mountinfo" ? Effect.succeed(mountinfo) : files.readFileString(file, encoding)
              })
            )
          ).pipe(Layer.provide(NodeFileSystem.layer))
          const probe = TmuxProbe.layer({
            root: directory,
            env: Server.outside(directory),
            platform: "linux",
            user: Server.user,
            vantage: "here"
          }).pipe(Layer.provide(recorded), Layer.provide(NodeServices.layer))
          const table = ProcessTable.layerMemory({
            self: { pid: 7, user: Server.user },
            bootedAt: null,
            processes: [self]
          })
          const observation = yield* WorkspaceClaims.observe.pipe(
            Effect.provide(Layer.mergeAll(probe, table, Logger.layer([])))
          )
          assert.deepStrictEqual(cameTo(observation), expected, words(observation))
        }),
      timeout
    )
  }
})

const self = {
  pid: 7,
  parent: 1,
  user: Server.user,
  name: "node",
  executable: "/usr/bin/node",
  terminal: false,
  innerPids: [],
  state: "S",
  startTicks: "1",
  startedAt: 0,
  args: ["node"]
}
