import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import { command, project, run, shell } from "../examples/Program.ts"

const timeout = 60_000

const theirs = {
  $schema: "https://example.org/schema.json",
  model: "opus",
  permissions: { allow: ["Bash(npm test:*)"], unknown: { deep: [1, 2.5, null, "é\u202e"] } },
  hooks: {
    SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: "echo hi" }] }],
    Stop: [{ hooks: [{ type: "command", command: "echo stop" }] }]
  }
}

/** A home of its own, with these settings. */
const home = (settings: string | undefined) =>
  Effect.map(tempRoot, (root) => {
    const file = path.join(root, ".claude/settings.json")
    if (settings !== undefined) {
      fs.mkdirSync(path.dirname(file))
      fs.writeFileSync(file, settings)
    }
    const bin = path.join(root, "bin")
    fs.mkdirSync(bin)
    fs.symlinkSync(process.execPath, path.join(bin, "node"))
    const env = { HOME: root, CLAUDE_CONFIG_DIR: "", PATH: `${bin}:${process.env["PATH"]}` }
    const setup = (...args: ReadonlyArray<string>) => run(command, ["setup", ...args], { root, cwd: root, env })
    return { root, file, env, setup, read: () => fs.readFileSync(file, "utf8") }
  })

/** What the settings run of ours, by event. */
const ours = (text: string): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    Object.entries<
      ReadonlyArray<{ readonly matcher?: string; readonly hooks: ReadonlyArray<{ readonly command: string }> }>
    >(JSON.parse(text).hooks ?? {}).flatMap(([event, groups]) => {
      const mine = groups.filter(({ hooks }) => hooks.some(({ command }) => command.includes("session-liveness")))
      for (const { matcher } of mine) assert.isUndefined(matcher)
      return mine.length === 0 ? [] : [[event, mine.flatMap(({ hooks }) => hooks.map(({ command }) => command))]]
    })
  )

