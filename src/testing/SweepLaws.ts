/**
 * The laws of the programs that decide what is live and what may go, to be checked on any layers of their services over
 * random worlds and random faults.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { SidecarReader } from "../contracts/SidecarReader.ts"
import * as ClaimState from "../core/ClaimState.ts"
import * as LiveClaims from "../core/LiveClaims.ts"
import type * as Observation from "../core/Observation.ts"
import type * as Place from "../core/Place.ts"
import type * as ReclaimOutcome from "../core/ReclaimOutcome.ts"
import type * as ReclaimPlan from "../core/ReclaimPlan.ts"
import * as SessionOwners from "../core/SessionOwners.ts"
import * as WorkspaceClaim from "../core/WorkspaceClaim.ts"
import * as Reclaim from "../Reclaim.ts"
import { ClaudeSessions } from "../services/ClaudeSessions.ts"
import { Git } from "../services/Git.ts"
import { OwnerSentinel } from "../services/OwnerSentinel.ts"
import { ProcessTable } from "../services/ProcessTable.ts"
import { SessionStore } from "../services/SessionStore.ts"
import * as Sidecar from "../services/SidecarReader.ts"
import { TmuxProbe } from "../services/TmuxProbe.ts"
import * as WorkspaceClaims from "../WorkspaceClaims.ts"
import * as FakeClaudeSessions from "./FakeClaudeSessions.ts"
import * as Ending from "./Ending.ts"
import * as FakeFileSystem from "./FakeFileSystem.ts"
import * as FakeGit from "./FakeGit.ts"
import * as FakeProcessTable from "./FakeProcessTable.ts"
import * as FakeSentinels from "./FakeSentinels.ts"
import * as FakeSessionStore from "./FakeSessionStore.ts"
import * as FakeTmux from "./FakeTmux.ts"
import * as Faults from "./Faults.ts"
import * as Gen from "./Gen.ts"
import * as Law from "./Law.ts"
import { Broken, type Must } from "./Law.ts"
import * as Profiles from "./Profiles.ts"
import * as SweepArbitraries from "./SweepArbitraries.ts"
import * as SweepTruth from "./SweepTruth.ts"
import * as SweepWorld from "./SweepWorld.ts"

type World = SweepWorld.SweepWorld

/** What the programs need besides a file system. */
export type Services = Exclude<Reclaim.Services, FileSystem.FileSystem>

/**
 * Layers under test, over a file system that holds all of the world that is files. `world` gives the world as it is when
 * it is called: records, servers, processes and the registry go on changing while the layers stand. What is spoiled is
 * the text of tmux; a probe that reads no text may pass over it.
 */
export type Subject = (
  world: () => World,
  spoils: ReadonlyArray<FakeTmux.Spoil>
) => Layer.Layer<Services, never, FileSystem.FileSystem>

/** The fakes. */
export const fakes: Subject = (world, spoils) =>
  Layer.mergeAll(
    FakeSessionStore.layer(() => SweepWorld.toStore(world())),
    FakeTmux.layer(() => SweepWorld.toTmux(world()), spoils),
    FakeProcessTable.layer(() => SweepWorld.toProcessTable(world())),
    FakeClaudeSessions.layer(() => SweepWorld.toClaudeSessions(world())),
    FakeSentinels.layer(SweepWorld.toSentinels(world())),
    FakeGit.make(SweepWorld.toGit(world())).layer,
    world().sidecar === "NotConsulted" ? Sidecar.layerNone : Sidecar.layer({ root: SweepWorld.root })
  )

/**
 * The fakes with layers of somebody's own in their place. Those may build on what they replace.
 */
export const replacing =
  (
    own: (
      world: () => World,
      spoils: ReadonlyArray<FakeTmux.Spoil>
    ) => Layer.Layer<never, never, Services | FileSystem.FileSystem>
  ): Subject =>
  (world, spoils) => {
    const given = fakes(world, spoils)
    return Layer.merge(given, Layer.provide(own(world, spoils), given))
  }

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
  readonly spoils: ReadonlyArray<FakeTmux.Spoil>
  readonly tears: ReadonlyArray<Tear>
}

