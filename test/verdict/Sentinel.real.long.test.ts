import { assert, describe, it } from "@effect/vitest"
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { OwnerSentinel } from "../../src/internal.ts"
import * as FaultyFiles from "../machine/FaultyFiles.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"

const timeout = 120_000

/** Elsewhere it cannot be told which processes use a worktree, and every one of them stays. */
const onLinux = process.platform === "linux"
const name = OwnerSentinel.fileName
const createdAt = "2026-01-02T03:04:05.000Z"

const agent = { agent_id: "a", delegation_id: "d", parent_session_id: "P" }
const ended = { created_at: createdAt, agent: { ...agent, ended_at: "2026-01-02T04:00:00Z" } }
const running = { created_at: createdAt, agent }
const owned = { created_at: createdAt, owner_session_id: "S" }

const text = (value: unknown) => (file: string) => fs.writeFileSync(file, `${JSON.stringify(value)}\n`)
const bytes = (content: string | Uint8Array) => (file: string) => fs.writeFileSync(file, content)
const unreadable = "Owner: its ownership sentinel cannot be read"

type Put = (file: string) => void

/** What stands in the admin directory and in the worktree, and the verdict. */
const cases: ReadonlyArray<
  readonly [name: string, inAdmin: Put | undefined, inWorktree: Put | undefined, expect: string]
> = [
  ["none", undefined, undefined, "Settled: nobody"],
  ["a session, in the admin directory", text(owned), undefined, "Owner: its owner S"],
  ["a session, in the worktree", undefined, text(owned), "Owner: its owner S"],
  ["an agent that runs", text(running), undefined, "Settled: agent a is not marked ended"],
  ["an agent that has ended", text(ended), undefined, "Settled: agent a is marked ended"],
  ["an agent that has ended and a session", text({ ...ended, ...owned }), undefined, "Owner: its owner S"],
  ["both: the one in the admin directory decides to keep", text(owned), text(ended), "Owner: its owner S"],
  [
    "both: the one in the admin directory decides to let go",
    text(ended),
    text(owned),
    "Settled: agent a is marked ended"
  ],
  ["empty in the worktree: the old mark", undefined, bytes(""), "Settled: nobody"],
  ["empty in the admin directory", bytes(""), undefined, unreadable],
  ["empty in both", bytes(""), bytes(""), unreadable],
  ["empty in the admin directory, whole in the worktree", bytes(""), text(ended), unreadable],
  ["a line feed in the worktree", undefined, bytes("\n"), unreadable],
  ["a byte order mark alone in the worktree", undefined, bytes("\uFEFF"), unreadable],
  ["half of it", bytes(JSON.stringify(ended).slice(0, -9)), undefined, unreadable],
  ["twice", bytes(`${JSON.stringify(ended)}\n${JSON.stringify(ended)}\n`), undefined, unreadable],
  ["not JSON", bytes("owner: S\n"), undefined, unreadable],
  ["not UTF-8", bytes(Buffer.from([0x22, 0xff, 0x22])), undefined, unreadable],
  ["a list", text([ended]), undefined, unreadable],
  ["names nobody", text({ created_at: createdAt }), undefined, unreadable],
  [
    "names nobody, with null",
    text({ created_at: createdAt, owner_session_id: null, agent: null }),
    undefined,
    unreadable
  ],
  ["names an empty session", text({ created_at: createdAt, owner_session_id: "" }), undefined, unreadable],
  [
    "an agent without a parent",
    text({ created_at: createdAt, agent: { ...agent, parent_session_id: undefined } }),
    undefined,
    unreadable
  ],
  ["no time", text({ agent: ended.agent }), undefined, unreadable],
  ["a time that is none", text({ ...ended, created_at: "yesterday" }), undefined, unreadable],
  [
    "an end that is no time",
    text({ created_at: createdAt, agent: { ...agent, ended_at: true } }),
    undefined,
    unreadable
  ],
  [
    "fields that nobody knows",
    text({ ...ended, version: 7, agent: { ...ended.agent, kind: "x" } }),
    undefined,
    "Settled: agent a is marked ended"
  ],
  ["two megabytes", bytes(`${JSON.stringify(ended)}${" ".repeat(2_000_000)}`), undefined, unreadable],
  ["a directory", (file) => fs.mkdirSync(file), undefined, unreadable],
  ["an empty directory in the worktree", undefined, (file) => fs.mkdirSync(file), unreadable],
  ["a FIFO", (file) => void execFileSync("mkfifo", [file]), undefined, unreadable],
  ["a FIFO in the worktree", undefined, (file) => void execFileSync("mkfifo", [file]), unreadable],
  ["a link that leads nowhere", (file) => fs.symlinkSync("nowhere", file), undefined, unreadable],
  [
    "a link to a whole one",
    (file) => {
      text(ended)(`${file}-other`)
      fs.symlinkSync(`${file}-other`, file)
    },
    undefined,
    unreadable
  ],
  ["a link to an empty file in the worktree", undefined, (file) => fs.symlinkSync("/dev/null", file), unreadable]
]

