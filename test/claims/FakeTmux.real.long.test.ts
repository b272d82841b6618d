import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Observation } from "../../src/internal.ts"
import * as Child from "./Child.ts"
import * as Look from "./Look.ts"
import * as Server from "./Server.ts"

/** Beyond the patience of what is waited for, on a busy machine. */
const timeout = 120_000

/** What the real tmux would say of one session. */
const answer = `printf 'session $0 tm-x\\nserver 1 1\\n'`

/** Leaves a child in a session of its own, and goes on when it is there. */
const escape = `setsid sh -c 'echo $$ > "$PIDS"; exec sleep 600' & until [ -s "$PIDS" ]; do sleep 0.02; done`

interface Fake {
  readonly name: string
  /** A shell script. `$PIDS` is a file for the pids of what it leaves behind. */
  readonly script: string
  readonly expect: Observation.Reason["_tag"] | ReadonlyArray<string>
  /** It ends at the bound only. */
  readonly hangs?: true
  /** What it leaves behind is out of reach, and the test's to end. */
  readonly escapes?: true
}

const fakes: ReadonlyArray<Fake> = [
  { name: "answers", script: answer, expect: ["tm-x"] },
  { name: "exits 1 and says nothing", script: "exit 1", expect: "Failed" },
  { name: "exits 0 and says nothing", script: "exit 0", expect: "Malformed" },
  { name: "prints rows and exits 1", script: `${answer}; exit 1`, expect: "Failed" },
  {
    name: "prints rows, exits 1 and says that no server is running in the middle of another line",
    script: `${answer}; echo 'x no server running on /y' >&2; exit 1`,
    expect: "Failed"
  },
  {
    name: "says that no server is running, then something else",
    script: "printf 'no server running on /x\\nlost server\\n' >&2; exit 1",
    expect: "Failed"
  },
  {
    name: "says that no server is running and exits 0",
    script: "echo 'no server running on /x' >&2",
    expect: "Malformed"
  },
  { name: "floods 50 MB", script: "exec head -c 50000000 /dev/zero", expect: "Malformed" },
  { name: "floods without end", script: "exec yes 'session $0 tm-x'", expect: "Malformed" },
  { name: "floods the other stream", script: "exec head -c 50000000 /dev/zero >&2", expect: "Malformed" },
  {
    name: "answers after a flood on the other stream",
    script: `yes | head -c 1000000 >&2; ${answer}`,
    expect: ["tm-x"]
  },
  {
    name: "prints half a row and sleeps",
    script: "printf 'session $0 tm'; exec sleep 600",
    expect: "TimedOut",
    hangs: true
  },
  { name: "prints half a row and ends", script: "printf 'session $0 tm'", expect: "Malformed" },
  { name: "leaves out the last row", script: "printf 'session $0 tm-x\\n'", expect: "Malformed" },
  { name: "leaves out the last line feed", script: "printf 'session $0 tm-x\\nserver 1 12'", expect: "Malformed" },
  { name: "prints rows of another shape", script: `printf 'tm-x: 1 windows\\n'; ${answer}`, expect: "Malformed" },
  { name: "prints a carriage return", script: "printf 'session $0 tm-x\\r\\nserver 1 1\\n'", expect: "Malformed" },
  { name: "prints what is not UTF-8", script: `printf 'session $1 tm-\\377\\n'; ${answer}`, expect: "Malformed" },
  { name: "prints half a character", script: "printf 'session $1 tm-\\303\\nserver 1 1\\n'", expect: "Malformed" },
  { name: "dies by a signal after a whole answer", script: `${answer}; kill -9 $$`, expect: "Failed" },
  {
    name: "ignores SIGTERM",
    script: "trap '' TERM HUP INT; while :; do sleep 1; done",
    expect: "TimedOut",
    hangs: true
  },
  { name: "stops itself", script: "kill -STOP $$", expect: "TimedOut", hangs: true },
  { name: "closes its streams and lives on", script: "exec >&- 2>&-; exec sleep 600", expect: "TimedOut", hangs: true },
  {
    name: "answers, closes its streams and lives on",
    script: `${answer}; exec >&- 2>&-; exec sleep 600`,
    expect: "TimedOut",
    hangs: true
  },
  {
    name: "answers and leaves a child that holds the pipe",
    script: `${answer}; sleep 600 & echo $! > "$PIDS"; exit 0`,
    expect: "TimedOut",
    hangs: true
  },
  {
    name: "answers and leaves a child that holds the pipe and went away from it",
    script: `${answer}; ${escape}; exit 0`,
    expect: "TimedOut",
    hangs: true,
    escapes: true
  },
  {
    name: "fails and leaves a child that holds the pipe of its errors",
    script: `echo 'no server running on /x' >&2; { ${escape}; } >/dev/null; exit 1`,
    expect: "TimedOut",
    hangs: true,
    escapes: true
  }
]

