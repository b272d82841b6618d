import { describe, it } from "@effect/vitest"
import { Laws, LinkLaws } from "../../src/testing/index.ts"
import { sweepLaws } from "./SweepSubject.ts"

sweepLaws({ fakes: 1000, overFileSystem: 300 })

describe("laws of the link programs", () => {
  Laws.tests(it.live, { links: LinkLaws.layers }, { runs: 1000, seed: "links" })
})