describe.skipIf(!onLinux)("a sentinel", () => {
  it.live(
    "is read whole, where it stands first, or not at all",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const repository = Repo.create(path.join(root, "repository"))
        const at = (index: number) => path.join(root, `worktree-${index}`)
        cases.forEach(([, inAdmin, inWorktree], index) => {
          const worktree = Repo.link(repository, at(index), `work-${index}`)
          // On no branch but its own, so that the tree is not settled.
          Repo.commit(worktree, { "c.txt": `${index}` })
          inAdmin?.(path.join(Repo.adminOf(worktree), name))
          inWorktree?.(path.join(worktree, name))
          Repo.age(Repo.adminOf(worktree), 2 * Repo.day)
        })
        const [actual, expected] = Survey.compare(
          yield* Survey.survey(repository, { root }),
          cases.map(([name, , , expect], index) => [name, at(index), expect])
        )
        assert.deepStrictEqual(actual, expected)
      }),
    timeout
  )

  it.live(
    "that cannot be looked at or read is not taken for none",
    () =>
      Effect.gen(function* () {
        const { worktree, admin } = yield* stage
        fs.writeFileSync(path.join(worktree, name), "")
        for (const directory of [admin, worktree]) {
          for (const operation of ["lstat", "readFile"] as const) {
            for (const answer of [
              { fails: "Unknown", code: "EIO" },
              { fails: "PermissionDenied", code: "EACCES" },
              { fails: "BadResource", code: "ELOOP" }
            ] as const) {
              if (directory === admin && operation === "readFile") fs.writeFileSync(path.join(admin, name), "x")
              const fileSystem = FaultyFiles.layer((asked, at) =>
                asked === operation && at === path.join(directory, name) ? answer : undefined
              )
              const sentinel = yield* OwnerSentinel.OwnerSentinel.use((sentinels) => sentinels.read(worktree)).pipe(
                Effect.provide(OwnerSentinel.layer.pipe(Layer.provide(fileSystem)))
              )
              fs.rmSync(path.join(admin, name), { force: true })
              assert.include(sentinel._tag === "Unreadable" ? sentinel.why : sentinel._tag, path.join(directory, name))
            }
          }
        }
      }),
    timeout
  )
})

const stage = Effect.map(tempRoot, (root) => {
  const repository = Repo.create(path.join(root, "repository"))
  const worktree = Repo.link(repository, path.join(root, "worktree"), "work")
  const admin = Repo.adminOf(worktree)
  Repo.age(admin)
  return { root, repository, worktree, admin }
})

const provided = Effect.provide(OwnerSentinel.layer.pipe(Layer.provide(NodeFileSystem.layer)))

const read = (worktree: string) =>
  OwnerSentinel.OwnerSentinel.use((sentinels) => sentinels.read(worktree)).pipe(provided)

