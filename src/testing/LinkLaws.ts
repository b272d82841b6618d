/**
 * The laws of the link programs, to be checked on any layers of their services over random roots and random faults.
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
import { LinkWriter } from "../links/LinkWriter.ts"
import { SavingsLedger } from "../links/SavingsLedger.ts"
import { SidecarReader } from "../links/SidecarReader.ts"
import * as ClaudeId from "../shared/core/ClaudeId.ts"
import type * as LinkHistory from "../links/core/LinkHistory.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import type * as PrunePlan from "../links/core/PrunePlan.ts"
import * as Root from "../shared/core/Root.ts"
import * as SavingsTotal from "../links/core/SavingsTotal.ts"
import * as Writer from "../links/LinkWriter.ts"
import * as Ledger from "../links/SavingsLedger.ts"
import * as Store from "../records/SessionStore.ts"
import { SessionStore } from "../records/SessionStore.ts"
import * as Reader from "../links/SidecarReader.ts"
import * as SessionLinks from "../links/SessionLinks.ts"
import * as Arbitraries from "./Arbitraries.ts"
import * as Ending from "./Ending.ts"
import * as FakeFileSystem from "./FakeFileSystem.ts"
import * as Faults from "./Faults.ts"
import * as Gen from "./Gen.ts"
import * as Law from "./Law.ts"
import { Broken, type Must, show } from "./Law.ts"
import * as LinkWorld from "./LinkWorld.ts"
import * as Profiles from "./Profiles.ts"

/** What the link programs need. */
export type Services = SidecarReader | LinkWriter | SavingsLedger | SessionStore

/** Layers under test, for a root on the file system they are given. */
export type Subject = (root: string) => Layer.Layer<Services, never, FileSystem.FileSystem>

/** The library's own layers over the file system, the subject that the link programs are tested on. */
export const layers: Subject = (root) =>
  Layer.mergeAll(Reader.layer({ root }), Writer.layer({ root }), Ledger.layer({ root }), Store.layer({ root }))

/**
 * A root under the layers under test. `run` gives a program's answer, or breaks the law if it does not end within its
 * bound, fails or dies.
 */
export interface Stage {
  readonly fake: FakeFileSystem.FakeFileSystem
  readonly injector: Faults.Injector
  readonly attempt: (program: Program<unknown>) => Effect.Effect<Ending.Ending<unknown>>
  readonly run: <A>(program: Program<A>) => Effect.Effect<A, Broken>
  /** The same files, or a copy of them, under fresh layers without faults. */
  readonly afresh: (files?: FakeFileSystem.FakeFileSystem) => Effect.Effect<Stage, never, Scope.Scope>
}

/** A program with the time it may take. */
export interface Program<A> {
  readonly name: string
  readonly bound: Duration.Duration
  readonly effect: Effect.Effect<A, never, Services>
}

const law = <Case>(
  name: string,
  sentence: string,
  cases: Arbitrary.Arbitrary<Case>,
  holds: (
    given: Case,
    stage: (world: LinkWorld.LinkWorld, faults?: Faults.Schedule) => Effect.Effect<Stage, never, Scope.Scope>,
    must: Must
  ) => Effect.Effect<void, Broken, Scope.Scope>
): Law.Law<Subject> =>
  Law.make(name, sentence, cases, (given, subject: Subject, must) =>
    holds(given, (world, faults) => stage(name, subject, world, faults), must)
  )

/**
 * Puts a world on a fake file system, under the layers under test and a schedule of faults.
 */
export const stage = (
  law: string,
  subject: Subject,
  world: LinkWorld.LinkWorld,
  faults: Faults.Schedule = []
): Effect.Effect<Stage, never, Scope.Scope> =>
  makeStage(law, subject, FakeFileSystem.make(LinkWorld.toTree(world)), faults)