/** The `at`-th read, counted from 1, gives the first `bytes` bytes, and never all. */
export interface Tear {
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
  readonly attempt: (program: Program<unknown>) => Effect.Effect<Ending.Ending<unknown>>
  readonly run: <A>(program: Program<A>) => Effect.Effect<A, Broken>
}

const law = <Case>(
  name: string,
  sentence: string,
  cases: Arbitrary.Arbitrary<Case>,
  holds: (
    given: Case,
    stage: (world: World, trouble?: Trouble) => Effect.Effect<Stage, never, Scope.Scope>,
    must: Must
  ) => Effect.Effect<void, Broken, Scope.Scope>
): Law.Law<Subject> =>
  Law.make(name, sentence, cases, (given, subject: Subject, must) =>
    holds(given, (world, trouble) => stage(name, subject, world, trouble), must)
  )

const calm: Trouble = { faults: [], spoils: [], tears: [] }

/**
 * Puts a world under the layers under test and what goes wrong.
 */
export const stage = Effect.fnUntraced(function* (
  law: string,
  subject: Subject,
  first: World,
  { faults, spoils, tears }: Trouble = calm
): Effect.fn.Return<Stage, never, Scope.Scope> {
  const current = { world: first, files: FakeFileSystem.make(SweepWorld.toTree(first)), tears }
  const injector = Faults.make(faults)
  const fileSystem = injector.wrap(standing(current), Profiles.permittedFileSystem)
  const services = yield* Layer.build(
    Layer.provide(Layer.fresh(subject(() => current.world, spoils)), Layer.succeed(FileSystem.FileSystem, fileSystem))
  )
  const wrapped = <I, S extends object>(key: Context.Key<I, S>, profile: Faults.Profile<Faults.Failure<S>>) =>
    Context.make(key, injector.wrap(Context.get(services as Context.Context<I>, key), profile))
  const suffering = Context.mergeAll(
    Context.make(FileSystem.FileSystem, fileSystem),
    wrapped(SessionStore, Profiles.sessionStore),
    wrapped(TmuxProbe, Profiles.tmuxProbe),
    wrapped(ProcessTable, Profiles.processTable),
    wrapped(ClaudeSessions, Profiles.claudeSessions),
    wrapped(SidecarReader, Profiles.sidecarReader),
    wrapped(OwnerSentinel, Profiles.ownerSentinel),
    wrapped(Git, Profiles.git)
  )
  const attempt = <A>({ effect, bound }: Program<A>): Effect.Effect<Ending.Ending<A>> =>
    Effect.andThen(
      TestClock.setTime(SweepWorld.now + current.world.clock),
      Ending.within(bound)(Effect.provideContext(effect, suffering))
    )
  return {
    injector,
    files: () => current.files,
    become: (world) => {
      injector.stop()
      Object.assign(current, { world, files: FakeFileSystem.make(SweepWorld.toTree(world)), tears: [] })
    },
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

/**
 * A file system that stands while the files in it become others.
 */
const standing = (current: {
  readonly files: FakeFileSystem.FakeFileSystem
  readonly tears: ReadonlyArray<Tear>
}): FileSystem.FileSystem => {
  let reads = 0
  const torn = <A extends string | Uint8Array>(path: string, whole: A, part: (end: number) => A): A => {
    if (!isDocument(path) || whole.length === 0) return whole
    reads++
    const tear = current.tears.find(({ at }) => at === reads)
    return tear === undefined ? whole : part(Math.min(tear.bytes, whole.length - 1))
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
const aftermath = TestClock.adjust("1 hour")

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

const path = Gen.element(Object.keys(SweepWorld.places))

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
        "ProcessTable.look",
        "ProcessTable.uses",
        "Git.inspect"
      ])
    ),
    lasting: Gen.element([false, false, true]),
    kind: Gen.oneOf(Faults.failing, Faults.failing, Faults.anyKind)
  }),
  (fault) => [fault]
)

