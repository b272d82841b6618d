import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Server from "../claims/Server.ts"
import { type Given, project, run, shell } from "./Program.ts"

const programs = ["examples/record-link.ts", "dist/bin/record-link.js"]

const event = (fields: object) =>
  JSON.stringify({ hook_event_name: "SessionStart", session_id: "c-1", cwd: "/w/app", source: "clear", ...fields })

const record = (id: string, tmux_name: unknown) => ({ [id]: { id, tmux_name } })

const store = (sessions: object): Tree.Tree => ({
  "session-manager/sessions.json": { text: JSON.stringify({ sessions }) }
})

/** The test's own process stands for the pane of a `tmux` that is made up, and the one above it for the server. */
const [pane, server] = [process.pid, process.ppid]

/** A `tmux` on the path that does what `script` says. */
const withTmux = (root: string, script: string, named: number = server): Given => {
  const bin = path.join(root, "bin")
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, "tmux"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const TMUX = `/tmp/tmux-0/default,${named},0`
  return { root, env: { PATH: `${bin}:${process.env["PATH"]}`, TMUX, TMUX_PANE: "%4" } }
}

const says = (...rows: ReadonlyArray<string>) =>
  `[ "$*" = '-u list-panes -a -F #{pane_id} #{pid} #{pane_pid} #{session_name}' ] && printf '%s\\n' "%14 1 2 tm-other" ${rows
    .map((row) => `"%4 ${row}"`)
    .join(" ")}`

const answers = (...names: ReadonlyArray<string>) => says(...names.map((name) => `${server} ${pane} ${name}`))

/** Has a program of Node believe that it runs where there is no `/proc`. */
const otherPlatform = `data:text/javascript,Object.defineProperty(process,'platform',{value:'freebsd'})`

const mayHideProc = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/proc"]).status === 0

const links = (root: string): Tree.Tree => {
  const usage = path.join(root, "usage")
  return fs.existsSync(usage) ? Tree.read(usage) : {}
}