/** How a program is given: found on `PATH`, or named. */
const ways = ["PATH", "executable"] as const

interface World {
  readonly directory: string
  readonly bin: string
  readonly pids: string
}

const world: Effect.Effect<World, never, Scope.Scope> = Effect.map(Server.directory, (directory) => {
  const bin = path.join(directory, "bin")
  fs.mkdirSync(bin)
  return { directory, bin, pids: path.join(directory, "pids") }
})

const program = ({ bin }: World, script: string) =>
  fs.writeFileSync(path.join(bin, "tmux"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

const asked = ({ directory, bin, pids }: World, way: (typeof ways)[number]): Look.Options => ({
  directory,
  isListening: false,
  sockets: [path.join(directory, "socket")],
  env: { PIDS: pids, PATH: way === "PATH" ? `${bin}:${process.env["PATH"]}` : process.env["PATH"] },
  executable: way === "PATH" ? undefined : path.join(bin, "tmux")
})

const { observe } = Look

const cameTo = (observation: Observation.Observation) =>
  observation._tag === "Unobserved" ? observation.reason._tag : observation.names

/** The pids of what a fake left behind; each is ended when the test is. */
const leftBehind = ({ pids }: World): Effect.Effect<ReadonlyArray<number>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => (fs.existsSync(pids) ? [Number(fs.readFileSync(pids, "utf8"))] : [])),
    Effect.forEach(Server.end, { discard: true })
  )

describe.concurrent("a tmux that", () => {
  for (const { name, script, expect, hangs, escapes } of fakes) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const worlds = yield* Effect.forEach(ways, (way) => Effect.map(world, (here) => ({ here, way })))
          for (const { here } of worlds) program(here, script)
          const bound = hangs === undefined ? undefined : escapes === undefined ? 600 : 1500
          for (const { here, way } of worlds) {
            const { observation, ticks } = yield* Look.look(asked(here, way), bound)
            assert.deepStrictEqual(cameTo(observation), expect, way)
            if (hangs) assert.isAbove(ticks, 0)
          }
          for (const { here } of worlds) {
            const left = yield* leftBehind(here)
            if (escapes) assert.isTrue(left.every(Server.isRunning) && left.length === 1)
            else yield* Server.until(() => !left.some(Server.isRunning))
          }
        }),
      timeout
    )
  }

  it.live(
    "hangs beside one that answers: the whole look ends",
    () =>
      Effect.gen(function* () {
        const here = yield* world
        const well = path.join(here.directory, "well")
        program(here, `[ "$3" = "${well}" ] && { ${answer}; exit; }; exec sleep 600`)
        const options = { ...asked(here, "executable"), sockets: [well, path.join(here.directory, "ill")] }
        const observation = yield* observe(options, 600)
        assert.strictEqual(cameTo(observation), "TimedOut")
      }),
    timeout
  )

  it.live(
    "hangs at more sockets than are asked side by side: they share one bound",
    () =>
      Effect.gen(function* () {
        const here = yield* world
        program(here, "exec sleep 600")
        const sockets = Array.from({ length: 40 }, (_, n) => path.join(here.directory, `socket-${n}`))
        const { observation, children } = yield* Look.look({ ...asked(here, "executable"), sockets }, 600)
        assert.strictEqual(cameTo(observation), "TimedOut")
        assert.isBelow(children, sockets.length)
      }),
    timeout
  )

  it.live(
    "hangs does not keep the process that looked from ending, nor does what it leaves behind",
    () =>
      Effect.gen(function* () {
        for (const script of fakes.flatMap((fake) => (fake.escapes ? [fake.script] : []))) {
          const here = yield* world
          program(here, script)
          const observation = yield* Child.observed({ ...asked(here, "executable"), bound: 1500 })
          assert.strictEqual(cameTo(observation), "TimedOut")
          const left = yield* leftBehind(here)
          assert.isTrue(left.length === 1 && left.every(Server.isRunning))
        }
      }),
    timeout
  )
})

