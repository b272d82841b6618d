import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Fiber, FileSystem, Layer, Logger, Metric, References, Tracer } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import {
  ClaudeSessions,
  Git,
  GitChanges,
  LinkWriter,
  type ManagedId,
  OwnerSentinel,
  ProcessTable,
  type PrunePlan,
  Reclaim,
  ReclaimedTrees,
  ReclaimJournal,
  Restorations,
  type ReclaimPlan,
  SavingsLedger,
  SessionLinks,
  SessionStore,
  SidecarReader,
  TmuxProbe,
  WorkspaceClaims
} from "../src/internal.ts"
import { layer } from "../src/node/index.ts"
import { FakeFileSystem, SweepLaws, SweepFiles, SweepPlaces, SweepTime, SweepWorld } from "../src/testing/index.ts"
import { repository } from "./examples/World.ts"
import * as Tree from "./Tree.ts"

const readme = fs.readFileSync(new URL("../src/README.md", import.meta.url), "utf8")

/** The rows of the table of the README whose first column is titled so. */
const table = (title: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, rows = ""] = new RegExp(`^\\| ${title} \\|.*\\n\\| ---.*\\n((?:\\|.*\\n)+)`, "m").exec(readme) ?? []
  return rows
    .trimEnd()
    .split("\n")
    .map((row) => row.split("|").slice(1, -1))
}

