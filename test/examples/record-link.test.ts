import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import { type Given, run, shell } from "./Program.ts"

const programs = ["examples/record-link.ts", "dist/bin/record-link.js"]

const event = (fields: object) =>
  JSON.stringify({ hook_event_name: "SessionStart", session_id: "c-1", cwd: "/w/app", source: "clear", ...fields })

const record = (id: string, tmux_name: unknown) => ({ [id]: { id, tmux_name } })

const store = (sessions: object): Tree.Tree => ({
  "session-manager/sessions.json": { text: JSON.stringify({ sessions }) }
})

/** A `tmux` on the path that does what `script` says. */
const withTmux = (root: string, script: string): Given => {
  const bin = path.join(root, "bin")
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, "tmux"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { root, env: { PATH: `${bin}:${process.env["PATH"]}`, TMUX: "/tmp/tmux-0/default,1,0", TMUX_PANE: "%4" } }
}

const answers = (name: string) => `[ "$*" = '-u display-message -p -t %4 #{session_name}' ] && echo '${name}'`

const links = (root: string): Tree.Tree => Tree.read(path.join(root, "usage"))

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
      "a record that may be the one": {
        args: [],
        tmux: answers("tm-app"),
        tree: store({ ...record("m-1", "tm-app"), ...record("m-2", 7) }),
        says: '"m-2" does not decode'
      },
      "tmux says no": { args: [], tmux: `echo "can't find pane: %4" >&2; exit 1`, says: "can't find pane: %4" },
      "tmux hangs": { args: [], tmux: "trap '' TERM; sleep 30", says: "ETIMEDOUT" },
      "a FIFO for a link file": { tree: { "usage/session-links/tm-a": { fifo: true } }, says: "not a regular file" },
      "a directory for a link file": {
        tree: { "usage/session-links/tm-a": { dir: true } },
        says: "session-links/tm-a"
      },
      "a file for the root": { tree: { usage: { text: "" } }, says: "session-links/tm-a" }
    }
    for (const [name, { stdin, args, tree, tmux, says }] of Object.entries(refusals)) {
      it.effect(`${name}: exit 0, the reason on stderr, nothing written`, () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          if (tree !== undefined) Tree.write(root, tree)
          const given = tmux === undefined ? { root } : withTmux(root, tmux)
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
