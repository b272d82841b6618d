import { assert, describe, it } from "@effect/vitest"
import * as ClaimIndex from "../../src/claims/core/ClaimIndex.ts"
import { Place } from "../../src/internal.ts"

/** Inodes of device 1, or whole identities, of the root and of each segment; 0 for what is not numbered. */
type Numbers = ReadonlyArray<number | Place.Identity>

const spelling = (path: string, numbers: Numbers): Place.Spelling => ({
  segments: path.split("/").filter((segment) => segment !== ""),
  identities: numbers.map((number) =>
    typeof number !== "number" ? number : number === 0 ? undefined : { device: 1n, inode: BigInt(number) }
  )
})

const chainsOf = (...spellings: ReadonlyArray<Place.Spelling>) => {
  const place = Place.resolved("/given", spellings)
  return place._tag === "Resolved" ? place.chains : []
}

describe("Place.segmentsOf", () => {
  const cases: ReadonlyArray<readonly [path: string, segments: ReadonlyArray<string> | undefined]> = [
    ["/", []],
    ["/w/a", ["w", "a"]],
    ["//w///a/", ["w", "a"]],
    ["/./w/./a/.", ["w", "a"]],
    ["/w/../a", ["a"]],
    ["/w/a/../../b", ["b"]],
    ["/../../w", ["w"]],
    ["/w/..", []],
    ["/.w/..a/...", [".w", "..a", "..."]],
    ["/ ", [" "]],
    ["w/a", undefined],
    ["./w", undefined],
    ["~/w", undefined],
    ["", undefined]
  ]
  for (const [path, segments] of cases) {
    it(`${JSON.stringify(path)} ${segments === undefined ? "is not absolute" : `is ${JSON.stringify(segments)}`}`, () =>
      assert.deepStrictEqual(Place.segmentsOf(path), segments))
  }
})

describe("Place.resolved, of a path that is spelled in two ways", () => {
  const path = "/w/a"
  const numbers = [2, 3, 4]
  const equal: ReadonlyArray<readonly [name: string, path: string, numbers: Numbers]> = [
    ["that exists", path, numbers],
    ["that does not exist", path, [2, 3]],
    ["on a file system that numbers only some", path, [2, 0, 4]],
    ["on a file system that numbers nothing", path, [0, 0, 0]]
  ]
  for (const [name, path, numbers] of equal) {
    it(`has one of them, when they are the same, ${name}`, () => {
      const one = spelling(path, numbers)
      assert.deepStrictEqual(chainsOf(one, spelling(path, numbers)), chainsOf(one))
    })
  }

  const different: ReadonlyArray<readonly [name: string, path: string, numbers: Numbers]> = [
    ["the last name", "/w/b", numbers],
    ["the first name", "/v/a", numbers],
    ["both names", "/v/b", numbers],
    ["its depth", "/w/a/b", numbers],
    ["how much of it exists", path, [2, 3]],
    ["what stands at its end", path, [2, 3, 5]],
    ["what stands on the way", path, [2, 5, 4]],
    ["everything that stands there", path, [5, 6, 7]],
    ["the device at its end", path, [2, 3, { device: 9n, inode: 4n }]],
    ["whether its end is numbered", path, [2, 3, 0]]
  ]
  for (const [name, otherPath, otherNumbers] of different) {
    it(`has both, when they differ in ${name}`, () => {
      const one = spelling(path, numbers)
      const other = spelling(otherPath, otherNumbers)
      assert.deepStrictEqual(chainsOf(one, other), [...chainsOf(one), ...chainsOf(other)])
      assert.deepStrictEqual(chainsOf(other, one), [...chainsOf(other), ...chainsOf(one)])
    })
  }

  it("is at both, and nowhere else", () => {
    const place = Place.resolved("/w/link", [spelling("/w/link", []), spelling("/w/real", [])])
    const around = (path: string) => ClaimIndex.isOnOrInside(place, Place.resolved(path, [spelling(path, [])]))
    assert.deepStrictEqual(["/w/link", "/w/real", "/w", "/w/other"].map(around), [true, true, true, false])
  })
})

describe("Place.resolved", () => {
  const cases: ReadonlyArray<readonly [name: string, path: string, numbers: Numbers, text: number, identity: number]> =
    [
      ["each segment, by text and by identity", "/w/a", [2, 3, 4], 3, 3],
      ["the root of the file system", "/", [2], 1, 1],
      ["what does not exist, under what does", "/w/new/a", [2, 3], 4, 4],
      ["nothing by the identity of what is not numbered on the way", "/w/a", [2, 0, 4], 3, 2],
      ["nothing by identity where nothing is numbered", "/w/a", [0, 0, 0], 3, 0]
    ]
  for (const [name, path, numbers, text, identity] of cases) {
    it(`has a key of its own for ${name}`, () => {
      const chains = chainsOf(spelling(path, numbers))
      assert.deepStrictEqual(
        chains.map(({ length }) => length),
        [text, identity]
      )
      assert.strictEqual(new Set(chains.flat()).size, text + identity)
    })
  }
})

describe("Place.resolved, by what stands there", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      place: readonly [path: string, numbers: Numbers],
      around: readonly [path: string, numbers: Numbers],
      is: boolean
    ]
  > = [
    ["one directory under two names is one place", ["/mnt/a", [2, 7, 4]], ["/w/b", [2, 3, 4]], true],
    ["two of one name below different ones are not", ["/mnt/a", [2, 7, 5]], ["/w/a", [2, 3, 4]], false],
    [
      "one number on two devices is two places",
      ["/mnt/a", [2, 7, { device: 9n, inode: 4n }]],
      ["/w/a", [2, 3, 4]],
      false
    ],
    ["what exists in it is inside under either name", ["/mnt/a/x", [2, 7, 4, 5]], ["/w", [2, 4]], true],
    ["what holds it is not", ["/mnt", [2, 7]], ["/w/a", [2, 7, 4]], false],
    ["what does not exist is known by its name in what does", ["/mnt/new", [2, 3]], ["/w/new", [2, 3]], true],
    ["by the whole of its name", ["/mnt/new/x", [2, 3]], ["/w/new/y", [2, 3]], false],
    ["and not by its name alone", ["/mnt/new", [2, 7]], ["/w/new", [2, 3]], false],
    ["what is in it is inside", ["/mnt/new/x/y", [2, 3]], ["/w/new", [2, 3]], true],
    ["it is inside what does exist", ["/mnt/new/x", [2, 3]], ["/w", [2, 3]], true],
    ["what is not numbered is known in the same way", ["/mnt/a", [2, 3, 0]], ["/w/a", [2, 3, 0]], true],
    ["what is numbered below it by its number", ["/mnt/a", [2, 0, 4]], ["/w/b", [2, 3, 4]], true],
    ["where nothing is numbered, by text alone", ["/mnt/a", [0, 0, 0]], ["/w/a", [0, 0, 0]], false],
    ["which suffices", ["/w/a/b", [0, 0, 0, 0]], ["/w/a", [0, 0, 0]], true],
    ["one name in two forms of Unicode is one", ["/w/e\u0301", [2, 3]], ["/w/\u00e9", [2, 3]], true]
  ]
  for (const [name, place, around, is] of cases) {
    it(name, () => {
      const placed = ([path, numbers]: typeof place) => Place.resolved(path, [spelling(path, numbers)])
      assert.strictEqual(ClaimIndex.isOnOrInside(placed(place), placed(around)), is)
    })
  }
})
