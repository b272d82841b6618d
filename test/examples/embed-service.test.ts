import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Isolated from "./Isolated.ts"
import { project, run } from "./Program.ts"
import * as World from "./World.ts"

const program = "examples/embed-service.ts"
const timeout = 60_000

const socketOf = (root: string) => path.join(root, "service", "socket")

/** A service that has begun to serve, killed with the scope unless it has ended. */
const serve = Effect.fnUntraced(function* (root: string, ...args: ReadonlyArray<string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [path.join(project, program), "--root", root, ...args], {
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  let log = ""
  const ended = new Promise<readonly [number | null, string | null]>((resolve) => {
    child.on("close", (code, signal) => resolve([code, signal]))
  })
  yield* Effect.callback<void>((resume) => {
    child.stdout.on("data", (text) => {
      log += text
      if (log.includes('"serving"')) resume(Effect.void)
    })
    child.on("close", () => resume(Effect.die(new Error(`it did not serve: ${log}`))))
  })
  return { child, log: () => log, ended: Effect.promise(() => ended) }
})

/** Sends bytes on one connection and gives the answers, given that there are so many. */
const say = (root: string, bytes: string | Uint8Array, answers: number) =>
  Effect.callback<ReadonlyArray<Record<string, unknown>>>((resume) => {
    let text = ""
    const connection = net.connect(socketOf(root), () => connection.write(bytes))
    connection.on("data", (piece) => {
      text += piece
      const lines = text.split("\n").slice(0, -1)
      if (lines.length === answers) resume(Effect.succeed(lines.map((line) => JSON.parse(line))))
    })
    connection.on("error", (error) => resume(Effect.die(error)))
    return Effect.sync(() => connection.destroy())
  })

const health = '{"ask":"health"}\n'

const root = Effect.tap(tempRoot, (root) => Effect.sync(() => World.records(root, {})))

describe(program, () => {
  it.live(
    "its socket is its owner's alone, one serves at a time, and SIGTERM and SIGINT end it well",
    () =>
      Effect.gen(function* () {
        const at = yield* root
        for (const signal of ["SIGTERM", "SIGINT"] as const) {
          const { child, ended } = yield* serve(at)
          assert.strictEqual(fs.statSync(socketOf(at)).mode & 0o777, 0o600)
          assert.strictEqual(fs.statSync(path.dirname(socketOf(at))).mode & 0o777, 0o700)
          for (const name of fs.readdirSync(path.dirname(socketOf(at)))) {
            assert.strictEqual(fs.statSync(path.join(at, "service", name)).mode & 0o777, 0o600, name)
          }
          const second = yield* run(program, ["--root", at])
          assert.match(second.stderr, /another service has it$/m)
          assert.strictEqual(second.exitCode, 1)
          assert.strictEqual((yield* say(at, health, 1))[0]?.["healthy"], true)
          child.kill(signal)
          assert.deepStrictEqual(yield* ended, [0, null])
          assert.isFalse(fs.existsSync(socketOf(at)))
        }
      }),
    timeout
  )

  it.live(
    "what a killed one left is taken over; what is no socket, and a directory of others, is not",
    () =>
      Effect.gen(function* () {
        const at = yield* root
        const killed = yield* serve(at)
        killed.child.kill("SIGKILL")
        yield* killed.ended
        assert.isTrue(fs.existsSync(socketOf(at)))
        const { child, ended } = yield* serve(at)
        assert.lengthOf(yield* say(at, health, 1), 1)
        child.kill("SIGTERM")
        yield* ended
        fs.writeFileSync(socketOf(at), "precious")
        assert.include((yield* run(program, ["--root", at])).stderr, "something else than a socket")
        assert.strictEqual(fs.readFileSync(socketOf(at), "utf8"), "precious")
        fs.rmSync(socketOf(at))
        fs.chmodSync(path.dirname(socketOf(at)), 0o755)
        assert.include((yield* run(program, ["--root", at])).stderr, "must be mode 0700")
        const long = `/tmp/${"x".repeat(120)}/s`
        assert.include((yield* run(program, ["--root", at, "--socket", long])).stderr, "too long")
        assert.isFalse(fs.existsSync(path.dirname(long)))
      }),
    timeout
  )

  it.live(
    "a line that is not understood is told, and the connection lives",
    () =>
      Effect.gen(function* () {
        const at = yield* root
        yield* serve(at)
        const bad = ["", "nope", "[]", '{"ask":"everything"}', '{"ask":"verdict","path":"w"}', "x".repeat(1_000_000)]
        const bytes = Buffer.concat([
          Buffer.from(`${bad.join("\n")}\n"`),
          Buffer.from([0xff]),
          Buffer.from(`"\n${health}`)
        ])
        const answers = yield* say(at, bytes, bad.length + 2)
        for (const answer of answers.slice(0, -1)) assert.isString(answer["error"])
        assert.include(answers[bad.length - 1]?.["error"], "65536 bytes")
        assert.include(answers[bad.length]?.["error"], "UTF-8")
        assert.strictEqual(answers.at(-1)?.["healthy"], true)
        // A line may come in pieces, whose ends need not be those of characters.
        const event = Buffer.from('{"hook_event_name":"SessionStart","session_id":"c-ü","managed_id":"m1"}\n')
        const pieces = yield* Effect.callback<string>((resume) => {
          const connection = net.connect(socketOf(at)).setNoDelay(true)
          connection.on("data", (piece) => resume(Effect.succeed(String(piece))))
          const write = (from: number): void => {
            if (from < event.length) connection.write(event.subarray(from, from + 1), () => write(from + 1))
          }
          write(0)
          return Effect.sync(() => connection.destroy())
        })
        assert.deepStrictEqual(JSON.parse(pieces), { recorded: "Written" })
        assert.strictEqual(fs.readFileSync(path.join(at, "usage/session-links/m1"), "utf8"), "c-ü\n")
      }),
    timeout
  )

  it.live(
    "links by its client, and refuses a subagent's id and one that is none",
    () =>
      Effect.gen(function* () {
        const at = yield* root
        const { child, log, ended } = yield* serve(at)
        const event = { hook_event_name: "SessionStart", session_id: "c1", source: "clear" }
        const link = (id: string, more: object = {}) =>
          run(program, ["ask", "link", id, "--root", at], { stdin: JSON.stringify({ ...event, ...more }) })
        assert.strictEqual((yield* link("m1")).stdout, '{"recorded":"Written"}\n')
        assert.strictEqual((yield* link("m1")).stdout, '{"recorded":"AlreadyListed"}\n')
        for (const refused of [
          link("m1", { agent_id: "a", session_id: "c2" }),
          link("../m1"),
          link("m1", { session_id: 7 })
        ]) {
          const { stdout, exitCode } = yield* refused
          assert.isString(JSON.parse(stdout).error)
          assert.strictEqual(exitCode, 1)
        }
        assert.include((yield* link("m1", { session_id: 7 })).stdout, "session_id is 7; hand it over as a string")
        assert.include((yield* link("m1", { hook_event_name: "Stop" })).stdout, "hand over a SessionStart event")
        assert.strictEqual((yield* link("m1", { hook_event_name: undefined })).stdout, '{"recorded":"AlreadyListed"}\n')
        child.kill("SIGTERM")
        yield* ended
        assert.notInclude(log(), '"ERROR"')
        assert.deepStrictEqual(fs.readdirSync(path.join(at, "usage/session-links")), ["m1"])
        assert.strictEqual(fs.readFileSync(path.join(at, "usage/session-links/m1"), "utf8"), "c1\n")
      }),
    timeout
  )

  it.live(
    "a request under way is answered, and a client that reads nothing does not hold it",
    () =>
      Effect.gen(function* () {
        const { main, root: at } = yield* World.repository
        World.records(at, {})
        const { child, ended } = yield* serve(at, "--log-level", "Debug")
        const deaf = net.connect(socketOf(at))
        deaf.pause()
        deaf.on("error", () => {})
        deaf.write("nope\n".repeat(200_000))
        const connection = net.connect(socketOf(at))
        const answered = new Promise<string>((resolve) => {
          let text = ""
          connection.on("data", (piece) => (text += piece)).on("close", () => resolve(text))
        })
        connection.write(`nope\n{"ask":"verdict","path":${JSON.stringify(main)}}\n`)
        // The first answer says that the second question has been read, too.
        yield* Effect.promise(() => new Promise((resolve) => connection.once("data", resolve)))
        child.kill("SIGTERM")
        const lines = (yield* Effect.promise(() => answered)).trimEnd().split("\n")
        assert.lengthOf(lines, 2)
        assert.strictEqual(JSON.parse(lines[1] ?? "").verdict, "Refuse")
        assert.deepStrictEqual(yield* ended, [0, null])
        deaf.destroy()
      }),
    timeout
  )

  it.live(
    "settings that are wrong, nobody there, wrong usage",
    () =>
      Effect.gen(function* () {
        const at = yield* root
        const settings: ReadonlyArray<readonly [name: string, value: string]> = [
          ["interval", "soon"],
          ["vantage", "moon"],
          ["log-level", "loud"],
          ["repositories", "a::b"]
        ]
        for (const [name, value] of settings) {
          const { stderr, exitCode } = yield* run(program, ["--root", at, `--${name}`, value])
          assert.match(
            stderr,
            new RegExp(`^embed-service: --${name}, or SESSION_LIVENESS_[A-Z_]+: expected [^\\\\\n]+\\.\n$`)
          )
          assert.strictEqual(exitCode, 2)
        }
        assert.include((yield* run(program, ["ask", "health", "--root", at])).stderr, "nobody answers")
        for (const args of [["serve"], ["ask"], ["ask", "verdict"], ["--nope"]]) {
          assert.strictEqual(
            (yield* run(
              program,
              [...args, "--root", at].filter((arg) => arg !== "")
            )).exitCode,
            2
          )
        }
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "verdicts, what could go, health, counters and spans",
    () =>
      Effect.gen(function* () {
        const { root: at, main, worktree } = yield* World.repository
        World.records(at, {
          "id-1": { tmux_name: "tm-one", workspace_path: `${at}/work/held` },
          "id-2": { tmux_name: "tm-two", workspace_path: `${at}/work/free` }
        })
        const held = worktree("held")
        const free = worktree("free")
        const { stdout, stderr } = yield* Isolated.run(program, [], {
          root: at,
          prepare: Isolated.sessions("tm-one"),
          // Not as arguments, which would be uses of them.
          env: {
            PATHS: `${held} ${free} ${main}`,
            SESSION_LIVENESS_QUIET: "0 seconds",
            SESSION_LIVENESS_REPOSITORIES: main
          },
          line: `
            "$NODE" "$PROGRAM" --vantage here --log-level Debug > "$TMUX_TMPDIR/log" &
            touch "$TMUX_TMPDIR/log"
            until grep -q '"surveyed"' "$TMUX_TMPDIR/log"; do sleep 0.1; done
            for path in $PATHS; do "$NODE" "$PROGRAM" ask verdict "$path"; echo "$?"; done
            "$NODE" "$PROGRAM" ask health
            "$NODE" "$PROGRAM" ask metrics
            kill -TERM $!; wait $!; echo "ended $?"`
        })
        const [heldIs = "", one, freeIs = "", zero, mainIs = "", alsoOne, healthIs = "", ...rest] = stdout.split("\n")
        assert.deepStrictEqual([one, zero, alsoOne], ["1", "0", "1"], stderr)
        assert.deepStrictEqual([JSON.parse(heldIs).verdict, JSON.parse(heldIs).gate], ["Refuse", "Claim"])
        assert.include(JSON.parse(heldIs).reason, "tmux lists it")
        assert.strictEqual(JSON.parse(freeIs).verdict, "Permit")
        assert.strictEqual(JSON.parse(mainIs).reason, "it is no linked worktree")
        const { store, lastSurvey } = JSON.parse(healthIs)
        assert.strictEqual(store, "2 records, 0 undecoded")
        assert.deepInclude(lastSurvey, { candidates: 2, permitted: 1, unlisted: 0 })
        const told = rest.join("\n")
        assert.match(told, /^session_liveness_verdicts_total\{[^}]*verdict="Permit"[^}]*\} 2$/m)
        assert.match(told, /^session_liveness_verdicts_total\{[^}]*gate="Claim"[^}]*\} 2$/m)
        assert.include(told, "ended 0")
        const log = fs
          .readFileSync(path.join(at, "log"), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        const could = log.filter(({ message }) => message === "this worktree could go")
        assert.deepStrictEqual(
          could.map(({ annotations }) => annotations.path),
          [free]
        )
        const spans = log.filter(({ message }) => message === "span").map(({ annotations }) => annotations.span)
        assert.includeMembers(spans, ["Service.answer", "Reclaim.survey", "Reclaim.judge", "WorkspaceClaims.observe"])
        assert.isTrue(fs.existsSync(free))
      }),
    timeout
  )
})