const trouble: Arbitrary.Arbitrary<Trouble> = Gen.struct({
  faults: Gen.oneOf(Faults.schedule({ methods: Profiles.sweepMethods, maxFaults: 3, maxAt: 40 }), aimed),
  spoils: SweepArbitraries.spoils,
  tears: Gen.oneOf<ReadonlyArray<Tear>>(
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
const close: Arbitrary.Arbitrary<Case> = Gen.struct({
  world: Gen.oneOf(
    SweepArbitraries.settledWorld,
    SweepArbitraries.settledWorld,
    Gen.map(SweepArbitraries.sweepWorld, (world) => ({ ...world, clock: 0 }))
  ),
  path,
  trouble
})

/** The last sign of some work, with limits to each side. */
const since: Arbitrary.Arbitrary<number | undefined> = Gen.element([
  undefined,
  SweepWorld.at("overWeek"),
  SweepWorld.at("almostWeek"),
  SweepWorld.at("overDay"),
  SweepWorld.at("almostDay")
])

const oneWayToGone = law(
  "L4 one way to gone",
  "livenessOf is SessionGone exactly under the six conditions, and otherwise Live with the first that fails.",
  cases,
  Effect.fnUntraced(function* ({ world, path }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, observe } = programs(world, path)
    const observation = yield* run(observe)
    const seen = SweepTruth.observation(world)
    yield* must(
      observation._tag === "Answered"
        ? seen !== undefined && Equal.equals(new Set(observation.names), seen.names)
        : seen === undefined,
      () => `tmux is ${show(observation)}, and the names are ${show(seen === undefined ? seen : [...seen.names])}`
    )
    const { owners } = (yield* run(workspaceClaims)).owners
    yield* must((owners !== null) === (world.store === "Read"), () => `the owners are ${show(owners)}`)
    if (owners === null) return
    yield* must(owners.size === world.records.length, () => `${owners.size} owners`)
    for (const record of world.records) {
      const liveness = owners.get(record.key)
      const is = liveness?._tag === "Live" ? liveness.because._tag : liveness?._tag
      const right = SweepTruth.standing(world, record)
      yield* must(is === right, () => `${record.key} is ${is} instead of ${right}`)
    }
  })
)

const oneWayToEnd = law(
  "L4 one way to an end",
  "sessionEnd is Ended exactly on the evidence that is asked for, and so is every claim state.",
  Gen.struct({ case: cases, since }),
  Effect.fnUntraced(function* ({ case: { world, path }, since }, stage, must) {
    const { run } = yield* stage(world)
    const { workspaceClaims, locate, identifyCaller } = programs(world, path)
    const claims = yield* run(workspaceClaims)
    for (const id of SweepArbitraries.ids) {
      const end = SessionOwners.sessionEnd(claims.owners, id, since)
      const right = SweepTruth.sessionEnd(world, id, since)
      yield* must(end._tag === right, () => `the end of ${id} is ${show(end)} instead of ${right}`)
    }
    const state = LiveClaims.claimState(claims, yield* run(locate))
    const right = SweepTruth.claimState(world, path)
    yield* must(state._tag === right, () => `${show(path)} is ${show(state)} instead of ${right}`)
    const caller = Option.getOrUndefined(yield* run(identifyCaller))
    const rightCaller = SweepTruth.identified(world)
    yield* must(caller === rightCaller, () => `the caller is ${caller} instead of ${rightCaller}`)
  })
)

const oneWayToPermit = law(
  "L4 one way to a permit",
  "A survey judges every linked worktree, and permits exactly those that no gate refuses; otherwise the first that does speaks.",
  cases,
  Effect.fnUntraced(function* ({ world, path }, stage, must) {
    const { run } = yield* stage(world)
    const plan = yield* run(programs(world, path).survey)
    const listed = world.worktrees.filter(({ repository }) => world.repositories[repository] === "Listed")
    yield* must(
      Equal.equals(new Set(plan.candidates.map(({ path }) => path)), new Set(listed.map(({ path }) => path))),
      () => `it judged ${show(plan.candidates.map(({ path }) => path))}`
    )
    for (const worktree of listed) {
      const verdict = plan.candidates.find(({ path }) => path === worktree.path)?.verdict
      const gate = verdict?._tag === "Refuse" ? verdict.gate : verdict?._tag
      const right = SweepTruth.gate(world, worktree)
      yield* must(gate === right, () => `${worktree.path} is ${show(verdict)} instead of ${right}`)
    }
  })
)

const faultsOnlyRefuse = law(
  "L5 faults only refuse",
  "For any set of faults in what is observed, what is permitted, gone, ended or named as the caller under the faults is so without them.",
  close,
  Effect.fnUntraced(function* ({ world, path, trouble }, stage, must) {
    const without = yield* positives(yield* stage(world), world, path)
    const under = yield* positives(yield* stage(world, trouble), world, path)
    yield* onlyRefuses(without, under, must, "under the faults")
  })
)

/** All that may be acted upon in a world, in words. */
const positives = Effect.fnUntraced(function* (
  { run }: Stage,
  world: World,
  path: string
): Effect.fn.Return<ReadonlySet<string>, Broken> {
  const { workspaceClaims, survey, identifyCaller, locate } = programs(world, path)
  const plan = yield* run(survey)
  const claims = yield* run(workspaceClaims)
  const caller = yield* run(identifyCaller)
  const state = LiveClaims.claimState(claims, yield* run(locate))
  return new Set([
    ...permitted(plan).map((path) => `${path} is permitted`),
    ...plan.candidates.flatMap(({ ends }) =>
      ends.flatMap(([id, end]) => (end._tag === "Ended" ? [`${id} ended`] : []))
    ),
    ...[...(claims.owners.owners ?? [])].flatMap(([id, { _tag }]) => (_tag === "SessionGone" ? [`${id} is gone`] : [])),
    ...SweepArbitraries.ids.flatMap((id) =>
      SessionOwners.sessionEnd(claims.owners, id, SweepWorld.at("overDay"))._tag === "Ended" ? [`${id} has ended`] : []
    ),
    ...(state._tag === "Unclaimed" || state._tag === "DeadClaimsDiscarded" ? [`nobody live claims ${show(path)}`] : []),
    ...Option.toArray(caller).map((id) => `${id} asks`)
  ])
})

const permitted = (plan: ReclaimPlan.Plan): ReadonlyArray<string> =>
  plan.candidates.flatMap(({ path, verdict }) => (verdict._tag === "Permit" ? [path] : []))

const onlyRefuses = (before: ReadonlySet<string>, after: ReadonlySet<string>, must: Must, when: string) =>
  Effect.forEach(after, (positive) => must(before.has(positive), () => `${positive} ${when}, and not without`), {
    discard: true
  })

/** Something that speaks against reclaiming. */
type Evidence =
  | { readonly _tag: "Listed"; readonly record: number }
  | { readonly _tag: "Claim"; readonly path: string }
  | { readonly _tag: "Entry"; readonly id: string; readonly inEntry: SweepWorld.Age }
  | { readonly _tag: "Process"; readonly worktree: number; readonly kind: SweepWorld.Use["kind"] }

const evidence: Arbitrary.Arbitrary<Evidence> = Gen.oneOf<Evidence>(
  Gen.map(Gen.int(0, 3), (record): Evidence => ({ _tag: "Listed", record })),
  Gen.map(Gen.element(SweepWorld.placeablePaths), (path): Evidence => ({ _tag: "Claim", path })),
  Gen.map(
    Gen.struct({
      id: Gen.element([...SweepArbitraries.claudeIds, "c9"]),
      inEntry: Gen.element<SweepWorld.Age>(["overWeek", "almostDay"])
    }),
    (given): Evidence => ({ _tag: "Entry", ...given })
  ),
  Gen.map(
    Gen.struct({
      worktree: Gen.int(0, 3),
      kind: Gen.element<SweepWorld.Use["kind"]>([
        "working directory",
        "root",
        "executable",
        "open file",
        "command line"
      ])
    }),
    (given): Evidence => ({ _tag: "Process", ...given })
  )
)

const pidOfEvidence = 399

const newProcess: SweepWorld.Process = {
  pid: pidOfEvidence,
  role: "Other",
  looks: "Shell",
  user: "Ours",
  started: "overWeek",
  later: 0,
  inner: [],
  uses: []
}

/** The world with the evidence added, everything else unchanged. */
const added = (world: World, evidence: Evidence): World => {
  switch (evidence._tag) {
    case "Listed": {
      const [first, ...others] = world.servers
      const name = world.records[evidence.record % Math.max(1, world.records.length)]?.tmuxName
      if (first === undefined || name === undefined || name === "") return world
      return { ...world, servers: [{ ...first, sessions: [...first.sessions, { name, panes: [] }] }, ...others] }
    }
    case "Claim":
      return {
        ...world,
        records: [
          ...world.records,
          {
            key: "m-new",
            flaw: "None",
            tmuxName: "evidence",
            created: "overWeek",
            active: "overWeek",
            workspace: evidence.path,
            claudeId: undefined
          }
        ]
      }
    case "Entry":
      return {
        ...world,
        processes: [...world.processes, { ...newProcess, looks: "Claude", started: evidence.inEntry }],
        entries: [...world.entries, { pid: pidOfEvidence, sessionId: evidence.id, start: "Ticks", state: "Whole" }]
      }
    case "Process": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      if (worktree === undefined) return world
      return {
        ...world,
        processes: [...world.processes, { ...newProcess, uses: [{ kind: evidence.kind, path: worktree.path }] }]
      }
    }
  }
}

const faultsOnlyRefuseToMove = law(
  "L5 faults only refuse to move",
  "What is moved aside was planned and would be permitted now without faults; nothing is lost, and each outcome is so.",
  Gen.struct({ case: close, evidence, meanwhile: Gen.element(["nothing", "comes", "goes"]) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, evidence, meanwhile }, stage, must) {
    const earlier = meanwhile === "goes" ? added(world, evidence) : world
    const plan = yield* (yield* stage(earlier)).run(programs(earlier, path).survey)
    const now = meanwhile === "comes" ? added(world, evidence) : world
    const movable = permitted(yield* (yield* stage(now)).run(programs(now, path).survey))
    const { attempt, files, injector } = yield* stage(now, trouble)
    const before = files().snapshot()
    // A move is not given up half-way, so that one that hangs for good has no end.
    const ending = yield* attempt({ name: "apply", bound: Duration.hours(1), effect: Reclaim.apply(plan) })
    const after = files().snapshot()
    const marks = now.worktrees
      .map(({ path }) => ({ path, mark: `${SweepWorld.truePath(path)}/.git` }))
      .filter(({ mark }) => mark in before)
    const moved = marks.filter(({ mark }) => !(mark in after)).map(({ path }) => path)
    for (const { path, mark } of marks) {
      const seen = Object.values(after).some((there) => Equal.equals(bytesOf(there), bytesOf(before[mark])))
      yield* must(seen, () => `${path} is lost`)
    }
    for (const path of moved) {
      yield* must(permitted(plan).includes(path), () => `${path} was moved and not planned`)
      yield* must(movable.includes(path), () => `${path} was moved, and now it would not be permitted`)
    }
    if (ending._tag === "Late") return
    const { exit } = ending
    if (Exit.isFailure(exit)) return yield* must(false, () => `apply ended in ${show(exit)}`)
    const outcomes = exit.value as ReadonlyArray<ReclaimOutcome.ReclaimOutcome>
    for (const outcome of outcomes) {
      yield* must(
        outcome._tag !== "Moved" || moved.includes(outcome.path),
        () => `${outcome.path} is said to have moved`
      )
    }
    if (injector.struck.length > 0 || trouble.spoils.length > 0 || trouble.tears.length > 0 || meanwhile === "comes")
      return
    // To move one may make a path that leads through it lead nowhere, so that more is refused.
    const [only, ...others] = permitted(plan)
    yield* must(
      only === undefined || others.length > 0 || moved.includes(only),
      () => `without faults ${show(moved)} were moved, ${show(permitted(plan))} planned: ${show(outcomes)}`
    )
  })
)

