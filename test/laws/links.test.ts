import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { SessionLinks, SidecarReader } from "../../src/internal.ts"
import { share } from "./Share.ts"
import { FakeFileSystem, Faults, Laws, LinkLaws, type LinkWorld, Profiles } from "../../src/testing/index.ts"

describe("laws of the link programs", () => {
  Laws.tests(it.live, { links: LinkLaws.layers }, { runs: share(150), seed: "links" })
})

describe("a program that hangs for good ends exactly at its bound", () => {
  const world: LinkWorld.LinkWorld = {
    directory: "Present",
    entries: [
      {
        name: "m1",
        entry: { _tag: "LinkFile", lines: [], tail: Uint8Array.of(0x63), readable: true, age: "old" }
      }
    ],
    ledger: { _tag: "File", lines: [], tail: "" },
    store: { _tag: "File", decoded: [], undecoded: [] }
  }
  const hangs: Faults.Schedule = [{ at: 1, on: undefined, lasting: true, kind: Faults.Kind.HangsForGood() }]
  for (const name of LinkLaws.programNames) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const calm = yield* LinkLaws.stage("bound", LinkLaws.layers, world)
        const ask = { managedId: "m1", claudeId: "c1" }
        const plan = yield* calm.run(LinkLaws.programs(ask, undefined).planPrune)
        const program = LinkLaws.programs(ask, plan)[name]
        const { attempt } = yield* LinkLaws.stage("bound", LinkLaws.layers, world, hangs)
        const before = { ...program, bound: Duration.subtract(program.bound, Duration.millis(1)) }
        assert.strictEqual((yield* attempt(before))._tag, "Late")
        assert.strictEqual((yield* attempt(program))._tag, "Ended")
      }).pipe(Effect.provide(Logger.layer([])))
    )
  }
})

it.effect("a fault can be injected into a layer, once", () =>
  Effect.gen(function* () {
    const injector = Faults.make([
      { at: 2, on: "SidecarReader.find", lasting: false, kind: Faults.Kind.Dies({ of: "Error" }) }
    ])
    const layer = Faults.layer(SidecarReader.SidecarReader, injector, Profiles.sidecarReader).pipe(
      Layer.provide(SidecarReader.layer({ root: "/root" })),
      Layer.provide(FakeFileSystem.layer({ "/root/usage/session-links/m1": { text: "c1\nc2\n" } }))
    )
    const ask = SessionLinks.linkedClaudeIds("c1")
    const answers = yield* Effect.all([ask, ask, ask]).pipe(Effect.provide([layer, Logger.layer([])]))
    assert.deepStrictEqual<ReadonlyArray<ReadonlyArray<string>>>(answers, [["c1", "c2"], [], ["c1", "c2"]])
    assert.deepStrictEqual(injector.injected, [
      { method: "SidecarReader.find", kind: Faults.Kind.Dies({ of: "Error" }) }
    ])
  })
)

it.effect("a program that was given up does not hold up its caller", () =>
  Effect.gen(function* () {
    const layer = SidecarReader.layer({ root: "/root" }).pipe(
      Layer.provide(
        FakeFileSystem.layer({ "/root/usage/session-links": { symlink: "/fifo" }, "/fifo": { fifo: true } })
      )
    )
    const asking = yield* Effect.forkChild(SessionLinks.linkHistory.pipe(Effect.provide([layer, Logger.layer([])])))
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual((yield* Fiber.join(asking))._tag, "Unreadable")
  })
)
