import { assert, describe, it } from "@effect/vitest"
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer, Logger, Option } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { ClaimState, LiveClaims, SessionStore, WorkspaceClaims } from "../../src/internal.ts"
import * as Daemon from "../machine/Daemon.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Survey from "../verdict/Survey.ts"
import * as Server from "./Server.ts"

const timeout = 60_000

interface Here {
  readonly root: string
  readonly own: ReadonlyArray<number>
  readonly named?: boolean
  readonly dismiss?: ReadonlyArray<string>
}

const at = ({ root, own, named }: Here) =>
  Survey.layer({ root, own, store: SessionStore.layer({ root, named }).pipe(Layer.provide(NodeFileSystem.layer)) })

/** What the claims say of a directory that nobody holds. */
const ask = ({ dismiss, ...here }: Here) =>
  Effect.gen(function* () {
    const claims = yield* WorkspaceClaims.workspaceClaims({ dismiss })
    const place = yield* WorkspaceClaims.locate(path.join(here.root, "free"))
    return { claims, state: ClaimState.explain(LiveClaims.claimState(claims, place)) }
  }).pipe(Effect.provide(at(here)))

const records = (root: string, ...names: ReadonlyArray<string>): void => {
  fs.mkdirSync(path.join(root, "session-manager"), { recursive: true })
  const sessions = Object.fromEntries(names.map((name) => [name, { id: name, tmux_name: name }]))
  fs.writeFileSync(path.join(root, "session-manager", "sessions.json"), JSON.stringify({ sessions }))
}

describe.skipIf(process.platform !== "linux")("where no root was named", () => {
  it.live(
    "nothing that speaks for a manager leaves every place free, with a note",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const server = yield* Server.start(root, { sessions: ["work"] })
        const { claims, state } = yield* ask({ root, own: [server.pid], named: false })
        assert.strictEqual(state, "no session claims it")
        assert.strictEqual(claims.notes?.length, 1)
        assert.include((yield* ask({ root, own: [server.pid] })).state, "sessions.json is not there")
      }),
    timeout
  )

  it.live(
    "no record is the caller's, which nobody has to be warned of",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const warnings: Array<unknown> = []
        const caller = yield* WorkspaceClaims.identifyCaller.pipe(
          Effect.provide([
            at({ root, own: [], named: false }),
            Logger.layer([Logger.make(({ message }) => void warnings.push(message))])
          ])
        )
        assert.deepStrictEqual([caller, warnings], [Option.none(), []])
      }),
    timeout
  )

  it.live(
    "a managed session of tmux refuses until it is dismissed by its name",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const server = yield* Server.start(root, { sessions: ["tm-other", "work"] })
        const here = { root, own: [server.pid], named: false }
        assert.include((yield* ask(here)).state, 'tmux lists the managed session "tm-other"')
        assert.strictEqual((yield* ask({ ...here, dismiss: ["tm-other"] })).state, "no session claims it")
      }),
    timeout
  )

  it.live(
    "a process of this user that names a root refuses until that is dismissed",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const pid = yield* Daemon.start(["sleep", "600"], { env: { TRUSTY_MPM_ROOT: "/elsewhere" } })
        const here = { root, own: [pid], named: false }
        assert.include((yield* ask(here)).state, `process ${pid} has TRUSTY_MPM_ROOT "/elsewhere"`)
        assert.strictEqual((yield* ask({ ...here, dismiss: ["/elsewhere"] })).state, "no session claims it")
      }),
    timeout
  )

  it.live(
    "a session-manager directory without its store, and tmux that cannot be asked, refuse",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const server = yield* Server.start(root, { sessions: ["work"] })
        fs.rmSync(server.socket)
        const unheard = yield* ask({ root, own: [server.pid], named: false })
        assert.include(unheard.state, "it is not known which sessions tmux runs")
        fs.mkdirSync(path.join(root, "session-manager"))
        assert.include((yield* ask({ root, own: [], named: false })).state, "sessions.json is not there")
      }),
    timeout
  )
})

describe.skipIf(process.platform !== "linux")("where records are there", () => {
  it.live(
    "a managed session that tmux lists and no record names refuses until it is dismissed by its name",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        records(root, "tm-one")
        const server = yield* Server.start(root, { sessions: ["tm-one", "tm-two", "work"] })
        const here = { root, own: [server.pid] }
        const { state } = yield* ask(here)
        assert.include(state, '"tm-two", which no record names')
        assert.notInclude(state, "tm-one")
        assert.strictEqual((yield* ask({ ...here, dismiss: ["tm-two"] })).state, "no session claims it")
        records(root, "tm-one", "tm-two")
        assert.strictEqual((yield* ask(here)).state, "no session claims it")
      }),
    timeout
  )
})

describe.skipIf(process.platform !== "linux")("a session that tmux lists", () => {
  it.live(
    "is live, and said to be idle where nothing but a shell or a dead pane is left in it",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        records(root, "tm-shell", "tm-works")
        const server = yield* Server.start(root, { sessions: ["tm-works"] })
        server.tmux("new-session", "-d", "-s", "tm-shell", "sh")
        const { claims } = yield* ask({ root, own: [server.pid] })
        const because = [...(claims.owners.owners ?? [])].map(([session, liveness]) => [
          session,
          liveness._tag === "Live" ? liveness.because : liveness._tag
        ])
        assert.deepStrictEqual(because, [
          ["tm-shell", { _tag: "Listed", idle: true }],
          ["tm-works", { _tag: "Listed", idle: false }]
        ])
      }),
    timeout
  )
})