const bytesOf = (seen: FakeFileSystem.Seen | undefined): Uint8Array | undefined =>
  seen !== undefined && "bytes" in seen ? seen.bytes : undefined

const noAnswerFromPart = law(
  "L5 no answer from a part",
  "What tmux prints is no answer when any of it is missing, altered or too much.",
  Gen.struct({ case: cases, spoil: SweepArbitraries.spoil }),
  Effect.fnUntraced(function* ({ case: { world, path }, spoil }, stage, must) {
    if (!world.servers.some(({ socket }) => socket === "Listening")) return
    const { run } = yield* stage(world, { ...calm, spoils: [{ ...spoil, at: 1, lasting: true }] })
    const observation = yield* run(programs(world, path).observe)
    yield* must(observation._tag === "Unobserved", () => `tmux is ${show(observation)}`)
  })
)

const evidenceOnlyRefuses = law(
  "L6 evidence only refuses",
  "Turning a gone record live, adding a claim, a live registry entry for an id or a process in the candidate never permits more.",
  Gen.struct({ case: close, evidence }),
  Effect.fnUntraced(function* ({ case: { world, path }, evidence }, stage, must) {
    const before = yield* stage(world)
    const more = added(world, evidence)
    const after = yield* stage(more)
    const without = yield* positives(before, world, path)
    const under = yield* positives(after, more, path)
    yield* onlyRefuses(without, under, must, "with more against it")
    for (const positive of refuted(world, evidence)) {
      yield* must(!under.has(positive), () => `${positive}, with the evidence against it`)
    }
  })
)

