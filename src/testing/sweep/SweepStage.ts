/**
 * A world under layers of somebody's own, and what goes wrong while programs look at it.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { SidecarReader } from "../../links/SidecarReader.ts"
import type * as LiveClaims from "../../claims/core/LiveClaims.ts"
import type * as Observation from "../../claims/core/Observation.ts"
import type * as Place from "../../claims/core/Place.ts"
import type * as ReclaimPlan from "../../reclaim/core/ReclaimPlan.ts"
import * as FailOpen from "../../shared/FailOpen.ts"
import * as Reclaim from "../../reclaim/Reclaim.ts"
import { ClaudeSessions } from "../../claims/ClaudeSessions.ts"
import { Git } from "../../verdict/Git.ts"
import { GitChanges } from "../../reclaim/GitChanges.ts"
import { ReclaimedTrees } from "../../reclaim/ReclaimedTrees.ts"
import { ReclaimJournal } from "../../reclaim/ReclaimJournal.ts"
import * as Restorations from "../../verdict/Restorations.ts"
import { OwnerSentinel } from "../../verdict/OwnerSentinel.ts"
import { ProcessTable } from "../../machine/ProcessTable.ts"
import { SessionStore } from "../../records/SessionStore.ts"
import * as Sidecar from "../../links/SidecarReader.ts"
import { TmuxProbe } from "../../claims/TmuxProbe.ts"
import * as WorkspaceClaims from "../../claims/WorkspaceClaims.ts"
import * as Ending from "../Ending.ts"
import * as FakeClaudeSessions from "../FakeClaudeSessions.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as FakeGit from "../FakeGit.ts"
import * as FakeProcessTable from "../FakeProcessTable.ts"
import * as FakeSentinels from "../FakeSentinels.ts"
import * as FakeSessionStore from "../FakeSessionStore.ts"
import * as FakeTmux from "../FakeTmux.ts"
import * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import * as Law from "../Law.ts"
import { Broken, type Must } from "../Law.ts"
import * as Profiles from "../Profiles.ts"
import * as SweepArbitraries from "./SweepArbitraries.ts"
import * as SweepWorld from "./SweepWorld.ts"

export type World = SweepWorld.SweepWorld

/** What the programs need besides a file system. */
export type Services = Exclude<Reclaim.Services, FileSystem.FileSystem>

/**
 * Layers under test, over a file system that holds all of the world that is files. `world` gives the world as it is when
 * it is called: records, servers, processes and the registry go on changing while the layers stand. What is corrupted is
 * the text of tmux; a probe that reads no text may pass over it.
 */
export type Subject = (
  world: () => World,
  corruptions: ReadonlyArray<FakeTmux.Corruption>
) => Layer.Layer<Services, never, FileSystem.FileSystem>

/** The fakes. */
export const fakes: Subject = (world, corruptions) => {
  const git = FakeGit.make(SweepWorld.toGit(world()))
  return Layer.mergeAll(
    FakeSessionStore.layer(() => SweepWorld.toStore(world())),
    FakeTmux.layer(() => SweepWorld.toTmux(world()), corruptions),
    FakeProcessTable.layer(() => SweepWorld.toProcessTable(world())),
    FakeClaudeSessions.layer(() => SweepWorld.toClaudeSessions(world())),
    FakeSentinels.layer(SweepWorld.toSentinels(world()), git.described),
    git.layer,
    Restorations.layerNone,
    world().sidecar === "NotConsulted" ? Sidecar.layerNone : Sidecar.layer({ root: SweepWorld.root })
  )
}

/**
 * The fakes with layers of somebody's own in their place. Those may build on what they replace. Layers that replace
 * nothing break the law: what would be checked is the fakes alone.
 */
export const replacing =
  (
    own: (
      world: () => World,
      corruptions: ReadonlyArray<FakeTmux.Corruption>
    ) => Layer.Layer<never, never, Services | FileSystem.FileSystem>
  ): Subject =>
  (world, corruptions) => {
    const given = fakes(world, corruptions)
    const replaced = Layer.tap(Layer.provide(own(world, corruptions), given), ({ mapUnsafe }) =>
      replaceable.some(({ key }) => mapUnsafe.has(key))
        ? Effect.void
        : Effect.die(new Error(`none of them is one of ${replaceable.map(({ key }) => key).join(", ")}`))
    )
    return Layer.merge(given, replaced)
  }