const named = (owner: string) => ({
  owner,
  createdAt: Date.parse(createdAt),
  agent: { agentId: "a", delegationId: "d", parent: "P", endedAt: undefined }
})

const written = (worktree: string, owner: string) => OwnerSentinel.write(worktree, named(owner)).pipe(provided)

describe("writing a sentinel", () => {
  it.live(
    "puts it whole into the admin directory, for its owner alone, and leaves nothing else",
    () =>
      Effect.gen(function* () {
        const { worktree, admin } = yield* stage
        const before = fs.readdirSync(admin)
        yield* written(worktree, "S")
        yield* written(worktree, "T")
        assert.deepStrictEqual(yield* read(worktree), OwnerSentinel.Named(named("T")))
        assert.strictEqual(fs.statSync(path.join(admin, name)).mode & 0o777, 0o600)
        assert.deepStrictEqual(fs.readdirSync(admin).sort(), [...before, name].sort())
        assert.strictEqual(Repo.git(worktree, "status", "--porcelain"), "")
      }),
    timeout
  )

  it.live(
    "follows and waits for nothing that stands there, and fails where it cannot",
    () =>
      Effect.gen(function* () {
        const { root, worktree, admin } = yield* stage
        const target = path.join(admin, name)
        const other = path.join(root, "other")
        fs.writeFileSync(other, "theirs")
        fs.symlinkSync(other, target)
        yield* written(worktree, "S")
        assert.strictEqual(fs.readFileSync(other, "utf8"), "theirs")
        fs.rmSync(target)
        execFileSync("mkfifo", [target])
        yield* written(worktree, "T")
        assert.deepStrictEqual(yield* read(worktree), OwnerSentinel.Named(named("T")))
        fs.rmSync(target)
        fs.mkdirSync(path.join(target, "full"), { recursive: true })
        const entries = fs.readdirSync(admin)
        const failed = yield* Effect.flip(written(worktree, "U"))
        assert.strictEqual(failed.reason._tag, "Unwritten")
        assert.deepStrictEqual(fs.readdirSync(admin), entries)
        const never = OwnerSentinel.write(worktree, { ...named("U"), createdAt: NaN }).pipe(provided)
        assert.strictEqual((yield* Effect.flip(never)).reason._tag, "Unwritten")
        assert.strictEqual((yield* Effect.flip(written(root, "S"))).reason._tag, "NoWorktree")
      }),
    timeout
  )

  it.live(
    "side by side leaves one of them whole at every moment",
    () =>
      Effect.gen(function* () {
        const { worktree } = yield* stage
        yield* written(worktree, "first")
        const owners = Array.from({ length: 100 }, (_, index) => `owner-${index}-${"x".repeat(index * 50)}`)
        const seen: Array<OwnerSentinel.Sentinel> = []
        yield* Effect.all(
          [
            Effect.forEach(owners, (owner) => written(worktree, owner), { concurrency: 16 }),
            Effect.forEach(owners, () => Effect.map(read(worktree), (sentinel) => seen.push(sentinel)))
          ],
          { concurrency: 2 }
        )
        const possible = new Set(["first", ...owners])
        for (const sentinel of [...seen, yield* read(worktree)]) {
          assert.isTrue(sentinel._tag === "Named" && possible.has(sentinel.owner ?? ""), JSON.stringify(sentinel))
        }
      }),
    timeout
  )

  it.live(
    "killed in between leaves the old one or the new one",
    () =>
      Effect.gen(function* () {
        const { worktree } = yield* stage
        yield* written(worktree, "first")
        const script = fileURLToPath(new URL("sentinelWriter.ts", import.meta.url))
        for (const delay of [0, 1, 3, 8]) {
          yield* Effect.callback<void>((resume) => {
            const child = spawn(process.execPath, [script, worktree], { stdio: ["ignore", "pipe", "ignore"] })
            // It tells when it has begun: before that there is nothing to interrupt.
            child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), delay))
            child.on("exit", () => resume(Effect.void))
          })
          const sentinel = yield* read(worktree)
          assert.match(sentinel._tag === "Named" ? (sentinel.owner ?? "") : "", /^(first|writer-[0-9]+-x{20000})$/)
        }
      }),
    timeout
  )
})

