import { assert, describe, it } from "@effect/vitest"
import { Place, WorkspaceClaim } from "../../src/internal.ts"

const claim = (session: string, path: string): WorkspaceClaim.WorkspaceClaim => ({
  session,
  place: Place.resolved(path, []),
  liveness: { _tag: "SessionGone" }
})

describe("WorkspaceClaim.compare", () => {
  it("orders by session, then by path, both by code unit, whatever order they came in", () => {
    const ordered = [claim("A", "/z"), claim("a", "/B"), claim("a", "/a"), claim("a", "/a/b"), claim("b", "/a")]
    const rotations = ordered.map((_, at) => [...ordered.slice(at), ...ordered.slice(0, at)])
    for (const order of [ordered.toReversed(), ...rotations]) {
      assert.deepStrictEqual(order.toSorted(WorkspaceClaim.compare), ordered)
    }
  })

  it("tells no difference where there is none in session and path", () =>
    assert.strictEqual(WorkspaceClaim.compare(claim("a", "/a"), { ...claim("a", "/a"), lastSignAt: 5 }), 0))
})
