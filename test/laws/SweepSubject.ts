import { describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { ClaudeSessions, OwnerSentinel, SessionStore } from "../../src/internal.ts"
import { Laws, SweepLaws, SweepPlaces } from "../../src/testing/index.ts"
import { share } from "./Share.ts"

/** The layers that read files, over Effect's `FileSystem`; what is no file is faked. */
export const overFileSystem: SweepLaws.Subject = (world, corruptions) =>
  Layer.mergeAll(
    SweepLaws.fakes(world, corruptions),
    SessionStore.layer({ root: SweepPlaces.root }),
    OwnerSentinel.layer,
    world().registry === "NotConsulted"
      ? ClaudeSessions.layerNone
      : ClaudeSessions.layer({ configDirectories: [SweepPlaces.configDirectory] })
  )

/** A test of each law on the fakes, and on the layers that read files, in so many cases. */
export const sweepLaws = (cases: { readonly fakes: number; readonly overFileSystem: number }): void => {
  for (const [name, subject, count] of [
    ["the fakes", SweepLaws.fakes, cases.fakes],
    ["the layers that read files", overFileSystem, cases.overFileSystem]
  ] as const) {
    describe(`laws of the programs that judge, on ${name}`, () => {
      for (const { name } of SweepLaws.all) {
        const pairs = name === "L11 order is nothing" || name === "L12 recovery"
        const runs = share(count / (pairs ? 2 : 1))
        Laws.tests(it.live, { sweep: subject }, { laws: [name], runs, seed: "sweep" })
      }
    })
  }
}
