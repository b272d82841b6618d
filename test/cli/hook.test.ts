import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Deadline from "../../src/cli/hook/Deadline.ts"
import * as Pane from "../../src/cli/hook/Pane.ts"
import * as MacTools from "../../src/machine/MacTools.ts"
import * as Platform from "../../src/machine/Platform.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Server from "../claims/Server.ts"
import { type Given, type Outcome, project, run as runProgram, shell } from "../examples/Program.ts"

const hook = "dist/bin/session-liveness-hook.js"
const timeout = 60_000

const event = (fields: object = {}) =>
  JSON.stringify({ hook_event_name: "SessionStart", session_id: "c-1", cwd: "/w/app", source: "clear", ...fields })

const record = (id: string, tmux_name: unknown) => ({ [id]: { id, tmux_name } })

const store = (sessions: object): Tree.Tree => ({
  "session-manager/sessions.json": { text: JSON.stringify({ sessions }) }
})

/** Runs the hook, which is not to run out of time while other tests keep the machine busy. */
const run = (args: ReadonlyArray<string>, given: Given): Effect.Effect<Outcome> =>
  runProgram(hook, ["--within", "30000", ...args], given)

const clean = { stdout: "", stderr: "", exitCode: 0, signal: null }

/** The test's own process stands for the pane of a `tmux` that is made up, and the one above it for the server. */
const [pane, server] = [process.pid, process.ppid]

/** A `tmux` on the path that does what `script` says. */
const withTmux = (root: string, script: string): Given => {
  const bin = path.join(root, "bin")
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, "tmux"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const TMUX = `${root}/socket,${server},0`
  return { root, env: { PATH: `${bin}:${process.env["PATH"]}`, TMUX, TMUX_TMPDIR: root } }
}

const says = (...rows: ReadonlyArray<string>) =>
  `case "$*" in "-u -S "*"/socket list-panes -a -F "*) ;; *) exit 3 ;; esac
   printf '%s\\n' "1 2 tm-other" ${rows.map((row) => `"${row}"`).join(" ")}`

const answers = (...names: ReadonlyArray<string>) => says(...names.map((name) => `${server} ${pane} ${name}`))

const links = (root: string): Tree.Tree => {
  const usage = path.join(root, "usage")
  return fs.existsSync(usage) ? Tree.read(usage) : {}
}

const linked = (managedId: string, ...ids: ReadonlyArray<string>): Tree.Tree => ({
  [`session-links/${managedId}`]: { text: ids.map((id) => `${id}\n`).join("") }
})

/** Has a program of Node believe that it runs where there is no `/proc`. */
const otherPlatform = `data:text/javascript,Object.defineProperty(process,'platform',{value:'freebsd'})`