for (const program of programs) {
  describe(program, () => {
    it.effect("records under --managed, once", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        for (const _ of ["startup", "resume"]) {
          const outcome = yield* run(program, ["--managed", "tm-a"], { root, stdin: event({}) })
          assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
        }
        assert.deepStrictEqual(links(root), { "session-links/tm-a": { text: "c-1\n" } })
      })
    )

    it.effect("finds the managed session by the tmux_name of the one record that has it", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-app-2") }))
        const outcome = yield* run(program, [], { ...withTmux(root, answers("tm-app")), stdin: event({}) })
        assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
        assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
      })
    )

    it.effect("takes the name of the session whole, whatever it looks like", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store({ ...record("m-1", " 7  app "), ...record("m-2", "app") }))
        const outcome = yield* run(program, [], { ...withTmux(root, answers(" 7  app ")), stdin: event({}) })
        assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
        assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
      })
    )

    it.effect("records under the one recorded session of those that show its window", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-web") }))
        const given = withTmux(root, answers("by the side", "tm-app"))
        const outcome = yield* run(program, [], { ...given, stdin: event({}) })
        assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
        assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
      })
    )

    it.effect("where there is no /proc, ps tells what is above it", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, store(record("m-1", "tm-app")))
        const { env } = withTmux(root, answers("tm-app"))
        const elsewhere = { root, env: { ...env, NODE_OPTIONS: `--import=${otherPlatform}` }, stdin: event({}) }
        const outcome = yield* run(program, [], elsewhere)
        assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
        assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
        fs.writeFileSync(path.join(root, "bin/tmux"), `#!/bin/sh\n${says(`${server} $$ tm-app`)}\n`)
        const outside = yield* run(program, [], { ...elsewhere, stdin: event({ session_id: "c-2" }) })
        assert.include(outside.stderr, "not in the pane that TMUX_PANE names (%4)")
        assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
      })
    )

    it.effect.skipIf(!mayHideProc)(
      "what is above it cannot be read: exit 0, the reason on stderr, nothing written",
      () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          Tree.write(root, store(record("m-1", "tm-app")))
          const line = `unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$NODE" "$PROGRAM" < "$TRUSTY_MPM_ROOT/event"'`
          fs.writeFileSync(path.join(root, "event"), event({}))
          const outcome = yield* shell(program, line, withTmux(root, answers("tm-app")))
          assert.deepStrictEqual({ ...outcome, stderr: "" }, { stdout: "", stderr: "", exitCode: 0, signal: null })
          assert.match(outcome.stderr, /processes above this one could not be read \(ENOENT.*; use --managed$/m)
          assert.deepStrictEqual(links(root), {})
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
          readonly server?: number
          readonly says: string
        }
      >
    > = {
      "no input": { stdin: "", says: "JSON on stdin" },
      "bad JSON": { stdin: "{", says: "JSON on stdin" },
      "no object": { stdin: "3", says: "no object" },
      "no session_id": { stdin: "{}", says: "session_id" },
      "an event of a subagent": { stdin: event({ agent_id: "a-7" }), says: "subagent" },
      "a refused Claude id": { stdin: event({ session_id: "a\u001b[2Jb" }), says: "\\u{1b}[2Jb" },
      "a refused managed id": { args: ["--managed", "../up"], says: '"../up" is no valid id' },
      "a wrong flag": { args: ["--nope"], says: "--nope" },
      "a flag without its value": { args: ["--managed"], says: "--managed" },
      "not in tmux": { args: [], says: "TMUX_PANE" },
      "no record store": { args: [], tmux: answers("tm-app"), says: "sessions.json is not there" },
      "no such record": { args: [], tmux: answers("tm-app"), tree: store({}), says: 'tmux_name "tm-app"' },
      "two such records": {
        args: [],
        tmux: answers("tm-app"),
        tree: store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-app") }),
        says: "several records"
      },
      "a window that two recorded sessions show": {
        args: [],
        tmux: answers("tm-app", "tm-web"),
        tree: store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-web") }),
        says: 'several records have the tmux_name "tm-app", "tm-web"'
      },
      "two sessions that show one pane, by processes of their own": {
        args: [],
        tmux: says(`${server} ${pane} tm-app`, `${server} ${server} tm-web`),
        tree: store(record("m-1", "tm-app")),
        says: "tmux did not tell the session of pane %4"
      },
      "tmux shows no such pane": {
        args: [],
        tmux: "echo '%14 1 2 tm-other'",
        says: "it shows no such pane"
      },
      "a record that may be the one": {
        args: [],
        tmux: answers("tm-app"),
        tree: store({ ...record("m-1", "tm-app"), ...record("m-2", 7) }),
        says: '"m-2" does not decode'
      },
      "tmux says no": { args: [], tmux: `echo "can't find pane: %4" >&2; exit 1`, says: "can't find pane: %4" },
      "another server answers": {
        args: [],
        tmux: answers("tm-app"),
        server: pane,
        tree: store(record("m-1", "tm-app")),
        says: `the tmux server that TMUX names (${pane}) is not the one that answers (${server}); use --managed`
      },
      "the process of the pane is not above this one": {
        args: [],
        tmux: says(`${server} $$ tm-app`),
        tree: store(record("m-1", "tm-app")),
        says: "this process is not in the pane that TMUX_PANE names (%4); use --managed"
      },
      "the process of the pane is this one": {
        args: [],
        tmux: says(`${pane} $PPID tm-app`),
        server: pane,
        tree: store(record("m-1", "tm-app")),
        says: "not in the pane that TMUX_PANE names"
      },
      "the server did not start what is above this one, so that the pids are those of another namespace": {
        args: [],
        tmux: says(`1234567890 ${pane} tm-app`),
        server: 1234567890,
        tree: store(record("m-1", "tm-app")),
        says: "not in the pane that TMUX_PANE names"
      },
      "tmux tells the name alone": {
        args: [],
        tmux: says("tm-app"),
        tree: store(record("m-1", "tm-app")),
        says: 'exit code 0, "%4 tm-app'
      },
      "tmux tells no pid of the pane": {
        args: [],
        tmux: says(`${server} -1 tm-app`),
        tree: store(record("m-1", "tm-app")),
        says: "tmux did not tell the session of pane %4"
      },
      "tmux tells no name": { args: [], tmux: answers(""), says: "tmux did not tell the session of pane %4" },
      "tmux hangs": { args: [], tmux: "trap '' TERM; sleep 30", says: "ETIMEDOUT" },
      "a FIFO for a link file": { tree: { "usage/session-links/tm-a": { fifo: true } }, says: "not a regular file" },
      "a directory for a link file": {
        tree: { "usage/session-links/tm-a": { dir: true } },
        says: "session-links/tm-a"
      },
      "a file for the root": { tree: { usage: { text: "" } }, says: "session-links/tm-a" }
    }
    for (const [name, { stdin, args, tree, tmux, server, says }] of Object.entries(refusals)) {
      it.effect(`${name}: exit 0, the reason on stderr, nothing written`, () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          if (tree !== undefined) Tree.write(root, tree)
          const given = tmux === undefined ? { root } : withTmux(root, tmux, server)
          const before = Tree.read(root)
          const outcome = yield* run(program, args ?? ["--managed", "tm-a"], { ...given, stdin: stdin ?? event({}) })
          assert.deepStrictEqual({ ...outcome, stderr: "" }, { stdout: "", stderr: "", exitCode: 0, signal: null })
          assert.include(outcome.stderr, says)
          assert.notMatch(outcome.stderr.trimEnd(), /[^\P{Cc}\n]/u)
          assert.deepStrictEqual(Tree.read(root), before)
        })
      )
    }

    it.effect("closed streams", () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const closed = yield* shell(program, `"$NODE" "$PROGRAM" --managed tm-a <&- >&- 2>&-`, { root })
        assert.strictEqual(closed.exitCode, 0)
      })
    )

    it.effect("--help", () =>
      Effect.gen(function* () {
        const help = yield* run(program, ["--help"])
        assert.include(help.stdout, "Usage: record-link")
        assert.strictEqual(help.exitCode, 0)
      })
    )
  })
}

