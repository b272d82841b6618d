import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FileSystem, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import {
  ClaudeSessions,
  ProcessTable,
  Reclaim,
  SessionRecord,
  SessionStore,
  TmuxProbe,
  WorkspaceClaims
} from "../../src/internal.ts"
import {
  FakeFileSystem,
  FakeGit,
  Faults,
  Laws,
  SweepLaws,
  SweepFiles,
  SweepGit,
  SweepTime,
  SweepWorld
} from "../../src/testing/index.ts"
import { sweepLaws } from "./SweepSubject.ts"
import * as PathUses from "../../src/machine/core/PathUses.ts"

sweepLaws({ fakes: 40, overFileSystem: 12 })

describe("a program that hangs for good ends exactly at its bound", () => {
  const hangs: Faults.Schedule = [{ at: 1, on: undefined, lasting: true, kind: Faults.Kind.HangsForGood() }]
  for (const name of SweepLaws.programNames) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const staged = () =>
          SweepLaws.stage("bound", SweepLaws.fakes, SweepWorld.quiet, { faults: hangs, corruptions: [], tornReads: [] })
        const program = SweepLaws.programs(SweepWorld.quiet, "/w/b")[name]
        const before = { ...program, bound: Duration.subtract(program.bound, Duration.millis(1)) }
        assert.strictEqual((yield* (yield* staged()).attempt<unknown>(before))._tag, "Late")
        assert.strictEqual((yield* (yield* staged()).attempt<unknown>(program))._tag, "Ended")
      }).pipe(Effect.provide(Logger.layer([])))
    )
  }
})

describe("a layer of somebody's own with a classic mistake is caught", () => {
  const mistakes: ReadonlyArray<readonly [mistake: string, law: string, SweepLaws.Subject]> = [
    [
      "a probe that reads an error as an empty list",
      "L4 one way to gone",
      SweepLaws.replacing(() =>
        Layer.effect(
          TmuxProbe.TmuxProbe,
          Effect.map(TmuxProbe.TmuxProbe, (probe) => ({
            ...probe,
            ask: (socket) =>
              Effect.orElseSucceed(probe.ask(socket), () => ({ server: { pid: 201, startTime: 0 }, names: [] }))
          }))
        )
      )
    ],
    [
      "a store without records when it cannot be read",
      "L4 one way to gone",
      SweepLaws.replacing(() =>
        Layer.effect(
          SessionStore.SessionStore,
          Effect.map(SessionStore.SessionStore, (store) => ({
            read: Effect.orElseSucceed(store.read, () => SessionRecord.none)
          }))
        )
      )
    ],
    [
      "a store that passes over what it cannot decode",
      "L4 one way to gone",
      SweepLaws.replacing(() =>
        Layer.effect(
          SessionStore.SessionStore,
          Effect.map(SessionStore.SessionStore, (store) => ({
            read: Effect.map(store.read, ({ records }) => ({ records, undecoded: [] }))
          }))
        )
      )
    ],
    [
      "a store that remembers what it read first",
      "L12 recovery",
      SweepLaws.replacing(() =>
        Layer.effect(
          SessionStore.SessionStore,
          Effect.map(SessionStore.SessionStore, (store) => {
            let known: SessionRecord.StoredRecords | undefined
            return {
              read: Effect.suspend(() =>
                known === undefined
                  ? Effect.tap(store.read, (read) => Effect.sync(() => void (known = read)))
                  : Effect.succeed(known)
              )
            }
          })
        )
      )
    ],
    [
      "a process table that knows of no use when it cannot tell",
      "L4 one way to a permit",
      SweepLaws.replacing(() =>
        Layer.effect(
          ProcessTable.ProcessTable,
          Effect.map(ProcessTable.ProcessTable, (table) => ({
            ...table,
            uses: (list) => Effect.orElseSucceed(table.uses(list), () => PathUses.none)
          }))
        )
      )
    ],
    [
      "a registry that passes over what it cannot read",
      "L4 one way to an end",
      SweepLaws.replacing(() =>
        Layer.effect(
          ClaudeSessions.ClaudeSessions,
          Effect.map(ClaudeSessions.ClaudeSessions, (sessions) => ({
            ...sessions,
            snapshot: (processes) =>
              Effect.map(sessions.snapshot(processes), (look) =>
                look._tag === "Found"
                  ? { ...look, entries: look.entries.filter(({ content }) => "text" in content) }
                  : look
              )
          }))
        )
      )
    ]
  ]
  for (const [mistake, name, subject] of mistakes) {
    it.live(mistake, () =>
      Effect.gen(function* () {
        const { outcomes } = yield* Effect.flip(
          Laws.check({ sweep: subject }, { laws: [name], seed: "own", maxShrinks: 0 })
        )
        assert.deepStrictEqual(
          outcomes.map(({ _tag, law }) => [_tag, law]),
          [["Broken", name]]
        )
      })
    )
  }
})