const makeStage = Effect.fnUntraced(function* (
  law: string,
  subject: Subject,
  fake: FakeFileSystem.FakeFileSystem,
  faults: Faults.Schedule
): Effect.fn.Return<Stage, never, Scope.Scope> {
  const injector = Faults.make(faults)
  const files = Layer.succeed(FileSystem.FileSystem, injector.wrap(fake.fileSystem, Profiles.fileSystem))
  const services = yield* Layer.build(Layer.provide(Layer.fresh(subject(LinkWorld.root)), files))
  const suffering = Context.make(
    SidecarReader,
    injector.wrap(Context.get(services, SidecarReader), Profiles.sidecarReader)
  ).pipe(
    Context.add(LinkWriter, injector.wrap(Context.get(services, LinkWriter), Profiles.linkWriter)),
    Context.add(SavingsLedger, injector.wrap(Context.get(services, SavingsLedger), Profiles.savingsLedger)),
    Context.add(SessionStore, injector.wrap(Context.get(services, SessionStore), Profiles.sessionStore))
  )
  const attempt = <A>({ effect, bound }: Program<A>): Effect.Effect<Ending.Ending<A>> =>
    Ending.within(bound)(Effect.provideContext(effect, suffering))
  return {
    fake,
    injector,
    attempt,
    run: (program) =>
      Effect.flatMap(attempt(program), (ending) => {
        const broken = (why: string) => Effect.fail(new Broken({ law, why: `${program.name} ${why}` }))
        return ending._tag === "Late"
          ? broken(`did not end within ${Duration.format(program.bound)}`)
          : Exit.match(ending.exit, { onSuccess: Effect.succeed, onFailure: (cause) => broken(Cause.pretty(cause)) })
      }),
    afresh: (files) => makeStage(law, subject, files ?? fake, [])
  }
})

/** Lets what a program left behind come to its end. */
const aftermath = TestClock.adjust("1 hour")

const links = Duration.seconds(3)
const upkeep = Duration.seconds(60)

/** Every program, asked for these ids. `plan` is what is applied. */
export const programs = (ask: Ask, plan: PrunePlan.PrunePlan | undefined) => ({
  recordLink: {
    name: "recordLink",
    bound: links,
    effect: SessionLinks.recordLink(ask.managedId, ask.claudeId)
  } satisfies Program<boolean>,
  linkedClaudeIds: {
    name: "linkedClaudeIds",
    bound: links,
    effect: SessionLinks.linkedClaudeIds(ask.claudeId)
  } satisfies Program<ReadonlyArray<string>>,
  linkHistory: {
    name: "linkHistory",
    bound: links,
    effect: SessionLinks.linkHistory
  } satisfies Program<LinkHistory.LinkHistory>,
  heal: { name: "heal", bound: upkeep, effect: SessionLinks.heal } satisfies Program<ReadonlyArray<string>>,
  total: {
    name: "SavingsLedger.total",
    bound: links,
    effect: Ledger.total([ask.claudeId, "c2"])
  } satisfies Program<SavingsTotal.SavingsTotal>,
  planPrune: {
    name: "planPrune",
    bound: upkeep,
    effect: SessionLinks.planPrune({ now: LinkWorld.now })
  } satisfies Program<PrunePlan.PrunePlan>,
  applyPrune: {
    name: "applyPrune",
    bound: Duration.times(upkeep, 1 + (plan?.moves.length ?? 0)),
    effect: plan === undefined ? Effect.succeed([]) : SessionLinks.applyPrune(plan)
  } satisfies Program<ReadonlyArray<PrunePlan.Outcome>>
})

/** The names of the programs. */
export type ProgramName = keyof ReturnType<typeof programs>

export const programNames: ReadonlyArray<ProgramName> = [
  "recordLink",
  "linkedClaudeIds",
  "linkHistory",
  "heal",
  "total",
  "planPrune",
  "applyPrune"
]

/** Which ids a program is asked for. */
export interface Ask {
  readonly managedId: string
  readonly claudeId: string
}

const ask: Arbitrary.Arbitrary<Ask> = Gen.struct({
  managedId: Arbitraries.askedManagedId,
  claudeId: Arbitraries.askedClaudeId
})

/** A root, a question and what goes wrong meanwhile. */
export interface Case {
  readonly world: LinkWorld.LinkWorld
  readonly ask: Ask
  readonly faults: Faults.Schedule
}

const casesOver = (methods: ReadonlyArray<string>): Arbitrary.Arbitrary<Case> =>
  Gen.struct({ world: Arbitraries.linkWorld, ask, faults: Faults.schedule({ methods }) })

/** Cases for programs that read links. */
export const reading: Arbitrary.Arbitrary<Case> = casesOver([
  "SidecarReader.list",
  "SidecarReader.find",
  "FileSystem.readDirectory",
  "FileSystem.stat",
  "FileSystem.open",
  "SavingsLedger.total",
  "File.read"
])

