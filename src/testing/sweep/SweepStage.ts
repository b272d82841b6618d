/**
 * A world under the layers under test, and what goes wrong while programs look at it.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { SidecarReader } from "../../links/SidecarReader.ts"
import * as FailOpen from "../../shared/FailOpen.ts"
import { ClaudeSessions } from "../../claims/ClaudeSessions.ts"
import { Git } from "../../verdict/Git.ts"
import { GitChanges } from "../../reclaim/GitChanges.ts"
import { ReclaimedTrees } from "../../reclaim/ReclaimedTrees.ts"
import { ReclaimJournal } from "../../reclaim/ReclaimJournal.ts"
import * as Restorations from "../../verdict/Restorations.ts"
import { OwnerSentinel } from "../../verdict/OwnerSentinel.ts"
import { ProcessTable } from "../../machine/ProcessTable.ts"
import { SessionStore } from "../../records/SessionStore.ts"
import { TmuxProbe } from "../../claims/TmuxProbe.ts"
import { answer, type Ending, within } from "../Program.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as Faults from "../Faults.ts"
import * as Law from "../Law.ts"
import { Broken, type Must } from "../Law.ts"
import * as Profiles from "../Profiles.ts"
import * as SweepFiles from "./SweepFiles.ts"
import * as SweepTime from "./SweepTime.ts"
import { calm, type TornRead, type Trouble } from "./SweepCases.ts"
import type { Program } from "./SweepPrograms.ts"
import type { Subject, World } from "./SweepSubject.ts"

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
  readonly attempt: <A>(program: Program<A>) => Effect.Effect<Ending<A>>
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

/**
 * Puts a world under the layers under test and what goes wrong.
 */
export const stage = Effect.fnUntraced(function* (
  law: string,
  subject: Subject,
  first: World,
  { faults, corruptions, tornReads }: Trouble = calm
): Effect.fn.Return<Stage, Broken, Scope.Scope> {
  const current = { world: first, files: FakeFileSystem.make(SweepFiles.toTree(first)), tornReads }
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
  const attempt = <A>({ effect, bound }: Program<A>): Effect.Effect<Ending<A>> =>
    Effect.andThen(
      TestClock.setTime(SweepTime.now + current.world.clock),
      within(bound)(Effect.provideContext(effect, faulty))
    )
  return {
    injector,
    files: () => current.files,
    become: (world) => {
      injector.stop()
      Object.assign(current, { world, files: FakeFileSystem.make(SweepFiles.toTree(world)), tornReads: [] })
    },
    goOn: Effect.fnUntraced(function* (world) {
      const [before, after] = [SweepFiles.toTree(current.world), SweepFiles.toTree(world)]
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
    run: (program) => Effect.flatMap(attempt(program), (ending) => answer(law, program, ending))
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
