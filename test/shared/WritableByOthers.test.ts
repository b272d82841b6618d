import { assert, describe, it } from "@effect/vitest"
import * as WritableByOthers from "../../src/shared/core/WritableByOthers.ts"

const belongs = "belongs to user 1001"
const writable = "may be written to by every user; forbid that with `chmod o-w`"
const replaceable = "lets every user replace what stands in it; forbid that with `chmod o-w`"

describe("WritableByOthers.why", () => {
  const cases: ReadonlyArray<
    readonly [name: string, owner: number | undefined, mode: number, user: number | undefined, why: string | undefined]
  > = [
    ["one's own, for oneself alone, is one's own doing", 1000, 0o600, 1000, undefined],
    ["so is what everybody may read", 1000, 0o755, 1000, undefined],
    ["members of its group are trusted", 1000, 0o770, 1000, undefined],
    ["and so is root", 0, 0o644, 1000, undefined],
    ["another user is not", 1001, 0o600, 1000, belongs],
    ["not even by root", 1001, 0o600, 0, belongs],
    ["every owner will do for an unknown user", 1001, 0o600, undefined, undefined],
    ["there are systems without owners", undefined, 0o600, 1000, undefined],
    ["what everybody may write may be anybody's", 1000, 0o602, 1000, writable],
    ["and so it may where root owns it", 0, 0o666, 1000, writable],
    ["or nobody does", undefined, 0o666, undefined, writable],
    ["the sticky bit keeps nobody from adding to it", 1000, 0o1777, 1000, writable],
    ["the kind of file, which a mode may tell, too, changes nothing", 1000, 0o100644, 1000, undefined]
  ]
  for (const [name, owner, mode, user, why] of cases) {
    it(name, () => assert.strictEqual(WritableByOthers.why({ owner, group: 1000, mode }, user, undefined), why))
  }
})

describe("the group that every user is in", () => {
  const staff = WritableByOthers.everybodyOn("darwin")
  const standing = (group: number | undefined, mode: number) => ({ owner: 1000, group, mode })
  const cases: ReadonlyArray<
    readonly [name: string, group: number | undefined, mode: number, classes: string | undefined]
  > = [
    ["what staff may write, everybody may", 20, 0o664, "g"],
    ["both ways are named where both are open", 20, 0o666, "go"],
    ["what staff may only read is one's own doing", 20, 0o640, undefined],
    ["members of another group are trusted", 80, 0o664, undefined],
    ["and so they are where there are no groups", undefined, 0o664, undefined]
  ]
  for (const [name, group, mode, classes] of cases) {
    it(name, () => {
      const why = WritableByOthers.why(standing(group, mode), 1000, staff)
      const above = WritableByOthers.whyAbove(standing(group, mode), staff)
      const chmod = classes && `chmod ${classes}-w`
      assert.strictEqual(/`(.*)`/.exec(why ?? "")?.[1], chmod)
      assert.strictEqual(/`(.*)`/.exec(above ?? "")?.[1], chmod)
    })
  }

  it("keeps nobody from adding to what is sticky, but from replacing what stands in it", () => {
    assert.isDefined(WritableByOthers.why(standing(20, 0o1775), 1000, staff))
    assert.isUndefined(WritableByOthers.whyAbove(standing(20, 0o1775), staff))
  })

  it("is none on Linux", () => {
    const nobody = WritableByOthers.everybodyOn("linux")
    assert.isUndefined(WritableByOthers.why(standing(20, 0o664), 1000, nobody))
    assert.isUndefined(WritableByOthers.whyAbove(standing(undefined, 0o775), nobody))
  })
})

describe("WritableByOthers.above", () => {
  const cases: ReadonlyArray<readonly [path: string, above: ReadonlyArray<string>]> = [
    ["/home/me/.trusty/root", ["/home/me/.trusty", "/home/me", "/home", "/"]],
    ["/home/me/", ["/home", "/"]],
    ["/home", ["/"]]
  ]
  for (const [path, above] of cases) {
    it(`${path} lies in ${above.join(", then ")}`, () => assert.deepStrictEqual(WritableByOthers.above(path), above))
  }
})

describe("WritableByOthers.whyAbove", () => {
  const cases: ReadonlyArray<readonly [mode: number, why: string | undefined]> = [
    [0o700, undefined],
    [0o755, undefined],
    [0o775, undefined],
    [0o777, replaceable],
    [0o702, replaceable],
    [0o40777, replaceable],
    [0o1777, undefined],
    [0o1755, undefined]
  ]
  for (const [mode, why] of cases) {
    it(`under ${mode.toString(8)}, ${why === undefined ? "nobody else" : "anybody"} may replace what stands there`, () =>
      assert.strictEqual(WritableByOthers.whyAbove({ owner: 1000, group: 1000, mode }, undefined), why))
  }
})