/** Cases for programs that record links. */
export const recording: Arbitrary.Arbitrary<Case> = casesOver([
  "File.writeAll",
  "FileSystem.open",
  "FileSystem.stat",
  "LinkWriter.append",
  "File.read",
  "File.stat",
  "FileSystem.lstat",
  "FileSystem.makeDirectory"
])

/** Cases for every program. */
export const cases: Arbitrary.Arbitrary<Case> = casesOver([...Profiles.fileMethods, ...Profiles.serviceMethods])

const noInventedLink = law(
  "L1 no invented link",
  "Whatever fails, linkedClaudeIds(q) is [] or ids that were all committed beside q in one link file.",
  reading,
  Effect.fnUntraced(function* ({ world, ask, faults }, stage, must) {
    const { run, injector } = yield* stage(world, faults)
    const answer = yield* run(programs(ask, undefined).linkedClaudeIds)
    const question = Option.getOrElse(ClaudeId.parse(ask.claudeId), () => "")
    const committed = [...LinkWorld.linkFiles(world).values()].filter(({ ids }) => ids.includes(question))
    yield* must(
      answer.length === 0 || committed.some(({ ids }) => answer.every((id) => ids.includes(id))),
      () => `${show(answer)} were never committed beside ${show(question)}`
    )
    if (injector.struck.length > 0) return
    const right = LinkWorld.linked(world, ask.claudeId)
    yield* must(Equal.equals(answer, right), () => `without faults ${show(answer)} instead of ${show(right)}`)
  })
)

const appendOnly = law(
  "L2 append only",
  "After any recordLink the old bytes are a prefix of the new bytes, and at most one id was added, the one asked for. Recording twice equals recording once. A heal adds nothing but the end of what is torn.",
  recording,
  Effect.fnUntraced(function* ({ world, ask, faults }, stage, must) {
    const { run, fake, injector } = yield* stage(world, faults)
    const { recordLink } = programs(ask, undefined)
    const before = fake.snapshot()
    const told = yield* run(recordLink)
    const added = yield* additions(before, fake.snapshot(), must)
    const target = recordable(world, ask)
    const line = target === undefined ? "" : `${target.torn ? "\u0018\n" : ""}${target.claudeId}\n`
    yield* must(added.every(begins(line)) && added.length <= 1, () => `it wrote ${show(added.map(decode))}`)
    yield* must(fake.writes().length <= 1, () => `it took ${fake.writes().length} writes`)
    yield* must(
      !told || (target?.listed === false && Equal.equals(added[0], encode(line))),
      () => "it says true and wrote no link"
    )
    if (injector.struck.length === 0) {
      yield* must(told === (target?.listed === false), () => `without faults it says ${told}`)
    }
    injector.stop()
    yield* aftermath
    const again = yield* run(recordLink)
    const once = fake.snapshot()
    yield* must(!(told && again), () => "it says true twice for one link")
    yield* must(!(yield* run(recordLink)), () => "it says true for what is recorded")
    yield* must(Equal.equals(fake.snapshot(), once), () => "recording twice is not recording once")
    yield* healAddsEnds(yield* stage(world, faults), world, must)
  })
)

const healAddsEnds = Effect.fnUntraced(function* (
  { run, fake, injector }: Stage,
  world: LinkWorld.LinkWorld,
  must: Must
) {
  const before = fake.snapshot()
  const healed = yield* run(programs({ managedId: "", claudeId: "" }, undefined).heal)
  const added = yield* additions(before, fake.snapshot(), must)
  const torn = LinkWorld.torn(world)
  yield* must(added.every(begins("\u0018\n")), () => `heal wrote ${show(added.map(decode))}`)
  yield* must(added.length >= healed.length, () => `heal says ${show(healed)} and wrote ${show(added)}`)
  if (injector.struck.length > 0) return
  yield* must(Equal.equals(healed, torn), () => `without faults heal gives ${show(healed)}, torn were ${show(torn)}`)
})

/** Where a record may go, or `undefined` where it must be refused. */
const recordable = (world: LinkWorld.LinkWorld, ask: Ask) => {
  const managedId = Option.getOrUndefined(ManagedId.parse(ask.managedId))
  const claudeId = Option.getOrUndefined(ClaudeId.parse(ask.claudeId))
  if (managedId === undefined || claudeId === undefined) return undefined
  if (world.directory !== "Present" && world.directory !== "Absent") return undefined
  const there = world.directory === "Present" && world.entries.some(({ name }) => name === managedId)
  if (!there) return { claudeId, torn: false, listed: false }
  const content = LinkWorld.contentOf(world, managedId)
  return content === undefined ? undefined : { claudeId, torn: content.torn, listed: content.ids.includes(claudeId) }
}