/** What cannot be any more, in the words of `positives`. */
const refuted = (world: World, evidence: Evidence): ReadonlyArray<string> => {
  switch (evidence._tag) {
    case "Listed": {
      const record = world.records[evidence.record % Math.max(1, world.records.length)]
      return record === undefined || record.tmuxName === "" || world.servers[0]?.socket !== "Listening"
        ? []
        : [`${record.key} is gone`]
    }
    case "Claim":
      return world.worktrees
        .filter(({ path }) => SweepTruth.isOnOrInside(evidence.path, path))
        .map(({ path }) => `${path} is permitted`)
    case "Entry":
      return world.registry === "NotConsulted" ? [] : [`${evidence.id} has ended`]
    case "Process": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      return worktree === undefined ? [] : [`${worktree.path} is permitted`]
    }
  }
}

const bounded = law(
  "L7 bounded",
  "Every program ends within its bound under the test clock, whatever the fakes do, hanging and ignoring interruption included.",
  Gen.struct({ case: cases, program: Gen.element(programNames) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program }, stage, must) {
    const { attempt } = yield* stage(world, trouble)
    const given = programs(world, path)[program]
    const ending = yield* attempt(given)
    yield* must(ending._tag === "Ended", () => `${program} did not end within ${Duration.format(given.bound)}`)
  })
)