const replaceable = [
  SessionStore,
  TmuxProbe,
  ProcessTable,
  ClaudeSessions,
  SidecarReader,
  OwnerSentinel,
  Git,
  GitChanges
]

/** A program with the time it may take. */
export interface Program<A> {
  readonly name: string
  readonly bound: Duration.Duration
  readonly effect: Effect.Effect<A, never, Reclaim.Services>
}

/**
 * What goes wrong while a world is looked at: calls, the text of tmux, and reads of files that hold one JSON document,
 * which give a part of it.
 */
export interface Trouble {
  readonly faults: Faults.Schedule
  readonly corruptions: ReadonlyArray<FakeTmux.Corruption>
  readonly tornReads: ReadonlyArray<TornRead>
}

/** The `at`-th read, counted from 1, gives the first `bytes` bytes, and never all. */
export interface TornRead {
  readonly at: number
  readonly bytes: number
}

/**
 * A world under the layers under test. `run` gives a program's answer, or breaks the law if it does not end within its
 * bound, fails or dies. Every program begins at the same instant.
 */
export interface Stage {
  readonly injector: Faults.Injector
  /** The files as they are now. */
  readonly files: () => FakeFileSystem.FakeFileSystem
  /** From now on nothing goes wrong, and the world is another one with the same worktrees. */
  readonly become: (world: World) => void
  /** From now on the world is another one with the same worktrees, which stay as programs have left them. */
  readonly goOn: (world: World) => Effect.Effect<void>
  readonly attempt: <A>(program: Program<A>) => Effect.Effect<Ending.Ending<A>>
  readonly run: <A>(program: Program<A>) => Effect.Effect<A, Broken>
}

export const law = <Case>(
  name: string,
  sentence: string,
  cases: Arbitrary.Arbitrary<Case>,
  holds: (
    given: Case,
    stage: (world: World, trouble?: Trouble) => Effect.Effect<Stage, Broken, Scope.Scope>,
    must: Must
  ) => Effect.Effect<void, Broken, Scope.Scope>
): Law.Law<Subject> =>
  Law.make(name, sentence, cases, (given, subject: Subject, must) =>
    holds(given, (world, trouble) => stage(name, subject, world, trouble), must)
  )

export const calm: Trouble = { faults: [], corruptions: [], tornReads: [] }

/**
 * Puts a world under the layers under test and what goes wrong.
 */
export const stage = Effect.fnUntraced(function* (
  law: string,
  subject: Subject,
  first: World,
  { faults, corruptions, tornReads }: Trouble = calm
): Effect.fn.Return<Stage, Broken, Scope.Scope> {
  const current = { world: first, files: FakeFileSystem.make(SweepWorld.toTree(first)), tornReads }
  const injector = Faults.make(faults)
  const fileSystem = injector.wrap(standing(current), Profiles.permittedFileSystem)
  const services = yield* built(
    law,
    subject,
    Layer.provide(
      Layer.fresh(subject(() => current.world, corruptions)),
      Layer.succeed(FileSystem.FileSystem, fileSystem)
    )
  )
  const wrapped = <I, S extends object>(key: Context.Key<I, S>, profile: Faults.Profile<Faults.Failure<S>>) =>
    Context.make(key, injector.wrap(Context.get(services as Context.Context<I>, key), profile))
  const faulty = Context.mergeAll(
    Context.make(FileSystem.FileSystem, fileSystem),
    wrapped(SessionStore, Profiles.sessionStore),
    wrapped(TmuxProbe, Profiles.tmuxProbe),
    wrapped(ProcessTable, Profiles.processTable),
    wrapped(ClaudeSessions, Profiles.claudeSessions),
    wrapped(SidecarReader, Profiles.sidecarReader),
    wrapped(OwnerSentinel, Profiles.ownerSentinel),
    wrapped(Git, Profiles.git),
    wrapped(GitChanges, Profiles.gitChanges),
    wrapped(ReclaimedTrees, Profiles.reclaimedTrees),
    wrapped(ReclaimJournal, Profiles.reclaimJournal),
    wrapped(Restorations.Restorations, Profiles.restorations)
  )
  const attempt = <A>({ effect, bound }: Program<A>): Effect.Effect<Ending.Ending<A>> =>
    Effect.andThen(
      TestClock.setTime(SweepWorld.now + current.world.clock),
      Ending.within(bound)(Effect.provideContext(effect, faulty))
    )
  return {
    injector,
    files: () => current.files,
    become: (world) => {
      injector.stop()
      Object.assign(current, { world, files: FakeFileSystem.make(SweepWorld.toTree(world)), tornReads: [] })
    },
    goOn: Effect.fnUntraced(function* (world) {
      const [before, after] = [SweepWorld.toTree(current.world), SweepWorld.toTree(world)]
      const { fileSystem, put } = current.files
      for (const path of Object.keys(before)) {
        if (!(path in after)) yield* Effect.ignore(fileSystem.remove(path))
      }
      for (const [path, node] of Object.entries(after)) {
        if (!Equal.equals(before[path], node)) put(path, node)
      }
      current.world = world
    }),
    attempt,
    run: (program) =>
      Effect.flatMap(attempt(program), (ending) => {
        const broken = (why: string) => Effect.fail(new Broken({ law, why: `${program.name} ${why}` }))
        return ending._tag === "Late"
          ? broken(`did not end within ${Duration.format(program.bound)}`)
          : Exit.match(ending.exit, { onSuccess: Effect.succeed, onFailure: (cause) => broken(Cause.pretty(cause)) })
      })
  }
})

