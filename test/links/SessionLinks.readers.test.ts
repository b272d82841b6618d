import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SessionLinks, SidecarReader } from "../../src/internal.ts"

const names = ["m1", "m2", "m3"]

/** A reader of three link files that hands over those of `order`. */
const reader = (order: ReadonlyArray<string>) => {
  const contentOf = (name: string) => ({ bytes: new TextEncoder().encode(`c-${name}\n`), modifiedAt: 0 })
  const list = Effect.succeed(SidecarReader.Listing.Listed({ names }))
  const readEach: SidecarReader.SidecarReader["Service"]["readEach"] = (_names, visit) =>
    Effect.sync(() => {
      for (const name of order) visit(name, Result.succeed(contentOf(name)))
    })
  return Effect.provideService(
    SidecarReader.SidecarReader,
    SidecarReader.SidecarReader.of({
      list,
      read: (name) => Effect.succeed(contentOf(name)),
      readEach,
      find: SidecarReader.findBy({ list, readEach })
    })
  )
}

describe("SessionLinks over a reader that hands over", () => {
  for (const order of [names, ["m3", "m2", "m1"], ["m2", "m1", "m3"], ["m1", "m3", "m2"]]) {
    it.effect(`${order.join(", ")}: everything was read`, () =>
      Effect.gen(function* () {
        const history = yield* SessionLinks.linkHistory
        assert(history._tag === "Read")
        assert.strictEqual(history.links.size, 3)
        assert.strictEqual((yield* SessionLinks.siblings("c-m3"))._tag, "Linked")
      }).pipe(reader(order))
    )
  }

  for (const order of [[], ["m1", "m2"], ["m2", "m3"], ["m3", "m1"], ["m1", "m1", "m3"], ["m1", "m2", "m4"]]) {
    it.effect(`${order.join(", ") || "nothing"}: a part was read`, () =>
      Effect.gen(function* () {
        const history = yield* SessionLinks.linkHistory
        assert(history._tag === "Unreadable")
        const strict = yield* Effect.result(SessionLinks.siblings("c-m3"))
        assert.isTrue(Result.isFailure(strict))
        const missing = names.filter((name) => !order.includes(name))
        for (const name of missing) assert.include(history.reason, `"${name}"`)
      }).pipe(reader(order))
    )
  }
})