/** Whether bytes are the beginning of a text. They may end within a character. */
const begins =
  (text: string) =>
  (bytes: Uint8Array): boolean =>
    Equal.equals(encode(text).subarray(0, bytes.length), bytes)

/**
 * The bytes that were appended; anything else that changed breaks the law, but for empty files and directories that are
 * new and their owner's alone.
 */
const additions = Effect.fnUntraced(function* (before: Snapshot, after: Snapshot, must: Must) {
  const added: Array<Uint8Array> = []
  for (const [path, old] of Object.entries(before)) {
    const now = after[path]
    if (now !== undefined && "bytes" in now && "bytes" in old) {
      yield* must(Equal.equals(now.bytes.slice(0, old.bytes.length), old.bytes), () => `${path} was rewritten`)
      if (now.bytes.length > old.bytes.length) added.push(now.bytes.subarray(old.bytes.length))
    } else yield* must(now !== undefined && sameKind(now, old), () => `${path} was removed or replaced`)
  }
  for (const [path, now] of Object.entries(after)) {
    if (before[path] !== undefined) continue
    yield* must(((now.mode ?? 0) & 0o077) === 0, () => `${path} can be read by others`)
    yield* must("bytes" in now || "dir" in now, () => `${path} is neither file nor directory`)
    if ("bytes" in now && now.bytes.length > 0) added.push(now.bytes)
  }
  return added
})

type Snapshot = ReturnType<FakeFileSystem.FakeFileSystem["snapshot"]>

const sameKind = (a: FakeFileSystem.Seen, b: FakeFileSystem.Seen): boolean =>
  ("dir" in a && "dir" in b) ||
  ("fifo" in a && "fifo" in b) ||
  ("symlink" in a && "symlink" in b && a.symlink === b.symlink)

/** Several writers at once, each with its links to record one after another. */
export interface Writers {
  readonly files: ReadonlyArray<{
    readonly name: string
    readonly lines: ReadonlyArray<LinkWorld.Line>
    readonly tail: Uint8Array
  }>
  readonly jobs: ReadonlyArray<ReadonlyArray<Ask>>
  readonly faults: Faults.Schedule
}

/** Writers that share two files, are held up at random and are cut off at random. */
export const writers: Arbitrary.Arbitrary<Writers> = Gen.struct({
  files: Gen.map(
    Gen.array(
      Gen.struct({
        name: Gen.element(["m1", "m2"]),
        lines: Gen.array(Arbitraries.line, { maxLength: 2 }),
        tail: Gen.oneOf(Gen.constant(new Uint8Array()), Arbitraries.fragment)
      }),
      { maxLength: 2 }
    ),
    (files) => [...new Map(files.map((file) => [file.name, file])).values()]
  ),
  jobs: Gen.array(
    Gen.array(Gen.struct({ managedId: Gen.element(["m1", "m2"]), claudeId: Arbitraries.claudeId }), {
      minLength: 1,
      maxLength: 3
    }),
    { minLength: 1, maxLength: 4 }
  ),
  faults: Gen.map(
    Gen.struct({
      delays: Gen.array(
        Gen.struct({
          at: Gen.int(1, 40),
          on: Gen.element<string | undefined>([undefined, undefined, "File.writeAll"]),
          lasting: Gen.element([false, false, false, true]),
          kind: Gen.map(Gen.int(1, 20), (millis) => Faults.Kind.Delayed({ millis }))
        }),
        { maxLength: 10 }
      ),
      crashes: Faults.schedule({
        methods: ["File.writeAll", "File.writeAll", "File.writeAll", "FileSystem.open", "File.read"],
        kinds: Gen.oneOf(Faults.cutting, Faults.cutting, Faults.failing, Gen.constant(Faults.Kind.HangsForGood())),
        maxFaults: 2,
        maxAt: 8
      })
    }),
    ({ delays, crashes }) => [...delays, ...crashes]
  )
})