describe("setup", () => {
  it.live(
    "names its own node where that of the search path is too old, or none",
    () =>
      Effect.gen(function* () {
        const { root, setup, read } = yield* home("{}")
        const node = path.join(root, "bin/node")
        fs.rmSync(node)
        fs.writeFileSync(node, "#!/bin/sh\necho v22.18.0\n", { mode: 0o755 })
        yield* setup("--yes")
        assert.deepStrictEqual(
          Object.values(ours(read()))
            .flat()
            .map((command) => command.split(" ")[0]),
          Array.from({ length: 3 }, () => process.execPath)
        )
      }),
    timeout
  )

  it.live(
    "shows the change, makes it once, and takes it out again",
    () =>
      Effect.gen(function* () {
        const before = `${JSON.stringify(theirs, null, 4)}\n`
        const { root, file, setup, read } = yield* home(before)
        const shown = yield* setup()
        assert.match(shown.stdout, /^\+ +"command": "node \S+session-liveness-hook\.js"$/m)
        assert.notMatch(shown.stdout, /^-/m)
        assert.include(shown.stdout, "Nothing was changed; --yes changes it.")
        assert.strictEqual(shown.exitCode, 10)
        assert.strictEqual(read(), before)

        const made = yield* setup("--yes")
        assert.deepStrictEqual([made.stderr, made.exitCode], ["", 0])
        const hook = `node ${path.join(project, "dist/bin/session-liveness-hook.js")}`
        assert.deepStrictEqual(ours(read()), { SessionStart: [hook], UserPromptSubmit: [hook], SubagentStop: [hook] })
        const { hooks, statusLine, ...rest } = JSON.parse(read())
        const { hooks: _, ...kept } = theirs
        assert.deepStrictEqual(rest, kept)
        assert.deepStrictEqual(hooks.SessionStart[0], theirs.hooks.SessionStart[0])
        assert.include(statusLine.command, "session-liveness-status-line.js")
        const copies = () => fs.readdirSync(path.dirname(file)).filter((name) => name.includes(".before-"))
        assert.deepStrictEqual(
          copies().map((name) => fs.readFileSync(`${root}/.claude/${name}`, "utf8")),
          [before]
        )

        const after = read()
        const again = yield* setup("--yes")
        assert.include(again.stdout, "has everything in it already")
        assert.deepStrictEqual([again.exitCode, read(), copies().length], [0, after, 1])

        assert.match(made.stdout, /no session is linked\. .*\n +node \S+ setup --session-names$/m)
        const chosen = yield* setup("--yes", "--session-names")
        assert.include(chosen.stdout, "Sessions that start from now on are linked.")
        assert.deepStrictEqual(ours(read())["SessionStart"], [`${hook} --session-names`])
        assert.include((yield* setup("--yes")).stdout, "has everything in it already")

        const removed = yield* setup("--remove", "--yes")
        assert.strictEqual(removed.exitCode, 0)
        assert.strictEqual(read(), before)
        assert.include((yield* setup("--remove")).stdout, "has nothing of session-liveness in it")
      }),
    timeout
  )

  it.live(
    "makes settings where there are none, and its hook works as it stands in them",
    () =>
      Effect.gen(function* () {
        const { root, env, setup, read } = yield* home(undefined)
        const made = yield* setup("--yes", "--root", "a root")
        assert.deepStrictEqual([/settings\.json was made\.$/m.test(made.stdout), made.exitCode], [true, 0])
        const [line = ""] = ours(read())["SessionStart"] ?? []
        const stdin = JSON.stringify({ hook_event_name: "SessionStart", session_id: "c-1" })
        const PATH = `${path.dirname(process.execPath)}:${process.env["PATH"]}`
        const outcome = yield* shell("", `${line} --managed m --within 30000`, { root, stdin, env: { ...env, PATH } })
        assert.deepStrictEqual([outcome.stderr, outcome.exitCode], ["", 0])
        assert.strictEqual(fs.readFileSync(`${root}/a root/usage/session-links/m`, "utf8"), "c-1\n")
      }),
    timeout
  )

  it.live(
    "leaves another status line, and says what to run from it; asks nothing of a link",
    () =>
      Effect.gen(function* () {
        const { root, file, setup, read } = yield* home('{"statusLine":{"type":"command","command":"mine"}}')
        fs.renameSync(file, `${root}/dotfiles.json`)
        fs.symlinkSync(`${root}/dotfiles.json`, file)
        const made = yield* setup("--yes")
        assert.match(made.stdout, /Your status line stays as it is\..*\n {2}node \S+session-liveness-status-line\.js$/m)
        assert.strictEqual(JSON.parse(read()).statusLine.command, "mine")
        assert.isTrue(fs.lstatSync(file).isSymbolicLink())
        assert.strictEqual((yield* setup("--remove", "--yes")).exitCode, 0)
        assert.deepStrictEqual(JSON.parse(read()), { statusLine: { type: "command", command: "mine" } })
      }),
    timeout
  )

  for (const plain of ["TERM=dumb", "NO_COLOR=1"]) {
    for (const [typed, exitCode] of [
      ["y", 0],
      ["", 10]
    ] as const) {
      it.live(
        `asks in a plain line with ${plain}, and ${typed === "y" ? "y is yes" : "no answer is no"}`,
        () =>
          Effect.gen(function* () {
            const { root, env, read } = yield* home('{"model":"opus"}')
            const line = `{ sleep 3; echo ${typed}; } | ${plain} script --quiet --return --command "$NODE $PROGRAM setup --session-names" /dev/null`
            const outcome = yield* shell(command, line, { root, env: { ...env, TERM: "xterm", SHELL: "/bin/sh" } })
            assert.strictEqual(outcome.exitCode, exitCode, outcome.stdout)
            assert.include(outcome.stdout, "settings.json? (y/N) ")
            assert.notInclude(outcome.stdout, "\u001b")
            assert.strictEqual(read().includes("session-liveness-hook"), typed === "y")
          }),
        timeout
      )
    }
  }

  const layouts: Readonly<Record<string, string>> = {
    "tabs, and lists on one line":
      '{\n\t"env": { "A": "1" },\n\n\t"permissions": {\n\t\t"allow": ["Bash(ls)", "Read"]\n\t}\n}\n',
    "no line feed at its end": '{\n    "model": "opus"\n}',
    "line ends of Windows and a byte order mark": '\uFEFF{\r\n  "model": "opus",\r\n  "x": [1, 2]\r\n}\r\n',
    "all on one line": '{"model":"opus","permissions":{"allow":["Read"]}}\n',
    "numbers and escapes that JavaScript would spell otherwise":
      '{ "a": 12345678901234567890, "b": 1.0, "c": "\\u00e9" }\n',
    "hooks of others, laid out as they like":
      '{\n  "hooks": {\n    "SessionStart": [{ "matcher": "startup", "hooks": [{ "type": "command", "command": "a" }] }],\n    "Stop": []\n  },\n  "z": null\n}\n'
  }
  for (const [name, text] of Object.entries(layouts)) {
    it.live(
      `keeps ${name}, and gives back what was`,
      () =>
        Effect.gen(function* () {
          const { setup, read } = yield* home(text)
          assert.strictEqual((yield* setup("--yes")).exitCode, 0)
          for (const line of text.split("\n")) assert.include(read(), line.replace(/[\]}\s]*,?\s*$/, ""))
          assert.deepStrictEqual(Object.keys(ours(read().replace("\uFEFF", ""))).length, 3)
          assert.strictEqual((yield* setup("--remove", "--yes")).exitCode, 0)
          assert.strictEqual(read(), text)
        }),
      timeout
    )
  }

  it.live(
    "writes through a link that leads to nothing yet, and not over a file that is read-only",
    () =>
      Effect.gen(function* () {
        const { root, file, setup, read } = yield* home("{}")
        fs.rmSync(file)
        fs.symlinkSync("../dotfiles.json", file)
        assert.strictEqual((yield* setup("--yes")).exitCode, 0)
        assert.isTrue(fs.lstatSync(file).isSymbolicLink())
        assert.strictEqual(fs.readFileSync(`${root}/dotfiles.json`, "utf8"), read())
        fs.chmodSync(file, 0o444)
        const { stderr, exitCode } = yield* setup("--remove", "--yes")
        assert.include(stderr, "it is read-only")
        assert.strictEqual(exitCode, 1)
      }),
    timeout
  )

  it.live(
    "keeps what a person added to our hook",
    () =>
      Effect.gen(function* () {
        const group = {
          hooks: [{ type: "command", command: "node /old/session-liveness-hook.js --root /r", timeout: 5 }]
        }
        const { setup, read } = yield* home(JSON.stringify({ hooks: { SessionStart: [group] } }))
        assert.strictEqual((yield* setup("--yes")).exitCode, 0)
        const [{ hooks }] = JSON.parse(read()).hooks.SessionStart
        assert.deepStrictEqual(hooks, [
          { ...group.hooks[0], command: `node ${path.join(project, "dist/bin/session-liveness-hook.js")} --root /r` }
        ])
      }),
    timeout
  )

  it.live(
    "leaves no file where there was none, nor behind a link that led to nothing, and what is empty as it was",
    () =>
      Effect.gen(function* () {
        const { root, file, setup } = yield* home(undefined)
        const cycle = Effect.gen(function* () {
          assert.strictEqual((yield* setup("--yes")).exitCode, 0)
          assert.strictEqual((yield* setup("--yes", "--session-names")).exitCode, 0)
          const shown = yield* setup("--remove")
          assert.deepStrictEqual([shown.exitCode, fs.existsSync(file)], [10, true])
          assert.strictEqual((yield* setup("--remove", "--yes")).exitCode, 0)
        })
        yield* cycle
        assert.isUndefined(fs.lstatSync(file, { throwIfNoEntry: false }))
        fs.symlinkSync("../dotfiles.json", file)
        yield* cycle
        assert.strictEqual(fs.readlinkSync(file), "../dotfiles.json")
        assert.isFalse(fs.existsSync(`${root}/dotfiles.json`))
        fs.writeFileSync(file, '{ "hooks": { "SessionStart": [ ] } }')
        yield* cycle
        assert.strictEqual(fs.readFileSync(`${root}/dotfiles.json`, "utf8"), '{ "hooks": { "SessionStart": [ ] } }')
      }),
    timeout
  )

  const refused: Readonly<Record<string, string>> = {
    "no JSON": "{ // mine\n}",
    "no object": "[]",
    "hooks that are none": '{"hooks":[]}',
    "an event that is no list": '{"hooks":{"SessionStart":{}}}',
    "a key that stands there twice": '{"a":1,"a":2}'
  }
  for (const [name, text] of Object.entries(refused)) {
    it.live(
      `refuses ${name}`,
      () =>
        Effect.gen(function* () {
          const { setup, read } = yield* home(text)
          for (const args of [["--yes"], ["--remove", "--yes"]]) {
            const { stdout, stderr, exitCode } = yield* setup(...args)
            assert.include(stderr, "is left as it is: ")
            assert.deepStrictEqual([stdout, exitCode, read()], ["", 1, text])
          }
        }),
      timeout
    )
  }
})
