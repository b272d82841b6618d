/**
 * Writers side by side lose, invent and splice nothing.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as SessionLinks from "../../links/SessionLinks.ts"
import * as LinkArbitraries from "./LinkArbitraries.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import * as FaultArbitraries from "../FaultArbitraries.ts"
import * as Faults from "../Faults.ts"
import * as Gen from "../Gen.ts"
import { show } from "../Law.ts"
import * as LinkTruth from "./LinkTruth.ts"
import * as LinkWorld from "./LinkWorld.ts"
import { law, links, programs, type Ask, pairs, decode } from "./LinkStage.ts"
import { aftermath } from "../Program.ts"

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
        lines: Gen.array(LinkArbitraries.line, { maxLength: 2 }),
        tail: Gen.oneOf(Gen.constant(new Uint8Array()), LinkArbitraries.fragment)
      }),
      { maxLength: 2 }
    ),
    (files) => [...new Map(files.map((file) => [file.name, file])).values()]
  ),
  jobs: Gen.array(
    Gen.array(Gen.struct({ managedId: Gen.element(["m1", "m2"]), claudeId: LinkArbitraries.claudeId }), {
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
      crashes: FaultArbitraries.schedule({
        methods: ["File.writeAll", "File.writeAll", "File.writeAll", "FileSystem.open", "File.read"],
        kinds: Gen.oneOf(
          FaultArbitraries.cutting,
          FaultArbitraries.cutting,
          FaultArbitraries.failing,
          Gen.constant(Faults.Kind.HangsForGood())
        ),
        maxFaults: 2,
        maxAt: 8
      })
    }),
    ({ delays, crashes }) => [...delays, ...crashes]
  )
})

/** L3. */
export const noSplice = law(
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
    const recorded = new Set(jobs.flat().map(({ managedId, claudeId }) => LinkTruth.pair(claudeId, managedId)))
    for (const { name, lines } of files) {
      for (const line of lines) if (line._tag === "Id") recorded.add(LinkTruth.pair(line.id, name))
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
      const link = LinkTruth.pair(claudeId, managedId)
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
    glued.add(LinkTruth.pair(id, path.slice(path.lastIndexOf("/") + 1)))
  }
  return glued
}