/** How many pipes and sockets this process holds open. */
const pipes = (): number =>
  fs.readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return /^(pipe|socket):/.test(fs.readlinkSync(`/proc/self/fd/${fd}`))
    } catch {
      return false
    }
  }).length

describe.concurrent("a tmux that cannot be run", () => {
  const obstacles: ReadonlyArray<readonly [string, (file: string) => void]> = [
    ["is a directory", (file) => fs.mkdirSync(file)],
    ["is not executable", (file) => fs.writeFileSync(file, `#!/bin/sh\n${answer}\n`, { mode: 0o644 })],
    ["is missing", () => {}],
    ["is a dangling link", (file) => fs.symlinkSync(`${file}-nowhere`, file)],
    ["is a loop of links", (file) => fs.symlinkSync(file, file)]
  ]
  for (const [name, make] of obstacles) {
    it.live(
      `${name}: not installed when named, passed over on PATH`,
      () =>
        Effect.gen(function* () {
          const here = yield* world
          make(path.join(here.bin, "tmux"))
          const named = yield* observe(asked(here, "executable"))
          assert.strictEqual(cameTo(named), "NotInstalled")
          const next = path.join(here.directory, "next")
          fs.mkdirSync(next)
          program({ ...here, bin: next }, answer)
          const found = yield* observe({
            ...asked(here, "PATH"),
            env: { PATH: `relative::${here.bin}:${next}:/usr/bin:/bin` }
          })
          assert.deepStrictEqual(cameTo(found), ["tm-x"])
        }),
      timeout
    )
  }

  const broken: ReadonlyArray<readonly [string, string, ReadonlyArray<Observation.Reason["_tag"]>]> = [
    ["names an interpreter that is not there", "#!/nowhere/sh\n", ["NotInstalled"]],
    ["is no program", "\u0000\u0001\u0002", ["Failed"]],
    ["is empty", "", ["Failed", "Malformed"]]
  ]
  for (const [name, content, expected] of broken) {
    it.live(
      name,
      () =>
        Effect.gen(function* () {
          const here = yield* world
          fs.writeFileSync(path.join(here.bin, "tmux"), content, { mode: 0o755 })
          for (const way of ways) {
            const observation = yield* observe(asked(here, way))
            assert.include(expected, cameTo(observation))
          }
        }),
      timeout
    )
  }
})

describe("the child", () => {
  it.live.skipIf(process.platform !== "linux")(
    "that hangs at every look costs no descriptor",
    () =>
      Effect.gen(function* () {
        const here = yield* world
        program(here, `PIDS="$PIDS.$$"; ${answer}; ${escape}; exit 0`)
        yield* Effect.addFinalizer(() =>
          Effect.forEach(
            fs.readdirSync(here.directory).filter((file) => file.startsWith("pids.")),
            (file) => Server.end(Number(fs.readFileSync(path.join(here.directory, file), "utf8")))
          )
        )
        yield* observe(asked(here, "executable"), 400)
        const before = pipes()
        for (let look = 0; look < 4; look++) yield* observe(asked(here, "executable"), 400)
        yield* Server.until(() => pipes() <= before)
      }),
    timeout
  )

  it.live(
    "is given its environment whole, but for what would name another server",
    () =>
      Effect.gen(function* () {
        const here = yield* world
        const file = path.join(here.directory, "environment")
        program(here, `env > "${file}"; printf '%s\\n' "$@" > "${file}-args"; ${answer}`)
        const options = asked(here, "executable")
        yield* observe({
          ...options,
          env: { ...options.env, KEPT: "kept", TMUX: "/x,1,0", TMUX_PANE: "%1", LC_ALL: "de_DE", LANG: "de_DE" }
        })
        const given = fs.readFileSync(file, "utf8").split("\n")
        assert.includeMembers(given, ["KEPT=kept", "LC_ALL=C", "LANG=de_DE", `TMUX_TMPDIR=${here.directory}`])
        assert.isFalse(given.some((line) => /^TMUX(_PANE)?=/.test(line)))
        assert.deepStrictEqual(fs.readFileSync(`${file}-args`, "utf8").trimEnd().split("\n"), [
          "-u",
          "-S",
          path.join(here.directory, "socket"),
          ...Observation.question
        ])
      }),
    timeout
  )
})
