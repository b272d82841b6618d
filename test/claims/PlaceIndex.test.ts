import { assert, describe, it } from "@effect/vitest"
import * as Place from "../../src/claims/core/Place.ts"
import * as PlaceIndex from "../../src/claims/core/PlaceIndex.ts"

/** A path whose directories have these inodes, from the root on. */
const placed = (path: string, ...inodes: ReadonlyArray<bigint>): Place.Place =>
  Place.resolved(path, [
    { segments: Place.segmentsOf(path) ?? [], identities: inodes.map((inode) => ({ device: 1n, inode })) }
  ])

const lost = Place.Unresolvable({ path: "/w/lost", why: "a loop" })

describe("PlaceIndex.build", () => {
  const places = [
    placed("/w", 1n, 5n),
    placed("/w/a", 1n, 5n, 6n),
    placed("/w/ab"),
    placed("/mnt/far/w/b", 1n, 2n, 3n, 5n, 7n),
    lost
  ]
  const inside = PlaceIndex.build(places, (place) => place)
  const cases: ReadonlyArray<readonly [name: string, around: Place.Place, found: ReadonlyArray<string>]> = [
    [
      "what is on it and inside it, by text and by identity, once",
      placed("/w", 1n, 5n),
      ["/mnt/far/w/b", "/w", "/w/a", "/w/ab"]
    ],
    ["what is inside it by text alone", placed("/w"), ["/w", "/w/a", "/w/ab"]],
    ["nothing by the beginning of a name, nor what it lies in", placed("/w/a", 1n, 5n, 6n), ["/w/a"]],
    ["nothing beside it", placed("/w/c"), []],
    ["nothing in what is not resolved", lost, []]
  ]
  for (const [name, around, found] of cases) {
    it(`finds ${name}`, () =>
      assert.deepStrictEqual(
        inside(around)
          .map(({ path }) => path)
          .sort(),
        found
      ))
  }
})