describe("the hook links", () => {
  it.effect("every SessionStart, whatever its source, once", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      for (const source of ["startup", "resume", "fork", "of tomorrow"]) {
        const outcome = yield* run(["--managed", "tm-a"], { root, stdin: event({ source }) })
        assert.deepStrictEqual(outcome, clean)
      }
      assert.deepStrictEqual(links(root), linked("tm-a", "c-1"))
    })
  )

  it.effect("to the one record whose tmux session shows its pane", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store({ ...record("m-1", " 7  app "), ...record("m-2", "app") }))
      const given = withTmux(root, answers("by the side", " 7  app "))
      assert.deepStrictEqual(yield* run([], { ...given, stdin: event() }), clean)
      assert.deepStrictEqual(links(root), linked("m-1", "c-1"))
    })
  )

  it.effect("an id that got no SessionStart, at its first prompt, and asks tmux for no later one", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store(record("m-1", "tm-app")))
      const given = withTmux(root, `echo asked >> '${root}/asked'; ${answers("tm-app")}`)
      const stdin = event({ hook_event_name: "UserPromptSubmit", prompt: "go on" })
      for (const _ of ["first", "second"]) assert.deepStrictEqual(yield* run([], { ...given, stdin }), clean)
      assert.deepStrictEqual(links(root), linked("m-1", "c-1"))
      assert.strictEqual(fs.readFileSync(`${root}/asked`, "utf8"), "asked\n")
    })
  )

  it.effect("nothing of a subagent, and says nothing", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      for (const hook_event_name of ["SessionStart", "UserPromptSubmit"]) {
        const stdin = event({ hook_event_name, agent_id: "a-7" })
        assert.deepStrictEqual(yield* run(["--managed", "tm-a"], { root, stdin }), clean)
      }
      assert.deepStrictEqual(links(root), {})
    })
  )

  it.effect("without a manager, to the name of the tmux session, where a person chose that", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      const given = { ...withTmux(root, answers("my app")), stdin: event() }
      const unchosen = yield* run([], given)
      assert.include(unchosen.stderr, `no manager keeps records in ${root}; see \`session-liveness setup\``)
      assert.deepStrictEqual(links(root), {})
      assert.deepStrictEqual(yield* run(["--session-names"], given), clean)
      assert.deepStrictEqual(links(root), linked("my app", "c-1"))
    })
  )

  it.effect("where there is no /proc, by what ps says", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store(record("m-1", "tm-app")))
      const { env } = withTmux(root, answers("tm-app"))
      const given = { root, env: { ...env, NODE_OPTIONS: `--import=${otherPlatform}` }, stdin: event() }
      assert.deepStrictEqual(yield* run([], given), clean)
      assert.deepStrictEqual(links(root), linked("m-1", "c-1"))
    })
  )

  const refusals: Readonly<
    Record<
      string,
      {
        readonly stdin?: string
        readonly args?: ReadonlyArray<string>
        readonly tree?: Tree.Tree
        readonly tmux?: string
        readonly says: string
      }
    >
  > = {
    "no input": { stdin: "", says: "no JSON object" },
    "bad JSON": { stdin: "{", says: "no JSON object" },
    "no object": { stdin: "3", says: "no JSON object" },
    "another event": { stdin: '{"hook_event_name":"Stop"}', says: "none of SessionStart" },
    "no session_id": { stdin: '{"hook_event_name":"SessionStart"}', says: "session_id" },
    "a refused Claude id": { stdin: event({ session_id: "a\u001b[2Jb" }), says: "\\u{1b}[2Jb" },
    "a refused managed id": { args: ["--managed", "../up"], says: '"../up" is no valid id' },
    "a wrong flag": { args: ["--nope"], says: "--nope" },
    "not in tmux": { args: [], tmux: "exit 1", says: "no tmux pane is above this process; not heard: " },
    "no such record": { args: [], tmux: answers("tm-app"), tree: store({}), says: 'tmux_name "tm-app"' },
    "a window that two recorded sessions show": {
      args: [],
      tmux: answers("tm-app", "tm-web"),
      tree: store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-web") }),
      says: 'several records have the tmux_name "tm-app", "tm-web"'
    },
    "a window that two sessions show, by their names": {
      args: ["--session-names"],
      tmux: answers("app", "web"),
      says: 'several tmux sessions show this pane ("app", "web")'
    },
    "a record that may be the one": {
      args: [],
      tmux: answers("tm-app"),
      tree: store({ ...record("m-1", "tm-app"), ...record("m-2", 7) }),
      says: '"m-2" does not decode'
    },
    "a pane that is not above this process": {
      args: [],
      tmux: says(`${server} $$ tm-app`),
      tree: store(record("m-1", "tm-app")),
      says: "no tmux pane is above"
    },
    "the server did not start what is above this one, so that the pids are those of another namespace": {
      args: [],
      tmux: says(`1234567890 ${pane} tm-app`),
      tree: store(record("m-1", "tm-app")),
      says: "no tmux pane is above"
    },
    "an answer in another shape": { args: [], tmux: says("tm-app"), says: "another shape" },
    // Whether there is still time to name the socket is a matter of the load.
    "a tmux that hangs": { args: ["--within", "2000"], tmux: "trap '' TERM; exec sleep 30", says: "" },
    "a FIFO for a link file": { tree: { "usage/session-links/tm-a": { fifo: true } }, says: "not a regular file" },
    "a file for the root": { tree: { usage: { text: "" } }, says: "session-links/tm-a" }
  }
  for (const [name, { stdin, args, tree, tmux, says }] of Object.entries(refusals)) {
    it.effect(`nothing: ${name}`, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        if (tree !== undefined) Tree.write(root, tree)
        const given = tmux === undefined ? { root } : withTmux(root, tmux)
        const before = Tree.read(root)
        const outcome = yield* run(args ?? ["--managed", "tm-a"], { ...given, stdin: stdin ?? event() })
        assert.deepStrictEqual({ ...outcome, stderr: "" }, clean)
        assert.include(outcome.stderr, says)
        assert.notMatch(outcome.stderr.trimEnd(), /[^\P{Cc}\n]/u)
        assert.deepStrictEqual(Tree.read(root), before)
      })
    )
  }

  it.effect("by the socket that answers, whichever others hang", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store(record("m-1", "tm-app")))
      const directory = `tmux-${process.geteuid?.()}`
      Tree.write(root, Object.fromEntries(["a", "right", "z"].map((name) => [`${directory}/${name}`, { text: "" }])))
      const given = withTmux(root, `case "$3" in */right) echo "${server} ${pane} tm-app";; *) exec sleep 60; esac`)
      assert.deepStrictEqual(yield* run([], { ...given, stdin: event() }), clean)
      assert.deepStrictEqual(links(root), linked("m-1", "c-1"))
    })
  )

  it.effect("nothing with closed streams, and --help", () =>
    Effect.gen(function* () {
      const closed = yield* shell(hook, `"$NODE" "$PROGRAM" --managed tm-a <&- >&- 2>&-`, { root: yield* tempRoot })
      assert.strictEqual(closed.exitCode, 0)
      const help = yield* run(["--help"], {})
      assert.include(help.stdout, "Usage: session-liveness-hook")
    })
  )

  it.effect(
    "what a stdin that stays open has said, and gives up where it says nothing",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const line = (said: string, flags: string) =>
          `"$NODE" "$PROGRAM" --managed tm-a ${flags} < <(printf '%s' '${said}'; exec sleep 30 2>/dev/null)`
        assert.deepStrictEqual(yield* shell(hook, line(event(), "--within 15000"), { root }), clean)
        assert.deepStrictEqual(links(root), linked("tm-a", "c-1"))
        const silent = yield* shell(hook, line("", ""), { root })
        assert.strictEqual(silent.exitCode, 0)
        assert.include(silent.stderr, "there was no time left")
      }),
    20_000
  )
})