const noSplice = law(
  "L3 no splice",
  "Under any number of writers and any crash, every id ever read was recorded by someone, and what a writer was told is recorded is read back.",
  writers,
  Effect.fnUntraced(function* ({ files, jobs, faults }, stage, must) {
    const world: LinkWorld.LinkWorld = {
      directory: "Present",
      entries: files.map(({ name, lines, tail }) => ({
        name,
        entry: { _tag: "LinkFile", lines, tail, readable: true, age: "old" }
      })),
      ledger: { _tag: "Absent" },
      store: { _tag: "Absent" }
    }
    const { run, fake, injector } = yield* stage(world, faults)
    const told: Array<Ask> = []
    yield* run({
      name: "the writers",
      bound: Duration.times(links, 3),
      effect: Effect.forEach(
        jobs,
        (asks) =>
          Effect.forEach(asks, (ask) =>
            Effect.map(SessionLinks.recordLink(ask.managedId, ask.claudeId), (written) => {
              if (written) told.push(ask)
            })
          ),
        { concurrency: "unbounded", discard: true }
      )
    })
    injector.stop()
    yield* aftermath
    const recorded = new Set(jobs.flat().map(({ managedId, claudeId }) => LinkWorld.pair(claudeId, managedId)))
    for (const { name, lines } of files) {
      for (const line of lines) if (line._tag === "Id") recorded.add(LinkWorld.pair(line.id, name))
    }
    const glued = spliced(fake)
    yield* run(programs({ managedId: "", claudeId: "" }, undefined).heal)
    const history = yield* run(programs({ managedId: "", claudeId: "" }, undefined).linkHistory)
    if (history._tag !== "Read") {
      return yield* must(glued.size > 0, () => `nothing can be read after heal: ${show(history)}`)
    }
    const read = pairs(history)
    for (const link of read) {
      yield* must(recorded.has(link) || glued.has(link), () => `${link} is read and was recorded by nobody`)
    }
    for (const { managedId, claudeId } of glued.size > 0 ? [] : told) {
      const link = LinkWorld.pair(claudeId, managedId)
      yield* must(read.has(link), () => `${link} was told recorded and is not read back`)
    }
  })
)

/**
 * The one gap that is known: a write that was torn between another writer's look and its write glues one line. These are
 * the links that such lines spell.
 */
const spliced = (fake: FakeFileSystem.FakeFileSystem): ReadonlySet<string> => {
  const glued = new Set<string>()
  const snapshot = fake.snapshot()
  const isCrash = (call: FakeFileSystem.Call): boolean =>
    call.write !== undefined &&
    call.write.bytes.length > 0 &&
    call.write.bytes.at(-1) !== 0x0a &&
    fake.calls.findLast(({ handle, write }) => write !== undefined && handle === call.handle) === call
  for (const [at, { path, handle, write }] of fake.calls.entries()) {
    if (write === undefined || write.bytes.length === 0) continue
    const look = fake.calls.findLastIndex(
      (call, index) => index < at && call.handle === handle && call.method === "File.read"
    )
    const torn = fake.calls
      .slice(look, at)
      .some((call) => call.path === path && call.handle !== handle && isCrash(call))
    const seen = snapshot[path]
    if (!torn || seen === undefined || !("bytes" in seen)) continue
    const start = seen.bytes.lastIndexOf(0x0a, write.offset - 1) + 1
    const line = decode(seen.bytes.subarray(start, seen.bytes.indexOf(0x0a, write.offset)))
    const id = Option.getOrElse(ClaudeId.parse(line), () => line)
    glued.add(LinkWorld.pair(id, path.slice(path.lastIndexOf("/") + 1)))
  }
  return glued
}