it.effect(
  "record-link: a stdin that nobody closes does not hold the session start",
  () =>
    Effect.gen(function* () {
      const line = `"$NODE" "$PROGRAM" --managed tm-a < <(exec sleep 30 2>/dev/null)`
      const outcome = yield* shell("dist/bin/record-link.js", line, { root: yield* tempRoot })
      assert.strictEqual(outcome.exitCode, 0)
      assert.include(outcome.stderr, "no answer within")
    }),
  30_000
)

it.effect("record-link: in a pane of a real tmux", () =>
  Effect.gen(function* () {
    const root = yield* tempRoot
    Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-app-2") }))
    fs.writeFileSync(path.join(root, "event.json"), event({}))
    const pane = `'$NODE' '$PROGRAM' < '${root}/event.json' > '${root}/out' 2>&1; tmux wait-for -S recorded`
    const line = `tmux -f /dev/null new-session -d -s tm-app "${pane}; sleep 30" && tmux wait-for recorded; tmux kill-server`
    const outcome = yield* shell("dist/bin/record-link.js", line, { root, env: { TMUX_TMPDIR: root } })
    assert.deepStrictEqual(outcome, { stdout: "", stderr: "", exitCode: 0, signal: null })
    assert.strictEqual(fs.readFileSync(path.join(root, "out"), "utf8"), "")
    assert.deepStrictEqual(links(root), { "session-links/m-1": { text: "c-1\n" } })
  })
)

it.live(
  "record-link: a Claude in no pane that inherited TMUX and TMUX_PANE from one is not linked to its session",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store(record("m-1", "tm-app")))
      const { pid, socket, tmux } = yield* Server.start(root, { sessions: ["tm-app"] })
      const TMUX_PANE = tmux("display-message", "-p", "-t", "=tm-app:", "#{pane_id}").trim()
      const inherited = { TMUX: `${socket},${pid},0`, TMUX_PANE }
      const outcome = yield* run("dist/bin/record-link.js", [], { root, env: inherited, stdin: event({}) })
      assert.include(
        outcome.stderr,
        `this process is not in the pane that TMUX_PANE names (${TMUX_PANE}); use --managed`
      )
      assert.deepStrictEqual(links(root), {})
    }),
  30_000
)

it.live(
  "record-link: a Claude that outlived its server is not linked to the session that has the pane's number now",
  () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, store({ ...record("m-1", "tm-app"), ...record("m-2", "tm-other") }))
      const first = yield* Server.start(root)
      for (const [name, text] of Object.entries({ "event.json": event({}), wait: "" }))
        fs.writeFileSync(path.join(root, name), text)
      const hook = `'${process.execPath}' '${path.join(project, "dist/bin/record-link.js")}' --root '${root}'`
      const script = `echo "$TMUX_PANE" > pane; while [ -e wait ]; do sleep 0.05; done; ${hook} < event.json > out 2>&1; touch done`
      const survivor = ["setsid", "--fork", "--wait", "sh", "-c", script]
      first.tmux("new-session", "-d", "-s", "tm-app", "-c", root, ...survivor)
      yield* Server.until(() => fs.existsSync(path.join(root, "pane")))
      yield* Server.end(first.pid)
      const second = yield* Server.start(root, { sessions: ["tm-other"] })
      const pane = second.tmux("list-panes", "-a", "-F", "#{pane_id}")
      assert.strictEqual(pane, fs.readFileSync(path.join(root, "pane"), "utf8"))
      fs.rmSync(path.join(root, "wait"))
      yield* Server.until(() => fs.existsSync(path.join(root, "done")))
      const said = fs.readFileSync(path.join(root, "out"), "utf8")
      assert.include(said, `TMUX names (${first.pid}) is not the one that answers (${second.pid}); use --managed`)
      assert.deepStrictEqual(links(root), {})
    }),
  30_000
)