describe.skipIf(!onLinux)("marking an agent as ended", () => {
  for (const [lies, where] of [
    ["admin", "in the admin directory"],
    ["worktree", "in the worktree"]
  ] as const) {
    it.live(
      `leaves a sentinel as it is that names another since it was read, ${where}`,
      () =>
        Effect.gen(function* () {
          const stood = yield* stage
          const file = path.join(stood[lies], name)
          const named = (agentId: string) => text({ ...running, agent: { ...agent, agent_id: agentId } })(file)
          named("a")
          let reads = 0
          const fileSystem = FaultyFiles.layer((asked, at) => {
            if (asked === "readFile" && at === file && ++reads === 2) named("b")
            return undefined
          })
          const marked = yield* OwnerSentinel.OwnerSentinel.use(({ markEnded }) =>
            markEnded(stood.worktree, "a", 0)
          ).pipe(Effect.provide(OwnerSentinel.layer.pipe(Layer.provide(fileSystem))), Effect.flip)
          assert.strictEqual(marked.reason._tag, "NotTheirs")
          const sentinel = yield* read(stood.worktree)
          assert.strictEqual(sentinel._tag === "Named" && sentinel.agent?.agentId, "b")
          assert.deepStrictEqual(
            fs.readdirSync(path.dirname(file)).filter((entry) => entry.startsWith(name)),
            [name]
          )
        }),
      timeout
    )
  }

  it.live(
    "names the agent that has ended, and no other",
    () =>
      Effect.gen(function* () {
        const { root, repository, worktree, admin } = yield* stage
        const mark = (agentId: string, at: number) => OwnerSentinel.markEnded(worktree, agentId, at).pipe(provided)
        const line = Effect.map(Survey.survey(repository, { root }), (plan) => Survey.line(Survey.at(plan, worktree)))
        assert.strictEqual((yield* Effect.flip(mark("a", 0))).reason._tag, "NotTheirs")

        text({ ...running, agent: { ...agent, agent_id: "a" } })(path.join(worktree, name))
        Repo.age(admin, Repo.day * 2)
        Repo.git(worktree, "commit", "-q", "--allow-empty", "-m", "its own")
        Repo.age(admin, Repo.day * 2)
        assert.match(yield* line, /^Settled: agent a is not marked ended/)
        for (const other of ["b", "A", " a", "", "P"]) {
          assert.strictEqual((yield* Effect.flip(mark(other, 0))).reason._tag, "NotTheirs")
        }
        assert.match(yield* line, /^Settled: agent a is not marked ended/)

        const endedAt = Date.parse("2026-03-04T05:06:07.000Z")
        yield* mark("a", endedAt)
        const after = yield* read(worktree)
        assert.strictEqual(after._tag === "Named" ? after.agent?.endedAt : after, endedAt)
        assert.isFalse(fs.existsSync(path.join(admin, name)), "where it lay: a copy would hide whom it names next")
        assert.match(yield* line, /^Settled: agent a is marked ended, but its parent P, which may resume it/)

        yield* mark("a", endedAt + 1)
        const again = yield* read(worktree)
        assert.strictEqual(
          again._tag === "Named" && again.agent?.endedAt,
          endedAt + 1,
          "it was resumed, and stopped again"
        )

        text({ ...running, agent: { ...agent, agent_id: "b" } })(path.join(worktree, name))
        assert.match(yield* line, /^Settled: agent b is not marked ended/)

        fs.writeFileSync(path.join(admin, name), "")
        assert.strictEqual((yield* Effect.flip(mark("a", 0))).reason._tag, "NotTheirs")
        assert.strictEqual(fs.readFileSync(path.join(admin, name), "utf8"), "", "what cannot be read is left alone")
      }),
    timeout
  )
})
