import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { ChildProcessSpawner } from "effect/process"
import * as fs from "node:fs"
import * as path from "node:path"
import {
  ClaudeRegistry,
  ClaudeSessions,
  Git,
  LinkHistory,
  OwnerSentinel,
  type Processes,
  SessionLinks,
  Vantage
} from "../../src/internal.ts"
import { layerSidecar } from "../../src/node/index.ts"
import * as VantageFacts from "../../src/machine/VantageFacts.ts"
import * as Isolated from "../examples/Isolated.ts"
import { command } from "../examples/Program.ts"
import * as World from "../examples/World.ts"
import * as Survey from "../verdict/Survey.ts"
import { tempRoot } from "../TempRoot.ts"
import { FakeFileSystem } from "../../src/testing/index.ts"

const timeout = 60_000
const user = process.geteuid?.()
/** Only root may give a file away. */
const canGive = user === 0
const somebody = 12_345

/** A root with a record, a link file and what lies around them. */
const root = Effect.map(tempRoot, (root) => {
  World.records(root, { harbor: { tmux_name: "tm-harbor", workspace_path: `${root}/work/one` } })
  fs.mkdirSync(`${root}/usage/session-links`, { recursive: true })
  fs.writeFileSync(`${root}/usage/session-links/harbor`, "one\n")
  return root
})

/** Lets everybody write there, or gives it away, for as long as `use` takes. */
const exposing = <A, E, R>(file: string, how: "mode" | "owner", use: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = fs.statSync(file)
      if (how === "mode") fs.chmodSync(file, before.mode | 0o002)
      else fs.chownSync(file, somebody, somebody)
      return before
    }),
    () => use,
    (before) =>
      Effect.sync(() => {
        fs.chownSync(file, before.uid, before.gid)
        fs.chmodSync(file, before.mode)
      })
  )

const ways: ReadonlyArray<"mode" | "owner"> = canGive ? ["mode", "owner"] : ["mode"]
const says = { mode: /may be written to by every user; forbid that/, owner: /belongs to user 12345/ }

const foreign = (root: string) =>
  Effect.all([FileSystem.FileSystem, ChildProcessSpawner.ChildProcessSpawner]).pipe(
    Effect.flatMap(([files, spawner]) =>
      VantageFacts.gather(files, spawner, root, { platform: process.platform, user, vantage: "here" })
    ),
    Effect.map(Vantage.foreign)
  )

/** Lets every `stat` of a path fail. */
const failing =
  (bad: string, code: FakeFileSystem.Code) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(FileSystem.FileSystem, (files) =>
      Effect.provideService(effect, FileSystem.FileSystem, {
        ...files,
        stat: (file) =>
          file === bad ? Effect.fail(FakeFileSystem.platformError(code, "stat", file)) : files.stat(file)
      })
    )

