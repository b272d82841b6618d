import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { SessionRecord } from "../../src/internal.ts"
import * as ManagerSigns from "../../src/claims/core/ManagerSigns.ts"

const stored = Result.getOrThrow(
  SessionRecord.parseStore(
    JSON.stringify({
      sessions: {
        harbor: { id: "harbor", tmux_name: "tm-harbor" },
        quay: { id: "", tmux_name: "tm-quay" }
      }
    })
  )
)

describe("ManagerSigns.strangers", () => {
  const strangers = (
    names: ReadonlyArray<string>,
    dismissed: ReadonlyArray<string> = [],
    prefixes?: ReadonlyArray<string>
  ) => ManagerSigns.strangers(names, stored, new Set(dismissed), prefixes)

  it("are the managed sessions that no record has, be it one that does not decode, in one order", () => {
    assert.lengthOf(stored.undecoded, 1)
    assert.deepStrictEqual(strangers(["tm-harbor", "tm-quay"]), [])
    assert.deepStrictEqual(strangers(["tmpm-b", "main", "tm-harbor", "tm-z", "trusty-mpm-c", "tm-a", "atm-b"]), [
      "tm-a",
      "tm-z",
      "tmpm-b",
      "trusty-mpm-c"
    ])
  })

  it("are not those that a person dismisses", () => {
    assert.deepStrictEqual(strangers(["tm-a", "tm-b"], ["tm-a"]), ["tm-b"])
  })

  it("are those of other prefixes, where these are set", () => {
    assert.deepStrictEqual(strangers(["tm-a", "fleet-a", "fleet"], [], ["crew-", "fleet-"]), ["fleet-a"])
    assert.deepStrictEqual(strangers(["tm-a"], [], []), [])
  })
})
