import { assert, describe, it } from "@effect/vitest"
import * as ClaimIndex from "../../src/claims/core/ClaimIndex.ts"
import * as Place from "../../src/claims/core/Place.ts"
import { Liveness, Observation, type WorkspaceClaim } from "../../src/internal.ts"

const live = Liveness.Live({ because: Liveness.Because.Listed({ idle: false }) })
const gone = Liveness.livenessOf(
  Observation.Answered({ servers: [], names: [] }),
  { tmuxName: "tm-gone", process: "None" },
  0
)

/** A path whose last segment stands on device 1, or nowhere. */
const spelling = (path: string, inode?: bigint): Place.Spelling => {
  const segments = Place.segmentsOf(path) ?? []
  return {
    segments,
    identities: inode === undefined ? [] : [...segments.map(() => undefined), { device: 1n, inode }]
  }
}
const placed = (path: string, inode?: bigint) => Place.resolved(path, [spelling(path, inode)])
const lost = (path: string) => Place.Unresolvable({ path, why: "it is not absolute" })

const claim = (
  session: string,
  place: Place.Place,
  more: Partial<WorkspaceClaim.WorkspaceClaim> = {}
): WorkspaceClaim.WorkspaceClaim => ({ session, place, liveness: live, ...more })

const sessions = (held: ReadonlyArray<ClaimIndex.Held>) =>
  held.map(({ foreign, callers, gone }) => [foreign, callers, gone].map((all) => all.map(({ session }) => session)))

const chainsOf = (place: Place.Place) => (place._tag === "Resolved" ? place.chains : [])

describe("ClaimIndex.build", () => {
  it("keeps the claims of one place by whose they are: the caller's count as live whatever was observed", () => {
    const place = placed("/w")
    const claims = [
      claim("e", place, { liveness: gone }),
      claim("d", place),
      claim("c", place, { liveness: gone }),
      claim("b", place)
    ]
    for (const order of [claims, claims.toReversed()]) {
      const index = ClaimIndex.build(order, "c")
      assert.deepStrictEqual(sessions(ClaimIndex.inside(index, chainsOf(place))), [[["b", "d"], ["c"], ["e"]]])
    }
  })

  it("lists, in one order, the claims that cannot be placed, without those of gone sessions but for the caller's", () => {
    const claims = [
      claim("d", lost("x")),
      claim("c", lost("x"), { liveness: gone }),
      claim("b", lost("x"), { liveness: gone }),
      claim("a", lost("y")),
      claim("a", lost("x"))
    ]
    for (const order of [claims, claims.toReversed()]) {
      assert.deepStrictEqual(
        ClaimIndex.build(order, "c").unresolvable.map(({ session, place }) => [session, place.path]),
        [
          ["a", "x"],
          ["a", "y"],
          ["c", "x"],
          ["d", "x"]
        ]
      )
    }
  })

  const cases: ReadonlyArray<
    readonly [signs: ReadonlyArray<number | undefined>, newest: ClaimIndex.ClaimIndex["unresolvableSigns"]]
  > = [
    [[], []],
    [[3], [3]],
    [[3, 7, 5], [7]],
    [[-3, -7], [-3]],
    [[3, undefined], [null]],
    [[3, Number.NaN], [null]],
    [[3, -Infinity], [null]],
    [[3, Infinity], [null]]
  ]
  for (const [signs, newest] of cases) {
    it(`of what cannot be placed, with the last signs [${signs.join(", ")}], knows [${newest.join()}]`, () => {
      const claims = signs.map((lastSignAt) => claim("a", lost("x"), { lastSignAt }))
      for (const order of [claims, claims.toReversed()]) {
        assert.deepStrictEqual(ClaimIndex.build(order, undefined).unresolvableSigns, newest)
      }
    })
  }
})

describe("what a ClaimIndex costs", () => {
  const [a, b] = [placed("/w/a"), placed("/w/b")]
  const index = ClaimIndex.build([claim("a", a), claim("b", b)], undefined)

  it("what is held at a place is arranged once, and given as it is where it is all that touches a candidate", () => {
    for (const find of [ClaimIndex.inside, ClaimIndex.around]) {
      assert.lengthOf(find(index, chainsOf(a)), 1)
      assert.strictEqual(find(index, chainsOf(a)), find(index, chainsOf(a)))
    }
    assert.strictEqual(ClaimIndex.inside(index, chainsOf(a))[0], ClaimIndex.around(index, chainsOf(a))[0])
  })

  it("where nobody holds anything, nothing is arranged", () => {
    assert.strictEqual(index.at("/v/"), index.at("/u/"))
  })
})

