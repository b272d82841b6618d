import { assert, describe, it } from "@effect/vitest"
import * as Orphan from "../../src/reclaim/core/Orphan.ts"

const day = 24 * 60 * 60 * 1000
const now = 100 * day

const empty: Orphan.Orphan = {
  path: "/w/.claude/worktrees/a",
  store: "/w/.claude/worktrees",
  kind: "Empty",
  adminDirectory: undefined,
  writtenAt: now - day,
  owner: 7,
  identity: "1:1"
}

describe("Orphan.keeps", () => {
  for (const [title, orphan, user, gate] of [
    ["one's own, quiet for a day", empty, 7, undefined],
    ["another user's", { ...empty, owner: 8 }, 7, "Vantage"],
    ["one whose owner is not told", { ...empty, owner: undefined }, undefined, "Vantage"],
    ["one's own, where the user is not told", empty, undefined, "Vantage"],
    ["one that was written a moment too late", { ...empty, writtenAt: now - day + 1 }, 7, "Quiet"],
    ["one of the future", { ...empty, writtenAt: now + 1 }, 7, "Quiet"],
    ["one of no known time", { ...empty, writtenAt: undefined }, 7, "Quiet"]
  ] as const) {
    it(`${title}: ${gate ?? "may go"}`, () => {
      const kept = Orphan.keeps(orphan, user, now, {})
      assert.strictEqual(kept?._tag === "Kept" ? kept.gate : undefined, gate)
    })
  }
})

describe("Orphan.relation", () => {
  const registered = new Set(["/s/a", "/s/feature/login"])
  const cases = {
    "/s/a": "Registered",
    "/s/feature": "LeadsTo",
    "/s/feat": "Unknown",
    "/s/a/b": "Unknown",
    "/s/b": "Unknown"
  }
  for (const [path, is] of Object.entries(cases)) {
    it(`${path}: ${is}`, () => assert.strictEqual(Orphan.relation(path, registered), is))
  }
})

describe("Orphan.storeOf", () => {
  it("is where Claude Code keeps the worktrees of a checkout", () =>
    assert.strictEqual(Orphan.storeOf("/w/app"), "/w/app/.claude/worktrees"))
})