it.effect("asks the ps of a Mac for the processes above it", () =>
  Effect.gen(function* () {
    Deadline.set(60_000 + process.uptime() * 1000)
    const { message } = yield* Effect.flip(Pane.sessions)
    assert.include(message, "/nowhere/ps")
  }).pipe(
    Effect.provideService(Platform.Platform, { name: "darwin", tools: { ...MacTools.standard, ps: "/nowhere/ps" } })
  )
)

describe("the hook in a real tmux", () => {
  /** Runs the hook in a pane of a session `tm-app`, by a line of shell, and gives what it said. */
  const inPane = Effect.fnUntraced(function* (root: string, line: string) {
    fs.writeFileSync(path.join(root, "event.json"), event())
    const pane = `${line} < '${root}/event.json' > '${root}/out' 2>&1; tmux wait-for -S recorded`
    const start = `tmux -f /dev/null new-session -d -s tm-app "${pane}; sleep 30" && tmux wait-for recorded; tmux kill-server`
    assert.deepStrictEqual(yield* shell(hook, start, { root, env: { TMUX_TMPDIR: root } }), clean)
    return fs.readFileSync(path.join(root, "out"), "utf8")
  })

  it.effect("finds the pane, with or without it in the environment", () =>
    Effect.gen(function* () {
      for (const env of ["", "env -u TMUX -u TMUX_PANE "]) {
        const root = yield* tempRoot
        Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-app-2") }))
        assert.strictEqual(yield* inPane(root, `${env}'$NODE' '$PROGRAM' --within 30000`), "")
        assert.deepStrictEqual(links(root), linked("m-1", "c-1"))
      }
    })
  )

  it.live(
    "does not believe an environment that was inherited",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store(record("m-1", "tm-app")))
        const { pid, socket, tmux } = yield* Server.start(root, { sessions: ["tm-app"] })
        const TMUX_PANE = tmux("display-message", "-p", "-t", "=tm-app:", "#{pane_id}").trim()
        const env = { TMUX: `${socket},${pid},0`, TMUX_PANE, TMUX_TMPDIR: root }
        const outcome = yield* run([], { root, env, stdin: event() })
        assert.include(outcome.stderr, "no tmux pane is above this process")
        assert.deepStrictEqual(links(root), {})
      }),
    timeout
  )

  it.live(
    "does not link one that outlived its server to the session that has the pane's number now",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-other") }))
        const first = yield* Server.start(root)
        for (const [name, text] of Object.entries({ "event.json": event(), wait: "" }))
          fs.writeFileSync(path.join(root, name), text)
        const line = `'${process.execPath}' '${path.join(project, hook)}' --within 30000 --root '${root}'`
        const script = `echo "$TMUX_PANE" > pane; while [ -e wait ]; do sleep 0.05; done; ${line} < event.json > out 2>&1; touch done`
        const survivor = ["setsid", "--fork", "--wait", "sh", "-c", script]
        first.tmux("new-session", "-d", "-s", "tm-app", "-c", root, ...survivor)
        yield* Server.until(() => fs.existsSync(path.join(root, "pane")))
        yield* Server.end(first.pid)
        const second = yield* Server.start(root, { sessions: ["tm-other"] })
        assert.strictEqual(
          second.tmux("list-panes", "-a", "-F", "#{pane_id}"),
          fs.readFileSync(path.join(root, "pane"), "utf8")
        )
        fs.rmSync(path.join(root, "wait"))
        yield* Server.until(() => fs.existsSync(path.join(root, "done")))
        assert.include(fs.readFileSync(path.join(root, "out"), "utf8"), "no tmux pane is above this process")
        assert.deepStrictEqual(links(root), {})
      }),
    timeout
  )
})