const faultsOnlyRefuse = law(
  "L5 faults only refuse to prune",
  "What a prune plans under faults is a subset of what it plans without; what it applies was planned, is unchanged since, and loses no byte.",
  Gen.struct({ case: cases, faultyPlan: Gen.element([false, true]), meanwhile: Gen.element([false, false, true]) }),
  Effect.fnUntraced(function* ({ case: { world, ask, faults }, faultyPlan, meanwhile }, stage, must) {
    const staged = yield* stage(world, faults)
    const calm = yield* staged.afresh()
    const { planPrune } = programs(ask, undefined)
    const right = LinkWorld.movable(world)
    const plan = yield* calm.run(planPrune)
    yield* must(Equal.equals(namesOf(plan), right), () => `without faults it plans ${show(plan)}, not ${show(right)}`)
    if (faultyPlan) {
      const planned = namesOf(yield* staged.run(planPrune))
      return yield* must(
        planned.every((name) => right.includes(name)),
        () => `under faults it plans ${show(planned)}`
      )
    }
    const changed = meanwhile ? plan.moves[0]?.managedId : undefined
    if (changed !== undefined) yield* calm.run(programs({ managedId: changed, claudeId: "new" }, undefined).recordLink)
    const before = staged.fake.snapshot()
    const outcomes = yield* staged.run(programs(ask, plan).applyPrune)
    const after = staged.fake.snapshot()
    const sidecar = Root.sidecar(LinkWorld.root)
    yield* must(
      Equal.equals(
        outcomes.map(({ managedId }) => managedId),
        namesOf(plan)
      ),
      () => "an outcome is missing"
    )
    for (const [path, old] of Object.entries(before)) {
      if (!("bytes" in old)) continue
      const name = path.slice(sidecar.length + 1)
      const aside = after[`${Root.sidecar(LinkWorld.root).replace("session-links", plan.quarantine)}/${name}`]
      const now =
        after[path] ?? (path === `${sidecar}/${name}` && right.includes(name) && name !== changed ? aside : undefined)
      yield* must(now !== undefined && "bytes" in now && Equal.equals(now.bytes, old.bytes), () => `${path} is lost`)
    }
    for (const outcome of outcomes) {
      yield* must(
        outcome._tag === "Kept" || after[`${sidecar}/${outcome.managedId}`] === undefined,
        () => `${outcome.managedId} is said to have moved`
      )
    }
    if (staged.injector.struck.length > 0) return
    for (const outcome of outcomes) {
      const entry = world.entries.find(({ name }) => name === outcome.managedId)?.entry
      const moves = entry?._tag === "LinkFile" && outcome.managedId !== changed
      yield* must(moves === (outcome._tag === "Moved"), () => `without faults ${show(outcome)}`)
    }
  })
)

const namesOf = (plan: PrunePlan.PrunePlan): ReadonlyArray<string> => plan.moves.map(({ managedId }) => managedId)

const anyProgram = Gen.struct({ case: cases, program: Gen.element(programNames) })

const ending = Effect.fnUntraced(function* (
  { case: { world, ask, faults }, program }: { readonly case: Case; readonly program: ProgramName },
  stage: (world: LinkWorld.LinkWorld, faults?: Faults.Schedule) => Effect.Effect<Stage, never, Scope.Scope>
) {
  const staged = yield* stage(world, faults)
  const plan =
    program === "applyPrune" ? yield* (yield* staged.afresh()).run(programs(ask, undefined).planPrune) : undefined
  return yield* staged.attempt(programs(ask, plan)[program])
})

const bounded = law(
  "L7 bounded links",
  "Every program ends within its bound under the test clock, whatever the fakes do, hanging and ignoring interruption included.",
  anyProgram,
  Effect.fnUntraced(function* (given, stage, must) {
    const { _tag } = yield* ending(given, stage)
    yield* must(_tag !== "Late", () => `${given.program} did not end`)
  })
)

const total = law(
  "L8 total links",
  "Fail-open programs never fail and never die, even when a fake throws.",
  anyProgram,
  Effect.fnUntraced(function* (given, stage, must) {
    const ended = yield* ending(given, stage)
    if (ended._tag === "Late") return
    const { exit } = ended
    yield* must(Exit.isSuccess(exit), () => `${given.program} ended in ${show(exit)}`)
  })
)

const wholeOrNothing = law(
  "L9 whole or nothing",
  "linkHistory is Read only if every entry was read whole, and a total is zero unless the ledger was read to its end.",
  reading,
  Effect.fnUntraced(function* ({ world, ask, faults }, stage, must) {
    const { run, injector } = yield* stage(world, faults)
    const { linkHistory, total } = programs(ask, undefined)
    const history = yield* run(linkHistory)
    const right = LinkWorld.history(world)
    yield* must(history._tag !== "Absent", () => "a sidecar is there and was not consulted")
    if (history._tag === "Read") {
      const read = pairs(history)
      yield* must(right !== undefined, () => `it is Read, and an entry cannot be read whole: ${show([...read])}`)
      yield* must(Equal.equals(read, right), () => `${show([...read])} instead of ${show([...(right ?? [])])}`)
    } else if (injector.struck.length === 0) {
      yield* must(right === undefined, () => `without faults it is ${show(history)}`)
    }
    const struck = injector.struck.length
    const sum = yield* run(total)
    const rightSum = SavingsTotal.fold(LinkWorld.ledgerText(world.ledger), [ask.claudeId, "c2"])
    yield* must(
      Equal.equals(sum, rightSum) || (Equal.equals(sum, SavingsTotal.zero) && injector.struck.length > struck),
      () => `the total is ${show(sum)} instead of ${show(rightSum)}`
    )
  })
)