/** The one candidate of a world that is like the quiet one. */
const candidateOf = Effect.fnUntraced(function* (like: Partial<SweepWorld.SweepWorld>, faults: Faults.Schedule) {
  const world = { ...SweepWorld.quiet, ...like }
  const { run } = yield* SweepLaws.stage("one", SweepLaws.fakes, world, { faults, corruptions: [], tornReads: [] })
  const [candidate] = (yield* run(SweepLaws.programs(world, "/w/b").survey)).candidates
  return candidate
})

const fails = (on: string): Faults.Schedule => [{ at: 1, on, lasting: false, kind: Faults.Kind.Fails({ choice: 0 }) }]

const worktree = SweepWorld.quiet.worktrees[0]
const process: SweepWorld.Process = {
  pid: 301,
  role: "Other",
  looks: "Shell",
  user: "Ours",
  started: "almostWeek",
  later: 0,
  inner: [],
  uses: []
}

describe("a tmux server that works in a worktree", () => {
  for (const [socket, gate] of [
    ["Listening", "Permit"],
    // It may list a session of another manager.
    ["Deleted", "Claim"]
  ] as const) {
    it.effect(`${socket}: ${gate}`, () =>
      Effect.gen(function* () {
        const [server] = SweepWorld.quiet.servers
        assert.isDefined(server)
        const uses = [{ kind: "working directory", path: "/w/b" }] as const
        const verdict = (yield* candidateOf({ records: [], servers: [{ ...server, socket, uses }] }, []))?.verdict
        assert.strictEqual(verdict?._tag === "Refuse" ? verdict.gate : verdict?._tag, gate)
      }).pipe(Effect.provide(Logger.layer([])))
    )
  }
})

describe("one fault", () => {
  it.effect("of none, and the quiet worktree is permitted", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* candidateOf({}, []))?.verdict._tag, "Permit")
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("in looking up what a process uses leaves nothing permitted", () =>
    Effect.gen(function* () {
      const like = {
        records: [],
        processes: [{ ...process, uses: [{ kind: "command line", path: "/l/b/deep" }] }]
      } as const
      for (const faults of [[], fails("FileSystem.readLink")]) {
        const verdict = (yield* candidateOf(like, faults))?.verdict
        assert.strictEqual(verdict?._tag === "Refuse" ? verdict.gate : verdict?._tag, "Occupied")
      }
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("of git does not make the work older than it may be", () =>
    Effect.gen(function* () {
      assert.isDefined(worktree)
      const sentinel = {
        _tag: "Names",
        lies: "Admin",
        owner: "c9",
        parent: undefined,
        agentEnded: false,
        created: "overWeek"
      } as const
      const like = {
        records: [],
        processes: [{ ...process, looks: "Claude" }],
        entries: [{ pid: 301, sessionId: "c1", start: "Ticks", state: "Whole" }],
        transcripts: ["c9"],
        worktrees: [{ ...worktree, sentinel, active: "overDay" }]
      } as const
      for (const faults of [[], fails("Git.inspect")]) {
        assert.deepStrictEqual(
          (yield* candidateOf(like, faults))?.ends.map(([, { _tag }]) => _tag),
          ["Undeterminable"]
        )
      }
    }).pipe(Effect.provide(Logger.layer([])))
  )
})

it.effect("a path is looked up anew each time", () =>
  Effect.gen(function* () {
    const files = FakeFileSystem.make(SweepFiles.toTree(SweepWorld.quiet))
    const locate = Effect.provideService(WorkspaceClaims.locate("/l/b"), FileSystem.FileSystem, files.fileSystem)
    const before = yield* locate
    files.put("/l/b", { symlink: "/w/a" })
    assert.notDeepEqual(yield* locate, before)
  })
)

it.effect("what is permitted is moved, and put back, on the fakes", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(SweepTime.now)
    const files = FakeFileSystem.make(SweepFiles.toTree(SweepWorld.quiet))
    const git = FakeGit.make(SweepGit.toGit(SweepWorld.quiet))
    const layer = Layer.merge(
      SweepLaws.fakes(() => SweepWorld.quiet, []),
      git.layer
    ).pipe(Layer.provideMerge(files.layer))
    yield* Effect.gen(function* () {
      const plan = yield* Reclaim.survey({ repositories: ["/w/r"] })
      assert.deepStrictEqual(
        (yield* Reclaim.apply(plan)).map(({ _tag }) => _tag),
        ["Moved"]
      )
      const lies = git.repositories()[0]?.worktrees[0]?.path ?? ""
      assert.isTrue(lies.startsWith("/w/r/.git/reclaimed/"))
      assert.notProperty(files.snapshot(), "/w/b")
      assert.strictEqual((yield* Reclaim.restore("/w/b")).at(-1)?._tag, "Restored")
      assert.deepStrictEqual(git.repositories()[0]?.worktrees[0]?.path, "/w/b")
      assert.isUndefined(git.repositories()[0]?.worktrees[0]?.locked)
      assert.include(
        git.changes.map((change) => (change._tag === "Step" ? change.step._tag : change._tag)),
        "KeepCommits"
      )
    }).pipe(Effect.provide([layer, Logger.layer([])]))
  })
)