const total = law(
  "L8 total",
  "Fail-open programs never fail and never die, even when a fake throws.",
  Gen.struct({ case: cases, program: Gen.element(programNames) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program }, stage, must) {
    const { attempt } = yield* stage(world, trouble)
    const ending = yield* attempt(programs(world, path)[program])
    if (ending._tag === "Late") return
    yield* must(Exit.isSuccess(ending.exit), () => `${program} ended in ${show(ending.exit)}`)
  })
)

const callerKeepsGround = law(
  "L10 the caller keeps its ground",
  "A caller's own workspace, or a directory containing it, is never permitted.",
  Gen.map(
    Gen.struct({ case: close, dismissed: Gen.element([false, true]) }),
    ({ case: { world, ...rest }, dismissed }) => {
      const caller = world.records[0]?.key ?? world.caller
      const dismiss = dismissed && caller !== undefined ? [...world.dismiss, caller] : world.dismiss
      return { world: { ...world, caller, dismiss }, ...rest }
    }
  ),
  Effect.fnUntraced(function* ({ world, path, trouble }, stage, must) {
    for (const suffered of [undefined, trouble]) {
      const { run } = yield* stage(world, suffered)
      for (const permit of permitted(yield* run(programs(world, path).survey))) {
        yield* must(!SweepTruth.isCallersGround(world, permit), () => `${permit} is the caller's, and permitted`)
      }
    }
  })
)

