/**
 * What the laws of the link programs are checked on: the layers under test, the programs, and random questions and faults.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { LinkWriter } from "../../links/LinkWriter.ts"
import { SavingsLedger } from "../../links/SavingsLedger.ts"
import { SidecarReader } from "../../links/SidecarReader.ts"
import type * as LinkHistory from "../../links/core/LinkHistory.ts"
import type * as PrunePlan from "../../links/core/PrunePlan.ts"
import * as SavingsTotal from "../../links/core/SavingsTotal.ts"
import * as Writer from "../../links/LinkWriter.ts"
import * as Ledger from "../../links/SavingsLedger.ts"
import * as Store from "../../records/SessionStore.ts"
import { SessionStore } from "../../records/SessionStore.ts"
import * as Reader from "../../links/SidecarReader.ts"
import * as SessionLinks from "../../links/SessionLinks.ts"
import * as LinkArbitraries from "./LinkArbitraries.ts"
import type * as Asked from "../Program.ts"
import { answer, type Ending, within } from "../Program.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as FaultArbitraries from "../FaultArbitraries.ts"
import * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import * as Law from "../Law.ts"
import type { Broken, Must } from "../Law.ts"
import * as LinkFiles from "./LinkFiles.ts"
import * as LinkTruth from "./LinkTruth.ts"
import * as LinkWorld from "./LinkWorld.ts"
import * as Profiles from "../Profiles.ts"

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
  readonly attempt: (program: Program<unknown>) => Effect.Effect<Ending<unknown>>
  readonly run: <A>(program: Program<A>) => Effect.Effect<A, Broken>
  /** The same files, or a copy of them, under fresh layers without faults. */
  readonly afresh: (files?: FakeFileSystem.FakeFileSystem) => Effect.Effect<Stage, never, Scope.Scope>
}

export type Program<A> = Asked.Program<A, Services>

/** A law over stages under the layers under test. */
export const law = <Case>(
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
  makeStage(law, subject, FakeFileSystem.make(LinkFiles.toTree(world)), faults)

const makeStage = Effect.fnUntraced(function* (
  law: string,
  subject: Subject,
  fake: FakeFileSystem.FakeFileSystem,
  faults: Faults.Schedule
): Effect.fn.Return<Stage, never, Scope.Scope> {
  const injector = Faults.make(faults)
  const files = Layer.succeed(FileSystem.FileSystem, injector.wrap(fake.fileSystem, Profiles.fileSystem))
  const services = yield* Layer.build(Layer.provide(Layer.fresh(subject(LinkWorld.root)), files))
  const faulty = Context.make(
    SidecarReader,
    injector.wrap(Context.get(services, SidecarReader), Profiles.sidecarReader)
  ).pipe(
    Context.add(LinkWriter, injector.wrap(Context.get(services, LinkWriter), Profiles.linkWriter)),
    Context.add(SavingsLedger, injector.wrap(Context.get(services, SavingsLedger), Profiles.savingsLedger)),
    Context.add(SessionStore, injector.wrap(Context.get(services, SessionStore), Profiles.sessionStore))
  )
  const attempt = <A>({ effect, bound }: Program<A>): Effect.Effect<Ending<A>> =>
    within(bound)(Effect.provideContext(effect, faulty))
  return {
    fake,
    injector,
    attempt,
    run: (program) => Effect.flatMap(attempt(program), (ending) => answer(law, program, ending)),
    afresh: (files) => makeStage(law, subject, files ?? fake, [])
  }
})

/** The bound of the programs that read or record links. */
export const links = Duration.seconds(3)
/** The bound of the programs that go over the whole sidecar. */
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

/** Ids that programs are asked for, good and bad. */
export const ask: Arbitrary.Arbitrary<Ask> = Gen.struct({
  managedId: LinkArbitraries.askedManagedId,
  claudeId: LinkArbitraries.askedClaudeId
})

/** A root, a question and what goes wrong meanwhile. */
export interface Case {
  readonly world: LinkWorld.LinkWorld
  readonly ask: Ask
  readonly faults: Faults.Schedule
}

const casesOver = (methods: ReadonlyArray<string>): Arbitrary.Arbitrary<Case> =>
  Gen.struct({ world: LinkArbitraries.linkWorld, ask, faults: FaultArbitraries.schedule({ methods }) })

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

/** Every file and directory of a stage. */
export type Snapshot = ReturnType<FakeFileSystem.FakeFileSystem["snapshot"]>

/** Each link of a history as text. */
export const pairs = (history: Extract<LinkHistory.LinkHistory, { _tag: "Read" }>): ReadonlySet<string> =>
  new Set([...history.links].flatMap(([id, names]) => names.map((name) => LinkTruth.pair(id, name))))

/** Text as UTF-8. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** UTF-8 as text. */
export const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