/** How long layers may take, by the clock of this machine: those of a case are built anew for each. */
const buildBound = Duration.seconds(10)

/** Layers that were not built in time are not waited for again while a smaller case is looked for. */
const neverBuilt = new WeakSet<Subject>()

/**
 * The layers under test. Whatever becomes of building them, the law is told.
 */
const built = Effect.fnUntraced(function* <A>(
  law: string,
  subject: Subject,
  layers: Layer.Layer<A>
): Effect.fn.Return<Context.Context<A>, Broken, Scope.Scope> {
  const broken = (why: string) => new Broken({ law, why: `the layers ${why}` })
  const late = `were not built within ${Duration.format(buildBound)}`
  if (neverBuilt.has(subject)) return yield* broken(late)
  const fiber = yield* Effect.forkDetach(Layer.build(layers), { startImmediately: true })
  const exit = yield* TestClock.withLive(Effect.timeoutOption(Fiber.await(fiber), buildBound))
  if (exit._tag === "None") {
    neverBuilt.add(subject)
    fiber.interruptUnsafe()
    return yield* broken(late)
  }
  return yield* Exit.match(exit.value, {
    onSuccess: Effect.succeed,
    onFailure: (cause) => broken(`came to nothing while they were built: ${FailOpen.describe(cause)}`)
  })
})

/**
 * A file system that stands while the files in it become others.
 */
const standing = (current: {
  readonly files: FakeFileSystem.FakeFileSystem
  readonly tornReads: ReadonlyArray<TornRead>
}): FileSystem.FileSystem => {
  let reads = 0
  const torn = <A extends string | Uint8Array>(path: string, whole: A, part: (end: number) => A): A => {
    if (!isDocument(path) || whole.length === 0) return whole
    reads++
    const tornRead = current.tornReads.find(({ at }) => at === reads)
    return tornRead === undefined ? whole : part(Math.min(tornRead.bytes, whole.length - 1))
  }
  const readFile: FileSystem.FileSystem["readFile"] = (path) =>
    Effect.map(current.files.fileSystem.readFile(path), (whole) => torn(path, whole, (end) => whole.subarray(0, end)))
  const readFileString: FileSystem.FileSystem["readFileString"] = (path, encoding) =>
    Effect.map(current.files.fileSystem.readFileString(path, encoding), (whole) =>
      torn(path, whole, (end) => whole.slice(0, end))
    )
  const reading: Readonly<Record<PropertyKey, unknown>> = { readFile, readFileString }
  return new Proxy(current.files.fileSystem, {
    get: (_, key) => reading[key] ?? Reflect.get(current.files.fileSystem, key)
  })
}

/** Whether the file holds one JSON document, no part of which is one. */
const isDocument = (path: string): boolean => path.endsWith(".json") || path.endsWith("/.trusty-mpm-worktree")