const orderIsNothing = law(
  "L11 order is nothing",
  "Permuting records, claims, sockets, processes, entries, files and worktrees changes no answer, its wording included.",
  Gen.struct({ case: cases, order: Gen.order(6) }),
  Effect.fnUntraced(function* ({ case: { world, path }, order }, stage, must) {
    const one = yield* answers(yield* stage(world), world, path)
    const other = yield* answers(yield* stage(permuted(world, order)), world, path)
    for (const [name, answer] of Object.entries(one)) {
      const again = other[name]
      yield* must(Equal.equals(answer, again), () => `${name} is ${show(answer)}, in another order ${show(again)}`)
    }
  })
)

/** Every answer about a world, with its wording. */
const answers = Effect.fnUntraced(function* (
  { run }: Stage,
  world: World,
  path: string
): Effect.fn.Return<Readonly<Record<string, unknown>>, Broken> {
  const { observe, workspaceClaims, survey, identifyCaller, locate } = programs(world, path)
  const { claims, owners, ...rest } = yield* run(workspaceClaims)
  const state = LiveClaims.claimState({ claims, owners, ...rest }, yield* run(locate))
  return {
    observation: yield* run(observe),
    claims: [...claims].sort(WorkspaceClaim.compare),
    owners: owners.owners,
    incomplete: rest.incomplete,
    dismissed: rest.dismissed,
    history: owners.history,
    state,
    explanation: ClaimState.explain(state),
    ends: SweepArbitraries.ids.map((id) => SessionOwners.sessionEnd(owners, id, SweepWorld.at("overDay"))),
    caller: yield* run(identifyCaller),
    plan: yield* run(survey)
  }
})

const permuted = (world: World, order: ReadonlyArray<number>): World => {
  const by = Gen.reordered(order)
  return {
    ...world,
    records: by(world.records),
    linkFiles: by(world.linkFiles),
    servers: by(world.servers).map((server) => ({ ...server, sessions: by(server.sessions), uses: by(server.uses) })),
    strays: by(world.strays),
    processes: by(world.processes).map((process) => ({ ...process, uses: by(process.uses) })),
    entries: by(world.entries),
    transcripts: by(world.transcripts),
    worktrees: by(world.worktrees)
  }
}

const recovery = law(
  "L12 recovery",
  "After faults end and the world has changed, the next call gives the fault-free answer: nothing is cached or sticky.",
  Gen.struct({ case: cases, program: Gen.element(programNames), evidence, grows: Gen.element([true, false]) }),
  Effect.fnUntraced(function* ({ case: { world, path, trouble }, program, evidence, grows }, stage, must) {
    const [before, next] = grows ? [world, added(world, evidence)] : [added(world, evidence), world]
    const staged = yield* stage(before, { ...trouble, spoils: [] })
    yield* staged.attempt(programs(before, path)[program])
    staged.become(next)
    yield* aftermath
    const after = yield* answers(staged, next, path)
    const right = yield* answers(yield* stage(next), next, path)
    for (const [name, answer] of Object.entries(right)) {
      const again = after[name]
      yield* must(Equal.equals(answer, again), () => `${name} is ${show(again)} instead of ${show(answer)}`)
    }
  })
)

const show = (value: unknown): string => JSON.stringify(value) ?? String(value)

/** Every law of the programs that judge. */
export const all: ReadonlyArray<Law.Law<Subject>> = [
  oneWayToGone,
  oneWayToEnd,
  oneWayToPermit,
  faultsOnlyRefuse,
  faultsOnlyRefuseToMove,
  noAnswerFromPart,
  evidenceOnlyRefuses,
  bounded,
  total,
  callerKeepsGround,
  orderIsNothing,
  recovery
]
