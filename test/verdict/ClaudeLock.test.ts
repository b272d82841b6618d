import { assert, describe, it } from "@effect/vitest"
import * as ClaudeLock from "../../src/verdict/core/ClaudeLock.ts"
import type { GitFacts } from "../../src/internal.ts"
import { processOf } from "../machine/processOf.ts"

/** A process that started 120 ticks after the machine did. */
const harness = processOf({ pid: 42, startTicks: "120" })

describe("ClaudeLock.of", () => {
  const cases: ReadonlyArray<readonly [reason: string, holder: GitFacts.Lock["holder"]]> = [
    ["claude agent worker (pid 42 start 120)", "Live"],
    ["claude session 8d40 (pid 42 start  120 )", "Live"],
    ["claude agent worker (pid 42 start 121)", "Gone"],
    ["claude agent worker (pid 42)", "Unknown"],
    ["claude agent worker (pid 43 start 120)", "Gone"],
    ["claude agent worker (pid 43)", "Gone"],
    ["claude agent of\ntwo lines (pid 43)", "Gone"],
    ["not claude agent worker (pid 43)", "Unknown"],
    ["claude agent worker (pid 43) again", "Unknown"],
    ["claude agent worker (pid 043)", "Unknown"],
    ["claude worker (pid 43)", "Unknown"],
    ["keep this", "Unknown"],
    ["", "Unknown"]
  ]
  for (const [reason, holder] of cases) {
    it(`${JSON.stringify(reason)} is held by one that is ${holder}`, () =>
      assert.deepStrictEqual(ClaudeLock.of(reason, [harness]), { holder, reason }))
  }
})