/** Lets what a program left behind come to its end. */
export const aftermath = TestClock.adjust("1 hour")

/** Every program, asked about that world and that path. */
export const programs = (world: World, path: string) => ({
  observe: {
    name: "observe",
    bound: Duration.seconds(3),
    effect: WorkspaceClaims.observe
  } satisfies Program<Observation.Observation>,
  workspaceClaims: {
    name: "workspaceClaims",
    bound: Duration.seconds(10),
    effect: WorkspaceClaims.workspaceClaims({ caller: world.caller, dismiss: world.dismiss })
  } satisfies Program<LiveClaims.LiveClaims>,
  identifyCaller: {
    name: "identifyCaller",
    bound: Duration.seconds(3),
    effect: WorkspaceClaims.identifyCaller
  } satisfies Program<Option.Option<string>>,
  locate: {
    name: "locate",
    bound: Duration.seconds(10),
    effect: WorkspaceClaims.locate(path)
  } satisfies Program<Place.Place>,
  survey: {
    name: "survey",
    bound: Duration.minutes(10),
    effect: Reclaim.survey({
      repositories: SweepWorld.repositoryPaths,
      caller: world.caller,
      dismiss: world.dismiss
    })
  } satisfies Program<ReclaimPlan.Plan>
})

export type ProgramName = keyof ReturnType<typeof programs>

export const programNames: ReadonlyArray<ProgramName> = [
  "observe",
  "workspaceClaims",
  "identifyCaller",
  "locate",
  "survey"
]

/** A world, a path to ask about, and what goes wrong meanwhile. */
export interface Case {
  readonly world: World
  readonly path: string
  readonly trouble: Trouble
}

export const path = Gen.element(Object.keys(SweepWorld.places))

/** One fault of one call: of looks at paths, and of those on which most depends, as often as of all. */
const aimed: Arbitrary.Arbitrary<Faults.Schedule> = Gen.map(
  Gen.struct({
    at: Gen.oneOf(Gen.int(1, 3), Gen.int(1, 30)),
    on: Gen.oneOf(
      Gen.element(Profiles.sweepMethods),
      Gen.element(["FileSystem.readLink", "FileSystem.lstat", "FileSystem.stat"]),
      Gen.element([
        "SessionStore.read",
        "TmuxProbe.sockets",
        "TmuxProbe.ask",
        "ProcessTable.snapshot",
        "ProcessTable.uses",
        "Git.files",
        "Git.inspect",
        "Git.landed"
      ])
    ),
    lasting: Gen.element([false, false, true]),
    kind: Gen.oneOf(Faults.failing, Faults.failing, Faults.anyKind)
  }),
  (fault) => [fault]
)

export const trouble: Arbitrary.Arbitrary<Trouble> = Gen.struct({
  faults: Gen.oneOf(Faults.schedule({ methods: Profiles.sweepMethods, maxFaults: 3, maxAt: 40 }), aimed),
  corruptions: SweepArbitraries.corruptions,
  tornReads: Gen.oneOf<ReadonlyArray<TornRead>>(
    Gen.constant([]),
    Gen.constant([]),
    Gen.array(Gen.struct({ at: Gen.int(1, 6), bytes: Gen.oneOf(Gen.constant(0), Gen.int(0, 200)) }), { maxLength: 3 })
  )
})

export const cases: Arbitrary.Arbitrary<Case> = Gen.struct({ world: SweepArbitraries.sweepWorld, path, trouble })

/**
 * Cases in which a single thing decides. What goes wrong may take time, and on a clock ahead that would cross the limits
 * of the rules.
 */
export const close: Arbitrary.Arbitrary<Case> = Gen.struct({
  world: Gen.oneOf(
    SweepArbitraries.settledWorld,
    SweepArbitraries.settledWorld,
    Gen.map(SweepArbitraries.sweepWorld, (world) => ({ ...world, clock: 0 }))
  ),
  path,
  trouble
})

/** What a plan permits to go. */
export const permitted = (plan: ReclaimPlan.Plan): ReadonlyArray<string> =>
  plan.candidates.flatMap(({ path, verdict }) => (verdict._tag === "Permit" ? [path] : []))