/** The names in backticks, up to what is said of them. */
const names = (cell = ""): ReadonlyArray<string> =>
  [...(cell.split(/[:;]/)[0] ?? "").matchAll(/`([^`]+)`/g)].flatMap(([, name = ""]) => name).sort()

/** What was logged, counted and traced, each by what it is called and the attributes that it ever had. */
interface Seen {
  readonly warnings: Map<string, Set<string>>
  readonly counters: Map<string, Set<string>>
  readonly spans: Map<string, Set<string>>
  readonly texts: Array<string>
}

const note = (into: Map<string, Set<string>>, name: string, keys: Iterable<string>): void => {
  into.set(name, new Set([...(into.get(name) ?? []), ...keys]))
}

const collecting = (seen: Seen) => {
  const spans: Array<Tracer.Span> = []
  const registry: Context.Service.Shape<typeof Metric.MetricRegistry> = new Map()
  const logger = Logger.make<unknown, void>(({ message, logLevel, fiber }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    const [sentence = ""] = String(message).split(": ")
    seen.texts.push(String(message), JSON.stringify(annotations))
    if (logLevel !== "Warn") return
    assert.deepStrictEqual(Object.keys(annotations).sort(), ["program", "reason"])
    note(seen.warnings, sentence, [String(annotations["program"])])
  })
  return <A, R>(self: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> =>
    self.pipe(
      Effect.provideService(
        Tracer.Tracer,
        Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
      ),
      Effect.provideService(Metric.MetricRegistry, registry),
      Effect.provideService(References.CurrentLoggers, new Set([logger])),
      Effect.provideService(References.MinimumLogLevel, "All"),
      Effect.tap(() =>
        Effect.sync(() => {
          for (const { id, attributes } of registry.values()) {
            note(seen.counters, id, Object.keys(attributes ?? {}))
            seen.texts.push(JSON.stringify(attributes))
          }
          for (const { name, attributes } of spans) {
            note(seen.spans, name, attributes.keys())
            seen.texts.push(JSON.stringify([...attributes]))
          }
        })
      )
    )
}

/** A world with one worktree that may go, and the same with a torn link file, which keeps it. */
const worlds: ReadonlyArray<SweepWorld.SweepWorld> = [
  SweepWorld.quiet,
  { ...SweepWorld.quiet, linkFiles: [{ name: "m9", ids: ["c9"], flaw: "Torn" }] }
]

const candidate = {
  repository: "/w/r/.git",
  path: "/w/b",
  verdict: { _tag: "Permit", notes: [] },
  identity: { directory: "1:/w/b", adminDirectory: "/w/r/.git/worktrees/b" }
} as unknown as ReclaimPlan.Candidate

const prune: PrunePlan.PrunePlan = {
  now: SweepTime.now,
  olderThan: 0,
  refused: undefined,
  quarantine: "pruned",
  moves: [{ managedId: "m9" as ManagedId.ManagedId, claudeIds: [] }]
} as unknown as PrunePlan.PrunePlan

const repositories = ["/w/r"]

const noProcess = Layer.succeed(
  ChildProcessSpawner.ChildProcessSpawner,
  ChildProcessSpawner.make(() => Effect.die("no process is needed"))
)

const programs: ReadonlyArray<
  Effect.Effect<unknown, unknown, Reclaim.Services | LinkWriter.LinkWriter | SavingsLedger.SavingsLedger>
> = [
  SessionLinks.recordLink("m1", "c2"),
  SessionLinks.record("m1", "c2"),
  SessionLinks.linkedClaudeIds("c1"),
  SessionLinks.siblings("c1"),
  SessionLinks.linkHistory,
  SessionLinks.heal,
  SessionLinks.planPrune({ now: SweepTime.now }),
  SessionLinks.applyPrune(prune),
  SavingsLedger.total(["c1"]),
  WorkspaceClaims.observe,
  WorkspaceClaims.workspaceClaims(),
  WorkspaceClaims.identifyCaller,
  WorkspaceClaims.locate("/w/b"),
  Reclaim.survey({ repositories }),
  Reclaim.apply({ at: 0, settings: {}, candidates: [candidate], unlisted: [], notes: [] }),
  Reclaim.list({ repositories }),
  Reclaim.restore("/w/b", { repositories }),
  Effect.flatMap(Reclaim.planExpiry({ repositories }), Reclaim.expire),
  Effect.flatMap(Reclaim.planSlim({ repositories }), Reclaim.slim),
  Reclaim.measure({ trees: [{ repository: "/w/r/.git", path: "/w/b" }] }),
  Reclaim.lost({ repositories }),
  Effect.provide(Reclaim.removeEmpty({ repositories }), noProcess),
  OwnerSentinel.write("/w/b", { owner: "m1", agent: undefined, createdAt: 0 }),
  OwnerSentinel.markEnded("/w/b", "agent", 0)
]

const services = (world: SweepWorld.SweepWorld) => {
  const root = SweepPlaces.root
  return Layer.mergeAll(
    SweepLaws.fakes(() => world, []),
    LinkWriter.layer({ root }),
    SavingsLedger.layer({ root })
  ).pipe(Layer.provideMerge(FakeFileSystem.make(SweepFiles.toTree(world)).layer))
}

type Member = readonly [key: Context.Key<never, object>, name: string]

const keys = [
  SessionStore.SessionStore,
  TmuxProbe.TmuxProbe,
  ProcessTable.ProcessTable,
  ClaudeSessions.ClaudeSessions,
  SidecarReader.SidecarReader,
  LinkWriter.LinkWriter,
  SavingsLedger.SavingsLedger,
  OwnerSentinel.OwnerSentinel,
  Git.Git,
  GitChanges.GitChanges,
  ReclaimedTrees.ReclaimedTrees,
  ReclaimJournal.ReclaimJournal,
  Restorations.Restorations,
  FileSystem.FileSystem
] as unknown as ReadonlyArray<Context.Key<never, object>>

/** Runs every program where that member of a service dies, and nothing else is amiss. */
const runAll = Effect.fnUntraced(function* (seen: Seen, world: SweepWorld.SweepWorld, broken: Member | undefined) {
  for (const program of programs) {
    yield* TestClock.setTime(SweepTime.now)
    const die = Effect.die(new Error("a \u001b[31mdefect"))
    const faulty =
      broken === undefined
        ? program
        : Effect.updateService(program, broken[0], (service: object) => ({
            ...service,
            [broken[1]]: Effect.isEffect(Reflect.get(service, broken[1])) ? die : () => die
          }))
    const fiber = yield* Effect.exit(faulty).pipe(
      Effect.provide(services(world)),
      collecting(seen),
      Effect.forkChild({ startImmediately: true })
    )
    yield* TestClock.adjust("1 hour")
    yield* Fiber.join(fiber)
  }
})

const observed = Effect.gen(function* () {
  const seen: Seen = { warnings: new Map(), counters: new Map(), spans: new Map(), texts: [] }
  for (const world of worlds) yield* runAll(seen, world, undefined)
  assert.deepStrictEqual([...seen.warnings.keys()], [], "where nothing is amiss, nothing is warned of")
  for (const world of worlds) {
    const given = yield* Effect.provide(Effect.context<never>(), services(world))
    for (const key of keys) {
      const service = (given as Context.Context<never>).mapUnsafe.get(key.key) as object
      for (const name of Object.keys(service)) yield* runAll(seen, world, [key, name])
    }
  }
  return seen
})

const sorted = (map: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...map].map(([name, keys]) => [name, [...keys].sort()] as const).sort(([a], [b]) => (a < b ? -1 : 1))

describe("what the library lets be seen is what the README says", () => {
  it.effect(
    "warnings, counters and spans, with their attributes",
    () =>
      Effect.gen(function* () {
        const seen = yield* observed
        const documented = (title: string) =>
          new Map(table(title).map(([name, attributes]) => [names(name)[0] ?? "", new Set(names(attributes))]))
        assert.deepStrictEqual(
          sorted(seen.warnings),
          sorted(new Map(table("warning").map(([name = "", program]) => [name.trim(), new Set(names(program))])))
        )
        assert.deepStrictEqual(sorted(seen.counters), sorted(documented("counter")))
        assert.deepStrictEqual(sorted(seen.spans), sorted(documented("span")))
        for (const text of seen.texts) assert.notMatch(text, /\u001b/)
      }),
    60_000
  )

  it.live(
    "and nothing of it is a command line, an environment or the content of a file",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* repository
        const secret = "hunter2"
        const seen: Seen = { warnings: new Map(), counters: new Map(), spans: new Map(), texts: [] }
        const busy = worktree("busy", { owner_session_id: secret, created_at: secret })
        fs.writeFileSync(`${busy}/notes.txt`, secret)
        yield* Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["600"], { argv0: `sleep --token=${secret}`, cwd: busy, env: { secret } })),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        Tree.write(root, {
          "session-manager/sessions.json": { text: `{"sessions":{"m1":{"id":"m1","tmux_name":"${secret}",,` },
          "usage/savings.jsonl": { text: `${secret}\n` },
          "usage/session-links/m1": { text: `${secret}\u0001\n${secret}` },
          "config/sessions/1.json": { text: secret }
        })
        const repositories = [main]
        yield* Effect.all([
          SessionLinks.siblings("c1"),
          SessionLinks.heal,
          SessionLinks.planPrune({ now: 0 }),
          SavingsLedger.total(["c1"]),
          WorkspaceClaims.identifyCaller,
          Reclaim.survey({ repositories }),
          Effect.flatMap(Reclaim.planExpiry({ repositories }), Reclaim.expire)
        ]).pipe(
          Effect.exit,
          collecting(seen),
          Effect.provide(layer({ root, configDirectories: [`${root}/config`], vantage: "here" }))
        )
        assert.isAbove(seen.warnings.size, 1)
        for (const text of seen.texts) assert.notInclude(text, secret)
      }),
    60_000
  )
})