const orderIsNothing = law(
  "L11 order is nothing to links",
  "Permuting records, entries and ledger rows changes no answer, its wording included.",
  Gen.struct({ world: Arbitraries.linkWorld, ask, order: Gen.order(5) }),
  Effect.fnUntraced(function* ({ world, ask, order }, stage, must) {
    const one = yield* stage(world)
    const other = yield* stage(permuted(world, order))
    for (const name of programNames) {
      const plan = name === "applyPrune" ? yield* one.run(programs(ask, undefined).planPrune) : undefined
      const answer = yield* one.run<unknown>(programs(ask, plan)[name])
      const permutedAnswer = yield* other.run<unknown>(programs(ask, plan)[name])
      yield* must(
        Equal.equals(answer, permutedAnswer),
        () => `${name} gives ${show(answer)}, in another order ${show(permutedAnswer)}`
      )
    }
    const told = Effect.catch(SessionLinks.siblings(ask.claudeId), ({ message }) => Effect.succeed(message))
    const strict: Program<unknown> = { name: "siblings", bound: links, effect: told }
    const [siblings, permutedSiblings] = [yield* one.run(strict), yield* other.run(strict)]
    yield* must(
      Equal.equals(siblings, permutedSiblings),
      () => `siblings gives ${show(siblings)}, in another order ${show(permutedSiblings)}`
    )
  })
)

const permuted = (world: LinkWorld.LinkWorld, order: ReadonlyArray<number>): LinkWorld.LinkWorld => {
  const by = Gen.reordered(order)
  return {
    directory: world.directory,
    entries: by(world.entries),
    ledger: world.ledger._tag === "File" ? { ...world.ledger, lines: by(world.ledger.lines) } : world.ledger,
    store:
      world.store._tag === "File"
        ? { ...world.store, decoded: by(world.store.decoded), undecoded: by(world.store.undecoded) }
        : world.store
  }
}

const recovery = law(
  "L12 recovery of links",
  "After faults end and the files have changed, the next call gives the fault-free answer: nothing is cached or sticky.",
  Gen.struct({ case: cases, program: Gen.element(programNames), next: Gen.element(programNames) }),
  Effect.fnUntraced(function* ({ case: { world, ask, faults }, program, next }, stage, must) {
    const staged = yield* stage(world, faults)
    const { planPrune } = programs(ask, undefined)
    yield* staged.attempt(programs(ask, yield* (yield* staged.afresh()).run(planPrune))[program])
    staged.injector.stop()
    yield* aftermath
    const calm = yield* staged.afresh()
    yield* calm.run(programs({ managedId: "new", claudeId: "c1" }, undefined).recordLink)
    const plan = yield* calm.run(planPrune)
    const copy = yield* staged.afresh(FakeFileSystem.make(staged.fake.snapshot()))
    const answer = yield* staged.run<unknown>(programs(ask, plan)[next])
    const right = yield* copy.run<unknown>(programs(ask, plan)[next])
    yield* must(Equal.equals(answer, right), () => `${next} gives ${show(answer)} instead of ${show(right)}`)
    yield* must(
      Equal.equals(bytesOf(staged.fake.snapshot()), bytesOf(copy.fake.snapshot())),
      () => `${next} leaves other files than it does afresh`
    )
  })
)

const bytesOf = (snapshot: Snapshot): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(snapshot).map(([path, seen]) => [path, "bytes" in seen ? seen.bytes : undefined]))

const pairs = (history: Extract<LinkHistory.LinkHistory, { _tag: "Read" }>): ReadonlySet<string> =>
  new Set([...history.links].flatMap(([id, names]) => names.map((name) => LinkWorld.pair(id, name))))

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

/** Every law of the link programs. */
export const all: ReadonlyArray<Law.Law<Subject>> = [
  noInventedLink,
  appendOnly,
  noSplice,
  faultsOnlyRefuse,
  bounded,
  total,
  wholeOrNothing,
  orderIsNothing,
  recovery
]