describe("ClaimIndex.inside and around", () => {
  const twice = Place.resolved("/w/link/x", [spelling("/w/link/x"), spelling("/w/real/x")])
  const claims = [
    claim("twice", twice),
    claim("mounted", placed("/mnt/y", 2n)),
    claim("parent", placed("/w/link")),
    claim("sibling", placed("/w/link/s"))
  ]
  const foreign = (held: ReadonlyArray<ClaimIndex.Held>) =>
    held.flatMap(({ foreign }) => foreign.map(({ session }) => session)).sort()

  const cases: ReadonlyArray<
    readonly [name: string, candidate: Place.Place, inside: ReadonlyArray<string>, around: ReadonlyArray<string>]
  > = [
    ["what is on the candidate, and what it lies in", placed("/w/link/x"), ["twice"], ["parent", "twice"]],
    ["once what has two spellings", placed("/w"), ["parent", "sibling", "twice"], []],
    [
      "what is the same place by text, and what is by identity",
      placed("/w/link", 2n),
      ["mounted", "parent", "sibling", "twice"],
      ["mounted", "parent"]
    ],
    [
      "once what two spellings of the candidate have in common",
      Place.resolved("/v", [spelling("/v", 2n), spelling("/mnt/y", 2n)]),
      ["mounted"],
      ["mounted"]
    ],
    ["what holds the candidate under its other spelling", placed("/w/real/x/y/z"), [], ["twice"]],
    ["nothing by the beginning of a name", placed("/w/lin"), [], []]
  ]
  for (const [name, candidate, inside, around] of cases) {
    it(`find ${name}`, () => {
      const index = ClaimIndex.build(claims, undefined)
      assert.deepStrictEqual(foreign(ClaimIndex.inside(index, chainsOf(candidate))), inside)
      assert.deepStrictEqual(foreign(ClaimIndex.around(index, chainsOf(candidate))), around)
    })
  }
})

it("finds inside a directory what is claimed where the directory is mounted as well, however deep that is", () => {
  const numbered = (path: string, ...inodes: ReadonlyArray<bigint>) =>
    Place.resolved(path, [
      { segments: Place.segmentsOf(path) ?? [], identities: inodes.map((inode) => ({ device: 1n, inode })) }
    ])
  const [shallow, deep] = [numbered("/w", 1n, 5n), numbered("/mnt/a/w", 1n, 2n, 3n, 5n)]
  const index = ClaimIndex.build(
    [claim("deep", numbered("/mnt/a/w/x", 1n, 2n, 3n, 5n, 6n)), claim("shallow", numbered("/w/y", 1n, 5n, 7n))],
    undefined
  )
  for (const candidate of [shallow, deep]) {
    const found = ClaimIndex.inside(index, chainsOf(candidate)).flatMap(({ foreign }) => foreign)
    assert.deepStrictEqual(found.map(({ session }) => session).sort(), ["deep", "shallow"])
  }
})

describe("ClaimIndex.isOnOrInside", () => {
  const cases: ReadonlyArray<readonly [name: string, place: Place.Place, around: Place.Place, is: boolean]> = [
    ["a place is on itself", placed("/w/a"), placed("/w/a"), true],
    ["a place is inside its parent", placed("/w/a"), placed("/w"), true],
    ["a parent is not inside its child", placed("/w"), placed("/w/a"), false],
    ["the beginning of a name does not make it a parent", placed("/w/ab"), placed("/w/a"), false],
    ["one identity makes one place of two paths", placed("/mnt/y", 2n), placed("/w/a", 2n), true],
    ["two identities do not", placed("/mnt/y", 2n), placed("/w/a", 3n), false],
    ["what cannot be placed is inside nothing", lost("/w/a"), placed("/w"), false],
    ["nothing is inside what cannot be placed", placed("/w/a"), lost("/w"), false],
    ["what cannot be placed is not even on itself", lost("/w"), lost("/w"), false]
  ]
  for (const [name, place, around, is] of cases) {
    it(name, () => assert.strictEqual(ClaimIndex.isOnOrInside(place, around), is))
  }
})