describe("what another user may have written speaks for no removal", () => {
  it.effect("nor does what is there and could not be looked at", () =>
    Effect.gen(function* () {
      const at = yield* root
      for (const bad of [path.join(at, "session-manager"), path.join(at, "usage"), path.dirname(at)]) {
        assert.match(String(yield* failing(bad, "EIO")(foreign(at))), /could not be looked at/)
        assert.isUndefined(yield* failing(bad, "ENOENT")(foreign(at)))
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("root, store and sidecar: sessions cannot be judged", () =>
    Effect.gen(function* () {
      const at = yield* root
      assert.isUndefined(yield* foreign(at))
      for (const name of ["", "session-manager", "session-manager/sessions.json", "usage", "usage/session-links"]) {
        for (const how of ways) assert.match(String(yield* exposing(path.join(at, name), how, foreign(at))), says[how])
      }
      const inside = path.join(at, "a/b/root")
      fs.mkdirSync(inside, { recursive: true })
      const link = path.join(at, "link")
      fs.symlinkSync(inside, link)
      for (const above of ["a", "a/b"]) {
        for (const named of [inside, link]) {
          fs.chmodSync(path.join(at, above), 0o777)
          assert.match(String(yield* foreign(named)), /lets every user replace what stands in it/)
          fs.chmodSync(path.join(at, above), 0o1777)
          assert.isUndefined(yield* foreign(named))
        }
      }
      assert.isUndefined(yield* foreign(at))
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live.skipIf(!Isolated.allowed)(
    "such a root refuses what it permitted",
    () =>
      Effect.gen(function* () {
        const { root: at, worktree } = yield* World.repository
        const one = worktree("one")
        World.records(at, { harbor: { tmux_name: "tm-harbor", workspace_path: one } })
        const ask = Isolated.run(command, ["check", "--quiet-for", "0h", "--settled-for", "0h", one], { root: at })
        assert.strictEqual((yield* ask).exitCode, 0)
        const { stdout, exitCode } = yield* exposing(`${at}/session-manager/sessions.json`, "mode", ask)
        assert.strictEqual(exitCode, 1)
        assert.match(stdout, /another user may have written what is there: "\S+sessions\.json" may be written to/)
      }),
    timeout
  )

  it.effect("a link file: the history is unreadable, and a link that it holds still shows a figure", () =>
    Effect.gen(function* () {
      const at = yield* root
      const file = `${at}/usage/session-links/harbor`
      const ask = Effect.all([SessionLinks.linkHistory, SessionLinks.linkedClaudeIds("one")]).pipe(
        Effect.provide(layerSidecar({ root: at }))
      )
      assert.isTrue(LinkHistory.$is("Read")((yield* ask)[0]))
      for (const how of ways) {
        const [history, linked] = yield* exposing(file, how, ask)
        assert.match(history._tag === "Unreadable" ? history.reason : history._tag, says[how])
        assert.deepStrictEqual(linked.map(String), ["one"])
      }
    })
  )

  it.effect("a Claude registry: its entries keep a session alive, and end none", () =>
    Effect.gen(function* () {
      const above = path.join(yield* tempRoot, "above")
      const config = path.join(above, "config")
      fs.mkdirSync(`${config}/sessions`, { recursive: true })
      fs.mkdirSync(`${config}/projects/p`, { recursive: true })
      fs.writeFileSync(`${config}/projects/p/ended.jsonl`, "")
      fs.writeFileSync(`${config}/sessions/42.json`, '{"pid":42,"sessionId":"planted","procStart":"7"}')
      const process: Processes.Process = {
        pid: 42,
        parent: 1,
        user: user ?? 0,
        state: "S",
        name: "claude",
        executable: "/usr/local/bin/claude",
        args: ["claude"],
        terminal: true,
        innerPids: [],
        startTicks: "7",
        startedAt: 0
      }
      const judged = Effect.flatMap(ClaudeSessions.ClaudeSessions, (sessions) => sessions.snapshot([])).pipe(
        Effect.provide(ClaudeSessions.layer({ configDirectories: [config], user })),
        Effect.map((look) =>
          look._tag === "Found" ? ClaudeRegistry.assemble(look.entries, [process], look.transcripts) : undefined
        )
      )
      const own = yield* judged
      assert.isUndefined(own?.incomplete)
      assert.deepStrictEqual([...(own?.transcripts ?? [])], ["ended"])
      for (const directory of ["", "sessions", "projects"]) {
        for (const how of ways) {
          const planted = yield* exposing(path.join(config, directory), how, judged)
          assert.match(String(planted?.incomplete), /^Claude process 42 has no registry entry of its own/)
          assert.deepStrictEqual([...(planted?.transcripts ?? ["?"])], [])
          assert.deepStrictEqual(
            planted?.entries.map(({ sessionId, liveness }) => [sessionId, liveness._tag]),
            [["planted", "Live"]]
          )
        }
      }
      for (const directory of [above, config, `${config}/sessions`]) {
        const { path } = yield* Effect.flip(failing(directory, "EIO")(judged))
        assert.strictEqual(path, directory)
      }
      fs.chmodSync(above, 0o777)
      assert.deepStrictEqual([...((yield* judged)?.transcripts ?? ["?"])], [])
      fs.chmodSync(above, 0o755)
      for (const how of ways) {
        const planted = yield* exposing(`${config}/projects/p`, how, judged)
        assert.isUndefined(planted?.incomplete)
        assert.deepStrictEqual([...(planted?.transcripts ?? ["?"])], [])
      }
      for (const how of ways) {
        const broken = yield* exposing(`${config}/sessions/42.json`, how, judged)
        assert.match(String(broken?.unread), says[how])
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "the git directory of a repository: nothing that it says of a worktree is believed",
    () =>
      Effect.gen(function* () {
        const { main, worktree, git } = yield* World.repository
        const one = worktree("one")
        git("pack-refs", "--all")
        const asked = yield* Git.Git
        const inspected = Effect.gen(function* () {
          const repository = yield* asked.repository(main)
          const listed = repository.worktrees.find((each) => each.path === one)
          return listed === undefined ? "unlisted" : yield* Survey.inspect(asked, repository, listed)
        }).pipe(Effect.match({ onFailure: ({ message }) => message, onSuccess: (found) => typeof found }))
        assert.strictEqual(yield* inspected, "object")
        const names = [
          "",
          "config",
          "info",
          "info/exclude",
          "objects",
          "packed-refs",
          "refs",
          "refs/heads",
          "worktrees/one"
        ]
        for (const name of names) {
          const file = path.join(main, ".git", name)
          for (const how of ways) {
            const said = yield* exposing(file, how, inspected)
            // Git itself asks whose the directory is.
            if (name === "" && how === "owner") assert.match(said, /dubious ownership/)
            else {
              assert.match(said, says[how])
              assert.include(said, `another user may have written what it says: ${file} `)
            }
          }
        }
        if (!canGive) return
        for (const theirs of [one, path.join(main, ".git/worktrees/one")]) fs.chownSync(theirs, somebody, somebody)
        assert.strictEqual(yield* inspected, "object")
      }).pipe(
        Effect.provide(
          Git.layer({ env: process.env, platform: process.platform }).pipe(Layer.provide(NodeServices.layer))
        )
      ),
    timeout
  )

  it.effect("a sentinel, and the directories that one may be taken from: whom it names cannot be told", () =>
    Effect.gen(function* () {
      const { worktree } = yield* World.repository
      const one = worktree("one", { owner_session_id: "s", created_at: "2026-01-01T00:00:00Z" })
      const sentinel = World.sentinelOf(one)
      const ask = Effect.flatMap(OwnerSentinel.OwnerSentinel, (sentinels) => sentinels.read(one)).pipe(
        Effect.provide(OwnerSentinel.layer)
      )
      assert.strictEqual((yield* ask)._tag, "Named")
      for (const file of [sentinel, path.dirname(sentinel)]) {
        for (const how of ways) {
          const read = yield* exposing(file, how, ask)
          assert.match(read._tag === "Unreadable" ? read.why : read._tag, says[how])
        }
      }
      fs.rmSync(sentinel)
      assert.strictEqual((yield* ask)._tag, "Nobody")
      const read = yield* exposing(one, "mode", ask)
      assert.match(read._tag === "Unreadable" ? read.why : read._tag, says.mode)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
