/**
 * The laws of the link programs, to be checked on any layers of their services over random roots and random faults.
 */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as SavingsTotal from "../../links/core/SavingsTotal.ts"
import * as SessionLinks from "../../links/SessionLinks.ts"
import * as LinkArbitraries from "./LinkArbitraries.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import * as Law from "../Law.ts"
import { show } from "../Law.ts"
import * as LinkFiles from "./LinkFiles.ts"
import * as LinkTruth from "./LinkTruth.ts"
import * as LinkWorld from "./LinkWorld.ts"
import {
  type Subject,
  type Stage,
  type Program,
  law,
  links,
  programs,
  type ProgramName,
  programNames,
  ask,
  type Case,
  reading,
  cases,
  type Snapshot,
  pairs
} from "./LinkStage.ts"
import { aftermath } from "../Program.ts"
import { appendOnly } from "./LinkAppendLaw.ts"
import { faultsOnlyRefuse } from "./LinkPruneLaw.ts"
import { noSplice } from "./LinkSpliceLaw.ts"

export * from "./LinkStage.ts"
export { type Writers, writers } from "./LinkSpliceLaw.ts"

const noInventedLink = law(
  "L1 no invented link",
  "Whatever fails, linkedClaudeIds(q) is [] or ids that were all committed beside q in one link file.",
  reading,
  Effect.fnUntraced(function* ({ world, ask, faults }, stage, must) {
    const { run, injector } = yield* stage(world, faults)
    const answer = yield* run(programs(ask, undefined).linkedClaudeIds)
    const question = Option.getOrElse(ClaudeId.parse(ask.claudeId), () => "")
    const committed = [...LinkTruth.linkFiles(world).values()].filter(({ ids }) => ids.includes(question))
    yield* must(
      answer.length === 0 || committed.some(({ ids }) => answer.every((id) => ids.includes(id))),
      () => `${show(answer)} were never committed beside ${show(question)}`
    )
    if (injector.injected.length > 0) return
    const right = LinkTruth.linked(world, ask.claudeId)
    yield* must(Equal.equals(answer, right), () => `without faults ${show(answer)} instead of ${show(right)}`)
  })
)

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
    const right = LinkTruth.history(world)
    yield* must(history._tag !== "Absent", () => "a sidecar is there and was not consulted")
    if (history._tag === "Read") {
      const read = pairs(history)
      yield* must(right !== undefined, () => `it is Read, and an entry cannot be read whole: ${show([...read])}`)
      yield* must(Equal.equals(read, right), () => `${show([...read])} instead of ${show([...(right ?? [])])}`)
    } else if (injector.injected.length === 0) {
      yield* must(right === undefined, () => `without faults it is ${show(history)}`)
    }
    const injected = injector.injected.length
    const sum = yield* run(total)
    const rightSum = SavingsTotal.fold(LinkFiles.ledgerText(world.ledger), [ask.claudeId, "c2"])
    yield* must(
      Equal.equals(sum, rightSum) || (Equal.equals(sum, SavingsTotal.zero) && injector.injected.length > injected),
      () => `the total is ${show(sum)} instead of ${show(rightSum)}`
    )
  })
)

const orderIsNothing = law(
  "L11 order is nothing to links",
  "Permuting records, entries and ledger rows changes no answer, its wording included.",
  Gen.struct({ world: LinkArbitraries.linkWorld, ask, order: Gen.order(5) }),
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
