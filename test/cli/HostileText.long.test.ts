import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { LinkWriter, SessionLinks, SidecarReader } from "../../src/internal.ts"
import { layerSidecar } from "../../src/node/index.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command, type Outcome, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"
import { tempRoot } from "../TempRoot.ts"

const timeout = 300_000

/** Clears the screen, sets the title, turns the direction of reading, ends the line. */
const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2028\r\nx"
/** The same without what no name of a file, a ref or a session may hold. */
const evilName = "a\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2028z"

const raw = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const isFit = (what: string, { stdout, stderr }: Outcome): void => {
  assert.notMatch(stdout, raw, `${what}: stdout`)
  assert.notMatch(stderr, raw, `${what}: stderr`)
  assert.notMatch(stdout + stderr, /^x/m, `${what}: a line of its own`)
}

/** A root and a repository in which everything that has a name has an evil one. */
const hostile = Effect.map(World.repository, (repository) => {
  const { root, main, git } = repository
  const work = path.join(root, "work", evilName)
  World.records(root, {
    [evil]: { tmux_name: `tm-${evil}`, workspace_path: `${work}${evil}` },
    ok: { tmux_name: `tm-${evil}`, workspace_path: work, claude_session_id: "c-1" },
    gone: { tmux_name: "tm-gone", workspace_path: path.join(root, evil) },
    broken: { tmux_name: 7, workspace_path: evil },
    lost: { tmux_name: evil, created_at: evil }
  })
  const sidecar = path.join(root, "usage/session-links")
  fs.mkdirSync(path.join(sidecar, `dir${evilName}`), { recursive: true })
  fs.writeFileSync(path.join(sidecar, evilName), "one\n")
  fs.writeFileSync(path.join(sidecar, "damaged"), `${evil}\n\u001b[2Jtwo`)
  fs.writeFileSync(path.join(sidecar, "old"), "c-old\n")
  fs.utimesSync(path.join(sidecar, "old"), 0, 0)
  fs.writeFileSync(
    path.join(root, "usage/savings.jsonl"),
    `{"session_id":"c-1","technique":${JSON.stringify(evil)}}\n${evil}\n`
  )
  const named = repository.worktree(evilName, {
    owner_session_id: evil,
    created_at: "2026-01-01T00:00:00Z",
    agent: { agent_id: evil, delegation_id: evil, parent_session_id: evil }
  })
  const locked = repository.worktree("locked")
  git("worktree", "lock", "--reason", `claude agent ${evil} (pid 1)`, locked)
  const dirty = repository.worktree("dirty")
  fs.writeFileSync(path.join(dirty, evilName), "")
  const branch = repository.worktree("branch")
  git("-C", branch, "checkout", "--quiet", "-b", "b-\u009b31m\u202e")
  const unreadable = repository.worktree("unreadable")
  fs.writeFileSync(World.sentinelOf(unreadable), evil)
  return { root, main, sidecar, worktrees: [named, locked, dirty, branch, unreadable] }
})

const hook = "dist/bin/session-liveness-hook.js"
const statusLine = "dist/bin/session-liveness-status-line.js"

describe("whatever things are called, nothing that reaches a terminal moves its cursor", () => {
  it.live.skipIf(!Isolated.allowed)(
    "in the output of the programs",
    () =>
      Effect.gen(function* () {
        const { root, main, worktrees } = yield* hostile
        const given = { root, cwd: main, env: { TMUX: `${evil},1,0`, TMUX_PANE: evil } }
        const isolated = { ...given, prepare: Isolated.sessions("tm-a b", "tm-é") }
        const event = JSON.stringify({ hook_event_name: "SessionStart", session_id: evil, cwd: evil })
        for (const json of [[], ["--json"]]) {
          isFit("sessions", yield* Isolated.run(command, ["sessions", ...json], isolated))
          isFit("sweep", yield* Isolated.run(command, ["sweep", ...json], isolated))
          isFit("check", yield* Isolated.run(command, ["check", ...json, ...worktrees, evil], isolated))
          for (const worktree of [...worktrees, evil])
            isFit(`explain ${worktree}`, yield* run(command, ["explain", ...json, worktree], given))
          for (const flags of [
            ["list"],
            ["restore", evil],
            ["expire"],
            ["sweep", evil],
            ["sweep", "--caller", evil, "--dismiss", evil]
          ])
            isFit(flags.join(" "), yield* run(command, [...flags, ...json], given))
          for (const name of [
            "sweep",
            "explain",
            "check",
            "list",
            "restore",
            "expire",
            "sessions",
            "links",
            "setup",
            evil
          ])
            isFit(`${name} --evil`, yield* run(command, [name, `--${evil}`], given))
          for (const args of [
            ["links", "heal"],
            ["links", "prune", "--apply", "--yes"],
            ["links", "show", evil]
          ]) {
            isFit(args.join(" "), yield* run(command, [...args, ...json], given))
            isFit(args.join(" "), yield* run(command, [...args, ...json, "--root", evil], given))
          }
          isFit("adopt", yield* run(command, ["adopt", ...json, worktrees[0] ?? "", "--session", evil], given))
          isFit("release", yield* run(command, ["release", ...json, worktrees[0] ?? ""], given))
          isFit("setup", yield* run(command, ["setup", ...json, "--settings", evil, "--root", evil], given))
          isFit("status line", yield* run(statusLine, ["--verbose"], { ...given, stdin: event }))
        }
        const agent = JSON.stringify({ hook_event_name: "SubagentStop", agent_id: evil, cwd: main, session_id: evil })
        for (const stdin of [event, evil, agent]) isFit("hook", yield* run(hook, [], { ...given, stdin }))
        isFit("hook", yield* run(hook, ["--managed", evil], { ...given, stdin: event }))
        for (const program of [hook, statusLine]) isFit("--evil", yield* run(program, [`--${evil}`], given))
      }),
    timeout
  )
})

