import { assert, describe, it } from "@effect/vitest"
import { Root } from "../../src/internal.ts"

describe("Root.resolve", () => {
  const home = "/home/me"
  const cases: ReadonlyArray<readonly [name: string, given: Parameters<typeof Root.resolve>[0], root: string]> = [
    ["takes the argument before the variable", { argument: "/a", variable: "/v", home }, "/a"],
    ["takes the argument alone", { argument: "/a", home }, "/a"],
    ["takes the variable before the home directory", { variable: "/v", home }, "/v"],
    ["takes an empty argument for none", { argument: "", variable: "/v", home }, "/v"],
    ["takes an empty variable for none", { argument: "", variable: "", home }, "/home/me/.trusty-mpm"],
    ["looks into the home directory when nothing is given", { home }, "/home/me/.trusty-mpm"]
  ]
  for (const [name, given, root] of cases) {
    it(name, () => assert.strictEqual(Root.resolve(given), root))
  }
})

describe("Root", () => {
  it("has its stores where the README says", () => {
    assert.strictEqual(Root.sidecar("/r"), "/r/usage/session-links")
    assert.strictEqual(Root.ledger("/r"), "/r/usage/savings.jsonl")
    assert.strictEqual(Root.store("/r"), "/r/session-manager/sessions.json")
  })
})

describe("Root.ofStore", () => {
  const cases: ReadonlyArray<readonly [store: string, root: string | undefined]> = [
    ["/home/me/.trusty-mpm/session-manager/sessions.json", "/home/me/.trusty-mpm"],
    ["/r/session-manager/x", "/r"],
    ["r/session-manager/sessions.json", "r"],
    ["session-manager/sessions.json", "."],
    ["/session-manager/sessions.json", "/"],
    ["/a\nb/session-manager/sessions.json", "/a\nb"],
    ["/r/session-manager/session-manager/sessions.json", "/r/session-manager"],
    ["/r/sessions.json", undefined],
    ["/r/old-session-manager/sessions.json", undefined],
    ["/r/session-manager-old/sessions.json", undefined],
    ["/r/session-manager/old/sessions.json", undefined],
    ["/r/session-manager", undefined],
    ["/r/session-manager/", undefined]
  ]
  for (const [store, root] of cases) {
    it(`${store} ${root === undefined ? "belongs to none" : `belongs to ${root}`}`, () =>
      assert.strictEqual(Root.ofStore(store), root))
  }

  it("is the root whose store it is", () => {
    for (const root of ["/r", "r", "../r", "/session-manager", "/r/"])
      assert.strictEqual(Root.ofStore(Root.store(root)), root)
  })
})