describe("ids that are paths", () => {
  const ids = [
    "../x",
    "../../x",
    "/tmp/x",
    "a/b",
    "a\\b",
    ".",
    "..",
    ".hidden",
    "",
    " ",
    "a\0b",
    "a\nb",
    "a\u001bb",
    "x".repeat(256),
    "é".repeat(128),
    "\ud800",
    "\ufffd"
  ]

  const tree = (root: string): ReadonlyArray<string> =>
    fs.existsSync(root) ? fs.readdirSync(root, { recursive: true, encoding: "utf8" }).sort() : []

  const layers = {
    node: (root: string) => layerSidecar({ root }),
    effect: (root: string) =>
      Layer.mergeAll(SidecarReader.layer({ root }), LinkWriter.layer({ root })).pipe(Layer.provide(NodeServices.layer))
  }

  for (const [name, layer] of Object.entries(layers)) {
    it.live(`are refused, and nothing is created (${name})`, () =>
      Effect.gen(function* () {
        const around = yield* tempRoot
        const root = path.join(around, "deep/root")
        for (const id of ids) {
          const recorded = yield* SessionLinks.record(id, "one").pipe(Effect.provide(layer(root)))
          assert.strictEqual(recorded._tag, "Refused", JSON.stringify(id))
          assert.isFalse(yield* SessionLinks.recordLink(id, "one").pipe(Effect.provide(layer(root))))
        }
        for (const id of ["a\nb", "", "x".repeat(256), "\u0000"]) {
          const recorded = yield* SessionLinks.record("harbor", id).pipe(Effect.provide(layer(root)))
          assert.strictEqual(recorded._tag, "Refused", JSON.stringify(id))
        }
        assert.deepStrictEqual(tree(around), [])
      })
    )
  }

  it.live(
    "a link in the sidecar that leads nowhere makes no file there, and one to a directory is not written to",
    () =>
      Effect.gen(function* () {
        const around = yield* tempRoot
        const sidecar = path.join(around, "root/usage/session-links")
        fs.mkdirSync(sidecar, { recursive: true })
        fs.symlinkSync(path.join(around, "outside"), path.join(sidecar, "dangling"))
        fs.mkdirSync(path.join(around, "directory"))
        fs.symlinkSync(path.join(around, "directory"), path.join(sidecar, "directory"))
        const before = tree(around)
        for (const layer of Object.values(layers)) {
          for (const id of ["dangling", "directory"]) {
            const written = SessionLinks.recordLink(id, "one").pipe(Effect.provide(layer(path.join(around, "root"))))
            assert.isFalse(yield* written)
          }
        }
        assert.deepStrictEqual(tree(around), before)
      })
  )
})

describe("secrets", () => {
  it.live.skipIf(!Isolated.allowed)(
    "of the environment, of command lines and of files are in no output",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        World.records(root, {})
        const one = worktree("one", { owner_session_id: "s-hunter2-sentinel", created_at: "2026-01-01T00:00:00Z" })
        fs.writeFileSync(World.sentinelOf(one), '{"token":"hunter2-file"')
        fs.mkdirSync(path.join(root, "usage/session-links"), { recursive: true })
        fs.writeFileSync(path.join(root, "usage/session-links/harbor"), "\u0001hunter2-link\n")
        fs.writeFileSync(path.join(root, "usage/savings.jsonl"), "{hunter2-ledger\n")
        const prepare = `
          TOKEN=hunter2-other bash -c 'cd "$1"; exec sleep 600' bash '${one}' --password hunter2-argument &
          (cd '${one}'; exec -a 'sleep --password=hunter2-title' sleep 600) &
          sleep 0.3`
        const given = { root, cwd: main, env: { SECRET: "hunter2-own", GIT_ASKPASS: "hunter2-git" }, prepare }
        const said = [
          yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h"], given),
          yield* Isolated.run(command, ["sweep", "--quiet-for", "0h", "--settled-for", "0h", "--json"], given),
          yield* Isolated.run(command, ["explain", "--json", one], given),
          yield* Isolated.run(command, ["explain", one], given),
          yield* Isolated.run(command, ["sessions"], given),
          yield* run(command, ["links", "heal"], given),
          yield* run(statusLine, ["--verbose"], { ...given, stdin: '{"session_id":"c-1"}' })
        ]
        const text = said.map(({ stdout, stderr }) => stdout + stderr).join("\n")
        assert.match(text, /process \d+\).* uses it: working directory /)
        assert.notInclude(text, "hunter2")
      }),
    timeout
  )
})
